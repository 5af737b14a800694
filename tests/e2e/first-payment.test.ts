import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { openSigner, type PublicKeySet, verifySigned } from "#lib/platform/signed-text.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { creditsOf, endTimeToPay } from "#tests/support/link-states.ts";
import { DEVICES, overflow, readCode } from "#tests/support/page-looks.ts";
import { BEP20, type Payer, test, type Visit } from "./fixtures.ts";

/** The signed receipt of a completed page: its file, its code and the page that checks it, with a changed one too. */
async function checkReceipt({ url, refid }: Payer, hash: string, visit: Visit): Promise<void> {
  const { origin } = new URL(url);
  // As sharp as a phone's screen: with less than three pixels for a square, some codes of random signatures cannot be read.
  const { page } = await visit(url, { deviceScaleFactor: 2 });
  await page.getByText("Proof of this receipt").click();
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
  const code = readCode(await page.locator('a[href*="/receipt?r="]').screenshot());
  assert.equal(code, `${origin}/receipt?r=${text}`);
  const check = await visit(code, { javaScriptEnabled: false });
  await check.page.getByText("This receipt is genuine.").waitFor();
  for (const fact of [refid, hash, "Kaduna Coffee", "16000 NGN"]) {
    await check.page.getByText(fact, { exact: true }).waitFor();
  }
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
}

test("completes an exact payment, redirects to the shop, and webhook and ledger agree", async ({
  shop,
  visit,
}) => {
  const metadata = '{"order": 77, "note": "naïve ☕",  "n": 1.10}';
  const link = await shop.createLink({ metadata });
  const checkout = await visit(link.url);
  const { page, waitForTitle, shot } = checkout;
  assert.equal(await checkout.title(), "Choose how to pay");
  await shot("open");
  await checkout.choose(BEP20);
  const asked = await checkout.ask();
  assert.equal(asked.amount, "10");
  assert.match(asked.address, /^0x[0-9a-fA-F]{40}$/);
  assert.equal(await checkout.scanQr(), asked.address);
  await shot("awaiting");

  const hash = await shop.pay(asked.address, asked.amount);
  await shop.mine();
  await waitForTitle("Payment received");
  await shot("detected");
  await shop.mine(2);
  await waitForTitle("Payment complete");
  await shot("completed");
  // Before the countdown leads there.
  await page.getByRole("link", { name: "Continue to Kaduna Coffee" }).click();
  await page.waitForURL(`${shop.merchantUrl}/success`);
  await checkReceipt({ ...link, ...checkout, asked }, hash, visit);

  const webhook = await shop.waitForWebhook(link.refid, "payment_link_completed");
  assert.ok(webhook.body.includes(`"metadata":${metadata}`), webhook.body);
  assert.equal(webhook.data.state, "completed");
  assert.deepEqual((await shop.getLink(link.refid)).remaining, []);
  assert.equal(await creditsOf(shop, hash), 1);
  assert.deepEqual(
    shop.webhooks.map(({ type }) => type).filter((type) => type.startsWith("payment_")),
    ["payment_link_completed"],
  );
  const { refid: unpaid } = await shop.createLink();
  assert.equal((await fetch(`${shop.pageUrl}/${unpaid}/receipt`)).status, 404);
});

test("accepts a partial payment, then exactly the remainder", async ({ shop, choose }) => {
  const { refid, asked, ...checkout } = await choose();
  await shop.pay(asked.address, "3.25");
  await shop.mine(3);
  await checkout.waitForTitle("Almost there");
  const rest = await checkout.ask();
  assert.deepEqual([rest.amount, rest.address], ["6.75", asked.address]);
  assert.equal(await checkout.scanQr(), rest.address);
  await checkout.shot("partial");
  await shop.pay(rest.address, rest.amount);
  await shop.mine(3);
  await checkout.waitForTitle("Payment complete");
  const webhook = await shop.waitForWebhook(refid, "payment_link_completed");
  assert.equal((webhook.data.payments as unknown[]).length, 2);
});

test("fails a partial payment when the time ends", async ({ shop, choose }) => {
  const { refid, asked, ...checkout } = await choose();
  await shop.pay(asked.address, "3");
  await shop.mine(3);
  await checkout.waitForTitle("Almost there");
  await endTimeToPay(shop, refid);
  await checkout.waitForTitle("Not paid in full");
  await checkout.shot("failed-underpaid");
  const webhook = await shop.waitForWebhook(refid, "payment_link_failed");
  assert.equal(webhook.data.reason, "underpaid");
});

