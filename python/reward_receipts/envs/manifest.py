"""What a manifest says of an environment: how it was made, what it describes, and the specs that compose its reward."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from ..core.canonical import canonical_json_bytes
from ..core.findings import InvalidDocument
from ..documents.python_input import plain_json
from ..rewards.spec.schedule import SpecStage
from ..traces.manifest import (
    MANIFEST_SCHEMA,
    ManifestRefused,
    file_entry,
    plain_or_type,
    reward_of,
    save_manifest,
    sealed,
)
from ..traces.row import plain_numbers
from .step import SCHEDULE
from .wrapper_order import composes, inner, is_vec_env

_WITHOUT: Final = "; or trace without a manifest: manifest=False"


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
            "reward": None if stages is None else reward_of(stages),
            "versions": _versions(),
            "run": None,
            "traces": [file_entry(Path(trace)) for trace in traces],
        }
    )


def write_manifest(
    path: str | os.PathLike[str], env: Any, *, traces: Iterable[str | os.PathLike[str]] = ()
) -> dict[str, Any]:
    """Writes the manifest of a run, whole or not at all, over one that is there. Returns it. Raises as run_manifest."""
    manifest = run_manifest(env, traces=traces)
    save_manifest(Path(path), manifest)
    return manifest


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


def _digests_of(stages: tuple[SpecStage, ...]) -> tuple[tuple[int | str, str, str], ...]:
    return tuple((stage.start, stage.resolved.spec_digest, stage.resolved.digest) for stage in stages)


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
            f"describe is not a method; make it one that returns what the run was configured with{_WITHOUT}"
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
    kwargs = {name: plain_or_type(value) for name, value in spec.kwargs.items()}
    return {"id": spec.id, "kwargs": kwargs, "max_episode_steps": spec.max_episode_steps}


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
