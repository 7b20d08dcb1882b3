"""The reward documents and their parts: models.

Generated from schemas/. Do not edit: change the schemas, then run

    python scripts/generate
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from reward_receipts.core.frozen import Frozen, FrozenMap
from reward_receipts.core.generated.vocabulary import (
    OracleChannel,
    OracleTier,
    RewardCalibrationScopeV1,
    RewardCertificateIssuerV1,
    RewardCertificateStateV1,
    RewardOutcomeV1,
    RewardUncertaintyStateV1,
)
from reward_receipts.documents.certificate import CertificateDocument, CertificatePolicyPart
from reward_receipts.documents.contract import ComponentPart, ContractDocument
from reward_receipts.documents.oracle import OraclePart
from reward_receipts.documents.outcomes import ScoringPolicyPart
from reward_receipts.documents.receipt import ReceiptDocument
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

OpaqueId = TypeAliasType(
    "OpaqueId",
    Annotated[
        str,
        Field(
            description="An identifier that a reader compares and never interprets: 8 to 128 ASCII letters, digits, dots, underscores, colons and hyphens, the first a letter or a digit.",
            examples=["receipt.2026-01-31:0001"],
            max_length=128,
            pattern="^[A-Za-z0-9][A-Za-z0-9._:-]{7,127}$",
            title="OpaqueId",
            json_schema_extra={"not": {"pattern": "[\n\r\x85\u2028\u2029]"}},
        ),
    ],
)

Name = TypeAliasType(
    "Name",
    Annotated[
        str,
        Field(
            description="A name that people read: 1 to 128 ASCII letters, digits, underscores and hyphens, the first a letter.",
            examples=["on_time_delivery"],
            max_length=128,
            pattern="^[A-Za-z][A-Za-z0-9_-]{0,127}$",
            title="Name",
            json_schema_extra={"not": {"pattern": "[\n\r\x85\u2028\u2029]"}},
        ),
    ],
)

Timestamp = TypeAliasType(
    "Timestamp",
    Annotated[
        str,
        Field(
            description="A moment in whole seconds: YYYY-MM-DDThh:mm:ss and Z or an offset. The day exists, leap years included; hours run to 23, minutes and seconds to 59, in the offset too.",
            examples=["2026-01-31T12:00:00Z"],
            max_length=25,
            pattern="^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29)T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
            title="Timestamp",
            json_schema_extra={"not": {"pattern": "[\n\r\x85\u2028\u2029]"}},
        ),
    ],
)

Ed25519Signature = TypeAliasType(
    "Ed25519Signature",
    Annotated[
        str,
        Field(
            description="An Ed25519 signature: canonical base64 of its 64 bytes, so that one signature has one spelling.",
            examples=["AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw=="],
            max_length=88,
            pattern="^[A-Za-z0-9+/]{85}[AQgw]==$",
            title="Ed25519Signature",
            json_schema_extra={"not": {"pattern": "[\n\r\x85\u2028\u2029]"}},
        ),
    ],
)

SignatureAlgorithm = TypeAliasType(
    "SignatureAlgorithm",
    Annotated[
        Literal["ed25519"],
        Field(
            description="The one signature algorithm of version 1: Ed25519 as in RFC 8032.", title="SignatureAlgorithm"
        ),
    ],
)

PolicyUpdate = TypeAliasType(
    "PolicyUpdate",
    Annotated[
        int,
        Field(
            description="The number of a policy update. It counts updates of the policy, not hours.",
            ge=0,
            le=9007199254740991,
            title="PolicyUpdate",
        ),
    ],
)

PolicyUpdateCount = TypeAliasType(
    "PolicyUpdateCount",
    Annotated[
        int,
        Field(
            description="A number of policy updates, at least one.",
            ge=1,
            le=9007199254740991,
            title="PolicyUpdateCount",
        ),
    ],
)

Probability = TypeAliasType(
    "Probability",
    Annotated[float, Field(description="A probability strictly between 0 and 1.", gt=0.0, lt=1.0, title="Probability")],
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

RewardMagnitude = TypeAliasType(
    "RewardMagnitude",
    Annotated[
        float,
        Field(
            description="A reward: finite, at most 1000000 away from 0.",
            ge=-1000000.0,
            le=1000000.0,
            title="RewardMagnitude",
        ),
    ],
)

PositiveReward = TypeAliasType(
    "PositiveReward",
    Annotated[
        float,
        Field(
            description="What a verified effect earns: above 0, at most 1000000.",
            gt=0.0,
            le=1000000.0,
            title="PositiveReward",
        ),
    ],
)

ZeroOrPenalty = TypeAliasType(
    "ZeroOrPenalty",
    Annotated[
        float,
        Field(
            description="What an episode without a verified effect scores: 0 or a penalty, at least -1000000.",
            ge=-1000000.0,
            le=0.0,
            title="ZeroOrPenalty",
        ),
    ],
)

ComponentWeight = TypeAliasType(
    "ComponentWeight",
    Annotated[
        float,
        Field(
            description="The weight of a reward component: above 0, at most 1000000.",
            gt=0.0,
            le=1000000.0,
            title="ComponentWeight",
        ),
    ],
)


class RewardOracleV1(OraclePart):
    """The reader of the terminal effect."""

    model_config = ConfigDict(extra="forbid")
    channel: Annotated[OracleChannel, Field(description="The channel it reads through.")]
    identity_keys: Annotated[
        tuple[Name, ...],
        Field(
            description="The fields by which it finds the record. The completed document has them sorted.",
            max_length=32,
            min_length=1,
        ),
    ]
    oracle_contract_digest: Annotated[
        Sha256Digest, Field(description="Digest of the oracle's recipe, which itself appears nowhere.")
    ]


class RewardComponentV1(ComponentPart):
    """One named and weighted term of the reward."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[Name, Field(description="The component's name, once per contract.")]
    weight: Annotated[ComponentWeight, Field(description="The component's weight.")]


