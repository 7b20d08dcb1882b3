"""A trained policy as a folder: the trainer's own files, and policy.json, which says what it was trained on.

FOLDER/policy.json     the manifest (schemas/policy-manifest.schema.json)
FOLDER/model/          the files that the trainer wrote
"""

from __future__ import annotations

import inspect
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..core.findings import InvalidDocument, shown
from ..core.schema_files import POLICY_FILE, read_schema_file
from ..core.whole_files import replace_file
from ..rewards.spec.resolved import ResolvedSpec, resolve
from ..rewards.spec.schedule import SpecStage
from ..traces.curves import read_curves
from ..traces.manifest import file_digest, reward_of, sealed
from ..traces.measures import measure
from ..validation.check import check_file
from .document import Experiment
from .folder import RunFolder, RunRefused
from .task import Policy

MANIFEST: Final = "policy.json"
MODEL: Final = "model"
POLICY_SCHEMA: Final[str] = read_schema_file(POLICY_FILE)["properties"]["schema_version"]["const"]
_MOST_BYTES: Final = 2**28
_SEAL: Final = "manifest_digest"


@dataclass(frozen=True, slots=True)
class PolicyCheck:
    """What a check of a policy's folder found."""

    problems: tuple[str, ...]
    """Each thing that is not as the manifest says; () if the policy is the one."""
    manifest: Mapping[str, Any] | None
    """The manifest; None if it cannot be read."""


def write_policy(
    folder: Path,
    experiment: Experiment,
    policy: Policy,
    *,
    seed: int,
    steps: int,
    traces: Sequence[Path],
    versions: Mapping[str, str],
) -> None:
    """Writes a policy with its manifest to a new folder; the manifest comes last. Raises OSError."""
    model = folder / MODEL
    model.mkdir(parents=True)
    policy.save(model)
    resolved = None if experiment.spec is None else resolve(experiment.spec)
    curves = read_curves(traces, window=experiment.outputs["window"])
    measures = measure(curves, basis=experiment.outputs["basis"], specs=() if resolved is None else (resolved,))
    manifest = {
        "schema_version": POLICY_SCHEMA,
        "experiment": experiment.to_dict(),
        "experiment_digest": experiment.digest,
        "seed": seed,
        "steps": steps,
        "reward": None
        if resolved is None or experiment.spec is None
        else reward_of((SpecStage(0, experiment.spec, resolved),)),
        "components": {} if resolved is None else _code(resolved),
        "regimes_seen": [{"label": visit.label, "steps": visit.steps} for visit in curves.visits],
        "contract_digest": None,
        "measures": [{name: value for name, value in each.to_dict().items() if name != "curve"} for each in measures],
        "versions": dict(versions),
        "traces": {trace.name: file_digest(trace) for trace in traces},
        "files": _files(model),
    }
    text = json.dumps(sealed(manifest), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    replace_file(folder / MANIFEST, text.encode())


def export_policy(run: str | os.PathLike[str], seed: int, output: str | os.PathLike[str]) -> Mapping[str, Any]:
    """Copies the policy of a complete seed out of a run, to a new folder. Returns its manifest.

    Raises RunRefused if the seed is not complete, kept no policy, or its policy was changed, and if the output is
    there already.
    """
    place = RunFolder(run)
    experiment = place.experiment()
    if seed not in experiment.seeds:
        raise RunRefused(f"{place.path} has no seed {seed}; it has {', '.join(map(str, experiment.seeds))}")
    status = place.status(seed)
    if status.state != "complete":
        raise RunRefused(f"seed {seed} is {status.state}, not complete; `experiment resume` completes it")
    folder = place.attempt_folder(status) / "policy"
    if not folder.is_dir():
        raise RunRefused(f"seed {seed} kept no policy: outputs.policy is false")
    found = check_policy(folder)
    if found.problems or found.manifest is None:
        raise RunRefused(f"the policy of seed {seed} is not the one that was trained: {found.problems[0]}")
    if found.manifest["experiment_digest"] != experiment.digest or found.manifest["seed"] != seed:
        raise RunRefused(f"the policy in {folder} is of another experiment or seed")
    target = Path(output)
    if os.path.lexists(target):
        raise RunRefused(f"{target} is there already; give a new folder")
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        shutil.copytree(folder, beside)
        os.rename(beside, target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return found.manifest


def check_policy(folder: str | os.PathLike[str]) -> PolicyCheck:
    """Whether the files of a policy are those that its manifest was written for. Raises FileNotFoundError without one.

    A manifest that somebody wrote anew, with digests of its own, looks like the first: compare its
    manifest_digest with one that you hold.
    """
    place = Path(folder)
    path = place / MANIFEST
    if not path.is_file():
        raise FileNotFoundError(f"{place} is not an exported policy: it has no {MANIFEST}")
    try:
        with open(path, "rb") as file:
            manifest = json.loads(file.read(_MOST_BYTES))
    except (ValueError, RecursionError) as error:
        return PolicyCheck((f"{MANIFEST} is not JSON: {error}",), None)
    if findings := check_file(POLICY_FILE, manifest):
        return PolicyCheck(tuple(f"{MANIFEST}: {finding.pointer}: {finding.sentence}" for finding in findings), None)
    problems: list[str] = []
    expected = sealed(manifest)[_SEAL]
    if manifest[_SEAL] != expected:
        problems.append(f"{MANIFEST} was changed: its {_SEAL} is {manifest[_SEAL]}; what it says has {expected}")
    try:
        if (digest := Experiment.from_dict(manifest["experiment"]).digest) != manifest["experiment_digest"]:
            problems.append(f"the experiment has the digest {digest}; expected {manifest['experiment_digest']}")
    except InvalidDocument as error:
        problems.append(f"the experiment in {MANIFEST} is not valid: {error.findings[0]}")
    files = _files(place / MODEL)
    for name, digest in manifest["files"].items():
        found = files.get(name)
        if found is None:
            problems.append(f"{MODEL}/{name} is missing")
        elif found != digest:
            problems.append(f"{MODEL}/{name} is another file: its digest is {found}; the policy's was {digest}")
    problems += [f"{MODEL}/{shown(name)} is not part of the policy" for name in files if name not in manifest["files"]]
    return PolicyCheck(tuple(problems), manifest)


def _files(model: Path) -> dict[str, str]:
    found = sorted(path for path in model.rglob("*") if path.is_file())
    return {path.relative_to(model).as_posix(): file_digest(path) for path in found}


def _code(resolved: ResolvedSpec) -> dict[str, str | None]:
    """The digest of the file that each component's class is in."""
    found: dict[str, str | None] = {}
    for term in resolved.terms:
        try:
            source = inspect.getsourcefile(term.component)
            found[term.type] = None if source is None else file_digest(source)
        except (OSError, TypeError):
            found[term.type] = None
    return found
