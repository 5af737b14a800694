import assert from "node:assert/strict";
import { test } from "node:test";
import { buildLinkPreview } from "#components/checkout/link-preview.ts";
import { textsOf } from "#components/checkout/texts.ts";
import { LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import { NOW, PRIVATE, STATES } from "#tests/support/page-fixtures.ts";

const english = textsOf("en");

test("contains no payer, address, transaction or reference, in any state or language", () => {
  for (const [name, view] of Object.entries(STATES)) {
    const hidden = [
      ...PRIVATE,
      view.paymentReference,
      view.refid,
      ...view.wallets.map(({ address }) => address),
      ...view.payments.flatMap(({ txHash, address }) => [txHash, address]),
    ];
    for (const code of LANGUAGE_CODES) {
      const preview = JSON.stringify(buildLinkPreview(view, textsOf(code), NOW));
      for (const secret of hidden) assert.ok(!preview.includes(secret), `${name}, ${code}: ${secret}`);
      assert.ok(preview.includes("Kola & Sons Electronics"), name);
    }
  }
});

test("shows the status of the link", () => {
  const statusText = (name: keyof typeof STATES) => {
    const { state } = buildLinkPreview(STATES[name], english, NOW);
    return `${state.text} (${state.tone})`;
  };
  const expected = {
    open: "Waiting for payment (waiting)",
    open_unavailable: "Waiting for payment (waiting)",
    awaiting: "Waiting for payment (waiting)",
    awaiting_no_price: "Waiting for payment (waiting)",
    partial: "Partly paid (waiting)",
    detected: "Payment received (waiting)",
    checking: "Time is up, checking (waiting)",
    completed: "Payment complete (good)",
    completed_late: "Payment complete (good)",
    overpaid: "Payment complete (good)",
    underpaid: "Not paid in full (bad)",
    unconfirmed: "Payment not confirmed (bad)",
    expired: "This payment has expired (bad)",
    canceled: "This payment was canceled (bad)",
    expired_late: "This payment has expired (bad)",
  } as const;
  for (const [name, words] of Object.entries(expected)) {
    assert.equal(statusText(name as keyof typeof expected), words, name);
  }
});

test("names the merchant, the price and the networks by token", () => {
  const offered = [
    { network: "bep20", token: "usdt" },
    { network: "trc20", token: "usdt" },
    { network: "bitcoin", token: "btc" },
  ] as const;
  const preview = buildLinkPreview({ ...STATES.open, selectablePairs: offered }, english, NOW);
  assert.equal(preview.title, "₦25,000.00 to Kola & Sons Electronics");
  assert.equal(preview.networks, "USDT: BNB Smart Chain (BEP20), TRON (TRC20) · BTC: Bitcoin");
  assert.equal(preview.description, `Waiting for payment · ${preview.networks}`);
  assert.equal(preview.test, null);
  const paid = buildLinkPreview({ ...STATES.completed, selectablePairs: offered, env: "test" }, english, NOW);
  assert.equal(paid.networks, "USDT: BNB Smart Chain (BEP20)");
  assert.equal(paid.test, "Test payment. No real money moves.");
  assert.equal(buildLinkPreview(STATES.expired, english, NOW).description, "This payment has expired");
});
