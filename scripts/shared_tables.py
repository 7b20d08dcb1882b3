"""Tables that every language needs, for scripts/generate.py: codes, and what follows from an outcome or a channel."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from emitted_text import python_text, typescript_comment
from reward_receipts.core.codes import SCHEMA_FILES, TABLES_FILE, codes_in

Read = Callable[[str], Any]
"""Gives a file under schemas/ parsed, by its name."""

CLASS_DOC = "How an outcome is scored."
CONSTANTS = {
    "MAX_POLICY_UPDATE": "The greatest number of a policy update.",
    "MAX_TEXT_BYTES": "The longest text that is read, in bytes.",
    "MAX_TEXT_DEPTH": "The largest number of open containers in a text.",
}


def python_tables(read: Read) -> str:
    """The body of a Python module with the tables over words, and the constants."""
    tables, common = read(TABLES_FILE), read(SCHEMA_FILES["common"])
    tiers = {each["const"]: f"OracleTier.{_word(each['title'])}" for each in common["$defs"]["OracleTier"]["oneOf"]}
    lines = [
        "from __future__ import annotations",
        "from collections.abc import Mapping",
        "from enum import StrEnum",
        "from types import MappingProxyType",
        "from typing import Final",
        "from .vocabulary import OracleChannel, OracleTier, RewardOutcomeV1",
        "class RewardScoringClassV1(StrEnum):",
        f'    """{CLASS_DOC}"""',
    ]
    for each in tables["scoring_classes"]:
        lines.append(f'    {_word(each["scoring_class"]).upper()} = "{each["scoring_class"]}"')
        lines.append(f'    """{python_text(each["description"])}"""')
    lines.append("REWARD_SCORING_CLASS: Final[Mapping[RewardOutcomeV1, RewardScoringClassV1]] = MappingProxyType({")
    for outcome, scoring in _by_outcome(tables).items():
        lines.append(f"    RewardOutcomeV1.{outcome.upper()}: RewardScoringClassV1.{scoring.upper()},")
    lines += ["})", '"""The scoring class of each outcome."""']
    lines.append("TIER_OF_CHANNEL: Final[Mapping[OracleChannel, OracleTier]] = MappingProxyType({")
    for channel, tier in _by_channel(tables).items():
        lines.append(f"    OracleChannel.{channel.upper()}: {tiers[tier]},")
    lines += ["})", '"""The tier of each channel."""']
    lines.append(f"REWARD_CERTIFIED_MINIMUM_TIER: Final = {tiers[_minimum_tier(read)]}")
    lines.append(f'"""{_minimum_doc()}"""')
    for name, value in _constants(tables, common).items():
        lines += [f"{name}: Final = {value}", f'"""{CONSTANTS[name]}"""']
    return "\n".join(lines) + "\n"


def typescript_tables(read: Read) -> str:
    """The body of a TypeScript module with the same, the names of the kinds, and the default scoring."""
    tables, common = read(TABLES_FILE), read(SCHEMA_FILES["common"])
    text = "import type { OracleChannel, OracleTier, RewardOutcomeV1, RewardScoringPolicyV1 } from './types.js';\n\n"
    text = text.replace("'", '"')
    text += f"/** {CLASS_DOC} */\nexport type RewardScoringClassV1 ="
    for each in tables["scoring_classes"]:
        text += f'\n  | {typescript_comment(each["description"])}    "{_word(each["scoring_class"])}"'
    text += ";\n\n"
    for kind in ("contract", "certificate", "receipt"):
        schema = read(SCHEMA_FILES[kind])
        name = SCHEMA_FILES[kind].removesuffix(".schema.json").replace("-", "_").upper()
        version = schema["properties"]["schema_version"]["const"]
        text += _constant(f"{name}_SCHEMA", version, "", f"The schema_version of {schema['title']}.")
    outcomes = _record(_by_outcome(tables), "Readonly<Record<RewardOutcomeV1, RewardScoringClassV1>>")
    text += f"/** The scoring class of each outcome. */\nexport const REWARD_SCORING_CLASS = {outcomes}"
    channels = _record(_by_channel(tables), "Readonly<Record<OracleChannel, OracleTier>>")
    text += f"/** The tier of each channel. */\nexport const TIER_OF_CHANNEL = {channels}"
    minimum = _minimum_tier(read)
    text += _constant("REWARD_CERTIFIED_MINIMUM_TIER", minimum, "OracleTier", _minimum_doc())
    scoring = read(SCHEMA_FILES["contract"])["$defs"]["RewardScoringPolicyV1"]["properties"]
    defaults = {name: member["default"] for name, member in scoring.items()}
    text += "/** What outcomes score under a contract that says nothing about it. */\n"
    text += f"export const DEFAULT_REWARD_SCORING = {_record(defaults, 'RewardScoringPolicyV1')}"
    for name, value in _constants(tables, common).items():
        text += _constant(name, value, "", CONSTANTS[name])
    return text.rstrip("\n") + "\n"


def typescript_codes(read: Read) -> str:
    """The body of a TypeScript module with every rule and code, in the order of ``reward_receipts.core.codes``."""
    codes = codes_in(read)
    layers = " | ".join(json.dumps(layer) for layer in dict.fromkeys(code.layer for code in codes.values()))
    text = f"/** Where a rule or code is decided. */\nexport type Layer = {layers};\n\n"
    text += """/** What is known of a rule or code. */
