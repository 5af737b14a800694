import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { buildCheckoutModel, type CheckoutModelOptions } from "#components/checkout/checkout-model.ts";
import type { NoticeCode } from "#components/checkout/notice-codes.ts";
import { announcementText } from "#components/checkout/status-text.ts";
import { english } from "#components/checkout/texts/en.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import "#tests/support/jsx.ts";
import { NOW, PRIVATE, STATES } from "#tests/support/page-fixtures.ts";

const { CheckoutPage } = await import("#components/checkout/checkout-page.tsx");

const modelOf = (view: PaymentLinkView, changes: Partial<CheckoutModelOptions> = {}) =>
  buildCheckoutModel(view, {
    now: NOW,
    locale: "en",
    walletTransfer: () => null,
    usualFee: () => null,
    taggedAddress: () => null,
    signedReceipt: null,
    paymentUri: ({ pair, address, amount }) =>
      pair.network === "trc20" ? address : `ethereum:${address}?uint256=${amount}`,
    transactionUrl: () => null,
    ...changes,
  });

function markup(
  view: PaymentLinkView,
  notice: NoticeCode | null = null,
  changes: Partial<CheckoutModelOptions> = {},
): string {
  return renderToStaticMarkup(
    createElement(CheckoutPage, {
      model: modelOf(view, changes),
      texts: english,
      choose: async () => {},
      notice,
      language: "en",
    }),
  );
}

/** The text that a person reads, without tags. */
const words = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ");

const reads = (state: keyof typeof STATES, text: RegExp) => assert.match(words(markup(STATES[state])), text);
const readsNot = (state: keyof typeof STATES, text: RegExp) =>
  assert.doesNotMatch(words(markup(STATES[state])), text);

const ADDRESS = "0x71C7656EC7ab88b098defB751B7401B5f6d8976F";

const ORDER = {
  description: "Coffee <script>alert(1)</script>",
  items: [
    { name: "Beans & <b>more</b>", quantity: 1_200, amount: 2_000_050n },
    { name: "Delivery", quantity: 1, amount: 499_950n },
  ],
};

test("says what the payment is for: folded before it is paid, open on the receipt, escaped in both", () => {
  for (const [name, view] of Object.entries(STATES)) {
    const html = markup({ ...view, currency: "ngn", ...ORDER });
    assert.match(
      words(html),
      /Coffee &lt;script&gt;.*1,200 × Beans & &lt;b&gt;more&lt;\/b&gt; ₦20,000.50 Delivery ₦4,999.50/,
      name,
    );
    assert.doesNotMatch(html, /<script>alert|<b>/);
    const isPaid = view.state === "completed" || view.state === "overpaid";
    assert.equal(words(html).includes("What is this for?"), !isPaid, name);
  }
  readsNot("awaiting", /What is this for/);
  readsNot("completed", /Order/);
});

