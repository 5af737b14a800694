/** Every page of the console once, each in another look. `npm run test:screens -- console` has every page in every look. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import { openBrowser } from "#tests/support/browser.ts";
import { type ShopConsole, shopConsole } from "#tests/support/console.ts";
import { CONSOLE_LOOKS, type ConsoleLook, consoleFaults } from "#tests/support/console-looks.ts";
import { type ConsolePage, fillShop, listConsoleRoutes } from "#tests/support/console-pages.ts";
import { findHostileTexts, plantHostileTexts } from "#tests/support/hostile-texts.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";

let stack: Stack;
let browser: Browser;
let shop: ShopConsole;
let pages: readonly ConsolePage[];

before(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  shop = await shopConsole(stack, browser);
  pages = await fillShop(stack, shop);
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

test("every page is accessible, keeps its place and fits its window", async () => {
  assert.deepEqual([...new Set(pages.map(({ route }) => route))].sort(), listConsoleRoutes());
  const looks = Object.keys(CONSOLE_LOOKS) as ConsoleLook[];
  const faults: string[] = [];
  for (const [index, look] of looks.entries()) {
    const those = pages.filter((_, at) => at % looks.length === index);
    faults.push(...(await consoleFaults(browser, shop, { look, pages: those, pictures: false })));
  }
  assert.equal(faults.join("\n"), "");
});

test("a text that somebody else chose is shown as text on every page", async () => {
  const planted = await plantHostileTexts(stack.db.database, shop.merchantId);
  for (const column of [
    "merchants.name",
    "merchants.support",
    "forms.title",
    "refund_claims.note",
    "pos_devices.name",
    "users.name",
    "passkeys.name",
  ])
    assert.ok(planted.includes(column), column);
  const { faults, shown } = await findHostileTexts(browser, shop, pages);
  assert.equal(faults.join("\n"), "");
  assert.ok(shown.length > pages.length / 2, `only ${shown.join(", ")} show it`);
});
