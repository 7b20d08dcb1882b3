// The public keys that a command is given.

import { readStart, reasonOf } from "../bulk/files.js";
import { fileLabel } from "../core/escaping.js";
import { couldBeKey } from "../core/redaction.js";
import { MAX_KEY_FILE_BYTES, MAX_TEXT_BYTES } from "../generated/tables.js";
import { decodePublicKey, entriesOf, KeyFormatError, Keyring, type PublicKey } from "../receipts/keys.js";
import type { Given } from "./arguments.js";
import type { Report } from "./report.js";

/** The keyrings as one, or the one key; undefined if none was named, or if one cannot be used, which the report says. */
export function publicKeys(report: Report, given: Given): PublicKey | undefined {
  let name = "";
  try {
    if (given["public-key"] !== undefined) {
      name = given["public-key"];
      const key = readStart(name, MAX_KEY_FILE_BYTES).toString("latin1").trim();
      decodePublicKey(key); // a malformed one is this file's fault
      return key;
    }
    const keys: (readonly [string, string])[] = [];
    for (name of given.keyring ?? []) {
      keys.push(...entriesOf(Keyring.fromText(readStart(name, MAX_TEXT_BYTES + 1))));
    }
    return given.keyring === undefined ? undefined : Keyring.of(keys);
  } catch (error) {
    const hint = couldBeKey(name) ? "; give a file that holds the key, not the key itself" : "";
    if (error instanceof KeyFormatError) report.problem(`${fileLabel(name)}: ${error.message}`);
    else if (error instanceof Error && "code" in error)
      report.problem(`cannot read ${fileLabel(name)}: ${reasonOf(error)}${hint}`);
    else throw error;
    return undefined;
  }
}
