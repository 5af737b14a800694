import type { PaymentLinkView, PaymentView, QuoteView } from "#lib/domain/payment-links/types.ts";

/** One view of a payment link for each appearance of its page, all at one timestamp. */
export const NOW = new Date("2026-03-01T12:00:00.000Z");

/** Customer data of the fixtures that must never reach the page. */
export const PRIVATE = ["ada@customer.example", "Adaeze", "Okonkwo", "+2348012345678", "internal-note-7781"];

const USDT = 10n ** 18n;
const ADDRESS = "0x71C7656EC7ab88b098defB751B7401B5f6d8976F";
const PAIR = { network: "bep20", token: "usdt" } as const;

const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

export function aQuote(over: Partial<QuoteView> = {}): QuoteView {
  return {
    ...PAIR,
    address: ADDRESS,
    amount: 15_503876n * 10n ** 12n,
    asked: 15_503876n * 10n ** 12n,
    rate: "1612.5",
    rateSource: "coingecko, kraken",
    rateAt: after(-12),
    minimumReceive: 10n ** 16n,
    validUntil: after(1_174),
    live: true,
    ...over,
  };
}

function aPayment(over: Partial<PaymentView> = {}): PaymentView {
  return {
    ...PAIR,
    address: ADDRESS,
    txHash: "0x9f2c1d7be04a5c8e61f3a7724d90b1c6e8358fd2740ab96c13e57d08f4b2a61c",
    position: 3,
    amount: 15_503876n * 10n ** 12n,
    worth: "1",
    rate: { price: "1612.5", source: "coingecko, kraken", at: after(-12) },
    confirmations: 0,
    requiredConfirmations: 1,
    status: "seen",
    late: false,
    firstSeenAt: after(-20),
    confirmedAt: null,
    ...over,
  };
}

/** An open live link. Override what the test needs. */
export function aView(over: Partial<PaymentLinkView> = {}): PaymentLinkView {
  return {
    id: 1,
    refid: "4fRk9ZqWm2TgYx7LbNc3Vd",
    merchantId: 1,
    merchantName: "Kola & Sons Electronics",
    pointOfSale: false,
    language: null,
    pairs: null,
    isArchived: false,
    branding: { logo: null, accent: null, support: null },
    env: "live",
    paymentReference: "INV20418",
    paymentLink: "https://pay.example/pay/4fRk9ZqWm2TgYx7LbNc3Vd",
    walletPreGenerated: false,
    amount: 2_500_000n,
    currency: "ngn",
    expiresAt: after(7_140),
    customer: {
      email: "ada@customer.example",
      firstName: "Adaeze",
      lastName: "Okonkwo",
      phone: "+2348012345678",
    },
    metadata: '{"note":"internal-note-7781"}',
    description: null,
    items: [],
    successUrl: "https://shop.example/thanks",
    cancelUrl: "https://shop.example/cart",
    state: "open",
    reason: null,
    late: false,
    version: 3,
    seq: 0,
    createdAt: after(-60),
    completedAt: null,
    wallets: [],
    quotes: [],
    payments: [],
    remaining: [],
    excess: [],
    coverage: "part",
    checking: false,
    selectablePairs: [PAIR],
    estimates: [{ ...PAIR, amount: whole }],
    astray: [],
    unwatched: [],
    blockOnly: [],
    slow: [],
    paymentCount: over.payments?.length ?? 0,
    refunded: [],
    received: (over.payments ?? []).filter(({ status }) => status !== "dropped"),
    ...over,
  };
}

const BTC = { network: "bitcoin", token: "btc" } as const;
const BTC_ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const TRON = { network: "trc20", token: "usdt" } as const;
const TRON_ADDRESS = "TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL";

/** The wallet, the quote and the remaining amount of a selected pair. */
function pickedPair(pair: typeof BTC | typeof TRON, address: string, amount: bigint, rate: string) {
  const quote = aQuote({
    ...pair,
    address,
    amount,
    asked: amount,
    rate,
    rateSource: "coinbase, kraken +1.5%",
  });
  return { wallets: [{ ...pair, address }], quotes: [quote], remaining: [{ ...pair, amount }] };
}

/** A link for 9.375 USDT, paid in USDT. */
const ownQuote = aQuote({
  amount: 9_375n * 10n ** 15n,
  asked: 9_375n * 10n ** 15n,
  rate: "1",
  rateSource: "same token",
});
const ownUnit = {
  amount: 9_375_000n,
  currency: "usdt",
  wallets: [{ ...PAIR, address: ADDRESS }],
  quotes: [ownQuote],
} as const;

const picked = { wallets: [{ ...PAIR, address: ADDRESS }], quotes: [aQuote()] };
const whole = aQuote().amount;
const half = 9n * USDT;
const over = { expiresAt: after(-30), quotes: [aQuote({ live: false })] };
const confirmed = { status: "credited", confirmations: 1, confirmedAt: NOW } as const;

