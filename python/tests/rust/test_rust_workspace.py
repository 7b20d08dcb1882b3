"""The crate: formatted, free of lints, its own tests and examples, the corpus, the licences of what it needs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib

from reward_receipts.conformance.protocol import LAYERS
from rust_workspace import WORKSPACE, cargo, example


def test_formatted() -> None:
    done = cargo("fmt", "--all", "--check")
    assert done.returncode == 0, done.stdout


def test_no_lints() -> None:
    done = cargo(
        "clippy", "--locked", "--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"
    )
    assert done.returncode == 0, done.stderr


def test_its_own_tests_and_the_examples_of_its_documentation() -> None:
    done = cargo("test", "--locked", "--quiet", "--all-features")
    assert done.returncode == 0, done.stdout + done.stderr
    assert sum(map(int, re.findall(r"(\d+) passed", done.stdout))) > 100


def test_the_corpus() -> None:
    program = example("driver")
    command = [sys.executable, "-m", "reward_receipts", "conformance", "run", "--", str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith(f"conformant at {', '.join(LAYERS)} of corpus"), done.stdout


def test_the_licences_of_the_dependencies() -> None:
    """Each package in the lock file has a licence of deny.toml, comes from the registry and is in one version."""
    done = cargo("metadata", "--locked", "--format-version", "1", "--all-features")
    assert done.returncode == 0, done.stderr
    packages = [each for each in json.loads(done.stdout)["packages"] if each["source"] is not None]
    rules = tomllib.loads((WORKSPACE / "deny.toml").read_text())
    allowed = set(rules["licenses"]["allow"])
    for each in packages:
        options = re.split(r"\s+OR\s+|/", each["license"].replace("(", "").replace(")", ""))
        kept = [option for option in options if set(re.split(r"\s+AND\s+", option.strip())) <= allowed]
        assert kept, f"{each['name']} {each['version']} has the licence {each['license']}"
        assert each["source"] == "registry+https://github.com/rust-lang/crates.io-index", each["name"]
    names = [each["name"] for each in packages]
    several = {name for name in names if names.count(name) > 1}
    assert several <= set(rules["bans"]["skip"]), several


def test_the_library_forbids_unsafe_code_and_every_public_item_is_documented() -> None:
    source = (WORKSPACE / "reward-receipts" / "src" / "lib.rs").read_text()
    assert "#![forbid(unsafe_code)]" in source
    manifest = tomllib.loads((WORKSPACE / "Cargo.toml").read_text())
    assert manifest["workspace"]["lints"]["rust"]["missing_docs"] == "deny"
