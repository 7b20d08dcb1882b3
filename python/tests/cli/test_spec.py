"""``spec``: what each of its commands reports about reward specs, and its exit status."""

from __future__ import annotations

import json
import os
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, ClassVar

import pytest
from command_line import Shell, in_a_process
from reward_receipts.rewards import Param, RewardSpec
from reward_receipts.rewards.components.registry import REGISTRY
from ruamel.yaml import YAML

GOOD = """\
name: deliveries
components:
  - {type: on_time_delivery, weight: 3.0, clip: [0.0, 1.0]}
  - {type: throughput, weight: 1.0, clip: [0.0, 1.0]}
  - {type: incident_severity, weight: 0.5, clip: [-1.0, 0.0]}
gates:
  - {component: throughput, requires: on_time_delivery}
"""
BAD = "name: bad\ncomponents:\n  - {type: a, weight: no}\n  - type: a\n"

PENDULUM = '''\
"""Two components of somebody else's."""
from reward_receipts.rewards import Cadence, RewardComponent, register

print("a module may say what it likes")

class Swing(RewardComponent):
    name = "swing"
    clip = (-2.0, 4.0)
    default_weight = 0.5
    reads = ("extras",)
    def compute(self, ctx):
        return self._signal(0.0)

class Landing(RewardComponent):
    name = "landing"
    cadence = Cadence.EPISODE_END
    def compute(self, ctx):
        return self._signal(0.0)

register("swing", Swing)
register("landing", Landing)
'''


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setattr(sys, "path", list(sys.path))
    return Shell(tmp_path, capsys, monkeypatch)


