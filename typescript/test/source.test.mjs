// The source itself: formatted, linted, imported one way, and each file with a comment that says what it is for.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../", import.meta.url));

function biome(command, folder) {
  const script = join(PACKAGE, "node_modules/@biomejs/biome/bin/biome");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, command, "--colors=off"], { cwd: folder });
  return { status, text: `${stdout}${stderr}` };
}

/** What biome says of a package of these files, by their names. */
function linted(files) {
  const folder = mkdtempSync(join(tmpdir(), "source-"));
  try {
    copyFileSync(join(PACKAGE, "biome.json"), join(folder, "biome.json"));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return biome("lint", folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("everything is formatted and passes the linter", () => {
  const { status, text } = biome("check", PACKAGE);
  assert.equal(status, 0, text);
});

test("imports go one way, also of types", () => {
  const floors = ["core", "validation", "documents", "receipts", "bulk", "rewards"];
  for (const [place, floor] of floors.entries()) {
    for (const above of [...floors.slice(place + 1), "conformance", "cli"]) {
      const files = {
        [`src/${above}/there.ts`]: "export type There = string;\n",
        [`src/${floor}/here.ts`]: `import type { There } from "../${above}/there.js";\nexport type Here = There;\n`,
      };
      const { status, text } = linted(files);
      assert.match(text, /noRestrictedImports/, `${floor} imports ${above}`);
      assert.equal(status, 1);
    }
  }
  const down = {
    "src/core/there.ts": "export type There = string;\n",
    "src/rewards/spec/here.ts": 'import type { There } from "../../core/there.js";\nexport type Here = There;\n',
  };
  assert.equal(linted(down).status, 0, linted(down).text);
});

test("no file imports itself by way of others, also for types", () => {
  const circle = {
    "src/core/one.ts": 'import type { Two } from "./two.js";\nexport type One = Two | 1;\n',
    "src/core/two.ts": 'import type { One } from "./one.js";\nexport type Two = One | 2;\n',
  };
  assert.match(linted(circle).text, /noImportCycles/);
});

test("each file begins with a comment that says what it is for", () => {
  const names = readdirSync(join(PACKAGE, "src"), { recursive: true }).filter((name) => name.endsWith(".ts"));
  const bare = names.filter(
    (name) => !/^(?:#!.*\n)?(?:\/\/ |\/\*)/.test(readFileSync(join(PACKAGE, "src", name), "utf8")),
  );
  assert.ok(names.length > 30);
  assert.deepEqual(bare, []);
});
