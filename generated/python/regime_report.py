"""The regime-report and its parts: models.

Generated from schemas/. Do not edit: change the schemas, then run

    python scripts/generate.py
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from reward_receipts.documents.trace import RegimeReportDocument, RegimeReportPart
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

ReportCount = TypeAliasType(
    "ReportCount",
    Annotated[
        int,
        Field(
            description="A number of rows, steps or episodes.",
            ge=0,
            le=9007199254740991,
            title="ReportCount",
        ),
    ],
)


class ComponentSummary(RegimeReportPart):
    """What one component contributed to some rows of a trace."""

    model_config = ConfigDict(
        extra="forbid",
    )
    type: Annotated[ComponentType, Field(description="The component.")]
    due_steps: Annotated[ReportCount, Field(description="Scored steps at which it was due.")]
    zero_steps: Annotated[ReportCount, Field(description="Those of them at which it contributed 0.")]
    total: Annotated[FiniteNumber, Field(description="The sum of its contributions, in the order of the rows.")]
    ceiling: Annotated[
        FiniteNumber | None,
        Field(
            description="The greatest total that its clip and weight allow; null where it is unbounded or not known."
        ),
    ]
    gap: Annotated[
        FiniteNumber | None, Field(description="The ceiling minus the total; null where there is no ceiling.")
    ]


class RegimeSummary(RegimeReportPart):
    """What some rows of a trace come to."""

    model_config = ConfigDict(
        extra="forbid",
    )
    label: Annotated[
        RegimeLabel | None, Field(description="The regime; null for all rows, and for rows of no regime.")
    ] = None
    boundaries: Annotated[ReportCount, Field(description="How often a regime began in these rows.")]
    episodes: Annotated[ReportCount, Field(description="Episodes that ended in these rows.")]
    scored_steps: Annotated[ReportCount, Field(description="Steps that have a reward.")]
    unscored_steps: Annotated[
        ReportCount, Field(description="Steps that have none. They count in no total and in no mean.")
    ]
    total: Annotated[
        FiniteNumber | None,
        Field(
            description="The sum of the rewards of the scored steps, in the order of the rows; null where no step is scored."
        ),
    ]
    mean: Annotated[
        FiniteNumber | None,
        Field(description="The total over the number of scored steps; null where no step is scored."),
    ]
    ceiling: Annotated[
        FiniteNumber | None,
        Field(
            description="The greatest total that the spec allows for these steps; null where it is unbounded or not known."
        ),
    ]
    gap: Annotated[
        FiniteNumber | None, Field(description="The ceiling minus the total; null where there is no ceiling.")
    ]
    components: Annotated[
        tuple[ComponentSummary, ...],
        Field(description="What each component contributed, in the spec's order.", max_length=64),
    ]


class RegimeReport(RegimeReportDocument):
    """What a trace comes to: over all of it and in each regime, by component, against the ceiling."""

    model_config = ConfigDict(
        extra="forbid",
    )
    schema_version: Annotated[
        Literal["reward-receipts.regime-report/v1"],
        Field(description="Names the kind and the version of the document."),
    ] = "reward-receipts.regime-report/v1"
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
    overall: Annotated[RegimeSummary, Field(description="All rows of the trace.")]
    regimes: Annotated[
        tuple[RegimeSummary, ...],
        Field(
            description="The rows of each regime, in the order in which the regimes first came; rows of no regime have no label.",
            max_length=100000,
        ),
    ]
