import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { openSigner, type PublicKeySet, verifySigned } from "#lib/platform/signed-text.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { type CheckoutPage, checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";

const BEP20 = "USDT BNB Smart Chain (BEP20)";
const PHONE = { width: 390, height: 844 };

let stack: Stack;
let browser: Browser;

before(async () => {
  stack = await startStack();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

/** A new visitor on a link, with the network chosen. */
async function visit(url: string, options: Parameters<Browser["newContext"]>[0] = {}): Promise<CheckoutPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(url);
  return checkoutPage(page);
}

async function openAndChoose(fields: Record<string, string> = {}) {
  const link = await stack.createLink(fields);
  const checkout = await visit(link.url);
  await checkout.choose(BEP20);
  return { ...link, checkout, ask: await checkout.ask() };
}

/** A deadline in the near future, without milliseconds. */
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

function ledgerIsClean(): void {
  const check = stack.cli("ledger", "check");
  assert.equal(check.status, 0, check.stdout + check.stderr);
}

async function creditsOf(hash: string): Promise<number> {
  const { rows } = await stack.db.database.pool.query(
    `select count(*)::int as n from ledger_transfers t join deposits d on t.cause like 'deposit:' || d.id || ':%'
     where d.tx_hash = $1 and t.reversal_of is null`,
    [hash],
  );
  return rows[0].n;
}

/** The signed receipt of a completed page: its file, its code and the page that checks it, with a changed one too. */
async function checkReceipt({ page }: CheckoutPage, refid: string, hash: string): Promise<void> {
  const origin = new URL(stack.pageUrl).origin;
  const file = await page.getByRole("link", { name: "Download the receipt" }).getAttribute("href");
  const answer = await fetch(new URL(file ?? "", origin));
  assert.equal(answer.headers.get("content-disposition"), `attachment; filename="receipt-${refid}.txt"`);
  const text = (await answer.text()).trim();
  const keys = (await (await fetch(`${origin}/.well-known/paylink-receipts.json`)).json()) as PublicKeySet;
  const verified = verifySigned(text, keys);
  assert.ok(verified.ok);
  assert.partialDeepStrictEqual(verified.payload, {
    ...{
      issuer: origin,
      environment: "test",
      refid,
      merchant: "Kaduna Coffee",
      amount: "16000",
      currency: "ngn",
    },
    transactions: [{ network: "bep20", token: "usdt", amount: "10", tx_hash: hash }],
  });
  const picture = PNG.sync.read(await page.locator('a[href*="/receipt?r="]').screenshot());
  const code = jsQR(new Uint8ClampedArray(picture.data), picture.width, picture.height);
  assert.equal(code?.data, `${origin}/receipt?r=${text}`);
  const check = await visit(code.data, { javaScriptEnabled: false });
  await check.page.getByText("This receipt is genuine.").waitFor();
  for (const fact of [refid, hash, "Kaduna Coffee", "16000 NGN"]) {
    await check.page.getByText(fact, { exact: true }).waitFor();
  }
  await check.shot("receipt-genuine", { axe: false });
  const [head = "", payload = "", signature = ""] = text.split(".");
  const forged = Buffer.from(payload, "base64url").toString().replace("16000", "96000");
  const changed = `${head}.${Buffer.from(forged).toString("base64url")}.${signature}`;
  const enter = async (receipt: string, answer: string) => {
    await check.page.getByLabel("Text of the receipt").fill(receipt);
    await check.page.getByRole("button", { name: "Check" }).click();
    await check.page.getByText(answer).waitFor();
  };
  // As a mail breaks its lines.
  await enter(text.replace(/(.{60})/g, "$1\n"), "This receipt is genuine.");
  await enter(
    openSigner([randomBytes(32)]).sign({ refid }),
    "It was signed with a key that is not used here",
  );
  await enter(changed, "This receipt is not genuine");
  assert.equal(await check.page.getByText("96000").count(), 0);
  await check.page.context().close();
  const { refid: unpaid } = await stack.createLink();
  assert.equal((await fetch(`${stack.pageUrl}/${unpaid}/receipt`)).status, 404);
}

test("completes an exact payment, redirects to the shop, and webhook and ledger agree", async () => {
  const metadata = '{"order": 77, "note": "naïve ☕",  "n": 1.10}';
  const link = await stack.createLink({ metadata });
  const checkout = await visit(link.url);
  assert.equal(await checkout.title(), "Choose how to pay");
  await checkout.shot("open");
  await checkout.choose(BEP20);
  const ask = await checkout.ask();
  assert.equal(ask.amount, "10");
  assert.match(ask.address, /^0x[0-9a-fA-F]{40}$/);
  assert.equal(await checkout.scanQr(), ask.address);
  await checkout.shot("awaiting");

  const hash = await stack.pay(ask.address, ask.amount);
  await stack.mine();
  await checkout.waitForTitle("Payment received");
  await checkout.shot("detected");
  await stack.mine(2);
  await checkout.waitForTitle("Payment complete");
  await checkout.shot("completed");
  await checkReceipt(checkout, link.refid, hash);
  await checkout.page.getByRole("link", { name: "Continue to Kaduna Coffee" }).click();
  await checkout.page.waitForURL(`${stack.merchantUrl}/success`);

  const webhook = await stack.waitForWebhook(link.refid, "payment_link_completed");
  assert.ok(webhook.body.includes(`"metadata":${metadata}`), webhook.body);
  assert.equal(webhook.data.state, "completed");
  const state = await stack.getLink(link.refid);
  assert.deepEqual(state.remaining, []);
  assert.equal(await creditsOf(hash), 1);
  const completions = stack.webhooks.filter(
    (one) => one.data.refid === link.refid && one.type.startsWith("payment_"),
  );
  assert.equal(completions.length, 1);
  ledgerIsClean();
});

test("accepts a partial payment, then exactly the remainder", async () => {
  const { refid, checkout, ask } = await openAndChoose();
  await stack.pay(ask.address, "3.25");
  await stack.mine(3);
  await checkout.waitForTitle("Almost there");
  const rest = await checkout.ask();
  assert.deepEqual([rest.amount, rest.address], ["6.75", ask.address]);
  assert.equal(await checkout.scanQr(), rest.address);
  await checkout.shot("partial");
  await stack.pay(rest.address, rest.amount);
  await stack.mine(3);
  await checkout.waitForTitle("Payment complete");
  const webhook = await stack.waitForWebhook(refid, "payment_link_completed");
  assert.equal((webhook.data.payments as unknown[]).length, 2);
  ledgerIsClean();
});

test("fails a partial payment when the time ends", async () => {
  const { refid, checkout, ask } = await openAndChoose({ expires_at: soon(6) });
  await stack.pay(ask.address, "3");
  await stack.mine(3);
  await checkout.waitForTitle("Almost there");
  await checkout.waitForTitle("Not paid in full");
  await checkout.shot("failed-underpaid");
  const webhook = await stack.waitForWebhook(refid, "payment_link_failed");
  assert.equal(webhook.data.reason, "underpaid");
  ledgerIsClean();
});

test("reports an overpayment", async () => {
  const { refid, checkout, ask } = await openAndChoose();
  await stack.pay(ask.address, "12.5");
  await stack.mine(3);
  await checkout.waitForTitle("Paid more than asked");
  await checkout.waitForText("2.5 USDT");
  await checkout.shot("overpaid");
  const webhook = await stack.waitForWebhook(refid, "payment_link_completed_overpaid");
  assert.deepEqual(webhook.data.excess, [{ network: "bep20", token: "usdt", amount: "2.5" }]);
  ledgerIsClean();
});

test("expires without a payment", async () => {
  const link = await stack.createLink({ expires_at: soon(3) });
  const checkout = await visit(link.url);
  await checkout.waitForTitle("This payment has expired");
  await checkout.shot("expired");
  const webhook = await stack.waitForWebhook(link.refid, "payment_link_failed");
  assert.equal(webhook.data.reason, "expired");
  assert.equal(checkout.page.url(), link.url);
});

test("holds a late payment by default, and shows it on the open page", async () => {
  const { refid, checkout, ask } = await openAndChoose({ expires_at: soon(4) });
  await checkout.waitForTitle("This payment has expired");
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  const webhook = await stack.waitForWebhook(refid, "payment_link_late");
  assert.equal(webhook.data.state, "expired");
  await checkout.waitForText(/A payment arrived after the time ended/);
  await checkout.shot("late-held");
  ledgerIsClean();
});

test("accepts a late payment if the merchant's policy does", async () => {
  assert.equal(stack.cli("merchant", "update", "shop@example.com", "--late-policy", "accept").status, 0);
  const { refid, checkout, ask } = await openAndChoose({ expires_at: soon(4) });
  await checkout.waitForTitle("This payment has expired");
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await checkout.waitForTitle("Payment complete");
  await checkout.shot("late-accepted");
  const webhook = await stack.waitForWebhook(refid, "payment_link_completed");
  assert.equal(webhook.data.late, true);
  assert.equal(stack.cli("merchant", "update", "shop@example.com", "--late-policy", "hold").status, 0);
  ledgerIsClean();
});

test("credits once after a restart if the server is killed between broadcast and block", async () => {
  const { refid, checkout, ask } = await openAndChoose();
  const hash = await stack.pay(ask.address, ask.amount);
  await stack.server().kill();
  await stack.mine(3);
  await stack.startServer();
  await stack.waitForState(refid, "completed");
  await checkout.waitForTitle("Payment complete");
  assert.equal(await creditsOf(hash), 1);
  await stack.waitForWebhook(refid, "payment_link_completed");
  ledgerIsClean();
});

test("shows a payment that completes while the browser is offline", async () => {
  const { checkout, ask } = await openAndChoose();
  await checkout.page.context().setOffline(true);
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await stack.waitForState(await refidOf(checkout), "completed");
  assert.equal(await checkout.title(), "Send your payment");
  await checkout.page.context().setOffline(false);
  await checkout.waitForTitle("Payment complete");
});

async function refidOf(checkout: CheckoutPage): Promise<string> {
  return new URL(checkout.page.url()).pathname.split("/").at(-1) ?? "";
}

test("shows the same address and payment in two tabs", async () => {
  const { url, checkout, ask } = await openAndChoose();
  const second = await visit(url);
  assert.deepEqual(await second.ask(), ask);
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await Promise.all([checkout.waitForTitle("Payment complete"), second.waitForTitle("Payment complete")]);
});

test("shows everything on a phone 390 pixels wide without horizontal scrolling", async () => {
  const link = await stack.createLink();
  for (const colorScheme of ["light", "dark"] as const) {
    const checkout = await visit(link.url, { viewport: PHONE, deviceScaleFactor: 2, colorScheme });
    if (colorScheme === "light") {
      await checkout.shot("phone-open");
      await checkout.choose(BEP20);
    }
    const ask = await checkout.ask();
    assert.equal(await checkout.scanQr(), ask.address);
    const width = await checkout.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= PHONE.width, `the page is ${width} px wide`);
    await checkout.shot(`phone-awaiting-${colorScheme}`);
  }
});

test("returns to the merchant on cancel, and the link stays open", async () => {
  const { refid, checkout } = await openAndChoose();
  await checkout.page.getByRole("link", { name: "Cancel and go back" }).click();
  await checkout.page.waitForURL(`${stack.merchantUrl}/cancelled`);
  assert.equal((await stack.getLink(refid)).state, "awaiting");
});

test("answers 404 with a text for an unknown link", async () => {
  const page = await (await browser.newContext()).newPage();
  const response = await page.goto(`${stack.pageUrl}/1111111111111111111111`);
  assert.equal(response?.status(), 404);
  await page.getByText("Payment not found").first().waitFor();
  await checkoutPage(page).shot("unknown");
  assert.equal(page.url(), `${stack.pageUrl}/1111111111111111111111`);
});
