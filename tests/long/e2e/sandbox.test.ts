/** Every scenario of the sandbox on real development chains, through the HTTP call and the page's panel. */
import assert from "node:assert/strict";
import { BEP20, expect, test } from "#tests/e2e/fixtures.ts";
import type { Stack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

test.use({ kind: { env: { SANDBOX: "on" }, networks: ["bitcoin", "trc20", "bep20"] } });

type Network = "bitcoin" | "trc20" | "bep20";

interface Played {
  readonly address: string;
  readonly amount: number;
  readonly transactions: readonly { tx_hash: string; fate: string; contract: string | null }[];
  readonly expected: { readonly state: string; readonly event: string | null };
}

interface Payment {
  readonly tx_hash: string;
  readonly status: number;
  readonly amount: number;
}

async function post(shop: Stack, fields: Record<string, string>, idempotencyKey?: string) {
  const response = await fetch(`${shop.baseUrl}/sandbox/payments`, {
    method: "POST",
    headers: {
      "x-staging-api-key": shop.testKey,
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
    },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: (await response.json()) as { message: string; data: Played } };
}

/** Plays a scenario on a new link and waits for the announced state. */
async function rehearse(shop: Stack, scenario: string, network: Network) {
  const { refid } = await shop.createLink();
  const { status, body } = await post(shop, { refid, scenario, network }, `${scenario} ${network}`);
  assert.equal(status, 200, `${scenario} on ${network}: ${body.message}`);
  const { state, event } = body.data.expected;
  const link = await until(`link ${refid}, ${scenario} on ${network}, to be ${state}`, async () => {
    const now = await shop.getLink(refid);
    return now.state === state && (event !== "payment_link_late" || now.late) ? now : null;
  });
  if (event !== null) await shop.waitForWebhook(refid, event);
  return { refid, link, played: body.data, payments: link.payments as Payment[] };
}

const WHOLE: Record<Network, number> = { bitcoin: 0.00016667, trc20: 10, bep20: 10 };
const NETWORKS = Object.keys(WHOLE) as Network[];
const eventsOf = (shop: Stack, refid: string) =>
  shop.webhooks
    .filter(({ type, data }) => type.startsWith("payment_link") && data.refid === refid)
    .map(({ type }) => type);

async function onEach(networks: readonly Network[], check: (network: Network) => Promise<void>) {
  await Promise.all(networks.map(check));
}

test("exact: completed", ({ shop }) =>
  onEach(NETWORKS, async (network) => {
    const { played, payments, link } = await rehearse(shop, "exact", network);
    assert.deepEqual(played.expected, { state: "completed", event: "payment_link_completed" });
    assert.equal(played.amount, WHOLE[network]);
    const [sent] = played.transactions;
    assert.deepEqual(played.transactions, [{ tx_hash: sent?.tx_hash, fate: "mined", contract: null }]);
    assert.deepEqual(
      payments.map(({ tx_hash, status }) => [tx_hash, status]),
      [[sent?.tx_hash, 1]],
    );
    assert.deepEqual(link.remaining, []);
  }));

test("short: half arrives, and the page asks for the rest", ({ shop }) =>
  onEach(NETWORKS, async (network) => {
    const { played, link, refid } = await rehearse(shop, "short", network);
    assert.deepEqual(played.expected, { state: "partial", event: null });
    const [rest] = link.remaining as { amount: number }[];
    assert.equal(Math.round(((rest?.amount ?? 0) + played.amount) * 1e8), Math.round(WHOLE[network] * 1e8));
    // The rest completes it.
    const { body } = await post(shop, { refid, scenario: "exact" });
    assert.equal(body.data.amount, rest?.amount);
    await shop.waitForWebhook(refid, "payment_link_completed");
  }));

test("over: 50% too much, and overpaid", ({ shop }) =>
  onEach(NETWORKS, async (network) => {
    const { played, link } = await rehearse(shop, "over", network);
    assert.deepEqual(played.expected, { state: "overpaid", event: "payment_link_completed_overpaid" });
    const [excess] = link.excess as { amount: number }[];
    assert.ok(Math.abs((excess?.amount ?? 0) - WHOLE[network] / 2) < 1e-8, JSON.stringify(link.excess));
  }));

test("late: the time ends, the link expires, then the payment arrives", ({ shop }) =>
  onEach(NETWORKS, async (network) => {
    const { refid, played, payments } = await rehearse(shop, "late", network);
    assert.deepEqual(played.expected, { state: "expired", event: "payment_link_late" });
    assert.equal(payments.length, 1);
    assert.deepEqual(eventsOf(shop, refid), ["payment_link_failed", "payment_link_late"]);
  }));

test("underpaid: half arrives, the time ends, and the link fails", ({ shop }) =>
  onEach(NETWORKS, async (network) => {
    const { refid, link, played, payments } = await rehearse(shop, "underpaid", network);
    assert.deepEqual(played.expected, { state: "failed", event: "payment_link_failed" });
    assert.equal(link.reason, "underpaid");
    assert.deepEqual(
      payments.map(({ tx_hash, status, amount }) => [tx_hash, status, amount]),
      [[played.transactions[0]?.tx_hash, 1, played.amount]],
    );
    assert.deepEqual(eventsOf(shop, refid), ["payment_link_failed"]);
  }));

test("extra: the link is completed, and then paid again", ({ shop }) =>
  onEach(NETWORKS, async (network) => {
    const { refid, link, played } = await rehearse(shop, "extra", network);
    assert.deepEqual(played.expected, { state: "completed", event: "payment_link_extra" });
    assert.deepEqual(
      played.transactions.map(({ fate }) => fate),
      ["mined", "mined"],
    );
    assert.deepEqual(eventsOf(shop, refid), ["payment_link_completed", "payment_link_extra"]);
    // A paid link is only paid once more.
    const { status, body } = await post(shop, { refid, scenario: "extra" });
    assert.deepEqual([status, body.data.transactions.length, body.data.amount], [200, 1, played.amount]);
    const paid = await until(`three payments of ${refid}`, async () => {
      const { state, payments } = await shop.getLink(refid);
      const credited = (payments as Payment[]).filter((payment) => payment.status === 1);
      return credited.length === 3 ? state : null;
    });
    assert.deepEqual([link.state, paid], ["completed", "completed"]);
  }));

test("wrong token: the link keeps waiting, and the money becomes an unmatched deposit", ({ shop }) =>
  onEach(["trc20", "bep20"], async (network) => {
    const { played, payments } = await rehearse(shop, "wrong_token", network);
    assert.deepEqual(played.expected, { state: "awaiting", event: null });
    const [sent] = played.transactions;
    assert.ok(sent?.contract, "names the contract");
    assert.deepEqual(payments, []);
    await until(`the unmatched deposit on ${network}`, async () => {
      const response = await fetch(`${shop.baseUrl}/deposits/unmatched`, {
        headers: { "x-staging-api-key": shop.testKey },
      });
      const { data } = (await response.json()) as { data: { tx_hash: string }[] };
      return data.some(({ tx_hash }) => tx_hash === sent?.tx_hash);
    });
  }));

test("replaced: the replacement pays, once", ({ shop }) =>
  onEach(["bitcoin", "bep20"], async (network) => {
    const { refid, played, payments } = await rehearse(shop, "replaced", network);
    const [first, second] = played.transactions;
    assert.deepEqual([first?.fate, second?.fate], ["replaced", "mined"]);
    const credited = payments.filter(({ status }) => status === 1);
    assert.deepEqual(
      credited.map(({ tx_hash }) => tx_hash),
      [second?.tx_hash],
    );
    assert.deepEqual(eventsOf(shop, refid), ["payment_link_completed"]);
  }));

test("reorganised: completed, then reverted for good", ({ shop }) =>
  onEach(NETWORKS, async (network) => {
    const { refid, played, payments } = await rehearse(shop, "reorganised", network);
    assert.deepEqual(played.expected, { state: "awaiting", event: "payment_link_reverted" });
    assert.deepEqual(eventsOf(shop, refid), ["payment_link_completed", "payment_link_reverted"]);
    assert.deepEqual(
      payments.map(({ status }) => status),
      [2],
    );
    await shop.mine(2, network);
    const { body } = await post(shop, { refid, scenario: "exact" });
    assert.equal(body.message, "sandbox payment made successfully");
    await shop.waitForState(refid, "completed");
  }));

test("the panel simulates the payer, and the page updates live", async ({ shop, visit }) => {
  const { refid, url } = await shop.createLink();
  const checkout = await visit(url);
  const { page } = checkout;
  const panel = page.getByRole("region", { name: "Sandbox: simulate the payer" });
  assert.equal(await panel.count(), 0, "no network is picked yet");
  await checkout.choose("BTC Bitcoin");
  await panel.waitFor();
  assert.equal(await panel.getByRole("button", { name: "Pay in another token" }).count(), 0);
  await checkout.shot("sandbox-panel");
  await panel.getByRole("button", { name: "Pay half", exact: true }).click();
  await checkout.waitForTitle("Almost there");
  await panel.getByRole("button", { name: "Pay, then replace the transaction" }).click();
  await checkout.waitForTitle("Payment complete");
  await shop.waitForWebhook(refid, "payment_link_completed");
  assert.deepEqual(await panel.getByRole("button").allTextContents(), ["Pay again after completion"]);
  await panel.getByRole("button").click();
  await shop.waitForWebhook(refid, "payment_link_extra");
});

test("the panel works without scripts in another language: a late payment", async ({ shop, visit }) => {
  const { url } = await shop.createLink();
  const checkout = await visit(`${url}?lang=en`, { javaScriptEnabled: false });
  const { page } = checkout;
  await checkout.choose(BEP20);
  // Leaving the page before its form is answered would cancel the form.
  await Promise.all([
    page.waitForEvent("load"),
    page.getByRole("button", { name: "Pay after the time ends" }).click(),
  ]);
  // It reloads itself until the link ends, then no more, so that our reload below meets no other one.
  const ended = page.getByText(/^(This payment has expired|Your payment arrived late)$/);
  await ended.first().waitFor({ timeout: 40_000 });
  await expect(async () => {
    await page.reload();
    assert.ok((await page.getByText("A payment arrived after the time ended").count()) > 0);
  }).toPass();
  assert.match(page.url(), /\?network=bep20&lang=en$/);
  assert.equal(await checkout.title(), "Your payment arrived late");
});

test("the panel says so when a scenario is refused", async ({ shop, visit }) => {
  // One cent of USDT, of which half is less than a payment may be.
  const { url } = await shop.createLink({ amount: "16" });
  const checkout = await visit(url);
  const { page } = checkout;
  await checkout.choose(BEP20);
  await page.getByRole("button", { name: "Pay half", exact: true }).click();
  await page.getByText("The payment was not simulated").waitFor();
});
