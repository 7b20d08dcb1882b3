#!/usr/bin/env node
// reward-receipts lint|audit|verify

import { readFileSync } from "node:fs";
import { main } from "./dist/cli.js";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
process.exitCode = main(process.argv.slice(2), version);
