"""Specs as text: strict JSON in, JSON out, and files of either kind."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from reward_data import SPEC
from reward_receipts.bulk.files import Unread
from reward_receipts.core.canonical import canonical_json_bytes
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.rewards import RewardSpec
from reward_receipts.rewards.spec.files import read_spec_file, spec_files
from spec_space import specs

YAML_TEXT = "name: no\ncomponents:\n  - type: upright\n"
JSON_TEXT = '{"name": "no", "components": [{"type": "upright"}]}'


def refusal(text: str | bytes) -> str:
    with pytest.raises(InvalidDocument) as caught:
        RewardSpec.from_json(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"name": "a",\n "name": "a"}', "2:2 (document) json.duplicate"),
        ('{"name": "a",\n "components": [{"type": "b", "weight": NaN}]}', "2:41 /components/0/weight json.syntax"),
        ('{"name": "a",\n "components": [{"type": "b", "weight": "1"}]}', "2:31 /components/0/weight schema.type"),
        ('{"name": "a",\n "components": [{"type": "b", "clip": [1, 0]}]}', "2:31 /components/0/clip spec.clip-ordered"),
        ('{"name": "a"}', "1:1 (document) schema.required components is missing"),
        (YAML_TEXT, "1:1 (document) json.syntax"),
        (b"\xff", "1:1 (document) json.utf8"),
    ],
)
def test_json_is_refused_with_its_place(text: str | bytes, said: str) -> None:
    assert refusal(text).startswith(said)


@given(specs)
def test_json_reads_back_to_the_same_spec(spec: RewardSpec) -> None:
    text = spec.to_json()
    again = RewardSpec.from_json(text)
    assert (again, again.digest) == (spec, spec.digest)
    assert RewardSpec.from_dict(again.to_dict()).digest == spec.digest
    assert text.isascii()
    assert text.endswith("}\n")


@pytest.mark.slow
@given(specs)
def test_the_three_forms_agree(spec: RewardSpec) -> None:
    by_yaml = RewardSpec.from_yaml(spec.to_yaml())
    assert RewardSpec.from_json(by_yaml.to_json()).to_yaml() == spec.to_yaml()


def test_json_is_written_in_the_schemas_order_with_canonical_numbers() -> None:
    plain = {"gates": [], "components": [{"clip": [-0.0, 1e16], "weight": 1e-7, "type": "é"}], "name": "a"}
    spec = RewardSpec.from_dict(plain)
    written = json.loads(spec.to_json())
    assert list(written) == ["schema_version", "name", "components", "gates"]
    assert list(written["components"][0]) == ["type", "weight", "clip"]
    numbers = r"-?[0-9.]+(?:e[-+][0-9]+)?"
    assert re.findall(numbers, spec.to_json().split("weight")[1]) == ["1e-07", "-0.0", "1e+16"]
    assert canonical_json_bytes(written) == canonical_json_bytes(spec)


# Files


def test_a_name_in_json_is_json_and_any_other_is_yaml(tmp_path: Path) -> None:
    for name, text in {"a.json": JSON_TEXT, "b.JSON": JSON_TEXT, "c.yaml": YAML_TEXT, "d": JSON_TEXT}.items():
        (tmp_path / name).write_text(text)
    found = [read_spec_file(str(path)).spec() for path in sorted(tmp_path.iterdir())]
    assert [spec.digest for spec in found] == [RewardSpec.from_json(JSON_TEXT).digest] * 4
    (tmp_path / "e.json").write_text(YAML_TEXT)
    assert [finding.code for finding in read_spec_file(str(tmp_path / "e.json")).findings] == ["json.syntax"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (JSON_TEXT, None),
        (YAML_TEXT, None),
        (f" \n{JSON_TEXT}", None),
        ("{name: a}", "json.syntax"),
        ("[a", "yaml.syntax"),
    ],
)
def test_standard_input_is_json_where_it_starts_with_a_brace(
    text: str, code: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    file = read_spec_file("-")
    assert [finding.code for finding in file.findings] == ([] if code is None else [code])
    assert file.label == "<stdin>"


def test_anything_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    blank = tmp_path / "blank.yaml"
    blank.write_text(" \n")
    for name, why in {
        str(tmp_path / "none.yaml"): "cannot read .*none.yaml: No such file",
        str(tmp_path): "cannot read .*: Is a directory",
        str(blank): "no spec in .*blank.yaml",
        str(tmp_path / "*.json"): "cannot read .*: No such file",
    }.items():
        with pytest.raises(Unread, match=why):
            read_spec_file(name)


def test_patterns_name_each_file_once(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(YAML_TEXT)
    (tmp_path / "b.json").write_text(JSON_TEXT)
    found = list(spec_files([str(tmp_path / "*"), str(tmp_path / "a.yaml"), str(tmp_path / "*.toml")]))
    assert [Path(each.label).name for each in found if not isinstance(each, Unread)] == ["a.yaml", "b.json"]
    assert [str(each) for each in found if isinstance(each, Unread)] == [f"no file matches {tmp_path / '*.toml'}"]


def test_a_file_that_does_not_hold_has_no_model(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("name: a\ncomponents: []\n")
    file = read_spec_file(str(path))
    assert [(finding.line, finding.code) for finding in file.findings] == [(2, "schema.minItems")]
    with pytest.raises(InvalidDocument):
        file.spec()


def test_the_shared_example_goes_through_all_forms() -> None:
    spec = RewardSpec.from_dict(SPEC)
    assert RewardSpec.from_yaml(spec.to_yaml()) == RewardSpec.from_json(spec.to_json()) == spec
