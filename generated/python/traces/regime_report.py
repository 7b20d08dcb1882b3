"""The regime-report and its parts: models.

Generated from schemas/. Do not edit: change the schemas, then run

    python scripts/generate
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from reward_receipts.traces.bases import RegimeReportDocument, RegimeReportPart
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

ReportCount = TypeAliasType(
    "ReportCount",
    Annotated[
        int, Field(description="A number of rows, steps or episodes.", ge=0, le=9007199254740991, title="ReportCount")
    ],
)


class EpisodeStatistics(RegimeReportPart):
    """One number of each finished episode. Episodes that have not ended are left out."""

    model_config = ConfigDict(extra="forbid")
    count: Annotated[ReportCount, Field(description="Episodes that mean, min and max are taken over.")]
    left_out: Annotated[
        ReportCount,
        Field(
            description="Episodes that ended in these rows and are not counted: a regime or a spec leaves out those with steps of another one, and returns leave out those with a step without a reward or without a row."
        ),
    ]
    mean: Annotated[
        FiniteNumber | None, Field(description="The mean over the counted episodes; null if there are none.")
    ]
    min: Annotated[FiniteNumber | None, Field(description="The smallest; null if no episode is counted.")]
    max: Annotated[FiniteNumber | None, Field(description="The greatest; null if no episode is counted.")]


class ComponentSummary(RegimeReportPart):
    """What one component contributed to some rows of a trace."""

    model_config = ConfigDict(extra="forbid")
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
    """A summary of some rows of a trace."""

    model_config = ConfigDict(extra="forbid")
    label: Annotated[
        RegimeLabel | None, Field(description="The regime; null for all rows, and for rows of no regime.")
    ] = None
    boundaries: Annotated[ReportCount, Field(description="How often a regime began in these rows.")]
    episodes: Annotated[ReportCount, Field(description="Episodes that ended in these rows.")]
    scored_steps: Annotated[ReportCount, Field(description="Steps that have a reward.")]
    unscored_steps: Annotated[
        ReportCount, Field(description="Steps that have none. They are not counted in any total or mean.")
    ]
    missing_steps: Annotated[
        ReportCount,
        Field(
            description="Steps that were taken and have no row, because it was refused: gaps in the step numbers, counted with the row after the gap. For all rows it is at least the number of refused steps in a finished manifest. They are not counted in any total or mean."
        ),
    ]
    returns: Annotated[
        EpisodeStatistics, Field(description="The sums of the rewards of each episode that ended in these rows.")
    ]
    lengths: Annotated[
        EpisodeStatistics, Field(description="The numbers of steps of each episode that ended in these rows.")
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


class SpecStageSummary(RegimeReportPart):
    """A summary of the rows of one spec."""

    model_config = ConfigDict(extra="forbid")
    spec_digest: Annotated[
        Sha256Digest | None,
        Field(description="Digest of the spec as written; null if the reward is the environment's own."),
    ]
    resolved_spec_digest: Annotated[
        Sha256Digest | None,
        Field(
            description="Digest of the spec with the components' own weights and clips filled in; null if there is no spec."
        ),
    ]
    summary: Annotated[RegimeSummary, Field(description="The rows, of all regimes.")]


class EvaluationSummary(RegimeReportPart):
    """A summary of the evaluation rows of a trace."""

    model_config = ConfigDict(extra="forbid")
    overall: Annotated[RegimeSummary, Field(description="All of them.")]
    regimes: Annotated[
        tuple[RegimeSummary, ...],
        Field(description="Those of each regime, in the order in which the regimes first came.", max_length=100000),
    ]


class RegimeReport(RegimeReportDocument):
    """A summary of a trace: over all of it and in each regime, by component, against the ceiling."""

    model_config = ConfigDict(extra="forbid")
    schema_version: Annotated[
        Literal["reward-receipts.regime-report/v1"],
        Field(description="Names the kind and the version of the document."),
    ] = "reward-receipts.regime-report/v1"
    spec_digest: Annotated[
        Sha256Digest | None,
        Field(
            description="Digest of the reward spec as written; null if the reward is the environment's own, or if several specs were used one after another."
        ),
    ] = None
    resolved_spec_digest: Annotated[
        Sha256Digest | None,
        Field(
            description="Digest of the spec with the components' own weights and clips filled in; null if spec_digest is null."
        ),
    ] = None
    overall: Annotated[RegimeSummary, Field(description="All training rows of the trace.")]
    regimes: Annotated[
        tuple[RegimeSummary, ...],
        Field(
            description="The training rows of each regime, in the order in which the regimes first came; rows without a regime have no label.",
            max_length=100000,
        ),
    ]
    stages: Annotated[
        tuple[SpecStageSummary, ...],
        Field(
            description="The training rows of each spec, in the order in which the specs first came.", max_length=1000
        ),
    ]
    evaluation: Annotated[
        EvaluationSummary | None,
        Field(description="The evaluation rows of the trace, which count in nothing else; null if there are none."),
    ]