test("reports an overpayment", async ({ shop, choose }) => {
  const { refid, asked, ...checkout } = await choose();
  await shop.pay(asked.address, "12.5");
  await shop.mine(3);
  await checkout.waitForTitle("Paid more than asked");
  await checkout.waitForText("2.50 USDT");
  await checkout.shot("overpaid");
  const webhook = await shop.waitForWebhook(refid, "payment_link_completed_overpaid");
  assert.deepEqual(webhook.data.excess, [{ network: "bep20", token: "usdt", amount: "2.5" }]);
});

test("expires without a payment", async ({ shop, visit }) => {
  const link = await shop.createLink();
  // Counted from here: a slow machine may need seconds to make the link.
  await endTimeToPay(shop, link.refid, 4);
  const checkout = await visit(link.url);
  await checkout.waitForTitle("This payment has expired");
  await checkout.shot("expired");
  const webhook = await shop.waitForWebhook(link.refid, "payment_link_failed");
  assert.equal(webhook.data.reason, "expired");
  assert.equal(checkout.page.url(), link.url);
});

test("holds a late payment by default, and shows it on the open page", async ({ shop, choose }) => {
  const { refid, asked, ...checkout } = await choose();
  await endTimeToPay(shop, refid);
  await checkout.waitForTitle("This payment has expired");
  await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  const webhook = await shop.waitForWebhook(refid, "payment_link_late");
  assert.equal(webhook.data.state, "expired");
  await checkout.waitForText(/A payment arrived after the time ended/);
  await checkout.shot("late-held");
});

test("accepts a late payment if the merchant's policy does", async ({ shop, choose }) => {
  await shop.run("merchant", "update", shop.email, "--late-policy", "accept");
  const { refid, asked, ...checkout } = await choose();
  await endTimeToPay(shop, refid);
  await checkout.waitForTitle("This payment has expired");
  await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  await checkout.waitForTitle("Payment complete");
  await checkout.shot("late-accepted");
  const webhook = await shop.waitForWebhook(refid, "payment_link_completed");
  assert.equal(webhook.data.late, true);
});

test("shows a payment that completes while the browser is offline", async ({ shop, choose }) => {
  const { refid, asked, ...checkout } = await choose();
  await checkout.page.context().setOffline(true);
  await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  await shop.waitForState(refid, "completed");
  assert.equal(await checkout.title(), "Send your payment");
  await checkout.page.context().setOffline(false);
  await checkout.waitForTitle("Payment complete");
});

test("shows the same address and payment in two tabs", async ({ shop, visit, choose }) => {
  const { url, asked, ...checkout } = await choose();
  const second = await visit(url);
  assert.deepEqual(await second.ask(), asked);
  await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  await Promise.all([checkout.waitForTitle("Payment complete"), second.waitForTitle("Payment complete")]);
});

test("shows everything on a phone without horizontal scrolling", async ({ shop, visit }) => {
  const link = await shop.createLink();
  for (const colorScheme of ["light", "dark"] as const) {
    const checkout = await visit(link.url, { ...DEVICES.phone, colorScheme });
    if (colorScheme === "light") {
      await checkout.shot("phone-open");
      await checkout.choose(BEP20);
    }
    assert.equal(await checkout.scanQr(), (await checkout.ask()).address);
    assert.equal(await overflow(checkout.page), 0);
    await checkout.shot(`phone-awaiting-${colorScheme}`);
  }
});

test("returns to the merchant on cancel, and the link stays open", async ({ shop, choose }) => {
  const { refid, page } = await choose();
  await page.getByRole("link", { name: "Cancel and go back" }).click();
  await page.waitForURL(`${shop.merchantUrl}/canceled`);
  assert.equal((await shop.getLink(refid)).state, "awaiting");
});

test("answers 404 with a text for an unknown link", async ({ shop, page }) => {
  const response = await page.goto(`${shop.pageUrl}/1111111111111111111111`);
  assert.equal(response?.status(), 404);
  await page.getByText("Payment not found").first().waitFor();
  await checkoutPage(page).shot("unknown");
  assert.equal(page.url(), `${shop.pageUrl}/1111111111111111111111`);
});
