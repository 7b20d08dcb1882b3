"""The driver templates in Go, Rust and Java, compiled and run where the toolchain is there: they do as template.py."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import small_corpus
from checkout import ROOT
from reward_receipts.conformance import runner
from reward_receipts.conformance.corpus import Case, Corpus, load
from reward_receipts.conformance.protocol import LAYERS, OPERATIONS
from reward_receipts.conformance.results import Run
from reward_receipts.conformance.runner import Settings

DRIVERS = ROOT / "conformance" / "drivers"
TWO_OF_FOUR = ["pass", "pass", "fail", "fail"]


@dataclass(frozen=True)
class Language:
    """How a template is built, and the code of a function that does what the first argument says."""

    file: str
    tool: str
    build: Callable[[Path], list[str]]
    run: Callable[[Path], list[str]]
    function: str
    """What a function of the template looks like, with a group for its name."""
    filled: str
    right: str


LANGUAGES = {
    "go": Language(
        file="template.go",
        tool="go",
        build=lambda folder: ["go", "build", "-o", str(folder / "driver"), str(folder / "template.go")],
        run=lambda folder: [str(folder / "driver")],
        function=r"func (\w+)\(given Given\) \(any, error\) \{ return nil, nil \}",
        filled=r'func \1(given Given) (any, error) { return right("\1", given) }',
        right="""
func right(operation string, given Given) (any, error) {
	switch os.Args[1] {
	case "skip":
		return Skip("no \\"parser\\" \\u00e9"), nil
	case "error":
		return nil, fmt.Errorf("lost \\"it\\"")
	case "panic":
		panic("lost \\"it\\"")
	case "print":
		fmt.Println("?")
		return map[string]any{"valid": true}, nil
	}
	parts := []string{}
	for name, data := range given.Documents {
		parts = append(parts, fmt.Sprintf("%s=%x", name, data))
	}
	for name, text := range given.Arguments {
		parts = append(parts, name+"="+string(text))
	}
	sort.Strings(parts)
	question := strings.Join(append([]string{operation, given.Kind}, parts...), "|")
	answers, _ := os.ReadFile(os.Args[1])
	for _, line := range strings.Split(string(answers), "\\n") {
		asked, answer, _ := strings.Cut(line, "\\t")
		if asked == question {
			return json.RawMessage(answer), nil
		}
	}
	return nil, fmt.Errorf("asked %s", question)
}
""",
    ),
    "rust": Language(
        file="template.rs",
        tool="rustc",
        build=lambda folder: ["rustc", "-o", str(folder / "driver"), str(folder / "template.rs")],
        run=lambda folder: [str(folder / "driver")],
        function=r"fn (\w+)\(_given: &Given\) -> Reply \{ nothing\(\) \}",
        filled=r'fn \1(given: &Given) -> Reply { right("\1", given) }',
        right="""
