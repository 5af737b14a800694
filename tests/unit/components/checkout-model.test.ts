import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildCheckoutModel,
  type CheckoutModel,
  type CheckoutModelOptions,
} from "#components/checkout/checkout-model.ts";
import { priceText, rateText, tokenText, typedText } from "#components/checkout/money-text.ts";
import { readRateOrigin } from "#components/checkout/payment-instructions.ts";
import { estimateWait } from "#components/checkout/time-text.ts";
import type { PaymentPair } from "#lib/chains/networks.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import { binance } from "#lib/domain/rates/sources/binance.ts";
import { coinbase } from "#lib/domain/rates/sources/coinbase.ts";
import { coingecko } from "#lib/domain/rates/sources/coingecko.ts";
import { currencyApi } from "#lib/domain/rates/sources/currency-api.ts";
import { exchangeRateApi } from "#lib/domain/rates/sources/exchange-rate-api.ts";
import { kraken } from "#lib/domain/rates/sources/kraken.ts";
import { fraction } from "#lib/platform/money/fraction.ts";
import { aQuote, aView, NOW, STATES } from "#tests/support/page-fixtures.ts";

const model = (view: PaymentLinkView, options: Partial<CheckoutModelOptions> = {}): CheckoutModel =>
  buildCheckoutModel(view, {
    now: NOW,
    locale: "en",
    walletTransfer: () => null,
    usualFee: () => null,
    taggedAddress: () => null,
    signedReceipt: null,
    paymentUri: ({ address, amount }) => `wallet:${address}?${amount}`,
    transactionUrl: ({ network, txHash }) =>
      network === "bep20" ? `https://explorer.example/${txHash}` : null,
    ...options,
  });

test("maps every link state to the stage that shows the customer what to do", () => {
  const stages = {
    ...Object.groupBy(Object.keys(STATES) as (keyof typeof STATES)[], (name) => model(STATES[name]).stage),
  };
  assert.deepEqual(stages, {
    choose: ["open"],
    noChoice: ["open_unavailable"],
    noPrice: ["awaiting_no_price"],
    pay: [
      ...["awaiting", "awaiting_fixed_rate", "awaiting_bitcoin", "awaiting_trc20", "awaiting_renewed"],
      ...["awaiting_renewed_same", "own_unit", "own_unit_renewed", "awaiting_stalled", "reverted"],
    ],
    topUp: ["partial", "partial_smallest"],
    checking: ["checking", "checking_stalled"],
    confirming: ["detected", "detected_bitcoin", "detected_stalled", "detected_slow"],
    paid: ["own_unit_paid", "completed", "completed_stalled", "completed_late"],
    overpaid: ["overpaid"],
    underpaid: ["underpaid"],
    unconfirmed: ["unconfirmed"],
    expired: ["expired", "expired_late"],
    canceled: ["canceled"],
  });
});

test("requests no payment after the deadline, whatever the view contains", () => {
  const late = { ...STATES.awaiting, expiresAt: NOW };
  assert.equal(model(late).stage, "checking");
  assert.equal(model(late).instructions, null);
  assert.deepEqual(model({ ...STATES.open, expiresAt: NOW }).choices, []);
});

test("keeps a fully seen link confirming after the deadline", () => {
  assert.equal(model({ ...STATES.detected, expiresAt: NOW, checking: true }).stage, "confirming");
});

test("requests the exact remaining amount of the live quote, in the text and in the wallet URI", () => {
  const { instructions } = model(STATES.partial);
  assert.equal(instructions?.amount, "6.503876");
  assert.equal(instructions?.walletUri, `wallet:${instructions?.address}?6503876000000000000`);
  assert.equal(instructions?.quoteSecondsLeft, 1_174);
  assert.equal(instructions?.rateAgeSeconds, 12);
});

test("requests nothing for an expired quote", () => {
  const view = aView({
    state: "awaiting",
    wallets: STATES.awaiting.wallets,
    quotes: [aQuote({ live: false })],
    remaining: STATES.awaiting.remaining,
  });
  assert.equal(model(view).instructions, null);
});

