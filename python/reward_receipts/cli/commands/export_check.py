"""``export check``: whether an exported policy is the one that was trained, and what it learnt from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from ...core.exit_status import ExitStatus
from ..experiments import Answer, answered
from ..options import TextOrJson


def export_check(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A folder of `experiment export`.")],
    digest: Annotated[
        str | None, typer.Option("--digest", metavar="DIGEST", help="The manifest_digest that the policy had.")
    ] = None,
    form: TextOrJson = "text",
) -> ExitStatus:
    """Says what the policy was trained on. Exit status: 0 every file is the one; 1 one was changed, swapped, added or
    removed; 2 it is not an exported policy.
    """

    def work() -> Answer:
        from ...experiments.policy_folder import check_policy

        found = check_policy(folder)
        problems = list(found.problems)
        if found.manifest is not None and digest is not None and found.manifest["manifest_digest"] != digest:
            problems.append(f"the manifest_digest is {found.manifest['manifest_digest']}; expected {digest}")
        lines = [f"{folder}: {problem}" for problem in problems]
        if found.manifest is not None and not problems:
            lines += _trained_on(found.manifest)
        result = {"folder": folder, "problems": problems, "manifest": found.manifest}
        return ExitStatus.FINDING if problems else ExitStatus.GOOD, lines, [result]

    return answered("export check", folder, form, work)


def _trained_on(manifest: Mapping[str, Any]) -> Iterator[str]:
    experiment, reward = manifest["experiment"], manifest["reward"]
    environment = experiment["environment"]
    yield f"experiment   {experiment['name']} {manifest['experiment_digest']}"
    yield f"environment  {environment.get('id') or environment['class']}"
    if reward is None:
        yield "reward       the environment's own"
    else:
        yield f"reward       {reward['spec']['name']} {reward['spec_digest']}"
    yield f"trainer      {experiment['trainer']['name']}, seed {manifest['seed']}, {manifest['steps']} steps"
    for regime in manifest["regimes_seen"]:
        yield f"regime       {regime['label'] or '(none)'}, {regime['steps']} steps"
    for name, version in manifest["versions"].items():
        yield f"version      {name} {version}"
    for name, digest in manifest["files"].items():
        yield f"file         {name} {digest}"
    yield f"manifest     {manifest['manifest_digest']}"
