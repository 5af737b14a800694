/** Every page of the console in every look. `DOCS=1` also writes the pictures of docs/console.md. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import sharp from "sharp";
import { openBrowser } from "#tests/support/browser.ts";
import { type ShopConsole, shopConsole } from "#tests/support/console.ts";
import { CONSOLE_LOOKS, type ConsoleLook, consoleFaults, folderOf } from "#tests/support/console-looks.ts";
import { type ConsolePage, fillShop, listConsoleRoutes } from "#tests/support/console-pages.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { contactSheet } from "./contact-sheet.ts";

const DOCS = join(import.meta.dirname, "../../docs/console");
/** Pages whose pictures docs/console.md shows. */
const IN_DOCS = ["overview", "payments", "payments-refid", "forms-form"];
const DOCS_SIZE = { width: 960, height: 620 };

const LOOKS = Object.keys(CONSOLE_LOOKS) as ConsoleLook[];

let stack: Stack;
let browser: Browser;
let shop: ShopConsole;
let pages: readonly ConsolePage[];

before(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  shop = await shopConsole(stack, browser);
  pages = await fillShop(stack, shop);
  for (const look of LOOKS) rmSync(folderOf(look), { recursive: true, force: true });
});
after(async () => {
  await browser?.close();
  await stack?.close();
  if (process.env.DOCS === "1") await writePictures();
});

test("every page of the console has a place here", () => {
  assert.deepEqual([...new Set(pages.map(({ route }) => route))].sort(), listConsoleRoutes());
});

for (const look of LOOKS) {
  test(`every page, ${look}`, async () => {
    const faults = await consoleFaults(browser, shop, { look, pages, pictures: true });
    await contactSheet(folderOf(look));
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
