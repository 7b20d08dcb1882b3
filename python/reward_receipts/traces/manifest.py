"""The manifest of a run: what its environment and its reward were, with all digests; beside its trace."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs

from ..core.canonical import canonical_json_bytes, sha256_digest
from ..core.findings import InvalidDocument, shown
from ..core.frozen import thawed_json
from ..core.pointer import json_pointer
from ..core.schema_files import MANIFEST_FILE, read_schema_file
from ..core.whole_files import replace_file
from ..documents.python_input import plain_json
from ..rewards.components.component import Cadence, RewardComponent, RewardSignal
from ..rewards.components.context import StepContext
from ..rewards.components.params import Param
from ..rewards.components.registry import Registry
from ..rewards.spec.ceiling import ceiling
from ..rewards.spec.resolved import ResolvedSpec, ResolvedTerm, resolve
from ..rewards.spec.schedule import SpecStage
from ..validation.schemas import schema_of
from .row import plain_numbers

if TYPE_CHECKING:
    from ..rewards.spec.generated.reward_spec import RewardSpec

_SCHEMA: Final = read_schema_file(MANIFEST_FILE)
MANIFEST_SCHEMA: Final[str] = _SCHEMA["properties"]["schema_version"]["const"]
"""The schema_version of a manifest."""


_SEAL: Final = "manifest_digest"


class ManifestRefused(ValueError):
    """A manifest cannot be made of an environment, or what was given is none."""


def manifest_path(trace: Path) -> Path:
    """The manifest beside a trace: ``trace.jsonl`` has ``trace.jsonl.manifest.json``."""
    return trace.with_name(f"{trace.name}.manifest.json")


def manifest_of_run(manifest: Mapping[str, Any], run: Mapping[str, Any], trace: Path) -> dict[str, Any]:
    """A manifest with what a recorder says of its run; only a finished one has the digest of the trace."""
    file = file_entry(trace) if run["finished"] else {"name": trace.name, "sha256": None, "bytes": None}
    run = {**run, "seeds": [plain_or_type(seed) for seed in run["seeds"]]}
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


def save_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Writes a manifest, whole or not at all, over one that is there."""
    require_valid(manifest)
    replace_file(path, json.dumps(manifest, indent=2, allow_nan=False).encode() + b"\n")


def specs_of_manifest(manifest: Mapping[str, Any]) -> tuple[ResolvedSpec, ...]:
    """The specs of a manifest as they were run, one after another; () if the reward was the environment's own.

    The components' classes are named in a manifest, not held: the terms are there to be read, not to be run. Raises
    ManifestRefused for anything but a manifest, and if it contradicts itself: in its digests, terms, ceiling, members.
    """
    if manifest.get("schema_version") != MANIFEST_SCHEMA:
        raise ManifestRefused(f"its schema_version is not {MANIFEST_SCHEMA}")
    if missing := [name for name in _SCHEMA["required"] if name not in manifest]:
        raise ManifestRefused(f"it says nothing of {', '.join(missing)}")
    reward = manifest["reward"]
    resolved = () if reward is None else tuple(_resolved(each) for each in _each_reward(reward))
    try:
        found = sealed(manifest)[_SEAL]
    except (TypeError, ValueError) as error:
        raise ManifestRefused(f"it has what JSON does not have: {error}") from None
    if manifest[_SEAL] != found:
        raise ManifestRefused(f"it was changed: its {_SEAL} is {manifest[_SEAL]}; what it says has {found}")
    require_valid(manifest)
    return resolved


def require_valid(manifest: Mapping[str, Any]) -> None:
    """Raises ManifestRefused, with the first place that is wrong, if the schema does not accept a manifest."""
    try:
        error = next(_validator().iter_errors(manifest), None)
    except ValueError as refused:  # a value of Python that JSON does not have
        raise ManifestRefused(f"it has what JSON does not have: {refused}") from None
    if error is not None:
        where = json_pointer(tuple(error.instance_path)) or "the whole"
        raise ManifestRefused(f"it is not as schemas/{MANIFEST_FILE} has it, at {where}: {shown(error.message, 120)}")


@cache
def _validator() -> jsonschema_rs.Draft202012Validator:
    schemas = [schema_of("common"), schema_of("spec"), _SCHEMA]
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in schemas])
    return jsonschema_rs.Draft202012Validator(schemas[-1], registry=registry)


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

    spec = RewardSpec.from_dict(reward["spec"])
    described: dict[str, dict[str, Any]] = {}
    for term, written in zip(reward["terms"], spec.components, strict=False):
        members = described.setdefault(term["type"], {"name": term["type"], "params": {}})
        members |= {"cadence": Cadence(term["cadence"]), "reads": tuple(term["reads"])}
        # Of several terms of a component, one that left a member out has the component's own.
        if "clip" not in written.model_fields_set or "clip" not in members:
            members["clip"] = None if term["clip"] is None else tuple(term["clip"])
        if written.weight is None or "default_weight" not in members:
            members["default_weight"] = term["weight"]
        for name, value in term.get("params", {}).items():
            if name not in (written.params or {}) or name not in members["params"]:
                members["params"][name] = Param("json", default=value)
    components = {name: type("Described", (_Described,), members) for name, members in described.items()}
    resolved = resolve(spec, Registry(components))
    if [_term(term, resolved) for term in resolved.terms] != [
        {name: value for name, value in term.items() if name != "component"} for term in reward["terms"]
    ]:
        raise ValueError("its terms are not those of its spec")
    return resolved


def reward_of(stages: tuple[SpecStage, ...]) -> dict[str, Any]:
    """One spec, or each with its start in a schedule."""
    if len(stages) == 1 and stages[0].unit != "regimes":
        return _spec(stages[0].spec, stages[0].resolved)
    return {
        "unit": stages[0].unit,
        "stages": [{"start": stage.start, **_spec(stage.spec, stage.resolved)} for stage in stages],
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
        **({} if term.name == term.type else {"name": term.name}),
        **({"params": thawed_json(term.params)} if term.params else {}),
        "cadence": term.cadence.value,
        "weight": term.weight,
        "clip": None if term.clip is None else list(term.clip),
        "reads": list(term.reads),
        "requires": [resolved.terms[place].name for place in term.requires],
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


def plain_or_type(value: Any) -> Any:
    """A value as plain JSON; of what JSON does not have, its type."""
    try:
        return plain_json(plain_numbers(value), ())
    except (InvalidDocument, TypeError, ValueError, RecursionError):
        return f"({type(value).__module__}.{type(value).__qualname__})"


def file_entry(path: Path) -> dict[str, Any]:
    return {"name": path.name, "sha256": file_digest(path), "bytes": path.stat().st_size}
