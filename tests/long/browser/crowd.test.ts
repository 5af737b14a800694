import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Crowd, openCrowd } from "#tests/support/crowd.ts";
import { type CrowdLink, createCrowdLinks } from "#tests/support/crowd-links.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

/**
 * Many open pages at once, each without a browser: what they receive, and how much work they cause the
 * server.
 */

const PAGES = 200;
const PAID = 20;

let stack: Stack;
let crowd: Crowd;
let links: CrowdLink[];

before(async () => {
  stack = await startStack({ RATE_LIMIT: "9999/9999" });
  crowd = openCrowd(1);
  links = await createCrowdLinks(stack, PAGES);
  await crowd.open(links.map(({ url }) => url));
});
after(async () => {
  await crowd?.close();
  await stack?.close();
});

/** Waits until exactly these pages have received something since the last `forget`. */
const met = (what: "nudge" | "shown", by: readonly CrowdLink[], version: number) =>
  until(`${by.length} pages to have met: ${what}`, () => {
    const pages = crowd.first(what, () => version);
    return by.every(({ refid }) => pages.has(refid)) ? pages : null;
  });

test("notifies exactly the pages of the links that a block pays", async () => {
  const paid = links.slice(0, PAID);
  for (const { address, amount } of paid) await stack.pay(address, amount);
  crowd.forget();
  await stack.mine();
  await met("shown", paid, 2);
  assert.deepEqual([...crowd.first("nudge").keys()].sort(), paid.map(({ refid }) => refid).sort());
  await stack.mine(2);
  await met("shown", paid, 3);
  assert.deepEqual([...crowd.first("nudge").keys()].sort(), paid.map(({ refid }) => refid).sort());
});

test("reconnects every page after the server was killed, and shows what changed meanwhile", async () => {
  const paid = links.slice(PAID, 2 * PAID);
  await stack.server().kill();
  for (const { address, amount } of paid) await stack.pay(address, amount);
  await stack.mine();
  crowd.forget();
  await stack.startServer();
  await met("nudge", links, 1);
  await met("shown", paid, 2);
});
