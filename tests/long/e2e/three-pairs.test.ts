import assert from "node:assert/strict";
import { BEP20, expect, test } from "#tests/e2e/fixtures.ts";

test.use({ kind: "extended" });

const PAIRS = [
  {
    network: "bitcoin",
    button: "BTC Bitcoin",
    amount: "0.00016667",
    uri: /^BITCOIN:BCRT1[0-9A-Z]+\?amount=0\.00016667$/,
  },
  { network: "trc20", button: "USDT TRON (TRC20)", amount: "10", uri: /^T[1-9A-HJ-NP-Za-km-z]{33}$/ },
  {
    network: "bep20",
    button: BEP20,
    amount: "10",
    uri: /^0x[0-9a-fA-F]{40}$/,
  },
] as const;

/** Blocks after which a payment is final on any of the three networks. */
const FINAL = 6;

test("shows what each network costs before one is chosen, on a phone too", async ({ shop, visit }) => {
  const { refid, url } = await shop.createLink();
  const checkout = await visit(url);
  const choice = checkout.page.getByRole("button", { name: BEP20 });
  // The fees are fetched for the first page and shown from the next one on.
  await expect(async () => {
    await checkout.page.reload();
    assert.equal(await checkout.page.getByText(/fee,? about/).count(), PAIRS.length);
  }).toPass();
  await expect(choice).toContainText(/10\.00 USDT · a few seconds · lowest fee, about ₦[0-9.]+$/);
  await checkout.shot("choice-with-fees");
  await checkout.page.setViewportSize({ width: 360, height: 740 });
  await checkout.shot("choice-with-fees-phone");
  assert.equal((await shop.getLink(refid)).state, "open");
});

for (const { network, button, amount, uri } of PAIRS) {
  test(`${network}: scanned, paid, seen, final, redirected, webhook delivered`, async ({ shop, visit }) => {
    const { refid, url } = await shop.createLink({ metadata: `{"pair":"${network}"}` });
    const checkout = await visit(url);
    await checkout.choose(button);
    const ask = await checkout.ask();
    assert.equal(ask.amount, amount);
    const scanned = await checkout.scanQr();
    assert.match(scanned, uri);
    await checkout.shot(`awaiting-${network}`);
    await shop.pay(ask.address, ask.amount, network);
    // Bitcoin payments are seen in the mempool. A log is seen in its block.
    if (network !== "bitcoin") await shop.mine(1, network);
    await checkout.waitForTitle("Payment received");
    await checkout.shot(`detected-${network}`);
    await shop.mine(FINAL, network);
    await checkout.waitForTitle("Payment complete");
    await checkout.page.getByRole("link", { name: "Continue to Kaduna Coffee" }).click();
    await checkout.page.waitForURL(`${shop.merchantUrl}/success`);
    const webhook = await shop.waitForWebhook(refid, "payment_link_completed");
    assert.ok(webhook.body.includes(`"metadata":{"pair":"${network}"}`), webhook.body);
  });
}

test("names money that arrives in another token, and says what happens to it", async ({ shop, visit }) => {
  const checkout = await visit((await shop.createLink()).url);
  await checkout.choose(BEP20);
  const { address } = await checkout.ask();
  const hash = await shop.chain("bep20").send(address, "0.01", { coin: true });
  await shop.mine(1, "bep20");
  const notice = "0.01 BNB arrived on BNB Smart Chain (BEP20). That is not what this payment asks for";
  await checkout.waitForText(notice);
  await checkout.waitForText(hash.slice(0, 10));
  assert.equal(await checkout.title(), "Send your payment");
  await checkout.shot("astray");
  await shop.pay(address, "10", "bep20");
  await shop.mine(3, "bep20");
  await checkout.waitForTitle("Payment complete");
  await checkout.waitForText(notice);
});

test("accepts half on TRON and half on BNB Smart Chain", async ({ shop, visit }) => {
  const { refid, url } = await shop.createLink();
  const checkout = await visit(url);
  await checkout.choose("USDT TRON (TRC20)");
  const first = await checkout.ask();
  await shop.pay(first.address, "5", "trc20");
  await shop.mine(1, "trc20");
  await checkout.waitForTitle("Almost there");
  await checkout.page.getByRole("link", { name: "Use another network" }).click();
  await checkout.page.getByRole("button", { name: BEP20 }).click();
  await checkout.page.getByText("Only USDT on BNB Smart Chain (BEP20)").waitFor();
  const rest = await checkout.ask();
  assert.equal(rest.amount, "5");
  assert.match(rest.address, /^0x/);
  await shop.pay(rest.address, rest.amount, "bep20");
  await shop.mine(FINAL, "trc20");
  await shop.mine(FINAL, "bep20");
  await checkout.waitForTitle("Payment complete");
  const webhook = await shop.waitForWebhook(refid, "payment_link_completed");
  const networks = (webhook.data.payments as { network: string }[]).map((payment) => payment.network);
  assert.deepEqual(networks.sort(), ["bep20", "trc20"]);
});

test("offers a merchant's pairs in its order, and takes another coin of the same network", async ({
  shop,
  visit,
}) => {
  await shop.run("merchant", "update", shop.email, "--pairs", "bep20/bnb,bep20/usdt,bitcoin/btc");
  const { refid, url } = await shop.createLink();
  const checkout = await visit(url);
  const { page } = checkout;
  const offered = await page
    .locator("button[name=pair]")
    .evaluateAll((buttons) => buttons.map(({ id }) => id));
  // Its node has no traces: BNB that contracts send would not be seen, so the coin comes last.
  assert.deepEqual(offered, ["bep20:usdt", "bitcoin:btc", "bep20:bnb"]);
  await checkout.choose(BEP20);
  const first = await checkout.ask();
  await page.getByRole("link", { name: "Use another network" }).click();
  await page.getByRole("button", { name: "BNB BNB Smart Chain (BEP20)" }).click();
  await page.getByText("Only BNB on BNB Smart Chain (BEP20)").waitFor();
  const { address, amount } = await checkout.ask();
  assert.notEqual(address, first.address);
  assert.equal(amount, "0.01666667");
  assert.equal(await checkout.scanQr(), `ethereum:${address}@97?value=16666670000000000`);
  await checkout.shot("awaiting-bnb");
  await shop.chain("bep20").send(address, amount, { coin: true });
  await shop.mine(FINAL, "bep20");
  await checkout.waitForTitle("Payment complete");
  await shop.waitForWebhook(refid, "payment_link_completed");
});
