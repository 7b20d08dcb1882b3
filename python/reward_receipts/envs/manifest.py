"""The manifest of a run: what its environment and its reward were, with all digests; beside its trace."""

from __future__ import annotations

import hashlib
import json
import numbers
import os
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..documents.python_input import plain_json
from ..findings import InvalidDocument
from ..rewards.ceiling import ceiling
from ..rewards.component import Cadence, RewardComponent, RewardSignal, StepContext
from ..rewards.registry import Registry
from ..rewards.resolved import ResolvedSpec, resolve

if TYPE_CHECKING:
    from ..generated.reward_spec import RewardSpec

MANIFEST_SCHEMA: Final = "reward-receipts.run-manifest/v1"
"""The schema_version of a manifest."""


class ManifestRefused(ValueError):
    """A manifest cannot be made of an environment, or what was given is none."""


def manifest_path(trace: Path) -> Path:
    """The manifest beside a trace: ``trace.jsonl`` has ``trace.manifest.json``."""
    return trace.with_name(f"{trace.stem}.manifest.json")


def run_manifest(env: Any, *, traces: Iterable[str | os.PathLike[str]] = ()) -> dict[str, Any]:
    """The manifest of a run as plain JSON: environment, reward, versions, and the digests of its trace files.

    ``env`` is a ``gymnasium.Env`` or ``VectorEnv``, wrapped or not. What it does not say is null: its id, its
    ``describe()``, and its reward where no spec composes it. Files are named without their folders. Raises
    ManifestRefused where ``describe()`` fails or gives what JSON does not have, and where the environments of a vector
    environment are rewarded by different specs.
    """
    composed = composed_spec(env)
    return {
        "schema_version": MANIFEST_SCHEMA,
        "environment": {"id": _id(env), "environments": _count(env), "describe": _described(env)},
        "reward": None if composed is None else _reward(*composed),
        "versions": _versions(),
        "traces": [_file(Path(trace)) for trace in traces],
    }


def write_manifest(
    path: str | os.PathLike[str], env: Any, *, traces: Iterable[str | os.PathLike[str]] = ()
) -> dict[str, Any]:
    """Writes the manifest of a run, whole or not at all, over one that is there. Returns it. Raises as run_manifest."""
    manifest = run_manifest(env, traces=traces)
    save_manifest(Path(path), manifest)
    return manifest