export interface CodeEntry {
  /** Where it is decided. */
  readonly layer: Layer;
  /** What it says; `{name}` stands for a value that the message names. */
  readonly sentence: string;
  /** What the reader of the message can do; empty where the sentence says it. */
  readonly fix: string;
  /** The file under schemas/ that states it. */
  readonly source: string;
  /** The member of the receipt that an audit's finding with this code points to; empty where no audit has it. */
  readonly field: string;
}

/** Every rule and code by its id; the rules in the order in which findings are reported. Frozen, entries too. */
export const CODES = frozen({
"""
    for code in codes.values():
        members = ("layer", "sentence", "fix", "source", "field")
        text += f"  {json.dumps(code.id)}: {{\n"
        text += "".join(f"    {name}: {json.dumps(getattr(code, name))},\n" for name in members)
        text += "  },\n"
    text += """} as const satisfies Readonly<Record<string, CodeEntry>>);

/** The id of a rule or code. */
export type Code = keyof typeof CODES;

/** The ids that are decided in a layer. */
export type CodeOf<L extends Layer> = { [C in Code]: (typeof CODES)[C]["layer"] extends L ? C : never }[Code];

/** The id of a rule. */
export type RuleId = CodeOf<"rules">;

function frozen<T extends Readonly<Record<string, CodeEntry>>>(table: T): T {
  for (const entry of Object.values(table)) Object.freeze(entry);
  return Object.freeze(table);
}
"""
    return text


def _by_outcome(tables: Any) -> dict[str, str]:
    classes = tables["scoring_classes"]
    return {_word(outcome): _word(each["scoring_class"]) for each in classes for outcome in each["outcomes"]}


def _by_channel(tables: Any) -> dict[str, int]:
    return {_word(channel): each["tier"] for each in tables["tiers"] for channel in each["channels"]}


def _word(text: str) -> str:
    """A text that becomes a name in code. Stops if it cannot be one."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", text):
        raise SystemExit(f"schemas/: {json.dumps(text)} cannot be a name in code")
    return text


def _constants(tables: Any, common: Any) -> dict[str, int]:
    limits = tables["text_limits"]
    largest = common["$defs"]["PolicyUpdate"]["maximum"]
    return dict(zip(CONSTANTS, (largest, limits["bytes"], limits["open_containers"]), strict=True))


def _minimum_tier(read: Read) -> int:
    """The lowest tier that the rule about certified (synthetic) rewards lets through."""
    rules = {branch["title"]: branch for branch in read(SCHEMA_FILES["receipt"])["allOf"]}
    return min(rules["receipt.certified-tier"]["then"]["properties"]["oracle_tier"]["enum"])


def _minimum_doc() -> str:
    return "The lowest tier that a certificate can cover: a certified (synthetic) reward needs it or a higher one."


def _constant(name: str, value: Any, kind: str, described: str) -> str:
    satisfies = f" satisfies {kind}" if kind else ""
    return f"{typescript_comment(described)}export const {name} = {json.dumps(value)}{satisfies};\n\n"


def _record(members: dict[str, Any], kind: str) -> str:
    """A frozen object of scalars."""
    lines = "".join(f"  {name}: {json.dumps(value)},\n" for name, value in members.items())
    return f"Object.freeze({{\n{lines}}} as const satisfies {kind});\n\n"
