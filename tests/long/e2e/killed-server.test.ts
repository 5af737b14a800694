/** The server is killed, or runs without its watchers: no payment is lost, and every page shows what is known. */
import assert from "node:assert/strict";
import type { Page } from "@playwright/test";
import { BEP20, expect, test } from "#tests/e2e/fixtures.ts";
import { openCounter } from "#tests/support/counter.ts";
import { openCrowd } from "#tests/support/crowd.ts";
import { type CrowdLink, createCrowdLinks } from "#tests/support/crowd-links.ts";
import { creditsOf } from "#tests/support/link-states.ts";
import { until } from "#tests/support/until.ts";

test.use({ kind: { env: { RATE_LIMIT: "9999/9999" }, networks: ["bep20"] } });

test("credits once after a restart if the server is killed between broadcast and block", async ({
  shop,
  choose,
}) => {
  const { refid, asked, waitForTitle } = await choose();
  const hash = await shop.pay(asked.address, asked.amount);
  await shop.server().kill();
  await shop.mine(3);
  await shop.startServer();
  await shop.waitForState(refid, "completed");
  await waitForTitle("Payment complete");
  assert.equal(await creditsOf(shop, hash), 1);
  await shop.waitForWebhook(refid, "payment_link_completed");
});

test("shows a sale as paid on the counter's phone after a restart", async ({ shop, browser }) => {
  const counter = await openCounter(shop, browser);
  const { page } = counter;
  await counter.enter(counter.deviceCode);
  const refid = await counter.charge("16000");
  await counter.choose(BEP20);
  const { address, amount } = await counter.ask();
  await shop.server().kill();
  await shop.pay(address, amount);
  await shop.mine(3);
  await shop.startServer();
  await page.getByText("Paid", { exact: true }).first().waitFor();
  await shop.waitForWebhook(refid, "payment_link_completed");
  await page.getByRole("link", { name: "New sale" }).click();
  await page.getByText("Paid: 1, ₦16,000.00").waitFor();
  await counter.close();
});

test("notifies exactly the pages of the links that a block pays, and reconnects all of them after a kill", async ({
  shop,
}) => {
  const [pages, some] = [200, 20];
  const crowd = openCrowd(1);
  const links = await createCrowdLinks(shop, pages);
  await crowd.open(links.map(({ url }) => url));
  /** Waits until exactly these pages have received something since the last `forget`. */
  const met = (what: "nudge" | "shown", by: readonly CrowdLink[], version: number) =>
    until(`${by.length} pages to have met: ${what}`, () => {
      const found = crowd.first(what, () => version);
      return by.every(({ refid }) => found.has(refid)) ? found : null;
    });
  const nudged = () => [...crowd.first("nudge").keys()].sort();
  const refidsOf = (of: readonly CrowdLink[]) => of.map(({ refid }) => refid).sort();

  const paid = links.slice(0, some);
  for (const { address, amount } of paid) await shop.pay(address, amount);
  crowd.forget();
  await shop.mine();
  await met("shown", paid, 2);
  assert.deepEqual(nudged(), refidsOf(paid));
  await shop.mine(2);
  await met("shown", paid, 3);
  assert.deepEqual(nudged(), refidsOf(paid));

  const later = links.slice(some, 2 * some);
  await shop.server().kill();
  for (const { address, amount } of later) await shop.pay(address, amount);
  await shop.mine();
  crowd.forget();
  await shop.startServer();
  await met("nudge", links, 1);
  await met("shown", later, 2);
  await crowd.close();
});

test("shows an unwatched network on every page, with a socket or without", async ({ shop, choose }) => {
  const nudged = await choose();
  const alone = await choose(undefined, {
    prepare: async (page) => {
      await page.routeWebSocket(/\/realtime/, (socket) => socket.close());
      // The page chooses this time first.
      await page.addInitScript(() => Object.assign(Math, { random: () => 0 }));
    },
  });
  // No watcher runs any more, and the last pass was long ago.
  await shop.server().stop();
  Object.assign(shop.env, { ROLES: "web" });
  await shop.startServer();
  const { pool } = shop.db.database;
  const lookedAt = (since: string) =>
    pool.query(`update watch_cursors set pass_started_at = now() - interval '${since}'`);
  const note = ({ page }: { page: Page }) => page.getByText("We cannot see BNB Smart Chain").first();
  await lookedAt("2 minutes");
  for (const visitor of [nudged, alone]) await expect(note(visitor)).toBeVisible();
  await lookedAt("1 second");
  for (const visitor of [nudged, alone]) await expect(note(visitor)).toHaveCount(0);
});
