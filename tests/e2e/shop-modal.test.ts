/** The modal window of BTCPay Server's plugins, with our script on a shop's page, at another origin. */
import assert from "node:assert/strict";
import type { Page } from "@playwright/test";
import type { WidgetShop } from "#tests/support/widget-shop.ts";
import { BEP20, test } from "./fixtures.ts";

const FUNCTIONS = [
  "appendAndShowInvoiceFrame",
  "appendInvoiceFrame",
  "hideFrame",
  "onModalReceiveMessage",
  "onModalWillEnter",
  "onModalWillLeave",
  "setApiUrlPrefix",
  "showFrame",
  "showInvoice",
];

/** The functions that a shop's page calls, and what the test keeps there. */
interface ShopWindow {
  readonly btcpay: Record<string, (...given: unknown[]) => void>;
  readonly heard: unknown[];
}

/** A shop's page with the script, which keeps what it hears. */
async function visitShop(
  { site, home: publicHome, policy }: WidgetShop,
  browserPage: Page,
  { host, home = publicHome }: { readonly host?: "127.0.0.1"; readonly home?: string } = {},
): Promise<Page> {
  const allowed = policy(`'unsafe-inline' ${home}`).replace(
    "default-src 'none'",
    "default-src 'none'; style-src 'unsafe-inline'",
  );
  site.show(
    "/checkout",
    `<!doctype html><html lang="en"><title>shop</title><script src="${home}/modal/btcpay.js"></script><body><h1>Checkout</h1>`,
    allowed,
  );
  await browserPage.goto(`${site.origin(host)}/checkout`);
  await browserPage.evaluate((prefix) => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    const { btcpay } = window as unknown as ShopWindow;
    btcpay.setApiUrlPrefix?.(`${prefix}/`);
    btcpay.onModalWillEnter?.(() => heard.push("enter"));
    btcpay.onModalWillLeave?.(() => heard.push("leave"));
    btcpay.onModalReceiveMessage?.(({ data }: MessageEvent) => heard.push(data));
  }, home);
  return browserPage;
}

const show = (page: Page, refid: string) =>
  page.evaluate((id) => (window as unknown as ShopWindow).btcpay.showInvoice?.(id), refid);
const heardBy = (page: Page) => page.evaluate(() => (window as unknown as ShopWindow).heard);
const untilHeard = (page: Page, wanted: unknown) =>
  page.waitForFunction(
    (text) => (window as unknown as ShopWindow).heard.some((one) => JSON.stringify(one) === text),
    JSON.stringify(wanted),
  );
const modal = (page: Page) => page.frameLocator('iframe[name="btcpay"]').frameLocator("iframe");

test("shows the payment page over the shop, reports to the shop how it goes, and closes", async ({
  shop,
  widget,
  page: tab,
}) => {
  const { refid } = await widget.makeLink();
  const page = await visitShop(widget, tab);
  const names = await page.evaluate(() => Object.keys((window as unknown as ShopWindow).btcpay).sort());
  assert.deepEqual(names, FUNCTIONS);
  await show(page, refid);
  const frame = modal(page);
  await frame.getByRole("button", { name: BEP20 }).click();
  const address = (await frame.getByTestId("address").textContent()) ?? "";
  await shop.pay(address, (await frame.getByTestId("amount").getAttribute("value")) ?? "");
  await shop.mine(3);
  await untilHeard(page, { invoiceId: refid, status: "Settled" });
  const heard = await heardBy(page);
  assert.deepEqual(heard.slice(0, 2), ["enter", "loaded"]);
  await frame.getByRole("link", { name: /^Continue to / }).click();
  await untilHeard(page, "close");
  assert.equal(await page.locator("iframe").count(), 0);
  assert.deepEqual((await heardBy(page)).slice(-2), ["leave", "close"]);
  assert.equal(new URL(page.url()).pathname, "/checkout", "the shop's page decides where to go");
});

test("is shown when the shop has entered another host name of the same server", async ({
  widget,
  page: tab,
}) => {
  const { refid } = await widget.makeLink();
  const page = await visitShop(widget, tab, { home: widget.home.replace("127.0.0.1", "localhost") });
  await show(page, refid);
  await untilHeard(page, "loaded");
  await modal(page).getByRole("button", { name: BEP20 }).waitFor();
});

test("closes when the customer leaves, and opens again", async ({ widget, page: tab }) => {
  const { refid } = await widget.makeLink();
  const page = await visitShop(widget, tab);
  for (let n = 0; n < 2; n++) {
    await show(page, refid);
    await modal(page).getByRole("button", { name: BEP20 }).waitFor();
    await modal(page).getByRole("button", { name: BEP20 }).press("Escape");
    await page.locator("iframe").waitFor({ state: "detached" });
  }
  assert.deepEqual((await heardBy(page)).filter((one) => one === "close").length, 2);
});

test("is refused to a page that is not the link's shop", async ({ widget, page: tab }) => {
  const { refid } = await widget.makeLink();
  // The same server under its other host name is another origin.
  const page = await visitShop(widget, tab, { host: "127.0.0.1" });
  const refused = page.waitForEvent("console", (message) => /frame-ancestors/.test(message.text()));
  await show(page, refid);
  await refused;
  assert.deepEqual(await heardBy(page), []);
});

test("is served for the address of an invoice that a plugin frames, with the policy of its payment page", async ({
  widget: { home, site, makeLink },
}) => {
  const { refid } = await makeLink();
  const open = (path: string, headers = {}) => fetch(`${home}${path}`, { headers, redirect: "manual" });
  const framed = { "sec-fetch-dest": "iframe" };
  const asked = [
    await open(`/invoice?id=${refid}&view=modal`),
    await open(`/i/${refid}?view=modal`),
    await open(`/i/${refid}`, framed),
  ];
  for (const { status, headers } of asked) {
    assert.equal(status, 200);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, new RegExp(`frame-ancestors 'self' ${site.origin()}$`));
  }
  const led = await open(`/i/${refid}`);
  assert.deepEqual([led.status, led.headers.get("location")?.endsWith(`/${refid}`)], [302, true]);
  for (const path of ["/invoice", "/invoice?id=x", `/invoice?id=${"1".repeat(22)}`, "/modal/other.js"])
    assert.equal((await open(path)).status, 404, path);
});