class RewardScoringPolicyV1(ScoringPolicyPart):
    """What each outcome scores. What is left out has its default."""

    model_config = ConfigDict(extra="forbid")
    verified_reward: Annotated[PositiveReward, Field(description="The scalar of a verified episode.")] = 1.0
    halted_before_effect_reward: Annotated[
        ZeroOrPenalty, Field(description="The scalar of an episode that halted before an effect.")
    ] = 0.0
    refused_reward: Annotated[ZeroOrPenalty, Field(description="The scalar of a refused episode.")] = 0.0
    rejected_policy_reward: Annotated[
        ZeroOrPenalty, Field(description="The scalar of an episode that a policy of the environment rejected.")
    ] = 0.0
    wrong_effect_reward: Annotated[
        ZeroOrPenalty, Field(description="The scalar of an episode with a wrong effect.")
    ] = -1.0
    uncertain_episodes: Annotated[
        Literal["unscored"], Field(description="Episodes that need reconciliation are unscored, never 0.0.")
    ] = "unscored"
    platform_failures: Annotated[
        Literal["unscored"], Field(description="Episodes that the platform failed are unscored, never 0.0.")
    ] = "unscored"


class RewardCertificatePolicyV1(CertificatePolicyPart):
    """The bound that a certificate must carry."""

    model_config = ConfigDict(extra="forbid")
    epsilon: Annotated[
        Probability,
        Field(description="The largest bound on the probability of a false accept that the contract admits."),
    ]
    delta: Annotated[
        Probability,
        Field(description="The largest probability that the bound itself is wrong, 1 minus its confidence."),
    ]
    threshold: Annotated[
        FiniteNumber,
        Field(description="The acceptance threshold that the checker must have been calibrated at, exactly."),
    ]
    calibration_corpus_digest: Annotated[
        Sha256Digest, Field(description="Digest of the corpus that the checker must have been calibrated on.")
    ]
    expiry_policy_updates: Annotated[
        PolicyUpdateCount,
        Field(description="The largest number of policy updates for which a certificate may be valid."),
    ]