@pytest.fixture
def pendulum(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module in the folder, which registers the components swing and landing for this test."""
    monkeypatch.setattr(REGISTRY, "_components", dict(REGISTRY._components))
    monkeypatch.delitem(sys.modules, "pendulum_terms", raising=False)
    shell.write("pendulum_terms.py", PENDULUM)
    return "pendulum_terms"


# lint


def test_lint_says_nothing_of_good_specs(shell: Shell) -> None:
    names = [shell.write("a.yaml", GOOD), shell.write("b.json", RewardSpec.from_yaml(GOOD).to_json())]
    ran = shell("spec", "lint", *names)
    assert (ran.status, ran.out, ran.err) == (0, "", "2 documents, 0 findings\n")


def test_lint_needs_no_component(shell: Shell) -> None:
    name = shell.write("a.yaml", "name: a\ncomponents: [{type: nobody registers this}]\n")
    assert shell("spec", "lint", name).status == 0


def test_lint_with_components_finds_the_unknown_ones(shell: Shell, pendulum: str) -> None:
    good = shell.write("a.yaml", "name: a\ncomponents:\n  - type: swing\n")
    wrong = shell.write("b.yaml", "name: a\ncomponents:\n  - type: swing\n  - type: swinge\n")
    bad = shell.write("bad.yaml", BAD)
    assert shell("spec", "lint", good, "--components", pendulum).status == 0
    ran = shell("spec", "lint", good, wrong, "--components", pendulum)
    assert (ran.status, ran.codes) == (1, [("b.yaml:4:5", "compose.component-unknown"), ("b.yaml:4:5", "warning")])
    assert 'the nearest name is "swing"' in ran.out
    assert 'No component is registered as "swinge"' in ran.out
    assert "Correct the type, or register the component" in ran.out
    verdicts = [each["verdict"] for each in shell.results("spec", "lint", good, wrong, bad, "--components", pendulum)]
    assert verdicts == ["valid", "invalid", "invalid"]
    assert shell("spec", "lint", wrong).status == 0


def test_lint_with_components_that_cannot_be_had_cannot_decide(shell: Shell) -> None:
    name = shell.write("a.yaml", GOOD)
    ran = shell("spec", "lint", name, "--components", "no_such_module")
    assert (ran.status, ran.out) == (2, "")
    assert "--components no_such_module cannot be imported: ModuleNotFoundError" in ran.err


def test_lint_gives_each_finding_a_line_with_its_place(shell: Shell) -> None:
    name = shell.write("bad.yaml", BAD)
    ran = shell("spec", "lint", name)
    assert ran.status == 1
    assert ran.lines == [
        'bad.yaml:3:15 /components/0/weight schema.type weight is the string "no"; it must be a number.',
        "bad.yaml:4:5 /components/1/type spec.component-types-unique Each term has a name of its own; a term "
        'without a name is called by its type. "a" is the name of the term at /components/0 and of this one.',
    ]


def test_lint_reads_patterns_and_standard_input(shell: Shell) -> None:
    shell.write("a.yaml", GOOD)
    shell.write("b.yml", BAD)
    ran = shell("spec", "lint", "*.y*ml", "-", stdin=b'{"name": "a",\n "components": []}')
    assert ran.status == 1
    assert ran.codes == [
        ("b.yml:3:15", "schema.type"),
        ("b.yml:4:5", "spec.component-types-unique"),
        ("<stdin>:2:2", "schema.minItems"),
    ]


def test_lint_cannot_decide_on_what_it_cannot_read(shell: Shell) -> None:
    shell.write("blank.yaml", "\n")
    (shell.folder / "empty").mkdir()
    ran = shell("spec", "lint", "none.yaml", "empty", "*.toml", "blank.yaml")
    assert (ran.status, ran.out) == (2, "")
    assert "cannot read none.yaml: No such file" in ran.err
    assert "no .yaml, .yml, .json file in empty" in ran.err
    assert "no file matches *.toml" in ran.err
    assert "no spec in blank.yaml" in ran.err
    assert shell("spec", "lint", "none.yaml", shell.write("bad.yaml", BAD)).status == 1


def test_lint_says_the_same_in_every_format(shell: Shell) -> None:
    names = (shell.write("good.yaml", GOOD), shell.write("bad.yaml", BAD))
    runs = {form: shell("spec", "lint", *names, "-f", form) for form in ("text", "json", "jsonl", "junit", "github")}
    assert {ran.status for ran in runs.values()} == {1}
    said = json.loads(runs["json"].out)
    assert [(r["file"], r["verdict"], r["kind"], len(r["findings"])) for r in said["results"]] == [
        ("good.yaml", "valid", "spec", 0),
        ("bad.yaml", "invalid", "spec", 2),
    ]
    assert said["summary"]["command"] == "spec lint"
    lines = [json.loads(line) for line in runs["jsonl"].lines]
    assert [{"type": "result", **result} for result in said["results"]] == lines[:2]
    suite = ElementTree.fromstring(runs["junit"].out.encode())
    assert [len(case.findall("failure")) for case in suite.iter("testcase")] == [0, 1]
    assert runs["github"].lines[0].startswith("::error ")
    assert "file=bad.yaml,line=3,col=15" in runs["github"].lines[0].replace(" ", "")


@pytest.mark.parametrize(
    "data", [b"\xff\xfe", b"\0", b"a: [", b"\xef\xbb\xbfname: a", b"[" * 100_000, b"a: *a", b"- !!x"]
)
def test_lint_has_a_finding_for_any_bytes(shell: Shell, data: bytes) -> None:
    name = shell.write("spec.yaml", data)
    ran = shell("spec", "lint", name)
    assert ran.status == 1
    assert len(ran.codes) == 1


# show


def test_show_prints_the_terms_and_what_they_come_to(shell: Shell) -> None:
    name = shell.write("a.yaml", GOOD)
    spec = RewardSpec.from_yaml(GOOD)
    ran = shell("spec", "show", name)
    assert ran.status == 0
    assert ran.lines == [
        "term               cadence  clip       weight  share  requires",
        "on_time_delivery   step     0.0..1.0   3.0     75.0%  -",
        "throughput         step     0.0..1.0   1.0     25.0%  on_time_delivery",
        "incident_severity  step     -1.0..0.0  0.5     0.0%   -",
        "",
        "name             deliveries",
        f"digest           {spec.digest}",
        f"resolved digest  {spec.resolve().digest}",
        "per step         at most 4.0",
        "at the end       at most 0.0",
    ]


def test_show_marks_what_is_the_components_own(shell: Shell, pendulum: str) -> None:
    name = shell.write("a.yaml", "name: a\ncomponents: [{type: swing}, {type: landing, weight: 2.0}]\n")
    ran = shell("spec", "show", name, "--components", pendulum)
    assert ran.status == 0
    assert ran.lines[:3] == [
        "term     cadence      clip             weight     share      requires",
        "swing    step         -2.0..4.0 (own)  0.5 (own)  100.0%     -",
        "landing  episode_end  none (own)       2.0        unbounded  -",
    ]
    assert ran.lines[-3:] == ["per step         at most 2.0", "at the end       unbounded", "unbounded terms  landing"]
    assert "a module may say what it likes" in ran.err


def test_show_says_it_all_in_json(shell: Shell, pendulum: str) -> None:
    text = "name: a\ncomponents: [{type: swing, clip: null}, {type: landing, clip: [0, 3]}]\n"
    name = shell.write("a.yaml", text + "gates: [{component: landing, requires: swing}]\n")
    [said] = shell.results("spec", "show", name, "--components", pendulum)
    own = {"cadence": "step", "clip": None, "clip_is_own": False, "weight": 0.5, "weight_is_own": True}
    own["weight_per_second"] = None
    ending = {**own, "cadence": "episode_end", "clip": [0.0, 3.0], "weight": 1.0}
    assert said["terms"] == [
        {
            "name": "swing",
            "type": "swing",
            "params": {},
            **own,
            "bound": None,
            "share": None,
            "requires": [],
            "reads": ["extras"],
        },
        {
            "name": "landing",
            "type": "landing",
            "params": {},
            **ending,
            "bound": 3.0,
            "share": 1.0,
            "requires": ["swing"],
            "reads": [],
        },
    ]
    assert said["ceiling"] == {"per_step": None, "at_end": 3.0, "unbounded": ["swing"]}
    assert said["name"] == "a"
    assert said["digest"] != said["resolved_digest"]


@pytest.mark.parametrize("command", ["show", "ceiling"])
def test_an_unknown_component_cannot_be_decided(shell: Shell, command: str) -> None:
    name = shell.write("a.yaml", "name: a\ncomponents:\n  - type: throughput\n  - type: thruput\n")
    ran = shell("spec", command, name)
    assert ran.status == 2
    assert len(ran.lines) == 1
    assert ran.codes == [("a.yaml:4:5", "unchecked")]
    assert 'compose.component-unknown No component is registered as "thruput"; known are ' in ran.out
    for word in ('"throughput"', "Correct the type, or register the component", "--components MODULE"):
        assert word in ran.out


@pytest.mark.parametrize("command", ["show", "ceiling"])
def test_a_spec_that_does_not_hold_is_a_finding(shell: Shell, command: str) -> None:
    name = shell.write("bad.yaml", BAD)
    ran = shell("spec", command, name)
    assert (ran.status, [code for _, code in ran.codes]) == (1, ["schema.type", "spec.component-types-unique"])
    assert shell("spec", command, "none.yaml").status == 2


@pytest.mark.parametrize(
    ("module", "source", "why"),
    [
        ("there_is_no_such_module", None, "ModuleNotFoundError"),
        ("fails_at_import", "1 / 0\n", "ZeroDivisionError: division by zero"),
        ("ends_the_process", "raise SystemExit(0)\n", "SystemExit"),
        ("panics", "class Panic(BaseException): pass\nraise Panic('a lock')\n", "Panic: a lock ("),
        (
            "mute",
            "class Mute(Exception):\n    def __str__(self): raise SystemExit\nraise Mute\n",
            "Mute: (it has no text",
        ),
        ("says_half", "raise ValueError('\\ud800')\n", "ValueError: \\ud800"),
        ("is_no_python", "def\n", "SyntaxError"),
        (
            "takes_a_name",
            "from reward_receipts.rewards import *\nregister('throughput', FillRate)\n",
            "ComponentNameTaken",
        ),
        ("..", None, "TypeError"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named(shell: Shell, module: str, source: str | None, why: str) -> None:
    if source is not None:
        shell.write(f"{module}.py", source)
    ran = shell("spec", "show", shell.write("a.yaml", GOOD), "--components", module)
    assert (ran.status, ran.out) == (2, "")
    assert f"--components {module} cannot be imported: {why}" in ran.err
    assert "Traceback" not in ran.err
    assert json.loads(shell("spec", "show", "a.yaml", "--components", module, "-f", "json").out)["results"] == []


@pytest.mark.parametrize(
    ("named", "module"),
    [("pendulum_terms.py", "pendulum_terms"), ("./pendulum_terms.py", "pendulum_terms"), ("a/b.py", "a.b")],
)
def test_a_file_in_place_of_a_module_suggests_its_module_name(
    shell: Shell, pendulum: str, named: str, module: str
) -> None:
    ran = shell("spec", "show", shell.write("a.yaml", GOOD), "--components", named)
    assert (ran.status, ran.out) == (2, "")
    assert f"--components {named} is a file; name the module: --components {module}\n" in ran.err
    assert "swing" not in REGISTRY  # nothing of it was run


LOUD = """\
import atexit, os, sys

class AtTheEnd:
    def __del__(self, write=os.write):
        write(1, b"finaliser ")

print("print")
sys.stdout.buffer.write(b"buffer ")
sys.__stdout__.write("by another name ")
os.write(1, b"descriptor ")
os.system("echo child")
atexit.register(print, "exit handler")
kept = AtTheEnd()
sys.stdout.close()
sys.stdout = None
"""


def test_nothing_that_a_module_writes_comes_among_the_results(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "loud.py").write_text(LOUD)
    ran = in_a_process("spec", "show", "a.yaml", "--components", "loud", "-f", "json", cwd=tmp_path)
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["results"][0]["name"] == "deliveries"
    for words in ("print", "buffer", "by another name", "descriptor", "child", "exit handler", "finaliser"):
        assert words in ran.stderr


def test_a_module_that_closes_the_streams_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "closes.py").write_text("import sys\nsys.__stdout__.close()\nsys.stderr.close()\n")
    ran = in_a_process("spec", "show", "a.yaml", "--components", "closes", cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "")


ENTRY_POINTS = {
    "leaving": ("import sys; sys.exit('no licence')\n", "SystemExit: no licence"),
    "succeeding": ("import sys; sys.exit(0)\n", "SystemExit: 0"),
    "panicking": ("class Panic(BaseException): pass\nraise Panic('a lock')\n", "Panic: a lock"),
    "failing": ("1 / 0\n", "ZeroDivisionError"),
    "broken": ("Swing = 3\n", "TypeError"),
}


def installed(folder: Path, name: str, source: str) -> dict[str, str]:
    """A package that offers a component Swing under its own name. Returns the variables to find it by."""
    packages = folder / "packages"
    (packages / f"{name}-1.0.dist-info").mkdir(parents=True)
    (packages / f"{name}-1.0.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (packages / f"{name}-1.0.dist-info" / "entry_points.txt").write_text(
        f"[reward_receipts.components]\n{name} = {name}:Swing\n"
    )
    (packages / f"{name}.py").write_text(source)
    (folder / "a.yaml").write_text(f"name: a\ncomponents: [{{type: {name}}}]\n")
    return {**os.environ, "PYTHONPATH": str(packages)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_a_package_whose_component_cannot_be_loaded_is_a_problem(tmp_path: Path, name: str) -> None:
    source, why = ENTRY_POINTS[name]
    env = installed(tmp_path, name, source)
    for command in ("show", "ceiling"):
        ran = in_a_process("spec", command, "a.yaml", "-f", "json", cwd=tmp_path, env=env)
        assert ran.returncode == 2
        said = json.loads(ran.stdout)
        assert (said["results"], said["summary"]["exit_status"]) == ([], 2)
        assert "a component cannot be had" in said["problems"][0]["message"]
        assert why in said["problems"][0]["message"]
        assert f"{name} = {name}:Swing" in said["problems"][0]["message"]
        assert "Traceback" not in ran.stderr


def test_anything_that_a_package_prints_when_its_component_is_loaded_is_not_a_result(tmp_path: Path) -> None:
    swing = PENDULUM.split("class Landing")[0].replace("register", "RewardSignal")
    env = installed(tmp_path, "noisy", f"import os\nos.write(1, b'a descriptor')\n{swing}")
    ran = in_a_process("spec", "show", "a.yaml", "-f", "json", cwd=tmp_path, env=env)
    assert (ran.returncode, json.loads(ran.stdout)["results"][0]["ceiling"]["per_step"]) == (0, 2.0)
    assert "a module may say what it likes" in ran.stderr
    assert "a descriptor" in ran.stderr


def test_hostile_names_do_nothing_to_a_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "\x1b[2J\u202egnp.exe\n"
    monkeypatch.setattr(REGISTRY, "_components", {**REGISTRY._components, hostile: REGISTRY["throughput"]})
    spec = RewardSpec.from_dict({"name": hostile, "components": [{"type": hostile, "weight": 1.0}]})
    other = RewardSpec.from_dict({"name": "a", "components": [{"type": hostile, "weight": 2.0}]})
    first, second = shell.write("a.yaml", spec.to_yaml()), shell.write("b.yaml", other.to_yaml())
    outputs = [shell("spec", "show", first, "-f", form).out for form in ("text", "json", "github")]
    outputs += [shell("spec", "diff", first, second, "-f", form).out for form in ("text", "json")]
    for out in outputs:
        assert "gnp.exe" in out
        assert all(character.isprintable() or character == "\n" for character in out)


# ceiling


def test_the_ceiling_of_a_step_and_of_an_episode(shell: Shell) -> None:
    name = shell.write("a.yaml", GOOD)
    ran = shell("spec", "ceiling", name, "--steps", 10)
    assert ran.status == 0
    assert ran.lines == [
        "per step         at most 4.0",
        "at the end       at most 0.0",
        "10 steps         at most 40.0",
    ]
    [said] = shell.results("spec", "ceiling", name, "--steps", 0)
    assert (said["steps"], said["per_episode"], said["ceiling"]["per_step"]) == (0, 0.0, 4.0)


def test_unbounded_is_an_answer_that_names_the_terms(shell: Shell) -> None:
    name = shell.write("a.yaml", GOOD.replace("clip: [0.0, 1.0]", "clip: null", 1))
    ran = shell("spec", "ceiling", name, "--steps", 10)
    assert (ran.status, ran.lines) == (
        0,
        [
            "per step         unbounded",
            "at the end       at most 0.0",
            "unbounded terms  on_time_delivery",
            "10 steps         unbounded",
        ],
    )
    [said] = shell.results("spec", "ceiling", name, "--steps", 10)
    assert (said["per_episode"], said["ceiling"]["unbounded"]) == (None, ["on_time_delivery"])
    assert shell("spec", "ceiling", name, "--steps", -1).status == 2


def test_more_steps_than_json_can_count_are_wrong_usage(shell: Shell) -> None:
    name = shell.write("a.yaml", GOOD)
    assert shell("spec", "ceiling", name, "--steps", 2**53 - 1).status == 0
    for steps in (2**53, 10**400):
        ran = shell("spec", "ceiling", name, "--steps", steps)
        assert (ran.status, ran.out) == (2, "")
        assert "--steps" in ran.err


# diff


def test_diff_says_what_changed_and_exits_1(shell: Shell) -> None:
    before = shell.write("a.yaml", GOOD)
    after = shell.write("b.json", RewardSpec.from_yaml(GOOD.replace("weight: 3.0", "weight: 2")).to_json())
    ran = shell("spec", "diff", before, after)
    assert (ran.status, ran.out, ran.err) == (1, 'The weight of "on_time_delivery" was 3.0 and is 2.0.\n', "")
    ran = shell("spec", "diff", before, after, "-f", "json")
    said = json.loads(ran.out)
    assert (ran.status, said["summary"]) == (1, {"command": "spec diff", "exit_status": 1})
    [result] = said["results"]
    assert (result["before_file"], result["after_file"], result["equal"]) == ("a.yaml", "b.json", False)
    assert [(change["kind"], change["before"], change["after"]) for change in result["changes"]] == [
        ("weight", 3.0, 2.0)
    ]


def test_diff_of_equal_specs_exits_0(shell: Shell) -> None:
    before = shell.write("a.yaml", GOOD)
    ran = shell("spec", "diff", before, "-", stdin=RewardSpec.from_yaml(GOOD).to_yaml().encode())
    assert (ran.status, ran.out) == (0, "The specs are equal.\n")
    assert json.loads(shell("spec", "diff", before, before, "-f", "json").out)["results"][0]["equal"] is True


@pytest.mark.parametrize("form", ["text", "json"])
def test_diff_of_what_cannot_be_read_or_does_not_hold_exits_2(shell: Shell, form: str) -> None:
    good, bad = shell.write("a.yaml", GOOD), shell.write("bad.yaml", BAD)
    for names, words in {
        (good, "none.yaml"): ["cannot read none.yaml: No such file"],
        ("none.yaml", good): ["cannot read none.yaml: No such file"],
        (good, bad): [
            "bad.yaml:3:15 /components/0/weight schema.type",
            "bad.yaml:4:5 /components/1/type spec.component",
        ],
        ("-", "-"): ["no spec in <stdin>"],
    }.items():
        ran = shell("spec", "diff", *names, "-f", form, stdin=GOOD.encode())
        assert ran.status == 2
        for word in words:
            assert word in ran.err
        if form == "json":
            said = json.loads(ran.out)
            assert (said["results"], said["summary"]["exit_status"], len(said["problems"])) == ([], 2, len(words))
        else:
            assert ran.out == ""


def test_anything_that_the_commands_read_and_what_the_package_writes_go_together(shell: Shell) -> None:
    name = shell.write("a.yaml", RewardSpec.from_yaml(GOOD).to_yaml())
    assert YAML(typ="safe", pure=True).load(shell.folder / name)["name"] == "deliveries"
    assert shell("spec", "diff", name, shell.write("b.yaml", GOOD)).status == 0


def test_the_commands_run_in_a_process_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "pendulum_terms.py").write_text(PENDULUM)
    (tmp_path / "b.yaml").write_text("name: a\ncomponents: [{type: swing}]\n")
    assert in_a_process("spec", "lint", "a.yaml", cwd=tmp_path).returncode == 0
    shown = in_a_process("spec", "show", "b.yaml", "--components", "pendulum_terms", "-f", "json", cwd=tmp_path)
    assert shown.returncode == 0
    assert json.loads(shown.stdout)["results"][0]["ceiling"]["per_step"] == 2.0


def test_show_labels_a_term_with_its_type_and_params(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    class Near(REGISTRY["throughput"]):  # type: ignore[misc]
        params: ClassVar[Any] = {"target": Param("number"), "scale": Param("number", default=2)}

    monkeypatch.setattr(REGISTRY, "_components", {**REGISTRY._components, "near": Near})
    name = shell.write("a.yaml", "name: a\ncomponents:\n  - {type: near, name: far, params: {target: 1.5}}\n")
    assert any(line.startswith("far = near(scale=2.0, target=1.5)") for line in shell("spec", "show", name).lines)
    [shown] = shell.results("spec", "show", name)
    assert (shown["terms"][0]["name"], shown["terms"][0]["params"]) == ("far", {"scale": 2.0, "target": 1.5})


GENERIC = """name: generic
components:
  - {type: survival, weight: 2.0}
  - {type: observation_entry, name: tilt, params: {entry: angle}, clip: [-1.0, 0.0]}
"""


def test_settings_change_the_spec_before_it_is_shown(shell: Shell) -> None:
    name = shell.write("a.yaml", GENERIC)
    settings = ("--set", "survival.weight=0.5", "--set", "tilt.params.entry=spin", "--set", "tilt.clip=[-2, 1]")
    [shown] = shell.results("spec", "show", name, *settings)
    assert [(term["weight"], term["clip"], term["params"]) for term in shown["terms"]] == [
        (0.5, [0.0, 1.0], {}),
        (1.0, [-2.0, 1.0], {"entry": "spin"}),
    ]
    assert shell("spec", "ceiling", name, *settings).lines[0] == "per step         at most 1.5"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("survival", "'survival' is not a setting; expected TERM.weight=NUMBER"),
        ("far.weight=1", "names no term of the spec"),
        ("survival.wieght=1", "expected weight, clip, type or params.NAME"),
        ("survival.weight=much", 'weight is the string "much"'),
    ],
)
def test_a_setting_that_cannot_be_made_is_wrong_usage(shell: Shell, setting: str, message: str) -> None:
    ran = shell("spec", "show", shell.write("a.yaml", GENERIC), "--set", setting)
    assert ran.status == 2
    assert message.replace("'", '"') in ran.err
    assert ran.out == ""


def test_params_that_a_component_refuses_are_findings_with_their_place(shell: Shell) -> None:
    name = shell.write("a.yaml", GENERIC.replace("{entry: angle}", "{entry: 1.5, sise: 2}"))
    for command in (("spec", "show", name), ("spec", "lint", "--registered", name)):
        ran = shell(*command)
        assert ran.status == 1
        assert ran.lines == [
            'a.yaml:4:52 /components/1/params/entry compose.param-type The parameter "entry" of the component '
            '"observation_entry" must be of the type text; found 1.5. Give a value of that type.',
            'a.yaml:4:64 /components/1/params/sise compose.param-unknown The component "observation_entry" has no '
            'parameter "sise"; it has "entry". Correct the name, or remove the parameter.',
        ]


def test_show_says_what_a_weight_is_per_second(shell: Shell) -> None:
    name = shell.write("a.yaml", GENERIC)
    lines = shell("spec", "show", name, "--step-seconds", 0.02).lines
    assert lines[0].split() == ["term", "cadence", "clip", "weight", "per", "second", "share", "requires"]
    assert "100.0" in lines[1]
    [shown] = shell.results("spec", "show", name, "--step-seconds", 0.02)
    assert [term["weight_per_second"] for term in shown["terms"]] == [100.0, 50.0]
    assert shell("spec", "show", name, "--step-seconds", 0).status == 2
