"""The experiment document: read strictly from YAML 1.2 or JSON, completed, with a digest."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path as FilePath
from typing import Any, Final, Self

from pydantic import ValidationError

from ..bulk.files import Text, Unread, name_label, texts
from ..core.canonical import canonical_json_bytes, sha256_digest
from ..core.codes import sentence
from ..core.findings import Finding, InvalidDocument, InvalidText, shown
from ..core.pointer import Path
from ..core.schema_files import EXPERIMENT_FILE, read_schema_file
from ..core.strict_json import Places, decode, read_json
from ..rewards.spec.files import read_spec_file
from ..rewards.spec.generated.reward_spec import RewardSpec
from ..rewards.spec.yaml_reader import PlaceOf, read_yaml
from ..validation.check import check, check_file

_SCHEMA: Final = read_schema_file(EXPERIMENT_FILE)
_WHITE: Final = b" \t\r\n"


def experiment_schema() -> dict[str, Any]:
    """The JSON Schema of an experiment; a copy."""
    schema: dict[str, Any] = copy.deepcopy(_SCHEMA)
    return schema


@dataclass(frozen=True, slots=True)
class Regime:
    """One entry of the schedule."""

    start: int
    label: str
    settings: Mapping[str, Any]
    """Attributes of the environment and their values."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """When and how the policy is evaluated."""

    every: int
    episodes: int


@dataclass(frozen=True)
class Experiment:
    """A completed experiment.

    ``from_file``, ``from_yaml`` and ``from_dict`` raise InvalidDocument with every finding.

        Experiment.from_file("cartpole.yaml").digest
    """

    _members: Mapping[str, Any]
    spec: RewardSpec | None
    """The reward spec; None if the reward is the environment's own."""

    @classmethod
    def from_file(cls, name: str) -> Self:
        """The experiment in a file: JSON if its name ends in .json, else YAML. Raises Unread and InvalidDocument."""
        return cls._of(read_experiment_file(name))

    @classmethod
    def from_dict(cls, members: Mapping[str, Any], folder: str = ".") -> Self:
        """The experiment in plain JSON members; a file of a spec is looked for in ``folder``."""
        value = copy.deepcopy(dict(members))
        findings, spec = _checked(value, folder)
        if findings:
            raise InvalidDocument(findings)
        return cls(_completed(value, spec), spec)

    @classmethod
    def _of(cls, file: ExperimentFile) -> Self:
        if file.findings:
            raise InvalidDocument(file.findings)
        return cls(_completed(file.value, file.spec), file.spec)

    @property
    def digest(self) -> str:
        """The digest of the completed experiment, with the spec in it, wherever it was read from."""
        return sha256_digest(canonical_json_bytes(self.to_dict()))

    def to_dict(self) -> dict[str, Any]:
        """The completed experiment as plain JSON, with the spec in it; a copy."""
        return copy.deepcopy(dict(self._members))

    def to_json(self) -> str:
        """The completed experiment as indented JSON that reads back to an equal one."""
        return json.dumps(self._members, indent=2, ensure_ascii=False) + "\n"

    @property
    def sweep(self) -> Mapping[str, Sequence[Any]]:
        """Settings of the spec, each with its values; {} without a sweep."""
        members: Mapping[str, Sequence[Any]] = self._members.get("sweep", {})
        return members

    def variants(self) -> tuple[Variant, ...]:
        """The experiments of the sweep: every combination of its settings, those of the last one changing fastest.

        Without a sweep, the experiment itself is the only one.
        """
        return tuple(
            Variant(settings, self._with_settings(settings))
            for values in product(*self.sweep.values())
            for settings in [dict(zip(self.sweep, values, strict=True))]
        )

    def _with_settings(self, settings: Mapping[str, Any]) -> Self:
        members = self.to_dict()
        members.pop("sweep", None)
        if self.spec is None:
            return type(self)(members, None)
        spec = self.spec.with_(settings)
        return type(self)(members | {"reward": {"spec": spec.to_dict()}}, spec)

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self._members["name"])

    @property
    def tier(self) -> int:
        """1: the environment's own reward; 2: a spec."""
        return int(self._members["tier"])

    @property
    def environment(self) -> Mapping[str, Any]:
        """``id`` or ``class``, ``kwargs`` and ``max_episode_steps``."""
        members: Mapping[str, Any] = self._members["environment"]
        return members

    @property
    def components(self) -> tuple[str, ...]:
        """Modules that register components."""
        return tuple(self._members["components"])

    @property
    def unit(self) -> str:
        """What a start of a regime counts: ``steps`` or ``episodes``."""
        regimes = self._members.get("regimes")
        return "steps" if regimes is None else str(regimes["unit"])

    @property
    def regimes(self) -> tuple[Regime, ...]:
        """The schedule; () without one."""
        regimes = self._members.get("regimes")
        listed = [] if regimes is None else regimes["schedule"]
        return tuple(Regime(each["start"], each["label"], each["set"]) for each in listed)

    @property
    def trainer(self) -> str:
        """The name of the trainer."""
        return str(self._members["trainer"]["name"])

    @property
    def arguments(self) -> dict[str, Any]:
        """The trainer's arguments; a copy."""
        return copy.deepcopy(dict(self._members["trainer"]["arguments"]))

    @property
    def total_steps(self) -> int:
        """Training steps of a seed."""
        return int(self._members["total_steps"])

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds, in the order of the document."""
        return tuple(self._members["seeds"])

    @property
    def environments(self) -> int:
        """Environments in parallel."""
        return int(self._members["environments"])

    @property
    def evaluation(self) -> Evaluation | None:
        """When and how the policy is evaluated; None for never."""
        members = self._members["evaluation"]
        return None if members is None else Evaluation(members["every"], members["episodes"])

    @property
    def outputs(self) -> Mapping[str, Any]:
        """``trace``, ``policy``, ``window`` and ``basis``."""
        members: Mapping[str, Any] = self._members["outputs"]
        return members


@dataclass(frozen=True, slots=True)
class Variant:
    """One experiment of a sweep."""

    settings: Mapping[str, Any]
    """What it sets, by the name of the setting."""
    experiment: Experiment
    """The experiment, without a sweep."""


MOST_VARIANTS: Final = 1000
"""The experiments that a sweep can have."""


@dataclass(frozen=True)
class ExperimentFile:
    """One experiment as it is in a file, and everything that is wrong with it."""

    text: Text
    value: Any
    findings: tuple[Finding, ...]
    """With the places in the file; () if it is valid."""
    spec: RewardSpec | None
    at: tuple[()] = ()
    line: None = None

    @property
    def label(self) -> str:
        """The file's name."""
        return self.text.label

    def experiment(self) -> Experiment:
        """The model. Raises InvalidDocument if there are findings."""
        return Experiment._of(self)


