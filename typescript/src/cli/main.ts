// Runs the command that the arguments name.

import type { Kind } from "../validation/schema.js";
import { KINDS } from "../validation/schemas.js";
import { ALLOWED, parsed, UsageError } from "./arguments.js";
import { auditFiles } from "./audit.js";
import { lintFiles } from "./lint.js";
import { StdoutLost, say, writeOut } from "./terminal.js";
import { verifyFiles } from "./verify.js";

const HELP = `usage: reward-receipts lint FILES...
       reward-receipts audit RECEIPTS... [--contract FILE] [--certificate FILE] [--keyring FILE | --public-key FILE]
                                         [--at-update N]
       reward-receipts verify FILES... (--keyring FILE | --public-key FILE)

lint checks documents by text, schema and rules, audit receipts against contract, certificate and keys, verify
signatures. FILES are paths, or - for standard input. A JSON file has one document or an array of them; .jsonl and
.ndjson are JSON Lines (--lines and --no-lines override the suffix). --kind contract, certificate or receipt: the kind of
the documents. --contract, --certificate and --keyring may be given repeatedly.

A finding is one line: FILE:LINE:COLUMN POINTER CODE SENTENCE. Exit status: 0 good; 1 a finding; 2 wrong usage, or
something that cannot be decided. If both 1 and 2 apply, it is 1.

Every certificate here is synthetic; none is for production. The Python package of the same name has more commands.
`;

/** Runs the command line and returns the exit status. */
export function main(argv: readonly string[], version: string): number {
  try {
    return run(argv, version);
  } catch (error) {
    if (error instanceof UsageError) say(`reward-receipts: ${error.message}; --help shows how it is used`);
    else if (error instanceof StdoutLost) say(`reward-receipts: cannot write to standard output: ${error.message}`);
    else throw error;
    return 2;
  }
}

function run(argv: readonly string[], version: string): number {
  const { values, positionals } = parsed(argv);
  if (values.help) {
    writeOut(HELP);
    return 0;
  }
  if (values.version) {
    writeOut(`reward-receipts ${version}\n`);
    return 0;
  }
  const [command = "", ...files] = positionals;
  const allowed = Object.hasOwn(ALLOWED, command) ? ALLOWED[command]! : undefined;
  if (allowed === undefined) throw new UsageError(`the command is ${Object.keys(ALLOWED).join(", ")}`);
  for (const option of Object.keys(values)) {
    if (!allowed.includes(option)) throw new UsageError(`${command} has no option --${option}`);
  }
  if (files.length === 0) throw new UsageError(`${command} needs files, or - for standard input`);
  if (values.keyring !== undefined && values["public-key"] !== undefined) {
    throw new UsageError("give --keyring or --public-key, not both");
  }
  const { kind } = values;
  if (kind !== undefined && !KINDS.includes(kind as Kind)) throw new UsageError(`--kind is one of ${KINDS.join(", ")}`);
  if (values.lines && values["no-lines"]) throw new UsageError("give --lines or --no-lines, not both");
  const lines = values.lines ? true : values["no-lines"] ? false : undefined;
  const given = { ...values, kind: kind as Kind | undefined, lines, files };
  if (command === "lint") return lintFiles(given);
  return command === "audit" ? auditFiles(given) : verifyFiles(given);
}
