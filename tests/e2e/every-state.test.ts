import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright";
import { openBrowser } from "#tests/support/browser.ts";
import { reachStates } from "#tests/support/link-states.ts";
import { faultsOf, LOOKS, openLook } from "#tests/support/page-looks.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";

let stack: Stack;
let browser: Browser;

before(async () => {
  stack = await startStack({ CONFIRM_GRACE_HOURS: "0" });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

/** `npm run test:screens` takes every state in every look. */
test("every state once, each in another look", async () => {
  const faults: string[] = [];
  for (const [index, state] of (await reachStates(stack)).entries()) {
    // Five and twelve have nothing in common: device, theme and language all change from one to the next.
    const look = LOOKS[(index * 5) % LOOKS.length];
    assert.ok(look);
    const visitor = await openLook(browser, look);
    faults.push(...(await faultsOf(visitor, look, state)));
    await visitor.page.context().close();
  }
  assert.equal(faults.join("\n"), "");
});

test("the bare page of the benches is in no other build", async () => {
  const { status } = await fetch(new URL("/bare", stack.pageUrl));
  assert.equal(status, 404);
});
