// The checks of an audit.
//
// Generated from schemas/. Do not edit: change the schemas, then run
//
//     python scripts/generate

use super::codes::Code;
use crate::receipts::audit::{Check, Input};

/// The checks, in their order.
pub static CHECKS: [Check; 15] = [
    Check { code: Code::ReceiptNamesAnotherContract, with_certificate: false, with_update: false, needs: &[Input::Contract], signer_unknown: None },
    Check { code: Code::TierExceedsChannel, with_certificate: false, with_update: false, needs: &[Input::Contract], signer_unknown: None },
    Check { code: Code::ScalarDiffersFromContract, with_certificate: false, with_update: false, needs: &[Input::Contract], signer_unknown: None },
    Check { code: Code::ComponentNotInContract, with_certificate: false, with_update: false, needs: &[Input::Contract], signer_unknown: None },
    Check { code: Code::ReceiptNamesAnotherCertificate, with_certificate: true, with_update: false, needs: &[Input::Certificate], signer_unknown: None },
    Check { code: Code::CertificateIdDiffers, with_certificate: true, with_update: false, needs: &[Input::Certificate], signer_unknown: None },
    Check { code: Code::CorpusDiffersFromCertificate, with_certificate: true, with_update: false, needs: &[Input::Certificate], signer_unknown: None },
    Check { code: Code::ScopeDiffersFromCertificate, with_certificate: true, with_update: false, needs: &[Input::Certificate], signer_unknown: None },
    Check { code: Code::CertificateStateDiffers, with_certificate: true, with_update: false, needs: &[Input::Certificate], signer_unknown: None },
    Check { code: Code::CertifiedUnsupported, with_certificate: true, with_update: false, needs: &[Input::Contract, Input::Certificate], signer_unknown: None },
    Check { code: Code::CertifiedUnderstated, with_certificate: true, with_update: false, needs: &[Input::Contract, Input::Certificate], signer_unknown: None },
    Check { code: Code::SignatureInvalid, with_certificate: false, with_update: false, needs: &[Input::Key], signer_unknown: Some(Code::SignerUnknown) },
    Check { code: Code::CertificateSignatureInvalid, with_certificate: true, with_update: false, needs: &[Input::Certificate, Input::Key], signer_unknown: Some(Code::CertificateSignerUnknown) },
    Check { code: Code::CertificateExpiredAtUpdate, with_certificate: true, with_update: true, needs: &[Input::Certificate], signer_unknown: None },
    Check { code: Code::PolicyUpdateAhead, with_certificate: false, with_update: true, needs: &[], signer_unknown: None },
];
