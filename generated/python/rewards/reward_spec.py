"""The spec and its parts: models.

Generated from schemas/. Do not edit: change the schemas, then run

    python scripts/generate
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from reward_receipts.core.frozen import FrozenJson
from reward_receipts.rewards.spec.document import SpecDocument
from reward_receipts.rewards.spec.members import SpecComponentPart, SpecGatePart
from typing_extensions import TypeAliasType

FiniteNumber = TypeAliasType(
    "FiniteNumber",
    Annotated[
        float,
        Field(
            description="Any double. JSON text has finite ones only, and one that overflows is refused before any schema.",
            title="FiniteNumber",
        ),
    ],
)

ComponentType = TypeAliasType(
    "ComponentType",
    Annotated[
        str,
        Field(
            description="The name that a reward component is registered under: a text of 1 to 128 characters.",
            max_length=128,
            min_length=1,
            title="ComponentType",
        ),
    ],
)

SpecName = TypeAliasType(
    "SpecName",
    Annotated[str, Field(description="A text of 1 to 128 characters.", max_length=128, min_length=1, title="SpecName")],
)

TermName = TypeAliasType(
    "TermName",
    Annotated[
        str,
        Field(
            description="The name of a term, different from that of every other term of the spec: a text of 1 to 128 characters.",
            max_length=128,
            min_length=1,
            title="TermName",
        ),
    ],
)

ClipBound = TypeAliasType(
    "ClipBound",
    Annotated[
        FiniteNumber | None,
        Field(description="A bound of a clip; null where that side is unbounded.", title="ClipBound"),
    ],
)

ClipBounds = TypeAliasType(
    "ClipBounds",
    Annotated[
        tuple[ClipBound, ...],
        Field(
            description="The least and the greatest raw value that count: two finite numbers, the first at most the second. Null leaves that side unbounded.",
            max_length=2,
            min_length=2,
            title="ClipBounds",
        ),
    ],
)


class RewardSpecComponent(SpecComponentPart):
    """One term: a registered component, what it is made with, and how its raw value becomes a contribution."""

    model_config = ConfigDict(extra="forbid")
    type: Annotated[ComponentType, Field(description="The name that the component is registered under.")]
    name: Annotated[
        TermName | None,
        Field(description="What gates, contributions and traces call the term. Left out, it is the type."),
    ] = None
    params: Annotated[
        FrozenJson | None,
        Field(
            description="What the component is made with: any JSON, by the name of the parameter; numbers count as doubles. Left out, the component's own defaults.",
            max_length=64,
        ),
    ] = None
    weight: Annotated[
        FiniteNumber | None,
        Field(description="What the clipped value is multiplied by. Left out, it is the component's own default."),
    ] = None
    clip: Annotated[
        ClipBounds | None,
        Field(
            description="The bounds that the raw value is clipped to; null for none. Left out, they are the component's own."
        ),
    ] = None


class RewardSpecGate(SpecGatePart):
    """A gate: one term contributes 0 unless another one contributed more than 0 at the same step."""

    model_config = ConfigDict(extra="forbid")
    component: Annotated[TermName, Field(description="The name of the term that the gate closes.")]
    requires: Annotated[TermName, Field(description="The name of the term that has to be positive.")]


class RewardSpec(SpecDocument):
    """A reward as data: named components, each clipped, weighted and gated, whose contributions are added in this order."""

    model_config = ConfigDict(extra="forbid")
    schema_version: Annotated[
        Literal["reward-receipts.reward-spec/v1"], Field(description="Names the kind and the version of the document.")
    ] = "reward-receipts.reward-spec/v1"
    name: Annotated[SpecName, Field(description="What people call the reward.")]
    components: Annotated[
        tuple[RewardSpecComponent, ...],
        Field(
            description="The terms of the reward, in the order in which their contributions are added.",
            max_length=64,
            min_length=1,
        ),
    ]
    gates: Annotated[
        tuple[RewardSpecGate, ...],
        Field(description="Which terms count only where another one is positive.", max_length=4096),
    ] = ()
