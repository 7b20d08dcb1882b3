"""``experiment export``: a trained policy as a folder that says what it was trained on."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ..experiments import Answer, answered
from ..options import TextOrJson
from ..runs import Folder


def experiment_export(
    folder: Folder,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Which of the run's seeds.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FOLDER", help="A new folder.")],
    form: TextOrJson = "text",
) -> ExitStatus:
    """The folder has the policy in the trainer's own format (model/) and policy.json: the experiment, the spec as
    written and as run, the components' code by digest, regimes seen, versions, measures, and the digest of each file.
    Keep the manifest_digest that is printed: `export check --digest` compares it.
    """

    def work() -> Answer:
        from ...experiments.policy_folder import export_policy

        manifest = export_policy(folder, seed, output)
        lines = [f"policy      {output}", f"experiment  {manifest['experiment_digest']}",
                 f"manifest    {manifest['manifest_digest']}"]  # fmt: skip
        result = {"folder": output, "manifest_digest": manifest["manifest_digest"], "seed": seed}
        return ExitStatus.GOOD, lines, [result]

    return answered("experiment export", folder, form, work)