def read_experiment_file(name: str) -> ExperimentFile:
    """The experiment in a file, checked; the spec that it names is read too. Raises Unread."""
    text = next(texts(name, lines=False), None)
    if text is None:
        raise Unread(name, f"no experiment in {name_label(name)}")
    is_json = text.data.lstrip(_WHITE).startswith(b"{") if name == "-" else name.lower().endswith(".json")
    place: PlaceOf
    try:
        if is_json:
            value = read_json(text.data)
            place = Places(decode(text.data)).of
        else:
            read = read_yaml(text.data)
            value, place = read.value, read.place
    except InvalidText as error:
        return ExperimentFile(text, None, error.findings, None)
    findings, spec = _checked(value, "." if name == "-" else str(FilePath(name).parent))
    placed = []
    for finding in findings:
        line, column = place(finding.path)
        placed.append(replace(finding, line=line, column=column))
    return ExperimentFile(text, value, tuple(placed), spec)


def _checked(value: Any, folder: str) -> tuple[tuple[Finding, ...], RewardSpec | None]:
    findings = check_file(EXPERIMENT_FILE, value)
    if findings:
        return findings, None
    found = [*_rules(value)]
    spec: RewardSpec | None = None
    if not found and "reward" in value:
        of_spec, spec = _spec(value["reward"], folder)
        found += of_spec
    if not found and "sweep" in value:
        found += _sweep(value["sweep"], spec)
    return tuple(found), spec


def _rules(value: Any) -> Iterator[Finding]:
    environment, reward, tier = value["environment"], value.get("reward"), value.get("tier")
    if ("id" in environment) == ("class" in environment):
        yield _finding(
            "experiment.environment-named", ("environment",), found="both" if "id" in environment else "none"
        )
    if reward is not None and sorted(reward) not in (["spec"], ["digest", "file"]):
        yield _finding("experiment.reward-named", ("reward",), found=" and ".join(sorted(reward)) or "nothing")
    if tier == 2 and reward is None:
        yield _finding("experiment.reward-missing", ("tier",))
    if tier == 1 and reward is not None:
        yield _finding("experiment.reward-unused", ("tier",))
    seen: set[int] = set()
    for place, seed in enumerate(value["seeds"]):
        if seed in seen:
            yield _finding("experiment.seed-twice", ("seeds", place), seed=seed)
        seen.add(seed)
    yield from _schedule(value)


