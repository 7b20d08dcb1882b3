"""The manifest of a run: what its environment and its reward were, with all digests; beside its trace."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..core.canonical import canonical_json_bytes, sha256_digest
from ..core.findings import InvalidDocument
from ..core.whole_files import replace_file
from ..documents.python_input import plain_json
from ..envs.step import SCHEDULE
from ..envs.wrapper_order import composes, inner, is_vec_env
from ..rewards.components.component import Cadence, RewardComponent, RewardSignal
from ..rewards.components.context import StepContext
from ..rewards.components.registry import Registry
from ..rewards.spec.ceiling import ceiling
from ..rewards.spec.resolved import ResolvedSpec, ResolvedTerm, resolve
from ..rewards.spec.schedule import SpecStage
from .row import plain_numbers

if TYPE_CHECKING:
    from ..rewards.spec.generated.reward_spec import RewardSpec

MANIFEST_SCHEMA: Final = "reward-receipts.run-manifest/v1"
"""The schema_version of a manifest."""


_SEAL: Final = "manifest_digest"
_WITHOUT: Final = "; or trace without a manifest: manifest=False"
_MEMBERS: Final = {"schema_version", "environment", "reward", "versions", "run", "traces", _SEAL}


class ManifestRefused(ValueError):
    """A manifest cannot be made of an environment, or what was given is none."""


def manifest_path(trace: Path) -> Path:
    """The manifest beside a trace: ``trace.jsonl`` has ``trace.jsonl.manifest.json``."""
    return trace.with_name(f"{trace.name}.manifest.json")


def run_manifest(env: Any, *, traces: Iterable[str | os.PathLike[str]] = ()) -> dict[str, Any]:
    """The manifest of a run as plain JSON: environment, reward, versions, and the digests of its trace files.

    ``env`` is a ``gymnasium.Env`` or ``VectorEnv``, wrapped or not. What it does not say is null: its id and arguments,
    its ``describe()``, its schedule of regimes, and its reward where no spec composes it. ``run`` is null: only a
    recorder counts. Files are named without their folders. Raises ManifestRefused where ``describe()`` fails or gives
    what JSON does not have (a recorder writes none with ``manifest=False``), and where the environments of a vector
    environment are not all rewarded by one spec.
    """
    stages = composed_stages(env)
    return sealed(
        {
            "schema_version": MANIFEST_SCHEMA,
            "environment": {
                **_made(env),
                "environments": _count(env),
                "describe": _described(env),
                "regimes": _regimes(env),
            },
            "reward": None if stages is None else _reward(stages),
            "versions": _versions(),
            "run": None,
            "traces": [_file(Path(trace)) for trace in traces],
        }
    )


def manifest_of_run(manifest: Mapping[str, Any], run: Mapping[str, Any], trace: Path) -> dict[str, Any]:
    """A manifest with what a recorder says of its run; only a finished one has the digest of the trace."""
    file = _file(trace) if run["finished"] else {"name": trace.name, "sha256": None, "bytes": None}
    run = {**run, "seeds": [_plain_or_type(seed) for seed in run["seeds"]]}
    return sealed({**manifest, "run": run, "traces": [file]})


def sealed(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest with the digest of all else in it, which an edit by hand does not keep.

    Numbers count as doubles, since a program in JavaScript writes 1 for 1.0 and reads no other.
    """
    content = {name: value for name, value in manifest.items() if name != _SEAL}
    return {**content, _SEAL: sha256_digest(canonical_json_bytes(_doubles(content)))}


def _doubles(value: Any) -> Any:
    """Plain JSON with its numbers as doubles, without the sign of a zero."""
    if isinstance(value, dict):
        return {name: _doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_doubles(item) for item in value]
    if type(value) in (int, float):
        with suppress(OverflowError):
            return float(value) + 0.0
    return value


