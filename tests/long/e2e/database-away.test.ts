/** The database is away for some seconds: no open page is lost, and a page that was loaded meanwhile shows its data later. */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { test as base, expect } from "#tests/e2e/fixtures.ts";
import { DESKTOP, PHONE } from "#tests/support/console.ts";
import { openCounter } from "#tests/support/counter.ts";
import { type DatabaseLine, startDatabaseLine } from "#tests/support/database-line.ts";
import { overflow } from "#tests/support/page-looks.ts";

const test = base.extend<{ line: DatabaseLine }>({
  line: async ({ world }, use) => {
    const line = await startDatabaseLine(world);
    await use(line);
    await line.close();
  },
});
test.use({ kind: { env: {}, networks: ["bep20"] } });

/** Longer than the pause between a change and the refresh of a list. */
const AWAY_MS = 4_000;

/** The page must not be loaded again: a draft in it would be gone. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { same: true }));
const isSame = (page: Page) => page.evaluate(() => "same" in window);

test("open pages of the console and the counter stay, and show what is new", async ({
  shop,
  line,
  desk,
  browser,
}) => {
  const { page: payments } = await desk.tabOf("owner", DESKTOP);
  const counter = await openCounter(shop, browser);
  await counter.enter(counter.deviceCode);
  await counter.page.getByText("No sales yet.").waitFor();
  await payments.goto(`${desk.base}/payments`);
  await payments.getByRole("heading", { name: "Payments" }).waitFor();
  for (const page of [payments, counter.page]) await mark(page);
  await line.cut();
  // As when the device wakes.
  await counter.page.evaluate(() => dispatchEvent(new Event("online")));
  await delay(AWAY_MS);
  assert.deepEqual([await counter.title(), await isSame(counter.page)], ["Counter 1", true]);
  await line.restore();
  await shop.createLink({ payment_reference: "ORDER77" });
  await payments.getByText("ORDER77").first().waitFor();
  await counter.page.getByText("No sales yet.").waitFor();
  for (const page of [payments, counter.page]) assert.equal(await isSame(page), true);
  await counter.close();
});

test("a list that changes right before the database is away shows the change later", async ({
  shop,
  line,
  desk,
}) => {
  const { page } = await desk.tabOf("owner", DESKTOP);
  // Closes the socket of the page before.
  await page.goto("about:blank");
  const frames: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => frames.push(String(payload)));
  });
  const receive = (name: string) =>
    expect.poll(() => frames.some((frame) => frame.includes(name)), { intervals: [50] }).toBe(true);
  await page.goto(`${desk.base}/payments`);
  await receive("joined");
  await mark(page);
  const { refid } = await shop.createLink({ payment_reference: "ORDER78" });
  const change = `${refid}:1:${desk.merchantId}:test`;
  await shop.db.database.pool.query("select pg_notify('paylink_links', $1)", [change]);
  await receive("changed");
  await line.cut();
  await delay(AWAY_MS);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payments");
  await line.restore();
  await page.getByText("ORDER78").first().waitFor();
  assert.equal(await isSame(page), true);
});

test("pages that are loaded while the database is away say so, and show their data later", async ({
  shop,
  line,
  desk,
  browser,
}) => {
  const { page, shot } = await desk.tabOf("owner", DESKTOP);
  const phone = await desk.tabOf("owner", PHONE);
  const counter = await openCounter(shop, browser);
  await counter.enter(counter.deviceCode);
  await counter.page.getByText("No sales yet.").waitFor();
  await page.goto(`${desk.base}/payments`);
  await line.cut();
  await page.reload();
  await phone.page.goto(`${desk.base}/overview`);
  await counter.page.reload();
  for (const one of [page, phone.page]) {
    await expect(one.getByRole("heading")).toHaveText("This page cannot be loaded now");
    assert.equal(await overflow(one), 0);
  }
  await expect(counter.page.getByRole("heading")).toHaveText("Something went wrong");
  await shot("database-away-desktop");
  await phone.shot("database-away-phone");
  await counter.shot("database-away-counter");
  await line.restore();
  await page.getByRole("heading", { name: "Payments" }).waitFor();
  await phone.page.getByRole("heading", { name: "Overview" }).waitFor();
  await counter.page.getByText("No sales yet.").waitFor();
  await counter.close();
});
