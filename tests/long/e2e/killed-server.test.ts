/** The server is killed, or runs without its watchers: no payment is lost, and every page shows what is known. */
import assert from "node:assert/strict";
import type { Page } from "@playwright/test";
import { BEP20, test } from "#tests/e2e/fixtures.ts";
import { openCrowd } from "#tests/support/crowd.ts";
import { type CrowdLink, createCrowdLinks } from "#tests/support/crowd-links.ts";
import { DEVICES } from "#tests/support/page-looks.ts";
import { until } from "#tests/support/until.ts";

test.use({ kind: { env: { RATE_LIMIT: "9999/9999" }, networks: ["bep20"] } });

test("credits once after a restart if the server is killed between broadcast and block", async () => {
  const { refid, checkout, ask } = await openAndChoose();
  const hash = await shop.pay(ask.address, ask.amount);
  await shop.server().kill();
  await shop.mine(3);
  await shop.startServer();
  await shop.waitForState(refid, "completed");
  await checkout.waitForTitle("Payment complete");
  assert.equal(await creditsOf(hash), 1);
  await shop.waitForWebhook(refid, "payment_link_completed");
});

test("shows an unwatched network on every page, with a socket or without", async () => {
  const nudged = await awaitingPage();
  const alone = await awaitingPage({
    prepare: async (page) => {
      await page.routeWebSocket(/\/realtime/, (socket) => socket.close());
      // The page chooses this time first.
      await page.addInitScript(() => Object.assign(Math, { random: () => 0 }));
    },
  });
  // No watcher runs any more, and the last pass was long ago.
  await stack.server().stop();
  Object.assign(stack.env, { ROLES: "web" });
  await stack.startServer();
  const lookedAt = (since: string) =>
    stack.db.database.pool.query(`update watch_cursors set pass_started_at = now() - interval '${since}'`);
  const unwatchedNote = ({ page }: { page: Page }) => page.getByText("We cannot see BNB Smart Chain").first();
  await lookedAt("2 minutes");
  for (const visit of [nudged, alone]) await unwatchedNote(visit).waitFor({ timeout: 30_000 });
  await lookedAt("1 second");
  for (const visit of [nudged, alone])
    await unwatchedNote(visit).waitFor({ state: "detached", timeout: 30_000 });
});