export const STATES = {
  open: aView(),
  open_unavailable: aView({ selectablePairs: [] }),
  awaiting: aView({ state: "awaiting", ...picked, remaining: [{ ...PAIR, amount: whole }] }),
  awaiting_fixed_rate: aView({
    env: "test",
    state: "awaiting",
    ...picked,
    quotes: [aQuote({ rateSource: "fixed" })],
    remaining: [{ ...PAIR, amount: whole }],
  }),
  awaiting_bitcoin: aView({
    state: "awaiting",
    selectablePairs: [BTC, PAIR, TRON],
    estimates: [{ ...BTC, amount: 25_840n }, ...[PAIR, TRON].map((pair) => ({ ...pair, amount: whole }))],
    ...pickedPair(BTC, BTC_ADDRESS, 25_840n, "96750000"),
  }),
  awaiting_trc20: aView({ state: "awaiting", ...pickedPair(TRON, TRON_ADDRESS, whole, "1612.5") }),
  awaiting_renewed: aView({
    state: "awaiting",
    ...picked,
    quotes: [aQuote(), aQuote({ live: false, asked: 15_2n * 10n ** 17n, validUntil: after(-26) })],
    remaining: [{ ...PAIR, amount: whole }],
  }),
  awaiting_renewed_same: aView({
    state: "awaiting",
    ...picked,
    quotes: [aQuote(), aQuote({ live: false, validUntil: after(-26) })],
    remaining: [{ ...PAIR, amount: whole }],
  }),
  awaiting_no_price: aView({ state: "awaiting", ...picked, quotes: [aQuote({ live: false })] }),
  own_unit: aView({
    state: "awaiting",
    ...ownUnit,
    remaining: [{ ...PAIR, amount: ownQuote.amount }],
  }),
  own_unit_renewed: aView({
    state: "awaiting",
    ...ownUnit,
    quotes: [ownQuote, { ...ownQuote, live: false, validUntil: after(-26) }],
    remaining: [{ ...PAIR, amount: ownQuote.amount }],
  }),
  own_unit_paid: aView({
    state: "completed",
    ...ownUnit,
    payments: [
      aPayment({
        ...confirmed,
        amount: ownQuote.amount,
        rate: { price: "1", source: "same token", at: after(-12) },
      }),
    ],
    completedAt: NOW,
  }),
  partial: aView({
    state: "partial",
    ...picked,
    payments: [aPayment({ amount: half, worth: "0.58", ...confirmed })],
    remaining: [{ ...PAIR, amount: whole - half }],
  }),
  /** 500 satoshi are missing. No network carries less than 546. */
  partial_smallest: aView({
    state: "partial",
    ...pickedPair(BTC, BTC_ADDRESS, 1_017n, "96750000"),
    payments: [aPayment({ ...BTC, address: BTC_ADDRESS, amount: 517n, worth: "0.508357915437561455" })],
    remaining: [{ ...BTC, amount: 546n }],
  }),
  detected: aView({ state: "detected", ...picked, payments: [aPayment()] }),
  detected_bitcoin: aView({
    state: "detected",
    ...pickedPair(BTC, BTC_ADDRESS, 25_840n, "96750000"),
    remaining: [],
    payments: [
      aPayment({
        ...BTC,
        address: BTC_ADDRESS,
        txHash: "b6f6991d03df0e2e04dafffcd6bc418aac66049e2cd74b80f14ac86db1e3f0da",
        amount: 25_840n,
        confirmations: 2,
        requiredConfirmations: 6,
      }),
    ],
  }),
  awaiting_stalled: aView({
    state: "awaiting",
    ...picked,
    remaining: [{ ...PAIR, amount: whole }],
    unwatched: ["bep20"],
  }),
  detected_stalled: aView({ state: "detected", ...picked, payments: [aPayment()], unwatched: ["bep20"] }),
  detected_slow: aView({ state: "detected", ...picked, payments: [aPayment()], slow: ["bep20"] }),
  reverted: aView({
    state: "awaiting",
    ...picked,
    payments: [aPayment({ status: "dropped" })],
    remaining: [{ ...PAIR, amount: whole }],
  }),
  checking: aView({ state: "awaiting", ...picked, ...over, checking: true }),
  checking_stalled: aView({ state: "awaiting", ...picked, ...over, checking: true, unwatched: ["bep20"] }),
  completed: aView({ state: "completed", ...picked, payments: [aPayment(confirmed)], completedAt: NOW }),
  completed_stalled: aView({
    state: "completed",
    ...picked,
    payments: [aPayment(confirmed)],
    completedAt: NOW,
    unwatched: ["bep20"],
  }),
  completed_late: aView({
    state: "completed",
    late: true,
    ...picked,
    ...over,
    payments: [aPayment({ ...confirmed, late: true })],
    completedAt: NOW,
  }),
  overpaid: aView({
    state: "overpaid",
    ...picked,
    payments: [aPayment({ ...confirmed, amount: 20n * USDT, worth: "1.29" })],
    excess: [{ ...PAIR, amount: 20n * USDT - whole }],
    completedAt: NOW,
  }),
  underpaid: aView({
    state: "failed",
    reason: "underpaid",
    ...picked,
    ...over,
    payments: [aPayment({ amount: half, worth: "0.58", ...confirmed })],
  }),
  unconfirmed: aView({
    state: "failed",
    reason: "unconfirmed",
    ...picked,
    ...over,
    payments: [aPayment()],
  }),
  expired: aView({ state: "expired", reason: "expired", ...picked, ...over }),
  canceled: aView({ state: "expired", reason: "canceled", ...picked, ...over }),
  expired_late: aView({
    state: "expired",
    reason: "expired",
    late: true,
    ...picked,
    ...over,
    payments: [aPayment({ ...confirmed, late: true })],
  }),
} satisfies Record<string, PaymentLinkView>;
