/** Every page of the console once, each in another look. `npm run test:screens -- console` has every page in every look. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright";
import { openBrowser } from "#tests/support/browser.ts";
import { type ShopConsole, shopConsole } from "#tests/support/console.ts";
import { CONSOLE_LOOKS, type ConsoleLook, consoleFaults } from "#tests/support/console-looks.ts";
import { type ConsolePage, fillShop, listConsoleRoutes } from "#tests/support/console-pages.ts";
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
