"""``init``: a document to start from, which is valid as it is and says what to change."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal

import typer

from ...bulk.documents import only_entry
from ...core.exit_status import ExitStatus
from ...core.schema_files import SCHEMA_FILES, read_schema_file
from ...receipts.algorithms import DEFAULT
from ...receipts.sign import with_placeholder
from ..options import NewFile
from ..report import Report
from ..terminal import say, write_document

Start = Literal["contract", "certificate", "spec"]

_DIGEST: Final = "sha256:" + "0" * 64
_POLICY: Final = {
    "epsilon": 0.05,
    "delta": 0.05,
    "threshold": 0.5,
    "calibration_corpus_digest": _DIGEST,
    "expiry_policy_updates": 50,
}
_CONTRACT: Final[dict[str, Any]] = {
    "contract_id": "contract.example.0001",
    "contract_version": "contract.example.0001.v1",
    "task_id": "task.example.0001",
    "task_digest": _DIGEST,
    "environment_id": "environment.example.0001",
    "environment_digest": _DIGEST,
    "required_effect_contract_digest": _DIGEST,
    "forbidden_effect_contract_digest": _DIGEST,
    "oracle": {"channel": "file", "identity_keys": ["record_id"], "oracle_contract_digest": _DIGEST},
    "components": [{"name": "terminal_effect", "weight": 1.0}],
    "scoring": {
        "verified_reward": 1.0,
        "halted_before_effect_reward": 0.0,
        "refused_reward": 0.0,
        "rejected_policy_reward": 0.0,
        "wrong_effect_reward": -1.0,
    },
    "certificate_policy": _POLICY,
}
_CERTIFICATE: Final[dict[str, Any]] = {
    "certificate_id": "certificate.example.0001",
    "reward_contract_digest": _DIGEST,
    "checker_configuration_digest": _DIGEST,
    **_POLICY,
    "calibration_scope": "synthetic",
    "issued_at_policy_update": 0,
    "issued_at": "2026-01-01T00:00:00Z",
    "issuer": "self_signed",
    "issuer_key_id": "key.example.0001",
}
_SPEC: Final = """\
# A reward spec: what earns reward at each step. `reward-receipts spec show FILE` shows it resolved, with its ceiling.
name: example

# Each term takes a number from a component, clips it, and multiplies it by the weight.
# type is the name of a registered component; these three are built in and score an order desk.
components:
  - type: on_time_delivery
    weight: 1.0
    clip: [0.0, 1.0]

  # A cost is at most 0. Leave clip or weight out, and the component's own apply.
  - type: operating_cost
    weight: 0.25
    clip: [-2.0, 0.0]

  # A component can also speak once, at the end of an episode. `spec show` lists when each does.
  - type: fill_rate
    weight: 5.0

# A gate makes a term 0 at each step at which the term that it requires contributed nothing above 0.
gates:
  - component: fill_rate
    requires: on_time_delivery
"""
_NEXT: Final[dict[Start, str]] = {
    "contract": "replace every value that is an example; then `reward-receipts lint FILE`",
    "certificate": "replace every value that is an example, or let issue_certificate() in Python fill in what follows "
    "from the contract; then `reward-receipts sign FILE --signing-key KEY` replaces the placeholder signature",
    "spec": "replace the components by yours; then `reward-receipts spec lint FILE`",
}


def init(
    kind: Annotated[Start, typer.Argument(help="What to start.")],
    contract: Annotated[
        str | None,
        typer.Option("--contract", metavar="FILE", help="Of a certificate: the contract whose policy it has to meet."),
    ] = None,
    output: NewFile = None,
) -> ExitStatus:
    """A spec is YAML with comments. A contract and a certificate are JSON, which has none: what each member means goes
    to standard error.
    """
    if contract is not None and kind != "certificate":
        raise typer.BadParameter("--contract is for a certificate")
    report = Report("init", "text")
    if kind == "spec":
        text = _SPEC
    else:
        members = _CONTRACT if kind == "contract" else with_placeholder(_CERTIFICATE, DEFAULT.name)
        if contract is not None:
            held = report.valid(lambda: only_entry(contract, "contract"))
            if held is None:
                return report.close()
            policy = held.value["certificate_policy"]
            members = {**members, **policy, "reward_contract_digest": held.document().digest}
        schema = read_schema_file(SCHEMA_FILES[kind])
        members = {"schema_version": schema["properties"]["schema_version"]["const"], **members}
        text = json.dumps(members, indent=2) + "\n"
    write_document(output, text.encode())
    if kind != "spec":
        _explain(schema)
    say(f"Next: {_NEXT[kind]}.")
    return ExitStatus.GOOD


def _explain(schema: dict[str, Any]) -> None:
    """Writes what each member means, as the schema describes it."""
    width = max(map(len, schema["properties"]))
    for name, member in schema["properties"].items():
        say(f"{name:<{width}}  {member['description']}")
        inner = schema.get("$defs", {}).get(member.get("$ref", "").removeprefix("#/$defs/"), {})
        for part, described in inner.get("properties", {}).items():
            say(f"  {part:<{width - 2}}  {described['description']}")
