/** A point of sale on a cheap phone: through a lost connection, and as someone who guesses codes. */
import assert from "node:assert/strict";
import { BEP20, test as base, expect } from "#tests/e2e/fixtures.ts";
import { type Counter, openCounter, refidIn } from "#tests/support/counter.ts";
import { holdScripts } from "#tests/support/hold-scripts.ts";
import { overflow } from "#tests/support/page-looks.ts";
import { newAddress, plainForm } from "#tests/support/stranger.ts";

const HOSTILE = '<img src=x onerror="document.title=1">';

const test = base.extend<{ open: (name?: string) => Promise<Counter> }>({
  open: async ({ shop, browser }, use) => {
    const opened: Counter[] = [];
    await use(async (name) => {
      const counter = await openCounter(shop, browser, { name, terms: ["--suggested-amounts", "1600"] });
      opened.push(counter);
      return counter;
    });
    await Promise.all(opened.map((counter) => counter.close()));
  },
});

test("sells on a phone of 360 pixels through a lost connection, with no key in the browser", {
  tag: "@phone",
}, async ({ shop, open }) => {
  const counter = await open();
  const { page, deviceCode, shot } = counter;
  const context = page.context();
  await counter.enter("0000-0000-0000");
  await page.getByText("This code is not right").waitFor();
  await shot("pos-pair");
  await counter.enter(` ${deviceCode.toLowerCase()} `);
  await page.getByText("No sales yet.").waitFor();
  assert.equal(await counter.title(), "Counter 1");
  const { cookies } = await context.storageState();
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite, path }) => [httpOnly, sameSite, path]),
    [[true, "Strict", new URL(counter.url).pathname]],
  );

  await counter.type("16000.5");
  await page.getByRole("button", { name: "Delete the last digit" }).click();
  await page.getByRole("button", { name: "Delete the last digit" }).click();
  await shot("pos-keypad");
  assert.equal(await overflow(page), 0);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Charge" }).click();
  await page.getByText("The sale starts as soon as it is back.").waitFor();
  await context.setOffline(false);
  await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  const refid = refidIn(page.url());
  await counter.choose(BEP20);
  const ask = await counter.ask();
  assert.equal(await counter.scanQr(), ask.address);

  await page.mouse.wheel(0, 2_000);
  await shop.pay(ask.address, ask.amount);
  await shop.mine(3);
  const paid = page.getByText("Paid", { exact: true }).first();
  await paid.waitFor();
  // A letter of 11 mm on a phone of 64 mm by 360 pixels can be read from more than two meters (ISO 9241-303: 20').
  assert.ok((await paid.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))) >= 64);
  await page.waitForFunction(() => window.scrollY === 0);
  await shot("pos-paid");
  assert.equal(await overflow(page), 0);
  assert.equal((await shop.waitForWebhook(refid, "payment_link_completed")).data.state, "completed");

  await page.getByRole("link", { name: "New sale" }).click();
  await page.getByText("Paid: 1, ₦16,000.00").waitFor();
  await shot("pos-day");
  const stored = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
  );
  assert.equal(stored, JSON.stringify(["", {}, {}]));
  const html = await page.content();
  for (const secret of [shop.testKey, cookies[0]?.value ?? "", deviceCode]) assert.ok(!html.includes(secret));
});

test("takes no digit before the page's script runs, and loses none that is typed or pressed", {
  tag: "@phone",
}, async ({ open }) => {
  const counter = await open();
  const { page } = counter;
  await counter.enter(counter.deviceCode);
  await page.getByText("No sales yet.").waitFor();
  const release = await holdScripts(page);
  await page.goto(counter.url, { waitUntil: "domcontentloaded" });
  const keys = page.getByRole("button", { name: /^([0-9.]|1600|Delete the last digit)$/ });
  await expect(keys).toHaveCount(13);
  for (const key of await keys.all()) await expect(key).toBeDisabled();
  const amount = page.getByRole("textbox");
  await amount.fill("16");
  release();
  await counter.type("00.5");
  await expect(amount).toHaveValue("1600.5");
  await page.getByRole("button", { name: "Charge" }).click();
  await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  await page.getByText("₦1,600.50").first().waitFor();
});