class RewardContractV1(ContractDocument):
    """What earns reward, who reads the terminal effect, and which bound that reader must carry."""

    model_config = ConfigDict(extra="forbid")
    schema_version: Annotated[
        Literal["openadapt.reward-contract/v1"], Field(description="Names the kind and the version of the document.")
    ] = "openadapt.reward-contract/v1"
    contract_id: Annotated[OpaqueId, Field(description="The contract, over all its versions.")]
    contract_version: Annotated[OpaqueId, Field(description="This version of the contract.")]
    task_id: Annotated[OpaqueId, Field(description="The task that the policy is given.")]
    task_digest: Annotated[Sha256Digest, Field(description="Digest of the task's definition.")]
    environment_id: Annotated[OpaqueId, Field(description="The environment that the episodes run in.")]
    environment_digest: Annotated[Sha256Digest, Field(description="Digest of the environment's build.")]
    required_effect_contract_digest: Annotated[
        Sha256Digest, Field(description="Digest of the contract that says which effect must be there at the end.")
    ]
    forbidden_effect_contract_digest: Annotated[
        Sha256Digest, Field(description="Digest of the contract that says which effects must not be there.")
    ]
    oracle: Annotated[RewardOracleV1, Field(description="Who reads the terminal effect.")]
    components: Annotated[
        tuple[RewardComponentV1, ...],
        Field(
            description="The terms that a receipt's component vector may name. The completed document has them sorted by name.",
            max_length=64,
            min_length=1,
        ),
    ]
    scoring: Annotated[RewardScoringPolicyV1, Field(description="What each outcome scores.")] = Field(
        default_factory=lambda: RewardScoringPolicyV1()
    )
    certificate_policy: Annotated[
        RewardCertificatePolicyV1,
        Field(description="The bound that a certificate must carry for a reward to be certified (synthetic)."),
    ]


class RewardCertificateV1(CertificateDocument):
    """The bound on a checker's false accepts, P(false accept) <= epsilon at confidence 1 - delta, and the policy updates for which it is valid."""

    model_config = ConfigDict(extra="forbid")
    schema_version: Annotated[
        Literal["openadapt.reward-certificate/v1"], Field(description="Names the kind and the version of the document.")
    ] = "openadapt.reward-certificate/v1"
    certificate_id: Annotated[OpaqueId, Field(description="The certificate.")]
    reward_contract_digest: Annotated[
        Sha256Digest, Field(description="Digest of the contract that the certificate was issued for.")
    ]
    checker_configuration_digest: Annotated[
        Sha256Digest, Field(description="Digest of the calibrated checker's configuration.")
    ]
    epsilon: Annotated[Probability, Field(description="The bound on the probability of a false accept.")]
    delta: Annotated[Probability, Field(description="The probability that the bound is wrong, 1 minus its confidence.")]
    threshold: Annotated[FiniteNumber, Field(description="The acceptance threshold that the bound was computed at.")]
    calibration_corpus_digest: Annotated[
        Sha256Digest, Field(description="Digest of the corpus that the checker was calibrated on.")
    ]
    calibration_scope: Annotated[
        RewardCalibrationScopeV1, Field(description="What kind of corpus that was: always synthetic.")
    ]
    issued_at_policy_update: Annotated[
        PolicyUpdate, Field(description="The first policy update that the certificate holds at.")
    ]
    expiry_policy_updates: Annotated[PolicyUpdateCount, Field(description="For how many policy updates it holds.")]
    issued_at: Annotated[Timestamp, Field(description="When it was issued.")]
    issuer: Annotated[RewardCertificateIssuerV1, Field(description="Who vouches for it.")]
    issuer_key_id: Annotated[
        OpaqueId,
        Field(description="The key that signed the document, by the name that the reader's keyring has for it."),
    ]
    signature_algorithm: Annotated[SignatureAlgorithm, Field(description="How it is signed.")] = "ed25519"
    signature: Annotated[
        Ed25519Signature,
        Field(
            description="The signature over the canonical bytes of the document without signature and signature_algorithm."
        ),
    ]