def write_manifest(
    path: str | os.PathLike[str], env: Any, *, traces: Iterable[str | os.PathLike[str]] = ()
) -> dict[str, Any]:
    """Writes the manifest of a run, whole or not at all, over one that is there. Returns it. Raises as run_manifest."""
    manifest = run_manifest(env, traces=traces)
    save_manifest(Path(path), manifest)
    return manifest


def save_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Writes a manifest, whole or not at all, over one that is there."""
    replace_file(path, json.dumps(manifest, indent=2, allow_nan=False).encode() + b"\n")


def specs_of_manifest(manifest: Mapping[str, Any]) -> tuple[ResolvedSpec, ...]:
    """The specs of a manifest as they were run, one after another; () if the reward was the environment's own.

    The components' classes are named in a manifest, not held: the terms are there to be read, not to be run. Raises
    ManifestRefused for what is no manifest, and where it contradicts itself: in its digests, terms, ceiling or members.
    """
    if manifest.get("schema_version") != MANIFEST_SCHEMA:
        raise ManifestRefused(f"its schema_version is not {MANIFEST_SCHEMA}")
    if missing := _MEMBERS - manifest.keys():
        raise ManifestRefused(f"it says nothing of {', '.join(sorted(missing))}")
    reward = manifest["reward"]
    resolved = () if reward is None else tuple(_resolved(each) for each in _each_reward(reward))
    try:
        found = sealed(manifest)[_SEAL]
    except (TypeError, ValueError) as error:
        raise ManifestRefused(f"it has what JSON does not have: {error}") from None
    if manifest[_SEAL] != found:
        raise ManifestRefused(f"it was changed: its {_SEAL} is {manifest[_SEAL]}; what it says has {found}")
    return resolved


def _each_reward(reward: Any) -> list[Any]:
    """The entries of a manifest for the specs of a run."""
    if not isinstance(reward, Mapping) or "stages" not in reward:
        return [reward]
    stages = reward["stages"]
    if not isinstance(stages, list) or not stages:
        raise ManifestRefused("its stages are not a list of at least one spec")
    return stages


def _resolved(reward: Any) -> ResolvedSpec:
    try:
        resolved = _restored(reward)
        most = _ceiling(resolved)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ManifestRefused(f"its reward is not as run_manifest() writes it: {error}") from None
    for member, found in (
        ("spec_digest", resolved.spec_digest),
        ("resolved_spec_digest", resolved.digest),
        ("ceiling", most),
    ):
        if reward.get(member) != found:
            raise ManifestRefused(f"its {member} is {reward.get(member)}; its spec and terms have {found}")
    return resolved


def traces_of(manifest: Mapping[str, Any]) -> dict[str, str | None]:
    """The digests of the trace files that a manifest names; None for one that goes on, or was cut off."""
    files = manifest.get("traces")
    return {
        str(file["name"]): digest if isinstance(digest := file.get("sha256"), str) else None
        for file in (files if isinstance(files, list) else ())
        if isinstance(file, dict) and "name" in file
    }


def file_digest(path: str | os.PathLike[str]) -> str:
    """The SHA-256 digest of a file, as documents write it. Raises OSError."""
    with open(path, "rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


class _Described(RewardComponent):
    """A component as a manifest describes it: its terms can be summed up, not run."""

    def compute(self, ctx: StepContext) -> RewardSignal:
        raise TypeError(f"a manifest does not hold the class of {self.name}; resolve the spec against a registry")


def _restored(reward: Mapping[str, Any]) -> ResolvedSpec:
    """The spec of a manifest, resolved against components that are what its terms say."""
    from ..rewards.spec.generated.reward_spec import RewardSpec

    components: dict[str, type[RewardComponent]] = {}
    for term in reward["terms"]:
        members = {
            "name": term["type"],
            "cadence": Cadence(term["cadence"]),
            "reads": tuple(term["reads"]),
            "clip": None if term["clip"] is None else tuple(term["clip"]),
            "default_weight": term["weight"],
        }
        components[term["type"]] = type("Described", (_Described,), members)
    resolved = resolve(RewardSpec.from_dict(reward["spec"]), Registry(components))
    if [_term(term, resolved) for term in resolved.terms] != [
        {name: value for name, value in term.items() if name != "component"} for term in reward["terms"]
    ]:
        raise ValueError("its terms are not those of its spec")
    return resolved


def _reward(stages: tuple[SpecStage, ...]) -> dict[str, Any]:
    """One spec, or each with the number of steps that were taken before it."""
    if len(stages) == 1:
        return _spec(stages[0].spec, stages[0].resolved)
    return {
        "unit": "steps",
        "stages": [{"start": start, **_spec(spec, resolved)} for start, spec, resolved in stages],
    }


def _spec(spec: RewardSpec, resolved: ResolvedSpec) -> dict[str, Any]:
    return {
        "spec": spec.to_dict(),
        "spec_digest": resolved.spec_digest,
        "resolved_spec_digest": resolved.digest,
        "terms": [{**_term(term, resolved), "component": _class(term.component)} for term in resolved.terms],
        "ceiling": _ceiling(resolved),
    }


def _ceiling(resolved: ResolvedSpec) -> dict[str, Any]:
    most = ceiling(resolved)
    return {"per_step": most.per_step, "at_end": most.at_end, "unbounded": list(most.unbounded)}


def _term(term: ResolvedTerm, resolved: ResolvedSpec) -> dict[str, Any]:
    return {
        "type": term.type,
        "cadence": term.cadence.value,
        "weight": term.weight,
        "clip": None if term.clip is None else list(term.clip),
        "reads": list(term.reads),
        "requires": [resolved.terms[place].type for place in term.requires],
    }


def _class(component: type[RewardComponent]) -> dict[str, Any]:
    """Which code a component is: its class, and the distribution that its module was installed with, if it was."""
    names = _distributions().get(component.__module__.partition(".")[0], [])
    found = names[0] if len(names) == 1 else None
    return {
        "class": f"{component.__module__}:{component.__qualname__}",
        "distribution": found,
        "version": None if found is None else version(found),
    }


@cache
def _distributions() -> Mapping[str, list[str]]:
    return {module: sorted({*names}) for module, names in packages_distributions().items()}


def composed_stages(env: Any) -> tuple[SpecStage, ...] | None:
    """The specs that compose an environment's reward, one after another; None if no wrapper composes it.

    In a vector environment it is looked for around the whole, then in each of its environments. Raises ManifestRefused
    if these differ.
    """
    for each in inner(env):
        if composes(each):
            return _stages_of(each)
    resolved, written = _of_each(env, "resolved_spec"), _of_each(env, "reward_spec")
    if resolved is None or written is None:
        return None
    stages = _of_each(env, "spec_stages")
    if stages is None:
        stages = [(SpecStage(0, spec, as_run),) for spec, as_run in zip(written, resolved, strict=True)]
    if len({_digests_of(each) for each in stages}) > 1:
        raise ManifestRefused("the environments are rewarded by different specs; write a manifest of each")
    found: tuple[SpecStage, ...] = stages[0]
    return found


def _stages_of(wrapper: Any) -> tuple[SpecStage, ...]:
    """The stages of a wrapper that composes; one of your own need not have any."""
    stages: tuple[SpecStage, ...] | None = getattr(wrapper, "spec_stages", None)
    return stages or (SpecStage(0, wrapper.reward_spec, wrapper.resolved_spec),)


def _digests_of(stages: tuple[SpecStage, ...]) -> tuple[tuple[int, str, str], ...]:
    return tuple((start, resolved.spec_digest, resolved.digest) for start, _, resolved in stages)


def is_composed(env: Any) -> bool:
    """Whether a spec composes an environment's reward, in all of it."""
    try:
        return composed_stages(env) is not None
    except ManifestRefused:
        return False