test("sells once after a lost answer, with the amount and the quantity that were entered", async ({
  shop,
  browser,
}) => {
  const counter = await openCounter(shop, browser, { terms: ["--max-quantity", "5"] });
  const { page } = counter;
  await counter.enter(counter.deviceCode);
  await page.getByText("No sales yet.").waitFor();
  const release = await holdScripts(page);
  await page.goto(counter.url, { waitUntil: "domcontentloaded" });
  await page.getByRole("spinbutton").fill("3");
  release();
  await counter.type("500");
  let isLost = false;
  await page.route(`${counter.url}*`, async (route) => {
    if (route.request().method() !== "POST" || isLost) return route.continue();
    isLost = true;
    await route.fetch({ maxRedirects: 0 });
    await route.fulfill({ status: 500, body: "" });
  });
  await page.getByRole("button", { name: "Charge" }).click();
  await page.getByRole("alert").getByText("Something went wrong").waitFor();
  // The page reads the sales of the day again.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.getByRole("link", { name: /₦1,500.00/ }).waitFor();
  await expect(page.getByRole("spinbutton")).toHaveValue("3");
  await page.getByRole("button", { name: "Charge" }).click();
  await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  await page.getByText("₦1,500.00").first().waitFor();
  await page.goto(counter.url);
  await expect(page.getByRole("link", { name: /₦/ })).toHaveText([/₦1,500.00/]);
  await counter.close();
});

test("shows what was paid while the phone was away, cancels a sale, and stops once it is revoked", {
  tag: "@phone",
}, async ({ shop, open }) => {
  const counter = await open(HOSTILE);
  const { page, deviceCode, charge } = counter;
  await counter.enter(deviceCode);
  await page.getByText("No sales yet.").waitFor();
  assert.equal(await counter.title(), HOSTILE);
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await charge("800");
  await counter.choose(BEP20);
  const ask = await counter.ask();
  await page.goto(counter.url);
  await page.getByText("Waiting").waitFor();
  await counter.type("90");
  await page.context().setOffline(true);
  await shop.pay(ask.address, ask.amount);
  await shop.mine(3);
  await shop.waitForState(
    refidIn((await page.getByRole("link", { name: /800/ }).getAttribute("href")) ?? ""),
    "completed",
  );
  // As Chromium says it when the phone wakes.
  await page.context().setOffline(false);
  await page.getByText("Paid: 1, ₦800.00").waitFor();

  // The page has read the sales of the day again: the amount that was begun stays.
  await expect(page.getByRole("textbox")).toHaveValue("90", { timeout: 5_000 });
  const canceled = await charge("0");
  await page.goto(counter.url);
  await counter.type("70");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Canceled").waitFor();
  assert.equal((await shop.getLink(canceled)).reason, "canceled");

  assert.notEqual((await shop.run("pos", "revoke", counter.device)).revoked_at, null);
  await counter.type("0");
  await expect(page.getByRole("textbox")).toHaveValue("700");
  await page.getByRole("button", { name: "Charge" }).click();
  await page.getByLabel("Device code").waitFor();
  await counter.enter(deviceCode);
  await page.getByText("This code is not right").waitFor();
});

test("someone who guesses codes or posts what no page would gets nothing, and stops nobody else", async ({
  shop,
  stranger,
  open,
}) => {
  const { form, deviceCode: code, url } = await open();
  const own = { origin: new URL(url).origin };
  const { pair = "", charge = "", cancel = "" } = stranger.actions;
  const guess = (device_code: string, headers: Record<string, string> = own) =>
    stranger.post(`/pos/${form}`, plainForm({ form, device_code, time_zone: "UTC" }, pair), headers);
  const link = await shop.createLink();
  await stranger.harmless(async () => {
    for (let i = 0; i < 10; i++) {
      const { location } = await guess(`0000-0000-000${i}`);
      assert.match(location ?? "", /notice=wrong_code/);
    }
    for (const late of ["0000-0000-0000", code])
      assert.match((await guess(late)).location ?? "", /notice=too_many_tries/);
    const sale = { form, visit: "e".repeat(32), amount: "1600", quantity: "" };
    const forged = { ...own, cookie: "paylink_pos=AAAA" };
    for (const headers of [own, forged]) {
      const { location } = await stranger.post(`/pos/${form}`, plainForm(sale, charge), headers);
      assert.ok(location?.endsWith(`/pos/${form}`), `${location}`);
    }
    await stranger.post(`/pos/${form}`, plainForm({ form, refid: link.refid }, cancel), forged);
  });
  const foreign = await guess(code, { origin: "https://evil.example" });
  assert.ok(foreign.status >= 400, String(foreign.status));
  const page = await fetch(url);
  assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'self'(;|$)/);
  assert.equal((await fetch(url.replace(form, "1".repeat(22)))).status, 404);
  stranger.address = newAddress();
  assert.ok((await guess(code)).location?.endsWith(`/pos/${form}`));
});