test("shows the requested pair if it was chosen, and never one that was not", () => {
  assert.equal(model(STATES.awaiting, { network: "bep20" }).instructions?.value, "bep20:usdt");
  assert.equal(model(STATES.awaiting, { network: "bitcoin" }).instructions?.value, "bep20:usdt");
  assert.equal(model(STATES.awaiting, { network: "__proto__" }).instructions?.value, "bep20:usdt");
});

test("offers the choice again on request, until the whole payment was seen", () => {
  const { stage, choosing, choices, instructions } = model(STATES.awaiting_bitcoin, { choosing: true });
  assert.deepEqual([stage, choosing, instructions], ["choose", true, null]);
  assert.deepEqual(
    choices.map(({ value }) => value),
    ["bitcoin:btc", "bep20:usdt", "trc20:usdt"],
  );
  assert.equal(model(STATES.partial, { choosing: true }).stage, "choose");
  for (const name of ["detected", "completed", "expired", "checking"] as const) {
    assert.equal(model(STATES[name], { choosing: true }).stage, model(STATES[name]).stage, name);
  }
  assert.deepEqual(
    [model(STATES.awaiting_bitcoin).canChoose, model(STATES.awaiting).canChoose],
    [true, false],
  );
});

test("shows stablecoins with at least two decimals, as people type them", () => {
  assert.equal(typedText(10n * 10n ** 18n, "usdt", "en"), "10.00 USDT");
  assert.equal(typedText(9_375n * 10n ** 15n, "usdt", "fr"), "9,375 USDT");
  assert.equal(typedText(25_840n, "btc", "en"), "0.0002584 BTC");
});

test("names a currency after its symbol only where another one has the same", () => {
  assert.deepEqual(
    (["usd", "cad", "xaf", "eur", "inr"] as const).map((code) =>
      priceText(100_000n, code, "en").replace(/\s/g, " "),
    ),
    ["$1,000.00 USD", "$1,000.00 CAD", "FCFA 100,000 XAF", "€1,000.00", "₹1,000.00"],
  );
});

test("does not offer the shown pair a second time", () => {
  assert.deepEqual(model(STATES.awaiting).choices, []);
  assert.deepEqual(
    model(STATES.open).choices.map((choice) => choice.value),
    ["bep20:usdt"],
  );
});

test("names an unwatched network while a payment may be on its way, and not after the end", () => {
  const named = Object.entries(STATES).filter(([, view]) => model(view).unwatchedNetworks.length > 0);
  assert.deepEqual(
    named.map(([name]) => name),
    ["awaiting_stalled", "detected_stalled", "checking_stalled"],
  );
  assert.deepEqual(model(STATES.awaiting_stalled).unwatchedNetworks, ["BNB Smart Chain (BEP20)"]);
});

test("says that a network is slow only while a payment waits on it, and follows that over the socket", () => {
  const slow = Object.entries(STATES).filter(([, view]) => model({ ...view, slow: ["bep20"] }).slow);
  const waiting = ["detected", "detected_stalled", "detected_slow"];
  assert.deepEqual(
    slow.map(([name]) => name).filter((name) => waiting.includes(name)),
    waiting,
  );
  for (const name of ["awaiting", "detected_bitcoin", "completed"] as const)
    assert.ok(!model({ ...STATES[name], slow: ["bep20"] }).slow, name);
  const names = ["live:bep20", "live:bep20:late"];
  assert.deepEqual(model(STATES.detected).watchStatus, { networks: names, unwatched: [] });
  assert.deepEqual(model(STATES.detected_slow).watchStatus, { networks: names, unwatched: [names[1]] });
});

test("shows what was received with all payments, and their number only if some are not listed", () => {
  assert.deepEqual(
    [model(STATES.partial).received, model(STATES.partial).paymentCount],
    [["9.00 USDT"], null],
  );
  const amount = 15n * 10n ** 18n;
  const many = {
    ...STATES.partial,
    paymentCount: 10_000,
    received: [{ network: "bep20" as const, token: "usdt" as const, amount }],
  };
  assert.deepEqual([model(many).received, model(many).paymentCount], [["15.00 USDT"], "10,000"]);
});