def _described(env: Any) -> Any:
    each = _of_each(env, "describe")
    if each is not None:
        return _one_or_all([_plain(described) for described in each])
    describe = _attribute(env, "describe")
    if describe is None:
        return None
    if not callable(describe):
        raise ManifestRefused(
            f"describe is no method; make it one that returns what the run was configured with{_WITHOUT}"
        )
    try:
        return _plain(describe())
    except ManifestRefused:
        raise
    except Exception as error:
        raise ManifestRefused(f"describe() failed: {type(error).__name__}: {error}{_WITHOUT}") from error


def _regimes(env: Any) -> Any:
    """The schedule of regimes; of a vector environment one, or a list where its environments have different ones."""
    each = _of_each(env, SCHEDULE)
    return _attribute(env, SCHEDULE) if each is None else _one_or_all(each)


def _one_or_all(each: list[Any]) -> Any:
    return each[0] if all(one == each[0] for one in each) else each


def _of_each(env: Any, name: str) -> list[Any] | None:
    """What each environment of a vector environment has, or gives, under a name; None where none has it.

    Those that have nothing are asked nothing: an environment in a process of its own would not survive the question.
    So where only some have it, what they have is not known, and a manifest would be false.
    """
    call = _caller(env)
    if not hasattr(env, "num_envs") or call is None:
        return None
    have = list(call("has_wrapper_attr", name))
    if not any(have):
        return None
    if not all(have):
        without = have.index(False)
        raise ManifestRefused(f"environment {without} has no {name}, and others have; wrap all of them alike{_WITHOUT}")
    try:
        return list(call(name))
    except Exception as error:
        raise ManifestRefused(
            f"{name} of the environments failed: {type(error).__name__}: {error}{_WITHOUT}"
        ) from error


