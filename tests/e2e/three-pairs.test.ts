import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import { openBrowser } from "#tests/support/browser.ts";
import { type CheckoutPage, checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

let stack: Stack;
let browser: Browser;

before(async () => {
  stack = await startStack({}, ["bitcoin", "trc20", "bep20"]);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

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
    button: "USDT BNB Smart Chain (BEP20)",
    amount: "10",
    uri: /^0x[0-9a-fA-F]{40}$/,
  },
] as const;

async function open(fields: Record<string, string> = {}) {
  const link = await stack.createLink(fields);
  const page = await (await browser.newContext()).newPage();
  await page.goto(link.url);
  return { ...link, checkout: checkoutPage(page) };
}

/** Enough blocks for any of the three networks to be final. */
async function makeFinal(network: (typeof PAIRS)[number]["network"]): Promise<void> {
  await stack.mine(6, network);
}

function ledgerIsClean(): void {
  const check = stack.cli("ledger", "check");
  assert.equal(check.status, 0, check.stdout + check.stderr);
}

async function payAsAsked(checkout: CheckoutPage, network: (typeof PAIRS)[number]["network"]): Promise<void> {
  const { address, amount } = await checkout.ask();
  await stack.pay(address, amount, network);
}

test("shows what each network costs before one is chosen, on a phone too", async () => {
  const { refid, checkout } = await open();
  const choice = checkout.page.getByRole("button", { name: "USDT BNB Smart Chain (BEP20)" });
  // The fees are fetched for the first page and shown from the next one on.
  await until("all fees", async () => {
    await checkout.page.reload();
    return (await checkout.page.getByText("Network fee about").count()) === PAIRS.length;
  });
  assert.match(
    (await choice.textContent()) ?? "",
    /about 10 USDT.*Network fee about ₦[0-9.]+ NGN Lowest fee/,
  );
  await checkout.shot("choice-with-fees");
  await checkout.page.setViewportSize({ width: 360, height: 740 });
  await checkout.shot("choice-with-fees-phone");
  assert.equal((await stack.getLink(refid)).state, "open");
});

for (const { network, button, amount, uri } of PAIRS) {
  test(`${network}: scanned, paid, seen, final, redirected, webhook delivered`, async () => {
    const { refid, checkout } = await open({ metadata: `{"pair":"${network}"}` });
    await checkout.choose(button);
    const ask = await checkout.ask();
    assert.equal(ask.amount, amount);
    const scanned = await checkout.scanQr();
    assert.match(scanned, uri);
    await checkout.shot(`awaiting-${network}`);
    await payAsAsked(checkout, network);
    // Bitcoin payments are seen in the mempool. A log is seen in its block.
    if (network !== "bitcoin") await stack.mine(1, network);
    await checkout.waitForTitle("Payment received");
    await checkout.shot(`detected-${network}`);
    await makeFinal(network);
    await checkout.waitForTitle("Payment complete");
    await checkout.page.getByRole("link", { name: "Continue to Kaduna Coffee" }).click();
    await checkout.page.waitForURL(`${stack.merchantUrl}/success`);
    const webhook = await stack.waitForWebhook(refid, "payment_link_completed");
    assert.ok(webhook.body.includes(`"metadata":{"pair":"${network}"}`), webhook.body);
    ledgerIsClean();
  });
}

test("names money that arrives in another token, and says what happens to it", async () => {
  const { checkout } = await open();
  await checkout.choose("USDT BNB Smart Chain (BEP20)");
  const { address } = await checkout.ask();
  const hash = await stack.chain("bep20").send(address, "0.01", { coin: true });
  await stack.mine(1, "bep20");
  const notice = "0.01 BNB arrived on BNB Smart Chain (BEP20). That is not what this payment asks for";
  await checkout.waitForText(notice);
  await checkout.waitForText(hash.slice(0, 10));
  assert.equal(await checkout.title(), "Send your payment");
  await checkout.shot("astray");
  await stack.pay(address, "10", "bep20");
  await stack.mine(3, "bep20");
  await checkout.waitForTitle("Payment complete");
  await checkout.waitForText(notice);
  ledgerIsClean();
});

test("accepts half on TRON and half on BNB Smart Chain", async () => {
  const { refid, checkout } = await open();
  await checkout.choose("USDT TRON (TRC20)");
  const first = await checkout.ask();
  await stack.pay(first.address, "5", "trc20");
  await stack.mine(1, "trc20");
  await checkout.waitForTitle("Almost there");
  await checkout.page.getByText("Pay with another network").click();
  await checkout.page.getByRole("button", { name: "USDT BNB Smart Chain (BEP20)" }).click();
  await checkout.page.getByText("USDT address on BNB Smart Chain (BEP20)").waitFor();
  const rest = await checkout.ask();
  assert.equal(rest.amount, "5");
  assert.match(rest.address, /^0x/);
  await stack.pay(rest.address, rest.amount, "bep20");
  await makeFinal("trc20");
  await makeFinal("bep20");
  await checkout.waitForTitle("Payment complete");
  const webhook = await stack.waitForWebhook(refid, "payment_link_completed");
  const networks = (webhook.data.payments as { network: string }[]).map((payment) => payment.network);
  assert.deepEqual(networks.sort(), ["bep20", "trc20"]);
  ledgerIsClean();
});

test("offers a merchant's pairs in its order, and takes another coin of the same network", async () => {
  const setPairs = (pairs: string) => stack.cli("merchant", "update", "shop@example.com", "--pairs", pairs);
  assert.equal(setPairs("bep20/bnb,bep20/usdt,bitcoin/btc").status, 0);
  const { refid, checkout } = await open();
  const { page } = checkout;
  const offered = await page
    .locator("button[name=pair]")
    .evaluateAll((buttons) => buttons.map(({ id }) => id));
  assert.deepEqual(offered, ["bep20:bnb", "bep20:usdt", "bitcoin:btc"]);
  await checkout.choose("USDT BNB Smart Chain (BEP20)");
  const first = await checkout.ask();
  await page.getByText("Pay with another network").click();
  await page.getByRole("button", { name: "BNB BNB Smart Chain (BEP20)" }).click();
  await page.getByText("BNB address on BNB Smart Chain (BEP20)").waitFor();
  const { address, amount } = await checkout.ask();
  assert.notEqual(address, first.address);
  assert.equal(amount, "0.01666667");
  assert.equal(await checkout.scanQr(), `ethereum:${address}@97?value=16666670000000000`);
  await checkout.shot("awaiting-bnb");
  await stack.chain("bep20").send(address, amount, { coin: true });
  await makeFinal("bep20");
  await checkout.waitForTitle("Payment complete");
  await stack.waitForWebhook(refid, "payment_link_completed");
  ledgerIsClean();
  assert.equal(setPairs("none").status, 0);
});