test("shows the exact previous amount after a price renewal", () => {
  assert.equal(model(STATES.awaiting).instructions?.previousAmount, null);
  assert.equal(model(STATES.awaiting_renewed).instructions?.previousAmount, "15.20");
  assert.equal(model(STATES.awaiting_renewed_same).instructions?.previousAmount, "15.503876");
});

test("estimates the wait from the missing blocks, and gives no estimate for an unwatched network", () => {
  assert.deepEqual(model(STATES.detected).waitEstimate, { unit: "seconds", count: 0 });
  assert.deepEqual(model(STATES.detected_bitcoin).waitEstimate, { unit: "minute", count: 40 });
  assert.equal(model(STATES.detected_stalled).waitEstimate, null);
  assert.equal(model(STATES.detected_slow).waitEstimate, null, "finality is late");
  assert.equal(model(STATES.completed).waitEstimate, null);
  assert.deepEqual(
    [0, 19, 20, 57, 89, 91, 560, 600, 1_200, 3_200, 3_600, 9_000].map((seconds) => {
      const { unit, count } = estimateWait(seconds);
      return `${count} ${unit}`;
    }),
    [
      ...["0 seconds", "0 seconds", "1 minute", "1 minute", "1 minute", "2 minute"],
      ...["9 minute", "10 minute", "20 minute", "50 minute", "1 hour", "3 hour"],
    ],
  );
});

test("shows a rate's sources by their display names, and the merchant's markup separately", () => {
  assert.deepEqual(readRateOrigin("fixed", "en"), { kind: "fixed" });
  assert.deepEqual(readRateOrigin("coinbase, coingecko, kraken", "en"), {
    kind: "market",
    sources: "Coinbase, CoinGecko, and Kraken",
    markup: null,
  });
  assert.deepEqual(readRateOrigin("kraken +1.5%", "fr"), {
    kind: "market",
    sources: "Kraken",
    markup: "1,5",
  });
});

test("has a display name for every price source", () => {
  for (const { name } of [binance(), coinbase(), coingecko(), currencyApi(), exchangeRateApi(), kraken()]) {
    const origin = readRateOrigin(name, "en");
    assert.ok(origin.kind === "market" && /^[A-Z]/.test(origin.sources), name);
  }
});

test("warns where payments by contracts are not seen, and offers these pairs last", () => {
  const { awaiting } = STATES;
  const pair = awaiting.quotes[0]!;
  const misses = { missesContracts: ({ network }: { network: string }) => network === pair.network };
  assert.equal(model(awaiting).instructions?.missesContracts, false);
  assert.equal(model(awaiting, misses).instructions?.missesContracts, true);
  const several = aView({ selectablePairs: [pair, { network: "bitcoin", token: "btc" }] });
  const networks = (options: Partial<CheckoutModelOptions>) =>
    model(several, options).choices.map(({ network }) => network);
  const shown = networks({});
  assert.ok(shown.length > 1);
  const first = { missesContracts: ({ network }: { network: string }) => network === shown[0] };
  const isFirst = (network: string) => network === shown[0];
  assert.deepEqual(networks(first), [
    ...shown.filter((network) => !isFirst(network)),
    ...shown.filter(isFirst),
  ]);
});

test("does not offer a bare address as a wallet link", () => {
  const bare = model(STATES.awaiting, { paymentUri: ({ address }) => address });
  assert.equal(bare.instructions?.opensWallet, false);
});

test("links an explorer where one shows the chain", () => {
  const { detected, detected_bitcoin } = STATES;
  assert.match(model(detected).payments[0]?.explorerUrl ?? "", /^https:\/\/explorer\.example\/0x9f2c/);
  assert.equal(model(detected_bitcoin).payments[0]?.explorerUrl, null);
});