def _schedule(value: Any) -> Iterator[Finding]:
    regimes = value.get("regimes")
    if regimes is None:
        return
    before = -1
    for place, each in enumerate(regimes["schedule"]):
        path = ("regimes", "schedule", place, "start")
        label, start = shown(each["label"]), each["start"]
        if place == 0 and start != 0:
            yield _finding("experiment.schedule-order", path, label=label, start=start, expected="0 for the first")
        elif start <= before:
            said = {"label": label, "start": start, "expected": f"more than {before}, where the one before it starts"}
            yield _finding("experiment.schedule-order", path, **said)
        elif regimes.get("unit", "steps") == "steps" and start >= value["total_steps"]:
            yield _finding("experiment.schedule-late", path, label=label, start=start, end=value["total_steps"])
        before = max(before, start)


def _spec(reward: Any, folder: str) -> tuple[list[Finding], RewardSpec | None]:
    if "spec" in reward:
        path: Path = ("reward", "spec")
        found = [replace(each, path=(*path, *each.path)) for each in check("spec", reward["spec"])]
        return found, None if found else RewardSpec.from_dict(reward["spec"])
    name = str(FilePath(folder) / reward["file"])
    file = read_spec_file(name)
    if file.findings:
        return [replace(each, path=("reward", "file"), sentence=f"{file.label}:{each}") for each in file.findings], None
    spec = file.spec()
    if spec.digest != reward["digest"]:
        said = {"file": shown(reward["file"]), "found": spec.digest, "expected": shown(reward["digest"])}
        return [_finding("experiment.reward-differs", ("reward", "digest"), **said)], None
    return [], spec


def _sweep(sweep: Mapping[str, list[Any]], spec: RewardSpec | None) -> Iterator[Finding]:
    code = "experiment.sweep-refused"
    if spec is None:
        yield _finding(code, ("sweep",), found="the reward is the environment's own")
        return
    if (count := prod(map(len, sweep.values()))) > MOST_VARIANTS:
        yield _finding(code, ("sweep",), found=f"it has {count} combinations; at most {MOST_VARIANTS} are allowed")
    for setting, values in sweep.items():
        for place, value in enumerate(values):
            if any(canonical_json_bytes(value) == canonical_json_bytes(other) for other in values[:place]):
                yield _finding(code, ("sweep", setting, place), found=f"{shown(value)} is there twice")
                continue
            try:
                spec.with_({setting: value})
            except ValueError as error:  # pydantic's ValidationError is one
                found = (
                    "; ".join(str(each["msg"]) for each in error.errors())
                    if isinstance(error, ValidationError)
                    else str(error)
                )
                yield _finding(code, ("sweep", setting, place), found=found.rstrip("."))


def _completed(value: Any, spec: RewardSpec | None) -> dict[str, Any]:
    members = _with_defaults(_SCHEMA, value)
    members.setdefault("tier", 1 if spec is None else 2)
    if spec is not None:
        members["reward"] = {"spec": spec.to_dict()}
    ordered: dict[str, Any] = {name: members[name] for name in _SCHEMA["properties"] if name in members}
    return ordered


def _with_defaults(schema: Any, value: Any) -> Any:
    if isinstance(value, dict) and "properties" in schema:
        for name, member in schema["properties"].items():
            if name not in value and "default" in member:
                value[name] = copy.deepcopy(member["default"])
        return {name: _with_defaults(schema["properties"].get(name, {}), member) for name, member in value.items()}
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [_with_defaults(schema["items"], item) for item in value]
    if "anyOf" in schema and isinstance(value, dict):
        return _with_defaults(schema["anyOf"][0], value)
    return value


def diff_experiments(before: Experiment, after: Experiment) -> list[str]:
    """What changed from one experiment to another, a line for each member; [] if the digests are equal.

    The reward spec is compared as ``spec diff`` does, in words.
    """
    was, now = before.to_dict(), after.to_dict()
    was.pop("reward", None)
    now.pop("reward", None)
    lines = list(_differences("", was, now))
    if before.spec is None and after.spec is not None:
        lines.append(f"reward: the environment's own -> the spec {shown(after.spec.name)}")
    elif before.spec is not None and after.spec is None:
        lines.append(f"reward: the spec {shown(before.spec.name)} -> the environment's own")
    elif before.spec is not None and after.spec is not None:
        found = before.spec.diff(after.spec)
        if found:
            lines += [f"reward: {line}" for line in str(found).splitlines()]
    return lines


def _differences(name: str, was: Any, now: Any) -> Iterator[str]:
    if isinstance(was, dict) and isinstance(now, dict):
        for member in dict.fromkeys((*was, *now)):
            inner = f"{name}.{member}" if name else member
            if member not in now:
                yield f"{inner}: {json.dumps(was[member])} -> left out"
            elif member not in was:
                yield f"{inner}: left out -> {json.dumps(now[member])}"
            else:
                yield from _differences(inner, was[member], now[member])
    elif canonical_json_bytes(was) != canonical_json_bytes(now):
        yield f"{name}: {json.dumps(was)} -> {json.dumps(now)}"


def _finding(code: str, path: Path, **values: object) -> Finding:
    return Finding(code, sentence(code, **values), path)
