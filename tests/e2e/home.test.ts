/** The pages of the host itself: what it is, and the state of its networks. */
import assert from "node:assert/strict";
import { hostTextsOf } from "#components/home/texts.ts";
import { axeFaults, overflow } from "#tests/support/page-looks.ts";
import { until } from "#tests/support/until.ts";
import { expect, test } from "./fixtures.ts";

const { home, networkStatus } = hostTextsOf("en");

test("the home page leads to the console, the reference and the state of the networks", async ({
  shop,
  page,
}) => {
  const { origin } = new URL(shop.baseUrl);
  // A new server has not read its networks yet, and an open page does not learn of it.
  const { pool } = shop.db.database;
  const watched = "select from watch_cursors where pass_started_at is not null and error is null";
  await until("both networks to be read", async () => (await pool.query(watched)).rowCount === 2);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(origin);
  await expect(page).toHaveTitle(home.title);
  await expect(page.getByRole("link", { name: home.docs })).toHaveAttribute("href", "/v1/docs");
  assert.deepEqual(await axeFaults(page), []);
  assert.equal(await overflow(page), 0);
  await page.getByRole("link", { name: home.status }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(networkStatus.title);
  await expect(page.getByText(networkStatus.allWell)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "BNB Smart Chain" })).toContainText(
    networkStatus.well,
  );
  assert.deepEqual(await axeFaults(page), []);
  await page.goto(`${origin}/status?lang=ar`);
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  assert.deepEqual(await axeFaults(page), []);
});