test("shows no rate and no price renewal for a link priced in the token itself", () => {
  for (const name of ["own_unit", "own_unit_renewed"] as const) {
    const { instructions } = model(STATES[name]);
    assert.equal(instructions?.amount, "9.375", name);
    assert.equal(instructions?.rate, null, name);
    assert.equal(instructions?.previousAmount, null, name);
  }
  assert.equal(model(STATES.own_unit_paid).payments[0]?.rate, null);
  // The merchant's mark-up converts: the customer sends more than the link's price.
  const quotes = [aQuote({ rate: "0.985221674876", rateSource: "same token +1.5%" })];
  assert.equal(model({ ...STATES.own_unit, quotes }).instructions?.rate, "1 USDT = 0.985221674876 USDT");
});

test("shows token amounts with the language's decimal separator, and gives wallets the point", () => {
  const { instructions, price, received } = model(STATES.own_unit, { locale: "fr" });
  assert.equal(price, "9,375 USDT");
  assert.equal(instructions?.readableAmount, "9,375");
  assert.equal(instructions?.amount, "9.375");
  assert.deepEqual(received, []);
  const partial = model(STATES.partial, { locale: "fr" });
  assert.equal(partial.instructions?.readableAmount, "6,503876");
  assert.equal(model(STATES.overpaid, { locale: "es" }).excess[0], "4,496124 USDT");
  assert.equal(model(STATES.detected_bitcoin, { locale: "pt" }).payments[0]?.amount, "0,0002584 BTC");
  assert.equal(model(STATES.own_unit, { locale: "ar-u-nu-latn" }).price, "9.375 USDT");
});

test("shows what each choice costs, and marks the lowest fee only where all are known", () => {
  const [bitcoin, bep20, trc20] = (["bitcoin", "bep20", "trc20"] as const).map((network) => ({
    network,
    token: network === "bitcoin" ? ("btc" as const) : ("usdt" as const),
  }));
  const view: PaymentLinkView = {
    ...STATES.open,
    selectablePairs: [bitcoin!, bep20!, trc20!],
    estimates: [
      { ...bitcoin!, amount: 25_840n },
      { ...bep20!, amount: 15_503_876n * 10n ** 12n },
    ],
  };
  const fees = { bitcoin: fraction(1_234n, 1n), bep20: fraction(1n, 150n), trc20: fraction(6_251n, 1n) };
  const usualFee = ({ network }: PaymentPair) => fees[network as keyof typeof fees] ?? null;
  const shown = (choices: CheckoutModel["choices"]) =>
    choices.map(({ estimate, fee, isCheapest }) => [estimate, fee, isCheapest]);
  assert.deepEqual(shown(model(view, { usualFee }).choices), [
    ["0.0002584 BTC", "₦1,200", false],
    ["15.503876 USDT", "₦0.0067", true],
    [null, "₦6,300", false],
  ]);
  const unknown = model(view, { usualFee: (pair) => (pair.network === "trc20" ? null : usualFee(pair)) });
  assert.ok(unknown.choices.every(({ isCheapest }) => !isCheapest));
});

test("formats money exactly, without float rounding", () => {
  assert.equal(priceText(100_000_000_000_001n, "usd", "en"), "$1,000,000,000,000.01 USD");
  assert.equal(priceText(2_500_000n, "ngn", "en"), "₦25,000.00");
  assert.equal(priceText(5_000n, "xof", "en").replace(/\s/g, " "), "F CFA 5,000 XOF");
  assert.equal(priceText(12_345_678n, "btc", "en"), "0.12345678 BTC");
  assert.equal(priceText(1_500_000n, "usdt", "en"), "1.5 USDT");
  assert.equal(rateText("1612.123456789012", "ngn", "en"), "₦1,612.123456789012");
  const large = 9_007_199_254_740_993_000_000_000_001n;
  assert.equal(tokenText(large, "usdt", "en"), "9007199254.740993000000000001 USDT");
  assert.equal(tokenText(large, "usdt", "fr"), "9007199254,740993000000000001 USDT");
  assert.equal(rateText("0.000012", "btc", "es"), "0,000012 BTC");
});