def _caller(env: Any) -> Any:
    """What asks each environment of a vector environment, as ``call`` of Gymnasium's does; None where nothing does."""
    if is_vec_env(env):

        def call(name: str, *arguments: Any) -> Any:
            # Stable-Baselines3 has one way to call a method and another to get an attribute.
            is_method = arguments or name == "describe"
            return env.env_method(name, *arguments) if is_method else env.get_attr(name)

        return call
    return getattr(env, "call", None) or getattr(getattr(env, "unwrapped", None), "call", None)


def _attribute(env: Any, name: str) -> Any:
    has = getattr(env, "has_wrapper_attr", None)
    if has is not None:
        return env.get_wrapper_attr(name) if has(name) else None
    return getattr(env, name, getattr(getattr(env, "unwrapped", None), name, None))


def _made(env: Any) -> dict[str, Any]:
    """How ``gymnasium.make`` made the environment; null where it did not."""
    spec = getattr(env, "spec", None)
    if spec is None or not isinstance(getattr(spec, "id", None), str):
        return {"id": None, "kwargs": None, "max_episode_steps": None}
    kwargs = {name: _plain_or_type(value) for name, value in spec.kwargs.items()}
    return {"id": spec.id, "kwargs": kwargs, "max_episode_steps": spec.max_episode_steps}


def _plain_or_type(value: Any) -> Any:
    """A value as plain JSON; of what JSON does not have, its type."""
    try:
        return plain_json(plain_numbers(value), ())
    except (InvalidDocument, TypeError, ValueError, RecursionError):
        return f"({type(value).__module__}.{type(value).__qualname__})"


def _count(env: Any) -> int:
    return int(getattr(env, "num_envs", 1))


def _plain(described: Any) -> Any:
    try:
        plain = plain_json(plain_numbers(described), ())
        canonical_json_bytes(plain)
    except (InvalidDocument, TypeError, ValueError, RecursionError) as error:
        raise ManifestRefused(f"describe() gave what JSON does not have: {error}{_WITHOUT}") from None
    return plain


def _versions() -> dict[str, str | None]:
    from .. import __version__

    found: dict[str, str | None] = {"python": platform.python_version(), "reward-receipts": __version__}
    for name in ("gymnasium", "numpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def _file(path: Path) -> dict[str, Any]:
    return {"name": path.name, "sha256": file_digest(path), "bytes": path.stat().st_size}
