import assert from "node:assert/strict";
import { test as base, expect, type Payer, payInFull } from "#tests/e2e/fixtures.ts";
import { reorg } from "#tests/support/anvil.ts";

interface Reorgs {
  /** A link paid with its exact amount, followed by `blocksAfter` blocks after the payment's own. */
  pay(blocksAfter: number): Promise<Payer>;
  /** Replaces the newest blocks by as many empty ones. */
  replace(depth: number): Promise<void>;
}

const test = base.extend<{ chain: Reorgs }>({
  chain: async ({ shop, choose }, use) => {
    const url = String(shop.chain("bep20").forScripts.rpc_url);
    await use({
      async pay(blocksAfter) {
        const payer = await choose();
        await shop.pay(payer.asked.address, payer.asked.amount);
        await shop.mine();
        await payer.waitForTitle("Payment received");
        if (blocksAfter > 0) await shop.mine(blocksAfter);
        return payer;
      },
      replace: (depth) => reorg(url, depth),
    });
  },
});

for (const depth of [1, 5]) {
  test(`reverts a payment when ${depth} block(s) vanish before completion, and accepts it again`, async ({
    shop,
    chain,
  }) => {
    if (depth > 1) await shop.mine(depth);
    const link = await chain.pay(0);
    await chain.replace(depth);
    await shop.waitForState(link.refid, "awaiting");
    await link.waitForTitle("Send your payment");
    await payInFull(shop, link);
    assert.ok(!shop.webhooks.some(({ type }) => type === "payment_link_reverted"));
  });
}

for (const depth of [3, 5]) {
  test(`reverts credit and completion when ${depth} blocks vanish with the payment after completion`, async ({
    shop,
    chain,
  }) => {
    const link = await chain.pay(depth - 1);
    await shop.waitForState(link.refid, "completed");
    await shop.waitForWebhook(link.refid, "payment_link_completed");
    await chain.replace(depth);
    const reverted = await shop.waitForWebhook(link.refid, "payment_link_reverted");
    assert.equal(reverted.data.state, "awaiting");
    await shop.pay(link.asked.address, link.asked.amount);
    await shop.mine(3);
    await shop.waitForState(link.refid, "completed");
    const completions = () => shop.webhooks.filter(({ type }) => type === "payment_link_completed");
    await expect.poll(() => new Set(completions().map(({ id }) => id)).size).toBe(2);
    assert.equal(completions().length, 2);
  });
}

test("changes nothing when one block above the payment's own vanishes after completion", async ({
  shop,
  chain,
}) => {
  const link = await chain.pay(2);
  const before = await shop.waitForState(link.refid, "completed");
  await chain.replace(1);
  await shop.mine(2);
  const other = await chain.pay(2);
  await shop.waitForState(other.refid, "completed");
  const after = await shop.getLink(link.refid);
  assert.deepEqual([after.state, after.version], ["completed", before.version]);
});