class RewardEvidenceReceiptV1(ReceiptDocument):
    """The terminal effect of one episode was read by the oracle, and what it scored. A receipt states nothing else."""

    model_config = ConfigDict(extra="forbid")
    schema_version: Annotated[
        Literal["openadapt.reward-evidence-receipt/v1"],
        Field(description="Names the kind and the version of the document."),
    ] = "openadapt.reward-evidence-receipt/v1"
    receipt_id: Annotated[OpaqueId, Field(description="The receipt.")]
    reward_contract_digest: Annotated[
        Sha256Digest, Field(description="Digest of the contract that the episode was scored under.")
    ]
    policy_checkpoint_id: Annotated[OpaqueId, Field(description="The checkpoint of the policy that acted.")]
    policy_update: Annotated[PolicyUpdate, Field(description="The policy update of that checkpoint.")]
    episode_id: Annotated[OpaqueId, Field(description="The episode.")]
    oracle_tier: Annotated[OracleTier, Field(description="The tier at which the terminal effect was read.")]
    reward_outcome: Annotated[RewardOutcomeV1, Field(description="What the oracle found.")]
    evidence_digest: Annotated[Sha256Digest, Field(description="Digest of the evidence, which itself appears nowhere.")]
    reward_components: Annotated[
        Mapping[Name, RewardMagnitude],
        Frozen,
        Field(description="What each component contributed, by the component's name.", max_length=64),
    ] = Field(default_factory=lambda: FrozenMap({}))
    scalar_reward: Annotated[
        RewardMagnitude | None, Field(description="The reward, or null for an unscored episode, which is never 0.0.")
    ] = None
    certificate_id: Annotated[OpaqueId | None, Field(description="The certificate that the receipt refers to.")] = None
    certificate_digest: Annotated[Sha256Digest | None, Field(description="Digest of that certificate.")] = None
    certificate_state: Annotated[
        RewardCertificateStateV1, Field(description="Where that certificate was at policy_update.")
    ]
    calibration_corpus_digest: Annotated[
        Sha256Digest | None, Field(description="Digest of the corpus that the certificate names.")
    ] = None
    calibration_scope: Annotated[
        RewardCalibrationScopeV1 | None, Field(description="The scope that the certificate names: always synthetic.")
    ] = None
    uncertainty: Annotated[RewardUncertaintyStateV1, Field(description="What is uncertain about the effect.")]
    certified: Annotated[bool, Field(description="Whether the reward is certified (synthetic).")]
    development_only: Annotated[bool, Field(description="Whether the tier is one that a certificate cannot cover.")]
    issuer_key_id: Annotated[
        OpaqueId,
        Field(description="The key that signed the document, by the name that the reader's keyring has for it."),
    ]
    nonce: Annotated[OpaqueId, Field(description="Used once per issuer key.")]
    issued_at: Annotated[Timestamp, Field(description="When the receipt was issued.")]
    signature_algorithm: Annotated[SignatureAlgorithm, Field(description="How it is signed.")] = "ed25519"
    signature: Annotated[
        Ed25519Signature,
        Field(
            description="The signature over the canonical bytes of the document without signature and signature_algorithm."
        ),
    ]


RewardDocument = TypeAliasType(
    "RewardDocument",
    Annotated[
        RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1,
        Field(
            description="Any of the reward documents. schema_version says which, so here it must be given.",
            discriminator="schema_version",
            title="RewardDocument",
        ),
    ],
)