fn right(operation: &str, given: &Given) -> Reply {
    let wanted = std::env::args().nth(1).unwrap();
    match wanted.as_str() {
        "skip" => return Reply::Skip("no \\"parser\\" \\u{e9}".to_string()),
        "error" => return Reply::Failed("lost \\"it\\"".to_string()),
        "panic" => panic!("lost \\"it\\""),
        "print" => {
            eprintln!("?");
            return Reply::Answer(r#"{"valid": true}"#.to_string());
        }
        _ => {}
    }
    let mut parts: Vec<String> = vec![];
    for (name, data) in &given.documents {
        let digits: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
        parts.push(format!("{name}={digits}"));
    }
    for (name, text) in &given.arguments {
        parts.push(format!("{name}={text}"));
    }
    parts.sort();
    let kind = given.kind.clone().unwrap_or_default();
    let question = [vec![operation.to_string(), kind], parts].concat().join("|");
    for line in std::fs::read_to_string(wanted).unwrap().lines() {
        if let Some((asked, answer)) = line.split_once('\\t') {
            if asked == question {
                return Reply::Answer(answer.to_string());
            }
        }
    }
    Reply::Failed(format!("asked {question}"))
}
""",
    ),
    "java": Language(
        file="Template.java",
        tool="javac",
        build=lambda folder: ["javac", "-d", str(folder), str(folder / "Template.java")],
        run=lambda folder: ["java", "-cp", str(folder), "Template"],
        function=r"static String (\w+)\(Given given\) \{ return null; \}",
        filled=r'static String \1(Given given) throws Exception { return Right.right("\1", given); }',
        right="""
final class Right {
    static String right(String operation, Template.Given given) throws Exception {
        String wanted = System.getProperty("wanted");
        if (wanted.equals("skip")) throw new Template.Skip("no \\"parser\\" \\u00e9");
        if (wanted.equals("error")) throw new Exception("lost \\"it\\"");
        if (wanted.equals("panic")) throw new StackOverflowError("lost \\"it\\"");
        if (wanted.equals("print")) {
            System.out.println("?");
            return "{\\"valid\\": true}";
        }
        java.util.TreeSet<String> parts = new java.util.TreeSet<>();
        given.documents().forEach((name, data) -> parts.add(name + "=" + java.util.HexFormat.of().formatHex(data)));
        given.arguments().forEach((name, text) -> parts.add(name + "=" + text));
        String question = operation + "|" + (given.kind() == null ? "" : given.kind());
        for (String part : parts) question += "|" + part;
        for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(wanted))) {
            int tab = line.indexOf('\\t');
            if (line.substring(0, tab).equals(question)) return line.substring(tab + 1);
        }
        throw new Exception("asked " + question);
    }
}
""",
    ),
}
NAMES = list(LANGUAGES)


def question(case: Case) -> str:
    parts = [f"{name}={data.hex()}" for name, data in case.input.items() if data is not None]
    parts += [f"{name}={json.dumps(value, separators=(',', ':'))}" for name, value in case.arguments.items()]
    return "|".join([case.operation, case.kind or "", *sorted(parts)])


def text_of(language: Language) -> str:
    return (DRIVERS / language.file).read_text("utf-8")


def claimed(text: str) -> str:
    """A template that claims all layers."""
    for layer in LAYERS:
        text, times = re.subn(rf'^(\s+)// (.*"{layer}".*[,;])$', r"\1\2", text, flags=re.M)
        assert times == 1, layer
    return text


def built(name: str, text: str, folder: Path) -> list[str]:
    """The command of a template that was compiled."""
    language = LANGUAGES[name]
    if shutil.which(language.tool) is None:
        pytest.skip(f"no {language.tool} on the path: the driver template {language.file} is not compiled")
    (folder / language.file).write_text(text, "utf-8")
    done = subprocess.run(language.build(folder), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    return language.run(folder)


@pytest.fixture(scope="module")
def plain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A template as it is."""
    return built(request.param, text_of(LANGUAGES[request.param]), tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """A template that claims all, and whose functions do what an argument says."""
    name: str = request.param
    language = LANGUAGES[name]
    text, times = re.subn(language.function, language.filled, text_of(language))
    assert times == len(OPERATIONS)
    text = claimed(text) + language.right
    if name == "go":
        text = text.replace('\t"os"\n', '\t"os"\n\t"sort"\n\t"strings"\n')
    command = built(name, text, tmp_path_factory.mktemp(name))

    def of(wanted: str) -> list[str]:
        return [command[0], f"-Dwanted={wanted}", *command[1:]] if name == "java" else [*command, wanted]

    return of


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return load(str(small_corpus.write(tmp_path_factory.mktemp("few") / "corpus", small_corpus.a_few())))


def run(command: list[str], corpus: Corpus) -> Run:
    return runner.run(corpus, command, Settings(timeout=60, start_timeout=60, seed=7))


@pytest.mark.parametrize("name", NAMES)
def test_a_template_has_all_layers_and_operations(name: str) -> None:
    language = LANGUAGES[name]
    text = text_of(language)
    assert re.findall(language.function, text) == list(OPERATIONS)
    in_corpus: dict[str, set[str]] = {}
    for case in load().cases:
        in_corpus.setdefault(case.layer, set()).add(case.operation)
    lines = re.findall(r"^\s+// .*[,;]$", text, flags=re.M)
    named = [re.findall(r'"(\w+)"', line) for line in lines if line.count('"') >= 4]
    assert [layer for layer, *_ in named] == list(LAYERS)
    assert {layer: set(operations) for layer, *operations in named} == in_corpus


@pytest.mark.parametrize("plain", NAMES, indirect=True)
def test_a_template_without_changes_claims_nothing(plain: list[str], few: Corpus) -> None:
    done = run(plain, few)
    assert done.hello is not None
    assert (done.hello.name, done.hello.layers, done.hello.operations) == ("my-implementation", (), ())
    assert {result.status for result in done.results} == {"unsupported"}
    assert done.trouble is None


@pytest.mark.parametrize("filled", NAMES, indirect=True)
def test_a_template_with_all_filled_in_can_claim_all(filled: Callable[[str], list[str]], tmp_path: Path) -> None:
    every = load(str(small_corpus.write(tmp_path / "corpus", small_corpus.all_layers())))
    answers = tmp_path / "answers"
    answers.write_text("".join(f"{question(case)}\t{json.dumps(case.expect)}\n" for case in every.cases))
    done = run(filled(str(answers)), every)
    assert [(r.case.id, r.status, r.detail) for r in done.results if r.status != "pass"] == []
    assert done.claim == f"conformant at {', '.join(LAYERS)} of corpus 1.0.0"


@pytest.mark.parametrize("filled", NAMES, indirect=True)
@pytest.mark.parametrize(
    ("what", "statuses", "detail"),
    [
        ("skip", ["skip"] * 4, 'no "parser" é'),
        ("error", ["error"] * 4, 'lost "it"'),
        ("panic", ["error"] * 4, 'lost "it"'),
        ("print", TWO_OF_FOUR, ""),
    ],
)
def test_templates_do_with_what_its_functions_do(
    filled: Callable[[str], list[str]], what: str, statuses: list[str], detail: str, few: Corpus
) -> None:
    done = run(filled(what), few)
    assert done.trouble is None
    assert [result.status for result in done.results] == statuses
    assert all(detail in result.detail for result in done.results)
