// Builds the package: node scripts/build.mjs
//
//   ../generated/typescript  copied to src/generated
//   src                      checked and bundled to dist: index.js (with its dependencies beside it), browser.js (with
//                            everything in it), bin.js (the command), driver.js (for the conformance runner) and the
//                            types

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PACKAGE = new URL("../", import.meta.url);
const here = (path) => fileURLToPath(new URL(path, PACKAGE));
const missing = ["../generated/typescript", "node_modules/esbuild"].filter((path) => !existsSync(here(path)));
if (missing.length > 0) {
  // npm pack runs this first: without it an archive without code would be packed.
  console.error(
    `cannot build reward-receipts: ${missing.join(" and ")} missing; build in a checkout, after npm ci --ignore-scripts`,
  );
  process.exit(1);
}
const { build } = await import("esbuild");
const GENERATED = here("src/generated");

for (const folder of [GENERATED, here("dist")]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const file of readdirSync(here("../generated/typescript"))) {
  copyFileSync(here(`../generated/typescript/${file}`), `${GENERATED}/${file}`);
}

copyFileSync(here("../LICENSE"), here("LICENSE"));

for (const config of ["tsconfig.json", "tsconfig.node.json"]) {
  const compiler = here("node_modules/typescript/bin/tsc");
  const checked = spawnSync(process.execPath, [compiler, "-p", here(config)], { stdio: "inherit" });
  if (checked.status !== 0) process.exit(1);
}

const common = { bundle: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "warning" };
const builds = {
  index: { entryPoints: [here("src/index.ts")], packages: "external" },
  browser: { entryPoints: [here("src/index.ts")], minify: true, platform: "browser", define: { process: "undefined" } },
  bin: { entryPoints: [here("src/cli/bin.ts")], packages: "external", platform: "node" },
  driver: { entryPoints: [here("src/conformance/driver.ts")], packages: "external", platform: "node" },
};
for (const [name, own] of Object.entries(builds)) {
  await build({ ...common, ...own, outfile: here(`dist/${name}.js`) });
}
