/** The browser's Back button on the page. */
import assert from "node:assert/strict";
import { BEP20, expect, payInFull, test } from "#tests/e2e/fixtures.ts";

const TRON = "USDT TRON (TRC20)";

test("Back returns from the payment to the choice, which leads to another payment", async ({
  shop,
  choose,
}) => {
  const payer = await choose();
  const { page, asked, title, waitForTitle, ask } = payer;
  // While an answer streams in, the page may have no title yet.
  await expect(page).toHaveTitle("Send your payment · Kaduna Coffee");
  await page.goBack();
  await waitForTitle("Choose how to pay");
  await page.waitForFunction(() => document.title === "Choose how to pay · Kaduna Coffee");
  // Also after the page has caught up with the server, and after a reload.
  await page.reload();
  assert.equal(await title(), "Choose how to pay");
  await payer.choose(TRON);
  assert.match((await ask()).address, /^T/);
  await page.goBack();
  await waitForTitle("Choose how to pay");
  await payer.choose(BEP20);
  assert.deepEqual(await ask(), asked);
  await payInFull(shop, payer);
});

test("Back works without scripts, by the link to another network", async ({ choose }) => {
  const { page, waitForTitle } = await choose(undefined, { javaScriptEnabled: false });
  await page.getByRole("link", { name: "Use another network" }).click();
  await waitForTitle("Choose how to pay");
  await page.getByRole("button", { name: TRON }).click();
  await waitForTitle("Send your payment");
  await page.goBack();
  await waitForTitle("Choose how to pay");
});

test("the address of a link shows the payment that was chosen, not the choice", async ({ choose, visit }) => {
  const { url, asked } = await choose();
  const again = await visit(url);
  assert.deepEqual(await again.ask(), asked);
});

test("shows times in the payer's zone, and in UTC on request", async ({ shop, choose }) => {
  const payer = await choose(undefined, { timezoneId: "Africa/Lagos" });
  const { page } = payer;
  await payInFull(shop, payer);
  const time = page.locator("time").first();
  await page
    .getByText(/ GMT\+1$/)
    .first()
    .waitFor();
  const at = Date.parse((await time.getAttribute("datetime")) ?? "");
  const hour = (zone: string) =>
    new Intl.DateTimeFormat("en", { timeStyle: "long", timeZone: zone }).format(at);
  assert.ok((await time.textContent())?.endsWith(hour("Africa/Lagos")));
  await page.getByRole("button", { name: "Show in UTC" }).click();
  assert.ok((await time.textContent())?.endsWith(hour("UTC")));
  await page.getByRole("button", { name: "Show in my time zone" }).click();
  await page
    .getByText(/ GMT\+1$/)
    .first()
    .waitFor();
});
