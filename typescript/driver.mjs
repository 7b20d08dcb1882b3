// The driver for the conformance runner: reward-receipts conformance run -- node driver.mjs

import "./dist/driver.js";
