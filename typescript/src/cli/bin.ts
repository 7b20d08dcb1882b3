#!/usr/bin/env node
// The program `reward-receipts` that npm installs.

import { readFileSync } from "node:fs";
import { main } from "./main.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
process.exitCode = main(process.argv.slice(2), version);
