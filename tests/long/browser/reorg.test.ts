import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import { rawTransaction, reorg } from "#tests/support/anvil.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

let stack: Stack;
let browser: Browser;
let rpcUrl: string;

before(async () => {
  stack = await startStack();
  rpcUrl = String(stack.chain("bep20").forScripts.rpc_url);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

/** A link paid with its exact amount, followed by `blocksAfter` blocks after the payment's own. */
async function paidLink(blocksAfter: number) {
  const link = await stack.createLink();
  const page = await (await browser.newContext()).newPage();
  await page.goto(link.url);
  const checkout = checkoutPage(page);
  await checkout.choose("USDT BNB Smart Chain (BEP20)");
  const ask = await checkout.ask();
  const hash = await stack.pay(ask.address, ask.amount);
  await stack.mine();
  await checkout.waitForTitle("Payment received");
  if (blocksAfter > 0) await stack.mine(blocksAfter);
  return { ...link, ...ask, checkout, hash };
}

for (const depth of [1, 5]) {
  test(`reverts a payment when ${depth} block(s) vanish before completion, and accepts it again`, async () => {
    if (depth > 1) await stack.mine(depth);
    const link = await paidLink(0);
    await reorg(rpcUrl, depth);
    await stack.waitForState(link.refid, "awaiting");
    await link.checkout.waitForTitle("Send your payment");
    await stack.pay(link.address, link.amount);
    await stack.mine(3);
    await link.checkout.waitForTitle("Payment complete");
    assert.equal(
      stack.webhooks.filter((one) => one.data.refid === link.refid && one.type === "payment_link_reverted")
        .length,
      0,
    );
    const check = stack.cli("ledger", "check");
    assert.equal(check.status, 0, check.stdout + check.stderr);
  });

  test(`keeps a payment when ${depth} block(s) are replaced by blocks that contain it`, async () => {
    if (depth > 1) await stack.mine(depth);
    const link = await paidLink(0);
    const raw = await rawTransaction(rpcUrl, link.hash);
    await reorg(rpcUrl, depth, [[raw, depth - 1]]);
    await stack.mine(3);
    await link.checkout.waitForTitle("Payment complete");
    const view = await stack.waitForState(link.refid, "completed");
    assert.equal((view.payments as unknown[]).length, 1);
    const check = stack.cli("ledger", "check");
    assert.equal(check.status, 0, check.stdout + check.stderr);
  });
}

for (const depth of [3, 5]) {
  test(`reverts credit and completion when ${depth} blocks vanish with the payment after completion`, async () => {
    const link = await paidLink(depth - 1);
    await stack.waitForState(link.refid, "completed");
    await stack.waitForWebhook(link.refid, "payment_link_completed");
    await reorg(rpcUrl, depth);
    const reverted = await stack.waitForWebhook(link.refid, "payment_link_reverted");
    assert.equal(reverted.data.state, "awaiting");
    await stack.pay(link.address, link.amount);
    await stack.mine(3);
    await stack.waitForState(link.refid, "completed");
    const completions = () =>
      stack.webhooks.filter((one) => one.data.refid === link.refid && one.type === "payment_link_completed");
    await stack.waitForState(link.refid, "completed");
    await until("the second completion", () => completions().length === 2);
    assert.equal(new Set(completions().map((one) => one.id)).size, 2);
    const check = stack.cli("ledger", "check");
    assert.equal(check.status, 0, check.stdout + check.stderr);
  });
}

test("changes nothing when one block above the payment's own vanishes after completion", async () => {
  const link = await paidLink(2);
  const before = await stack.waitForState(link.refid, "completed");
  await reorg(rpcUrl, 1);
  await stack.mine(2);
  const other = await paidLink(2);
  await stack.waitForState(other.refid, "completed");
  const after = await stack.getLink(link.refid);
  assert.deepEqual([after.state, after.version], ["completed", before.version]);
});
