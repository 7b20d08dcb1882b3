// The command verify: checks the signatures of certificates and receipts.

import type { Entry } from "../bulk/files.js";
import { sentence } from "../core/codes.js";
import type { Code } from "../generated/codes.js";
import type { RewardCertificateV1, RewardEvidenceReceiptV1 } from "../generated/types.js";
import type { PublicKey } from "../receipts/keys.js";
import { verify } from "../receipts/verify.js";
import { type Given, UsageError } from "./arguments.js";
import { publicKeys } from "./keys.js";
import { eachEntry, Report, type Result } from "./report.js";
import { print, say } from "./terminal.js";

export function verifyFiles(given: Given): number {
  const report = new Report(print, say, ["valid", "invalid", "signer-unknown"]);
  if (given.keyring === undefined && given["public-key"] === undefined) {
    throw new UsageError("give --keyring or --public-key, one of them");
  }
  const keys = publicKeys(report, given);
  if (keys === undefined) return report.close();
  eachEntry(report, given.files, given.kind, given.lines, (entry) => {
    if (entry.faults.length > 0) report.add({ entry, verdict: "invalid", findings: entry.faults });
    else if (entry.kind === "contract") report.problem(`${entry.label} is a contract, which carries no signature`);
    else report.add(signatureResult(entry, entry.kind as "certificate" | "receipt", keys));
  });
  return report.close();
}

function signatureResult(entry: Entry, kind: "certificate" | "receipt", keys: PublicKey): Result {
  const document = entry.document(kind) as RewardCertificateV1 | RewardEvidenceReceiptV1;
  const verdict = verify(document, keys, kind);
  const key_id = document.issuer_key_id;
  const id = "receipt_id" in document ? document.receipt_id : document.certificate_id;
  const line = (label: string) => `${verdict}  ${label}  ${id}  ${key_id}`;
  const of = kind === "certificate" ? "certificate-" : "";
  const about = (code: Code, member: string) => [entry.finding(code, sentence(code, { key_id }), [member])];
  if (verdict === "valid") return { entry, verdict, line, findings: [] };
  if (verdict === "invalid") {
    return { entry, verdict, line, findings: about(`${of}signature-invalid` as Code, "signature") };
  }
  return { entry, verdict, line, findings: [], unchecked: about(`${of}signer-unknown` as Code, "issuer_key_id") };
}
