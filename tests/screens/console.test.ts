/** Every page of the console in every look. `DOCS=1` also writes the pictures of docs/console.md. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { test } from "#tests/e2e/fixtures.ts";
import { CONSOLE_LOOKS, type ConsoleLook, consoleFaults, folderOf } from "#tests/support/console-looks.ts";
import { listConsoleRoutes } from "#tests/support/console-pages.ts";
import { contactSheet } from "./contact-sheet.ts";

const DOCS = join(import.meta.dirname, "../../docs/console");
/** Pages whose pictures docs/console.md shows. */
const IN_DOCS = ["overview", "payments", "payments-refid", "forms-form"];
const DOCS_SIZE = { width: 960, height: 620 };

// A world of its own, with what a signer would have said.
test.use({ kind: { env: {}, networks: ["bep20"] } });

test("every page of the console has a place here", ({ filled: { pages } }) => {
  assert.deepEqual([...new Set(pages.map(({ route }) => route))].sort(), listConsoleRoutes());
});

for (const look of Object.keys(CONSOLE_LOOKS) as ConsoleLook[]) {
  test(`every page, ${look}`, async ({ browser, filled: { desk, pages } }) => {
    rmSync(folderOf(look), { recursive: true, force: true });
    const faults = await consoleFaults(browser, desk, { look, pages, pictures: true });
    await contactSheet(folderOf(look));
    if (look === "desktop-light" && process.env.DOCS === "1") await writePictures();
    assert.equal(faults.join("\n"), "");
  });
}

/** The pictures of docs/console.md, small enough for a repository. */
async function writePictures(): Promise<void> {
  mkdirSync(DOCS, { recursive: true });
  for (const name of IN_DOCS) {
    await sharp(join(folderOf("desktop-light"), `${name}.png`))
      .resize({ ...DOCS_SIZE, fit: "cover", position: "top" })
      .png({ palette: true, compressionLevel: 9 })
      .toFile(join(DOCS, `${name}.png`));
  }
}