def save_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Writes a manifest, whole or not at all, over one that is there."""
    data = json.dumps(manifest, indent=2, allow_nan=False).encode() + b"\n"
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with open(partial, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        with suppress(FileNotFoundError):
            partial.unlink()
        raise


def resolved_of_manifest(manifest: Mapping[str, Any]) -> ResolvedSpec | None:
    """The spec of a manifest as it was run; None for a run whose reward was the environment's own.

    The components' classes are not in a manifest: the terms are there to be read, not to be run. Raises
    ManifestRefused for what is no manifest, and where its digests are not those of its spec and terms.
    """
    if manifest.get("schema_version") != MANIFEST_SCHEMA:
        raise ManifestRefused(f"its schema_version is not {MANIFEST_SCHEMA}")
    if "reward" not in manifest:
        raise ManifestRefused("it says nothing of the reward")
    reward = manifest["reward"]
    if reward is None:
        return None
    try:
        resolved = _restored(reward)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ManifestRefused(f"its reward is not as run_manifest() writes it: {error}") from None
    for member, found in (("spec_digest", resolved.spec_digest), ("resolved_spec_digest", resolved.digest)):
        if reward.get(member) != found:
            raise ManifestRefused(f"its {member} is {reward.get(member)}; its spec and terms have {found}")
    return resolved


def trace_digest(manifest: Mapping[str, Any], name: str) -> str | None:
    """The digest that a manifest has of a trace file; None where it does not name the file."""
    files = manifest.get("traces")
    for file in files if isinstance(files, list) else ():
        if isinstance(file, dict) and file.get("name") == name and isinstance(digest := file.get("sha256"), str):
            return digest
    return None


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
    from ..generated.reward_spec import RewardSpec

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
    if _terms(resolved) != list(reward["terms"]):
        raise ValueError("its terms are not those of its spec")
    return resolved


def _reward(spec: RewardSpec, resolved: ResolvedSpec) -> dict[str, Any]:
    most = ceiling(resolved)
    return {
        "spec": spec.to_dict(),
        "spec_digest": resolved.spec_digest,
        "resolved_spec_digest": resolved.digest,
        "terms": _terms(resolved),
        "ceiling": {"per_step": most.per_step, "at_end": most.at_end, "unbounded": list(most.unbounded)},
    }


def _terms(resolved: ResolvedSpec) -> list[dict[str, Any]]:
    return [
        {
            "type": term.type,
            "cadence": term.cadence.value,
            "weight": term.weight,
            "clip": None if term.clip is None else list(term.clip),
            "reads": list(term.reads),
            "requires": [resolved.terms[place].type for place in term.requires],
        }
        for term in resolved.terms
    ]


def composed_spec(env: Any) -> tuple[RewardSpec, ResolvedSpec] | None:
    """The spec that composes an environment's reward, and its resolved form; None where no wrapper composes it.

    In a vector environment it is looked for around the whole, then in each of its environments. Raises ManifestRefused
    where these differ.
    """
    inner = env
    while inner is not None:
        members = vars(type(inner))
        if "reward_spec" in members and "resolved_spec" in members:
            return inner.reward_spec, inner.resolved_spec
        inner = getattr(inner, "env", None)
    specs = _of_each(env, "resolved_spec")
    if specs is None or all(resolved is None for resolved in specs):
        return None
    if len({None if resolved is None else resolved.digest for resolved in specs}) > 1:
        raise ManifestRefused("the environments are rewarded by different specs; write a manifest of each")
    written = _of_each(env, "reward_spec")
    assert written is not None
    return written[0], specs[0]


def _described(env: Any) -> Any:
    each = _of_each(env, "describe")
    if each is not None:
        plain = [_plain(described) for described in each]
        return plain[0] if all(described == plain[0] for described in plain) else plain
    describe = _attribute(env, "describe")
    if describe is None:
        return None
    try:
        return _plain(describe())
    except ManifestRefused:
        raise
    except Exception as error:
        raise ManifestRefused(f"describe() failed: {type(error).__name__}: {error}") from error


def _of_each(env: Any, name: str) -> list[Any] | None:
    """What each environment of a vector environment has, or gives, under a name; None where it cannot be asked.

    Those that have nothing are asked nothing: an environment in a process of its own would not survive the question.
    """
    call = getattr(env, "call", None) or getattr(getattr(env, "unwrapped", None), "call", None)
    if not hasattr(env, "num_envs") or call is None:
        return None
    if not all(call("has_wrapper_attr", name)):
        return [None] * env.num_envs
    try:
        return list(call(name))
    except Exception as error:
        raise ManifestRefused(f"{name} of the environments failed: {type(error).__name__}: {error}") from error


def _attribute(env: Any, name: str) -> Any:
    has = getattr(env, "has_wrapper_attr", None)
    if has is not None:
        return env.get_wrapper_attr(name) if has(name) else None
    return getattr(env, name, getattr(getattr(env, "unwrapped", None), name, None))


def _id(env: Any) -> str | None:
    spec = getattr(env, "spec", None)
    found = getattr(spec, "id", None)
    return found if isinstance(found, str) else None


def _count(env: Any) -> int:
    return int(getattr(env, "num_envs", 1))


def _plain(described: Any) -> Any:
    try:
        return plain_json(_without_numpy(described), ())
    except InvalidDocument as error:
        raise ManifestRefused(f"describe() gave what JSON does not have: {error}") from None


def _without_numpy(value: Any) -> Any:
    """A value with NumPy's numbers and arrays as Python's."""
    if isinstance(value, Mapping):
        return {name: _without_numpy(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_numpy(item) for item in value]
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return _without_numpy(value.tolist())
    if isinstance(value, numbers.Number) and not isinstance(value, (int, float)):
        return float(value) if isinstance(value, numbers.Real) else value
    return value


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
