/** A point of sale on a cheap phone: through a lost connection and a restart, and as someone who guesses codes. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { aStranger, plainForm, type Stranger } from "#tests/support/stranger.ts";

const BEP20 = "USDT BNB Smart Chain (BEP20)";
const PHONE = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

let stack: Stack;
let browser: Browser;
let stranger: Stranger;
let address = "198.51.100.1";

before(async () => {
  stack = await startStack({ TRUSTED_PROXIES: "127.0.0.1" });
  browser = await openBrowser();
  stranger = await aStranger(stack, () => address);
});
after(async () => {
  stranger?.close();
  await browser?.close();
  await stack?.close();
});

function run(...args: string[]) {
  const { status, stdout, stderr } = stack.cli(...args);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

function aForm(...terms: string[]): string {
  const owner = ["shop@example.com", "--env", "test", "--title", "Market stall"];
  return run("form", "create", ...owner, ...terms).form;
}

const addDevice = (
  form: string,
  name = "Counter 1",
): { device: number; device_code: string; pos_url: string } => run("pos", "add", form, "--name", name);

async function open(form: string, name?: string) {
  const device = addDevice(form, name);
  const context = await browser.newContext({ ...PHONE, timezoneId: "Africa/Lagos" });
  const checkout = checkoutPage(await context.newPage());
  const { page } = checkout;
  await page.goto(device.pos_url);
  const enter = async (code: string) => {
    await page.getByLabel("Device code").fill(code);
    await page.getByRole("button", { name: "Connect" }).click();
  };
  /** Presses the keys of an amount. */
  const type = async (amount: string) => {
    for (const key of amount) await page.getByRole("button", { name: key, exact: true }).click();
  };
  const fits = () =>
    page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  return { ...device, context, checkout, page, enter, type, fits };
}

const refidOf = (url: string) => new URL(url, stack.pageUrl).pathname.split("/").at(-1) ?? "";

test("sells on a phone of 360 pixels through a lost connection and a restart, with no key in the browser", async () => {
  const pos = await open(aForm("--suggested-amounts", "1600"));
  const { page, checkout } = pos;
  await pos.enter("0000-0000-0000");
  await page.getByText("This code is not right").waitFor();
  await checkout.shot("pos-pair");
  await pos.enter(` ${pos.device_code.toLowerCase()} `);
  await page.getByText("No sales yet.").waitFor();
  assert.equal(await checkout.title(), "Counter 1");
  const { cookies } = await pos.context.storageState();
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite, path }) => [httpOnly, sameSite, path]),
    [[true, "Strict", new URL(pos.pos_url).pathname]],
  );

  await pos.type("16000.5");
  await page.getByRole("button", { name: "Delete the last digit" }).click();
  await page.getByRole("button", { name: "Delete the last digit" }).click();
  await checkout.shot("pos-keypad");
  assert.ok(await pos.fits());
  await pos.context.setOffline(true);
  await page.getByRole("button", { name: "Charge" }).click();
  await page.getByText("The sale starts as soon as it is back.").waitFor();
  await checkout.shot("pos-offline", { axe: false });
  await pos.context.setOffline(false);
  await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  const refid = refidOf(page.url());
  await checkout.choose(BEP20);
  const ask = await checkout.ask();
  assert.equal(await checkout.scanQr(), ask.address);

  await page.mouse.wheel(0, 2_000);
  await stack.server().kill();
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await stack.startServer();
  const paid = page.getByText("Paid", { exact: true }).first();
  await paid.waitFor({ timeout: 30_000 });
  // A letter of 11 mm on a phone of 64 mm by 360 pixels can be read from more than two metres (ISO 9241-303: 20').
  assert.ok((await paid.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))) >= 64);
  await page.waitForFunction(() => window.scrollY === 0);
  await checkout.shot("pos-paid");
  assert.ok(await pos.fits());
  assert.equal((await stack.waitForWebhook(refid, "payment_link_completed")).data.state, "completed");

  await page.getByRole("link", { name: "New sale" }).click();
  await page.getByText("Paid: 1, ₦16,000.00 NGN").waitFor();
  await checkout.shot("pos-day");
  const stored = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
  );
  assert.equal(stored, JSON.stringify(["", {}, {}]));
  const html = await page.content();
  for (const secret of [stack.testKey, cookies[0]?.value ?? "", pos.device_code])
    assert.ok(!html.includes(secret));
  await pos.context.close();
});

test("shows what was paid while the phone was away, cancels a sale, and stops once it is revoked", async () => {
  const hostile = '<img src=x onerror="document.title=1">';
  const pos = await open(aForm(), hostile);
  const { page, checkout } = pos;
  await pos.enter(pos.device_code);
  await page.getByText("No sales yet.").waitFor();
  assert.equal(await checkout.title(), hostile);
  assert.equal(await page.locator("img[src=x]").count(), 0);
  const charge = async (amount: string) => {
    await pos.type(amount);
    await page.getByRole("button", { name: "Charge" }).click();
    await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  };
  await charge("800");
  await checkout.choose(BEP20);
  const ask = await checkout.ask();
  await page.goto(pos.pos_url);
  await page.getByText("Waiting").waitFor();
  await pos.context.setOffline(true);
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await stack.waitForState(
    refidOf((await page.getByRole("link", { name: /800/ }).getAttribute("href")) ?? ""),
    "completed",
  );
  // As Chromium says it when the phone wakes.
  await pos.context.setOffline(false);
  await page.getByText("Paid: 1, ₦800.00 NGN").waitFor();

  await charge("900");
  const canceled = refidOf(page.url());
  await page.goto(pos.pos_url);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Canceled").waitFor();
  assert.equal((await stack.getLink(canceled)).reason, "canceled");

  assert.notEqual(run("pos", "revoke", String(pos.device)).revoked_at, null);
  await pos.type("700");
  await page.getByRole("button", { name: "Charge" }).click();
  await page.getByLabel("Device code").waitFor();
  await pos.enter(pos.device_code);
  await page.getByText("This code is not right").waitFor();
  await pos.context.close();
});

test("someone who guesses codes or posts what no page would gets nothing, and stops nobody else", async () => {
  const form = aForm();
  const { device_code: code, pos_url: url } = addDevice(form);
  const own = { origin: new URL(url).origin };
  const { pair = "", charge = "", cancel = "" } = stranger.actions;
  const guess = (device_code: string, headers: Record<string, string> = own) =>
    stranger.post(`/pos/${form}`, plainForm({ form, device_code, time_zone: "UTC" }, pair), headers);
  const link = await stack.createLink();
  address = "198.51.100.70";
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
  address = "198.51.100.71";
  assert.ok((await guess(code)).location?.endsWith(`/pos/${form}`));
});