for (const [name, view] of Object.entries(STATES)) {
  test(`${name}: nothing private, nothing that a strict content policy blocks, one heading`, () => {
    const html = markup(view);
    for (const secret of PRIVATE) assert.ok(!html.includes(secret), secret);
    assert.doesNotMatch(html, /\sstyle=|<style|\son[a-z]+=|href="javascript:/);
    assert.equal(html.match(/<h1/g)?.length, 1);
    assert.match(words(html), /Kola & Sons Electronics .*(₦25,000\.00|9\.375 USDT)/);
  });
}

test("shows a complete address, and only on a link that expects a payment", () => {
  const asking = Object.entries(STATES).filter(([, view]) => markup(view).includes('data-testid="address"'));
  assert.deepEqual(
    asking.map(([name]) => name),
    [
      ...["awaiting", "awaiting_fixed_rate", "awaiting_bitcoin", "awaiting_trc20", "awaiting_renewed"],
      ...["awaiting_renewed_same", "own_unit", "own_unit_renewed", "partial", "partial_smallest"],
      ...["awaiting_stalled", "reverted"],
    ],
  );
  const shown = /data-testid="address"[^>]*>(.*?)<\/bdi>/.exec(markup(STATES.awaiting))?.[1] ?? "";
  assert.equal(shown.replace(/<[^>]+>/g, ""), ADDRESS);
});

/** The words on the screen before a question is pressed. */
const unfolded = (html: string) => words(html.replace(/<details.*?<\/details>/gs, ""));

test("awaiting: warns of another network before the address, shows the exact amount and explains the rate", () => {
  const html = markup(STATES.awaiting);
  assert.match(unfolded(html), /15\.503876 USDT .*Only USDT on BNB Smart Chain \(BEP20\) .*Address 0x71/);
  const text = words(html);
  assert.match(text, /Amount to send 15\.503876 USDT .*enter so much that 15\.503876 USDT arrives/);
  assert.match(text, /1 USDT = ₦1,612\.50 from CoinGecko and Kraken less than a minute ago/);
  assert.match(text, /Price held for 19:34/);
  assert.match(text, /Time left 1:59:00/);
});

test("shows one code, folds the other, and says what an address alone leaves to the payer", () => {
  const codes = (html: string) =>
    [...html.matchAll(/role="img" aria-label="([^"]*)"/g)].map(([, label]) => label);
  const token = markup(STATES.awaiting);
  assert.deepEqual(codes(token), [
    "QR code of the USDT address on BNB Smart Chain (BEP20)",
    "QR code to pay 15.503876 USDT on BNB Smart Chain (BEP20)",
  ]);
  assert.match(unfolded(token), /Address only\. Enter the amount yourself/);
  const coin = markup(STATES.awaiting_bitcoin);
  assert.deepEqual(codes(coin), [
    "QR code to pay 0.0002584 BTC on Bitcoin",
    "QR code of the BTC address on Bitcoin",
  ]);
  assert.doesNotMatch(unfolded(coin), /Address only/);
  assert.equal(codes(markup(STATES.awaiting_trc20)).length, 1);
});

test("shows less than 60 words before the first question of a payment", () => {
  for (const state of ["awaiting", "awaiting_bitcoin", "awaiting_trc20"] as const) {
    const main = /<main.*?<details/s.exec(markup(STATES[state]))?.[0] ?? "";
    const count = words(main).trim().split(" ").length;
    assert.ok(count > 15 && count < 60, `${state}: ${count} words`);
  }
});

for (const [what, state, ...texts] of [
  ["labels a fixed rate as fixed", "awaiting_fixed_rate", /Fixed rate for testing/, /Test payment/],
  [
    "shows the previous amount",
    "awaiting_renewed",
    /renewed\. Send 15\.503876 USDT now instead of 15\.20 USDT/,
  ],
  ["says that the amount is unchanged", "awaiting_renewed_same", /The amount is the same as before/],
  ["shows a markup separately", "awaiting_bitcoin", /from Coinbase and Kraken plus 1\.5% by Kola & Sons/],
  [
    "warns of a like network",
    "awaiting",
    /Not Ethereum \(ERC20\): its addresses look the same, but it is another/,
  ],
  ["names the network as wallets do", "awaiting", /Wallets call this network BEP20, BSC, or BNB Smart Chain/],
  ["warns of Lightning", "awaiting_bitcoin", /On-chain only: not over Lightning/],
  ["says how an address starts", "awaiting_trc20", /a TRC20 address starts with T/],
  ["names a choice", "open", /USDT · BNB Smart Chain \(BEP20\) 15\.503876 USDT · a few seconds/],
  ["shows no late payment as pending", "unconfirmed", /15\.503876 USDT Not confirmed in time/],
  ["waits for finality", "detected", /Payment received .*15\.503876 USDT Waiting for final confirmation/],
  ["says the usual wait", "detected_bitcoin", /This usually takes about 40 minutes, and sometimes longer\./],
  ["counts confirmations", "detected_bitcoin", /0\.0002584 BTC 2 of 6 confirmations/],
] as const)
  test(`${state}: ${what}`, () => {
    for (const text of texts) reads(state, text);
  });

test("shows no time limit without saying what happens after it", () => {
  for (const view of [STATES.open, STATES.awaiting, STATES.partial]) {
    assert.match(words(markup(view)), /After that, ask Kola & Sons Electronics for a new link/);
  }
});

test("announces status, wait and problems, and the confirmations once there are any", () => {
  const said = (view: PaymentLinkView, refusal: string | null = null) =>
    announcementText(modelOf(view), english, refusal);
  assert.match(
    said(STATES.detected_bitcoin),
    /^Payment received\. .* 2 of 6 confirmations\. This usually takes/,
  );
  assert.match(said(STATES.awaiting_renewed), /Send 15\.503876 USDT now instead of 15\.20 USDT/);
  assert.match(said(STATES.partial), /Still missing: 6\.503876 USDT\.$/);
  assert.match(said(STATES.detected_stalled), /We cannot see BNB Smart Chain/);
  assert.match(said(STATES.open, english.notices.no_rate), /choose another network\.$/);
  assert.match(
    said(STATES.expired_late),
    /^Your payment arrived late\. A payment arrived after the time ended\./,
  );
  assert.doesNotMatch(said(STATES.expired_late), /No payment arrived/);
});

test("shows a receipt on a paid page: number, time with zone, amount, rate, network, full address and hash", () => {
  for (const view of [STATES.completed, STATES.overpaid, STATES.completed_late]) {
    const text = words(markup(view));
    assert.match(text, /Receipt Print or save Number 4fRk9ZqWm2TgYx7LbNc3Vd/);
    assert.match(text, /Completed March 1, 2026 at 12:00:00 PM UTC/);
    assert.match(text, /Network BNB Smart Chain \(BEP20\) Rate 1 USDT = ₦1,612\.50 Seen March 1, 2026/);
    assert.match(text, new RegExp(`To address ${ADDRESS} Transaction`));
    assert.match(text, /0x9f2c1d7be04a5c8e61f3a7724d90b1c6e8358fd2740ab96c13e57d08f4b2a61c/);
    assert.match(text, /All times are in UTC/);
  }
  readsNot("underpaid", /Receipt/);
});

test("has one live region, which is silent when the page opens", () => {
  for (const view of Object.values(STATES)) {
    const regions = markup(view).match(/<[^>]+(?:role="(?:status|alert|log)"|aria-live)[^>]*>[^<]*/g);
    assert.deepEqual(regions, ['<p role="status" class="sr-only">']);
  }
});

test("says that the network carries no smaller payment, where less is missing than is asked for", () => {
  const sentence = "Send 0.00000546 BTC to the same address, even if less is missing: the network carries no";
  const text = words(markup(STATES.partial_smallest));
  assert.ok(text.includes(sentence), text);
  assert.match(text, /Amount to send 0\.00000546 BTC/);
  assert.doesNotMatch(text, /Send exactly the missing amount|Still missing/);
  const announced = announcementText(modelOf(STATES.partial_smallest), english, null);
  assert.ok(announced.includes(sentence), announced);
  assert.doesNotMatch(announced, /Still missing/);
});

test("partial: shows the received and the missing amount, and a code for exactly the missing amount", () => {
  const html = markup(STATES.partial);
  assert.match(words(html), /Received so far 9.00 USDT .*Still missing 6\.503876 USDT/);
  assert.match(html, /aria-label="QR code to pay 6\.503876 USDT on BNB/);
  assert.match(html, /aria-label="QR code to pay 6\.503876 USDT/);
});

test("says that a network is unwatched, and that nothing is lost, where the customer waits for it", () => {
  for (const view of [STATES.awaiting_stalled, STATES.detected_stalled, STATES.checking_stalled]) {
    assert.match(
      words(markup(view)),
      /We cannot see BNB Smart Chain \(BEP20\) right now\. A payment that you sent there is safe/,
    );
  }
  readsNot("completed_stalled", /cannot see/);
  readsNot("awaiting", /cannot see/);
});

test("says when a payment will be seen only where the node shows no waiting transactions", () => {
  const hint = /Your payment is seen here after its first confirmation, not before\./;
  const blockOnly: PaymentLinkView = { ...STATES.awaiting, blockOnly: ["bep20"] };
  assert.match(words(markup(blockOnly)), hint);
  assert.doesNotMatch(words(markup({ ...STATES.awaiting, blockOnly: ["bitcoin"] })), hint);
  assert.doesNotMatch(words(markup(STATES.awaiting)), hint);
});

test("says that the network is slow to confirm instead of how long it usually takes", () => {
  const text = words(markup(STATES.detected_slow));
  assert.match(text, /The network is slow to confirm right now\. Your payment is not lost/);
  assert.doesNotMatch(text, /usually takes|few seconds/);
  readsNot("detected", /slow to confirm/);
});

test("overpaid shows the excess and links to the shop; completed links to the shop", () => {
  reads("overpaid", /You sent 4\.496124 USDT too much/);
  for (const view of [STATES.completed, STATES.overpaid]) {
    assert.match(markup(view), /href="https:\/\/shop\.example\/thanks"/);
  }
});

test("offers to cancel until something is paid, and to go back after the end", () => {
  const cancellable = Object.entries(STATES).filter(([, view]) => markup(view).includes(english.cancel));
  assert.deepEqual(
    cancellable.map(([name]) => name),
    [
      ...[
        "open",
        "open_unavailable",
        "awaiting",
        "awaiting_fixed_rate",
        "awaiting_bitcoin",
        "awaiting_trc20",
      ],
      ...["awaiting_renewed", "awaiting_renewed_same", "awaiting_no_price", "own_unit", "own_unit_renewed"],
      ...["awaiting_stalled", "reverted"],
    ],
  );
  for (const view of [STATES.expired, STATES.underpaid, STATES.unconfirmed]) {
    assert.match(markup(view), /href="https:\/\/shop\.example\/cart"/);
  }
});

test("says first that a late payment arrived, on a page that had ended", () => {
  reads("expired_late", /Your payment arrived late A payment arrived/);
  readsNot("expired_late", /This payment has expired|No payment arrived/);
  reads("expired_late", /A payment arrived after the time ended/);
  reads("completed_late", /The payment arrived late, and Kola & Sons Electronics accepted it/);
});

test("shows why a choice was refused, next to the choice", () => {
  assert.match(words(markup(STATES.open, "too_many_addresses")), /Too many addresses were requested/);
  assert.doesNotMatch(words(markup(STATES.completed, "too_many_addresses")), /Too many addresses/);
});

test("renders a merchant's name as text, never as markup", () => {
  const html = markup({ ...STATES.expired, merchantName: '<img src=x onerror="alert(1)">' });
  assert.ok(!html.includes("<img"));
});

test("shows account and tag by themselves where an address contains both", () => {
  const taggedAddress = () => ({ account: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", tag: "12345" });
  const page = markup(STATES.awaiting, null, { taggedAddress });
  assert.match(page, /data-testid="account".*data-testid="tag"[^>]*>12345</);
  assert.match(words(page), /Without the tag the payment cannot be recognized\. .*Destination tag 12345/);
  assert.doesNotMatch(markup(STATES.awaiting), /Destination tag/);
});

test("reverted: says first that the earlier payment does not count, before it asks for the payment again", () => {
  const said = "The network reverted your payment: it does not count. Check your wallet before";
  for (const state of ["awaiting", "partial", "open"] as const) {
    const view = { ...STATES[state], payments: [...STATES[state].payments, ...STATES.reverted.payments] };
    const html = markup(view);
    const [before = ""] = html.split("<h1");
    assert.ok(words(before).includes(said), state);
    assert.ok(announcementText(modelOf(view), english, null).startsWith(said), state);
  }
  for (const state of ["awaiting", "detected", "partial", "completed", "expired"] as const)
    readsNot(state, /reverted your/);
  const paidAgain = {
    ...STATES.detected,
    payments: [...STATES.reverted.payments, ...STATES.detected.payments],
  };
  assert.doesNotMatch(words(markup(paidAgain)), /reverted your/);
});

test("says next to the address that payments by contracts are not seen, where they are not", () => {
  const warning = words(english.contractsNotSeen({ symbol: "USDT" }));
  const shown = (misses: boolean) => {
    const html = markup(STATES.awaiting, null, { missesContracts: () => misses });
    // Folded texts are read by few.
    return words(html.replace(/<details[\s\S]*?<\/details>/g, "")).includes(warning);
  };
  assert.deepEqual([shown(true), shown(false)], [true, false]);
});
