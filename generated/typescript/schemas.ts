/*
 * The schemas as data, without what only people read.
 *
 * Generated from schemas/. Do not edit: change the schemas, then run
 *
 *     python scripts/generate
 */

import type { DataKind, Kind, Schema } from "../validation/schema.js";

/** Every definition of the schemas by its name. */
export const DEFINITIONS: Readonly<Record<string, Schema>> = {
  "Sha256Digest": {
    "title": "Sha256Digest",
    "examples": [
      "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    ],
    "type": "string",
    "maxLength": 71,
    "pattern": "^sha256:[a-f0-9]{64}$"
  },
  "OpaqueId": {
    "title": "OpaqueId",
    "examples": [
      "receipt.2026-01-31:0001"
    ],
    "type": "string",
    "maxLength": 128,
    "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{7,127}$"
  },
  "Name": {
    "title": "Name",
    "examples": [
      "on_time_delivery"
    ],
    "type": "string",
    "maxLength": 128,
    "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,127}$"
  },
  "Timestamp": {
    "title": "Timestamp",
    "examples": [
      "2026-01-31T12:00:00Z"
    ],
    "type": "string",
    "maxLength": 25,
    "pattern": "^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29)T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
  },
  "Ed25519Signature": {
    "title": "Ed25519Signature",
    "examples": [
      "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw=="
    ],
    "type": "string",
    "maxLength": 88,
    "pattern": "^[A-Za-z0-9+/]{85}[AQgw]==$"
  },
  "SignatureAlgorithm": {
    "title": "SignatureAlgorithm",
    "type": "string",
    "const": "ed25519"
  },
  "PolicyUpdate": {
    "title": "PolicyUpdate",
    "type": "integer",
    "minimum": 0,
    "maximum": 9007199254740991
  },
  "PolicyUpdateCount": {
    "title": "PolicyUpdateCount",
    "type": "integer",
    "minimum": 1,
    "maximum": 9007199254740991
  },
  "Probability": {
    "title": "Probability",
    "type": "number",
    "exclusiveMinimum": 0,
    "exclusiveMaximum": 1
  },
  "FiniteNumber": {
    "title": "FiniteNumber",
    "type": "number"
  },
  "RewardMagnitude": {
    "title": "RewardMagnitude",
    "type": "number",
    "minimum": -1000000,
    "maximum": 1000000
  },
  "PositiveReward": {
    "title": "PositiveReward",
    "type": "number",
    "exclusiveMinimum": 0,
    "maximum": 1000000
  },
  "ZeroOrPenalty": {
    "title": "ZeroOrPenalty",
    "type": "number",
    "minimum": -1000000,
    "maximum": 0
  },
  "ComponentWeight": {
    "title": "ComponentWeight",
    "type": "number",
    "exclusiveMinimum": 0,
    "maximum": 1000000
  },
  "ComponentType": {
    "title": "ComponentType",
    "type": "string",
    "minLength": 1,
    "maxLength": 128
  },
  "OracleChannel": {
    "title": "OracleChannel",
    "type": "string",
    "oneOf": [
      {
        "const": "visual"
      },
      {
        "const": "ocr"
      },
      {
        "const": "second_session"
      },
      {
        "const": "api"
      },
      {
        "const": "db"
      },
      {
        "const": "file"
      },
      {
        "const": "ack"
      },
      {
        "const": "counterparty"
      }
    ]
  },
  "OracleTier": {
    "title": "OracleTier",
    "type": "integer",
    "oneOf": [
      {
        "title": "VISUAL",
        "const": 0
      },
      {
        "title": "INDEPENDENT_SESSION",
        "const": 1
      },
      {
        "title": "SYSTEM_OF_RECORD",
        "const": 2
      },
      {
        "title": "COUNTERPARTY",
        "const": 3
      }
    ]
  },
  "RewardOutcomeV1": {
    "title": "RewardOutcomeV1",
    "type": "string",
    "oneOf": [
      {
        "const": "verified"
      },
      {
        "const": "halted_before_effect"
      },
      {
        "const": "refused"
      },
      {
        "const": "rejected_policy"
      },
      {
        "const": "wrong_effect"
      },
      {
        "const": "reconciliation_required"
      },
      {
        "const": "failed_platform"
      }
    ]
  },
  "RewardCertificateStateV1": {
    "title": "RewardCertificateStateV1",
    "type": "string",
    "oneOf": [
      {
        "const": "absent"
      },
      {
        "const": "not_yet_valid"
      },
      {
        "const": "current"
      },
      {
        "const": "expired"
      }
    ]
  },
  "RewardUncertaintyStateV1": {
    "title": "RewardUncertaintyStateV1",
    "type": "string",
    "oneOf": [
      {
        "const": "none"
      },
      {
        "const": "delivery_uncertain"
      },
      {
        "const": "effect_uncertain"
      },
      {
        "const": "oracle_unavailable"
      }
    ]
  },
  "RewardCalibrationScopeV1": {
    "title": "RewardCalibrationScopeV1",
    "type": "string",
    "oneOf": [
      {
        "const": "synthetic"
      }
    ]
  },
  "RewardCertificateIssuerV1": {
    "title": "RewardCertificateIssuerV1",
    "type": "string",
    "oneOf": [
      {
        "const": "self_signed"
      }
    ]
  },
  "RewardOracleV1": {
    "title": "RewardOracleV1",
    "type": "object",
    "properties": {
      "channel": {
        "$ref": "OracleChannel"
      },
      "identity_keys": {
        "type": "array",
        "items": {
          "$ref": "Name"
        },
        "minItems": 1,
        "maxItems": 32,
        "uniqueItems": true
      },
      "oracle_contract_digest": {
        "$ref": "Sha256Digest"
      }
    },
    "required": [
      "channel",
      "identity_keys",
      "oracle_contract_digest"
    ],
    "additionalProperties": false
  },
  "RewardComponentV1": {
    "title": "RewardComponentV1",
    "type": "object",
    "properties": {
      "name": {
        "$ref": "Name"
      },
      "weight": {
        "$ref": "ComponentWeight"
      }
    },
    "required": [
      "name",
      "weight"
    ],
    "additionalProperties": false
  },
  "RewardScoringPolicyV1": {
    "title": "RewardScoringPolicyV1",
    "type": "object",
    "properties": {
      "verified_reward": {
        "$ref": "PositiveReward",
        "default": 1.0
      },
      "halted_before_effect_reward": {
        "$ref": "ZeroOrPenalty",
        "default": 0.0
      },
      "refused_reward": {
        "$ref": "ZeroOrPenalty",
        "default": 0.0
      },
      "rejected_policy_reward": {
        "$ref": "ZeroOrPenalty",
        "default": 0.0
      },
      "wrong_effect_reward": {
        "$ref": "ZeroOrPenalty",
        "default": -1.0
      },
      "uncertain_episodes": {
        "type": "string",
        "const": "unscored",
        "default": "unscored"
      },
      "platform_failures": {
        "type": "string",
        "const": "unscored",
        "default": "unscored"
      }
    },
    "additionalProperties": false
  },
  "RewardCertificatePolicyV1": {
    "title": "RewardCertificatePolicyV1",
    "type": "object",
    "properties": {
      "epsilon": {
        "$ref": "Probability"
      },
      "delta": {
        "$ref": "Probability"
      },
      "threshold": {
        "$ref": "FiniteNumber"
      },
      "calibration_corpus_digest": {
        "$ref": "Sha256Digest"
      },
      "expiry_policy_updates": {
        "$ref": "PolicyUpdateCount"
      }
    },
    "required": [
      "epsilon",
      "delta",
      "threshold",
      "calibration_corpus_digest",
      "expiry_policy_updates"
    ],
    "additionalProperties": false
  },
  "RewardContractV1": {
    "title": "RewardContractV1",
    "type": "object",
    "properties": {
      "schema_version": {
        "type": "string",
        "const": "openadapt.reward-contract/v1",
        "default": "openadapt.reward-contract/v1"
      },
      "contract_id": {
        "$ref": "OpaqueId"
      },
      "contract_version": {
        "$ref": "OpaqueId"
      },
      "task_id": {
        "$ref": "OpaqueId"
      },
      "task_digest": {
        "$ref": "Sha256Digest"
      },
      "environment_id": {
        "$ref": "OpaqueId"
      },
      "environment_digest": {
        "$ref": "Sha256Digest"
      },
      "required_effect_contract_digest": {
        "$ref": "Sha256Digest"
      },
      "forbidden_effect_contract_digest": {
        "$ref": "Sha256Digest"
      },
      "oracle": {
        "$ref": "RewardOracleV1"
      },
      "components": {
        "type": "array",
        "items": {
          "$ref": "RewardComponentV1"
        },
        "minItems": 1,
        "maxItems": 64
      },
      "scoring": {
        "$ref": "RewardScoringPolicyV1",
        "default": {}
      },
      "certificate_policy": {
        "$ref": "RewardCertificatePolicyV1"
      }
    },
    "required": [
      "contract_id",
      "contract_version",
      "task_id",
      "task_digest",
      "environment_id",
      "environment_digest",
      "required_effect_contract_digest",
      "forbidden_effect_contract_digest",
      "oracle",
      "components",
      "certificate_policy"
    ],
    "additionalProperties": false
  },
  "RewardCertificateV1": {
    "title": "RewardCertificateV1",
    "type": "object",
    "properties": {
      "schema_version": {
        "type": "string",
        "const": "openadapt.reward-certificate/v1",
        "default": "openadapt.reward-certificate/v1"
      },
      "certificate_id": {
        "$ref": "OpaqueId"
      },
      "reward_contract_digest": {
        "$ref": "Sha256Digest"
      },
      "checker_configuration_digest": {
        "$ref": "Sha256Digest"
      },
      "epsilon": {
        "$ref": "Probability"
      },
      "delta": {
        "$ref": "Probability"
      },
      "threshold": {
        "$ref": "FiniteNumber"
      },
      "calibration_corpus_digest": {
        "$ref": "Sha256Digest"
      },
      "calibration_scope": {
        "$ref": "RewardCalibrationScopeV1"
      },
      "issued_at_policy_update": {
        "$ref": "PolicyUpdate"
      },
      "expiry_policy_updates": {
        "$ref": "PolicyUpdateCount"
      },
      "issued_at": {
        "$ref": "Timestamp"
      },
      "issuer": {
        "$ref": "RewardCertificateIssuerV1"
      },
      "issuer_key_id": {
        "$ref": "OpaqueId"
      },
      "signature_algorithm": {
        "$ref": "SignatureAlgorithm",
        "default": "ed25519"
      },
      "signature": {
        "$ref": "Ed25519Signature"
      }
    },
    "required": [
      "certificate_id",
      "reward_contract_digest",
      "checker_configuration_digest",
      "epsilon",
      "delta",
      "threshold",
      "calibration_corpus_digest",
      "calibration_scope",
      "issued_at_policy_update",
      "expiry_policy_updates",
      "issued_at",
      "issuer",
      "issuer_key_id",
      "signature"
    ],
    "additionalProperties": false
  },
  "RewardEvidenceReceiptV1": {
    "title": "RewardEvidenceReceiptV1",
    "type": "object",
    "properties": {
      "schema_version": {
        "type": "string",
        "const": "openadapt.reward-evidence-receipt/v1",
        "default": "openadapt.reward-evidence-receipt/v1"
      },
      "receipt_id": {
        "$ref": "OpaqueId"
      },
      "reward_contract_digest": {
        "$ref": "Sha256Digest"
      },
      "policy_checkpoint_id": {
        "$ref": "OpaqueId"
      },
      "policy_update": {
        "$ref": "PolicyUpdate"
      },
      "episode_id": {
        "$ref": "OpaqueId"
      },
      "oracle_tier": {
        "$ref": "OracleTier"
      },
      "reward_outcome": {
        "$ref": "RewardOutcomeV1"
      },
      "evidence_digest": {
        "$ref": "Sha256Digest"
      },
      "reward_components": {
        "type": "object",
        "propertyNames": {
          "$ref": "Name"
        },
        "additionalProperties": {
          "$ref": "RewardMagnitude"
        },
        "maxProperties": 64,
        "default": {}
      },
      "scalar_reward": {
        "anyOf": [
          {
            "$ref": "RewardMagnitude"
          },
          {
            "type": "null"
          }
        ],
        "default": null
      },
      "certificate_id": {
        "anyOf": [
          {
            "$ref": "OpaqueId"
          },
          {
            "type": "null"
          }
        ],
        "default": null
      },
      "certificate_digest": {
        "anyOf": [
          {
            "$ref": "Sha256Digest"
          },
          {
            "type": "null"
          }
        ],
        "default": null
      },
      "certificate_state": {
        "$ref": "RewardCertificateStateV1"
      },
      "calibration_corpus_digest": {
        "anyOf": [
          {
            "$ref": "Sha256Digest"
          },
          {
            "type": "null"
          }
        ],
        "default": null
      },
      "calibration_scope": {
        "anyOf": [
          {
            "$ref": "RewardCalibrationScopeV1"
          },
          {
            "type": "null"
          }
        ],
        "default": null
      },
      "uncertainty": {
        "$ref": "RewardUncertaintyStateV1"
      },
      "certified": {
        "type": "boolean"
      },
      "development_only": {
        "type": "boolean"
      },
      "issuer_key_id": {
        "$ref": "OpaqueId"
      },
      "nonce": {
        "$ref": "OpaqueId"
      },
      "issued_at": {
        "$ref": "Timestamp"
      },
      "signature_algorithm": {
        "$ref": "SignatureAlgorithm",
        "default": "ed25519"
      },
      "signature": {
        "$ref": "Ed25519Signature"
      }
    },
    "required": [
      "receipt_id",
      "reward_contract_digest",
      "policy_checkpoint_id",
      "policy_update",
      "episode_id",
      "oracle_tier",
      "reward_outcome",
      "evidence_digest",
      "certificate_state",
      "uncertainty",
      "certified",
      "development_only",
      "issuer_key_id",
      "nonce",
      "issued_at",
      "signature"
    ],
    "additionalProperties": false,
    "allOf": [
      {
        "title": "receipt.development-only",
        "if": {
          "properties": {
            "oracle_tier": {
              "enum": [
                0,
                1
              ]
            }
          },
          "required": [
            "oracle_tier"
          ]
        },
        "then": {
          "properties": {
            "development_only": {
              "const": true
            }
          },
          "required": [
            "development_only"
          ]
        },
        "else": {
          "if": {
            "properties": {
              "oracle_tier": {
                "enum": [
                  2,
                  3
                ]
              }
            },
            "required": [
              "oracle_tier"
            ]
          },
          "then": {
            "properties": {
              "development_only": {
                "const": false
              }
            },
            "required": [
              "development_only"
            ]
          }
        }
      },
      {
        "title": "receipt.certified-tier",
        "if": {
          "properties": {
            "certified": {
              "const": true
            }
          },
          "required": [
            "certified"
          ]
        },
        "then": {
          "properties": {
            "oracle_tier": {
              "enum": [
                2,
                3
              ]
            }
          },
          "required": [
            "oracle_tier"
          ]
        }
      },
      {
        "title": "receipt.certified-current",
        "if": {
          "properties": {
            "certified": {
              "const": true
            }
          },
          "required": [
            "certified"
          ]
        },
        "then": {
          "properties": {
            "certificate_state": {
              "const": "current"
            }
          },
          "required": [
            "certificate_state"
          ]
        }
      },
      {
        "title": "receipt.absent-has-no-reference",
        "if": {
          "properties": {
            "certificate_state": {
              "const": "absent"
            }
          },
          "required": [
            "certificate_state"
          ]
        },
        "then": {
          "properties": {
            "certificate_id": {
              "type": "null"
            },
            "certificate_digest": {
              "type": "null"
            },
            "calibration_corpus_digest": {
              "type": "null"
            },
            "calibration_scope": {
              "type": "null"
            }
          }
        }
      },
      {
        "title": "receipt.reference-complete",
        "if": {
          "properties": {
            "certificate_state": {
              "enum": [
                "not_yet_valid",
                "current",
                "expired"
              ]
            }
          },
          "required": [
            "certificate_state"
          ]
        },
        "then": {
          "properties": {
            "certificate_id": {
              "type": "string"
            },
            "certificate_digest": {
              "type": "string"
            },
            "calibration_corpus_digest": {
              "type": "string"
            },
            "calibration_scope": {
              "type": "string"
            }
          },
          "required": [
            "certificate_id",
            "certificate_digest",
            "calibration_corpus_digest",
            "calibration_scope"
          ]
        }
      },
      {
        "title": "receipt.unscored-no-scalar",
        "if": {
          "properties": {
            "reward_outcome": {
              "enum": [
                "reconciliation_required",
                "failed_platform"
              ]
            }
          },
          "required": [
            "reward_outcome"
          ]
        },
        "then": {
          "properties": {
            "scalar_reward": {
              "type": "null"
            }
          }
        }
      },
      {
        "title": "receipt.unscored-no-components",
        "if": {
          "properties": {
            "reward_outcome": {
              "enum": [
                "reconciliation_required",
                "failed_platform"
              ]
            }
          },
          "required": [
            "reward_outcome"
          ]
        },
        "then": {
          "properties": {
            "reward_components": {
              "type": "object",
              "maxProperties": 0
            }
          }
        }
      },
      {
        "title": "receipt.scored-needs-scalar",
        "if": {
          "properties": {
            "reward_outcome": {
              "enum": [
                "verified",
                "halted_before_effect",
                "refused",
                "rejected_policy",
                "wrong_effect"
              ]
            }
          },
          "required": [
            "reward_outcome"
          ]
        },
        "then": {
          "properties": {
            "scalar_reward": {
              "type": "number"
            }
          },
          "required": [
            "scalar_reward"
          ]
        }
      },
      {
        "title": "receipt.scored-needs-components",
        "if": {
          "properties": {
            "reward_outcome": {
              "enum": [
                "verified",
                "halted_before_effect",
                "refused",
                "rejected_policy",
                "wrong_effect"
              ]
            }
          },
          "required": [
            "reward_outcome"
          ]
        },
        "then": {
          "properties": {
            "reward_components": {
              "type": "object",
              "minProperties": 1
            }
          },
          "required": [
            "reward_components"
          ]
        }
      },
      {
        "title": "receipt.verified-positive",
        "if": {
          "properties": {
            "reward_outcome": {
              "const": "verified"
            }
          },
          "required": [
            "reward_outcome"
          ]
        },
        "then": {
          "properties": {
            "scalar_reward": {
              "type": [
                "number",
                "null"
              ],
              "exclusiveMinimum": 0
            }
          }
        }
      },
      {
        "title": "receipt.penalty-not-positive",
        "if": {
          "properties": {
            "reward_outcome": {
              "enum": [
                "halted_before_effect",
                "refused",
                "rejected_policy",
                "wrong_effect"
              ]
            }
          },
          "required": [
            "reward_outcome"
          ]
        },
        "then": {
          "properties": {
            "scalar_reward": {
              "type": [
                "number",
                "null"
              ],
              "maximum": 0
            }
          }
        }
      },
      {
        "title": "receipt.verified-certain",
        "if": {
          "properties": {
            "reward_outcome": {
              "const": "verified"
            }
          },
          "required": [
            "reward_outcome"
          ]
        },
        "then": {
          "properties": {
            "uncertainty": {
              "const": "none"
            }
          },
          "required": [
            "uncertainty"
          ]
        }
      },
      {
        "title": "receipt.reconciliation-uncertain",
        "if": {
          "properties": {
            "reward_outcome": {
              "const": "reconciliation_required"
            }
          },
          "required": [
            "reward_outcome"
          ]
        },
        "then": {
          "properties": {
            "uncertainty": {
              "enum": [
                "delivery_uncertain",
                "effect_uncertain",
                "oracle_unavailable"
              ]
            }
          },
          "required": [
            "uncertainty"
          ]
        }
      }
    ]
  },
  "SpecName": {
    "title": "SpecName",
    "type": "string",
    "minLength": 1,
    "maxLength": 128
  },
  "TermName": {
    "title": "TermName",
    "type": "string",
    "minLength": 1,
    "maxLength": 128
  },
  "ClipBound": {
    "title": "ClipBound",
    "anyOf": [
      {
        "$ref": "FiniteNumber"
      },
      {
        "type": "null"
      }
    ]
  },
  "ClipBounds": {
    "title": "ClipBounds",
    "type": "array",
    "items": {
      "$ref": "ClipBound"
    },
    "minItems": 2,
    "maxItems": 2
  },
  "RewardSpecComponent": {
    "title": "RewardSpecComponent",
    "type": "object",
    "properties": {
      "type": {
        "$ref": "ComponentType"
      },
      "name": {
        "$ref": "TermName"
      },
      "params": {
        "type": "object",
        "maxProperties": 64
      },
      "weight": {
        "$ref": "FiniteNumber"
      },
      "clip": {
        "anyOf": [
          {
            "$ref": "ClipBounds"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "required": [
      "type"
    ],
    "additionalProperties": false
  },
  "RewardSpecGate": {
    "title": "RewardSpecGate",
    "type": "object",
    "properties": {
      "component": {
        "$ref": "TermName"
      },
      "requires": {
        "$ref": "TermName"
      }
    },
    "required": [
      "component",
      "requires"
    ],
    "additionalProperties": false
  },
  "RewardSpec": {
    "title": "RewardSpec",
    "type": "object",
    "properties": {
      "schema_version": {
        "type": "string",
        "const": "reward-receipts.reward-spec/v1",
        "default": "reward-receipts.reward-spec/v1"
      },
      "name": {
        "$ref": "SpecName"
      },
      "components": {
        "type": "array",
        "items": {
          "$ref": "RewardSpecComponent"
        },
        "minItems": 1,
        "maxItems": 64
      },
      "gates": {
        "type": "array",
        "items": {
          "$ref": "RewardSpecGate"
        },
        "maxItems": 4096,
        "default": []
      }
    },
    "required": [
      "name",
      "components"
    ],
    "additionalProperties": false
  }
};

/** The definition of each kind of document. */
export const DOCUMENT_DEFINITIONS: Readonly<Record<Kind | DataKind, string>> = {
  "contract": "RewardContractV1",
  "certificate": "RewardCertificateV1",
  "receipt": "RewardEvidenceReceiptV1",
  "spec": "RewardSpec"
};
