"""The trace-row and its parts: models.

Generated from schemas/. Do not edit: change the schemas, then run

    python scripts/generate
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from reward_receipts.core.frozen import Frozen, FrozenMap
from reward_receipts.core.generated.vocabulary import ZeroReason
from reward_receipts.traces.bases import TraceRowDocument, TraceRowPart
from typing_extensions import TypeAliasType

Sha256Digest = TypeAliasType(
    "Sha256Digest",
    Annotated[
        str,
        Field(
            description="A SHA-256 digest: the word sha256, a colon, 64 lower-case hexadecimal digits.",
            examples=["sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"],
            max_length=71,
            pattern="^sha256:[a-f0-9]{64}$",
            title="Sha256Digest",
            json_schema_extra={"not": {"pattern": "[\n\r\x85\u2028\u2029]"}},
        ),
    ],
)

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

RegimeLabel = TypeAliasType(
    "RegimeLabel",
    Annotated[
        str,
        Field(
            description="What a regime of an environment is called: a text of 1 to 128 characters.",
            max_length=128,
            min_length=1,
            title="RegimeLabel",
        ),
    ],
)

TraceCount = TypeAliasType(
    "TraceCount",
    Annotated[
        int,
        Field(
            description="A number of things that come one after another.", ge=0, le=9007199254740991, title="TraceCount"
        ),
    ],
)


class RewardTermDetail(TraceRowPart):
    """How the contribution of one term was computed at one step."""

    model_config = ConfigDict(extra="forbid")
    raw: Annotated[
        FiniteNumber | None, Field(description="The component's value before the clip; null where it was not due.")
    ] = None
    zero: Annotated[ZeroReason | None, Field(description="Why the contribution is 0; null where it is not.")] = None
    terms: Annotated[
        Mapping[ComponentType, FiniteNumber],
        Frozen,
        Field(description="The sub-terms that the component reports.", max_length=64),
    ] = Field(default_factory=lambda: FrozenMap({}))


class RewardTraceRow(TraceRowDocument):
    """What one step of one environment was rewarded with, and why."""

    model_config = ConfigDict(extra="forbid")
    schema_version: Annotated[
        Literal["reward-receipts.trace-row/v1"], Field(description="Names the kind and the version of the document.")
    ] = "reward-receipts.trace-row/v1"
    environment: Annotated[
        TraceCount, Field(description="Which environment of a vector environment it is; 0 where there is one.")
    ]
    episode: Annotated[TraceCount, Field(description="Which episode of that environment it is, from 0.")]
    step: Annotated[TraceCount, Field(description="Which step of the episode it is, from 0.")]
    reward: Annotated[
        FiniteNumber | None,
        Field(description="What the trainer was given; null where the step is unscored, never 0.0 for that."),
    ]
    environment_reward: Annotated[
        FiniteNumber | None, Field(description="The environment's own reward, where a composed one is in its place.")
    ] = None
    reward_components: Annotated[
        Mapping[ComponentType, FiniteNumber],
        Frozen,
        Field(
            description="The contribution of each term that was due, by its type. They add up to the reward in the spec's order.",
            max_length=64,
        ),
    ] = Field(default_factory=lambda: FrozenMap({}))
    reward_detail: Annotated[
        Mapping[ComponentType, RewardTermDetail],
        Frozen,
        Field(
            description="How the contribution of each term was computed, by its type.",
            max_length=64,
            validate_default=True,
        ),
    ] = Field(default_factory=lambda: FrozenMap({}))
    terminated: Annotated[bool, Field(description="Whether the episode ended by itself.")]
    truncated: Annotated[bool, Field(description="Whether the episode was cut off.")]
    evaluation: Annotated[
        bool, Field(description="Whether the step was taken to evaluate a policy, and not to train it.")
    ] = False
    regime: Annotated[
        RegimeLabel | None,
        Field(description="The label of the regime that the step was taken in; null where none is known."),
    ] = None
    regime_boundary: Annotated[bool, Field(description="Whether the regime begins with this step.")] = False
    spec_digest: Annotated[
        Sha256Digest | None,
        Field(description="Digest of the reward spec as written; null where the reward is the environment's own."),
    ] = None
    resolved_spec_digest: Annotated[
        Sha256Digest | None,
        Field(
            description="Digest of the spec with the components' own weights and clips filled in; null where there is no spec."
        ),
    ] = None
