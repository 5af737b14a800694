import type { Stage } from "../checkout-model.ts";
import type { Notice } from "../texts.ts";

type Names = { merchant: string };
type Outcome = Names & { excess: string };

/** Every word of the payment page in English. Another language is another object of this shape (`Texts`). */
export const english = {
  /** What Intl is asked for: BCP 47. */
  locale: "en",
  pageTitle: ({ merchant }: Names) => `Pay ${merchant}`,
  testBanner: "Test payment. No real money moves.",
  payTo: "Pay to",
  reference: "Reference",
  timeLeft: "Time left to pay",
  steps: { label: "Progress", choose: "Choose", send: "Send", confirm: "Confirm", done: "Done" },
  titles: {
    choose: "Choose how to pay",
    noChoice: "Not possible right now",
    pay: "Send your payment",
    noPrice: "Waiting for the price",
    topUp: "Almost there",
    confirming: "Payment received",
    checking: "Time is up, checking",
    paid: "Payment complete",
    overpaid: "Paid more than asked",
    underpaid: "Not paid in full",
    unconfirmed: "Payment not confirmed",
    expired: "This payment has expired",
  } satisfies Record<Stage, string>,
  explanations: {
    choose: () => "Pick the coin and network your wallet will send on.",
    noChoice: () =>
      "No network can take this payment at the moment. This page goes on by itself as soon as one can.",
    pay: () => "Scan the code, or copy the amount and the address into your wallet.",
    noPrice: () =>
      "The current price cannot be had at the moment. This page goes on by itself as soon as it can.",
    topUp: () => "Part of it has arrived. Send exactly what is missing to the same address.",
    confirming: () => "You need not do anything more. It is complete once the network has confirmed it.",
    checking: () =>
      "The time to pay has ended. We are looking whether a payment was sent before that. Do not send anything now.",
    paid: ({ merchant }: Names) => `${merchant} has been paid. You may close this page.`,
    overpaid: ({ merchant, excess }: Outcome) =>
      `${merchant} has been paid. You sent ${excess} more than was asked: contact them about the difference.`,
    underpaid: ({ merchant }: Names) =>
      `The time ended before the whole amount arrived. What you sent is with ${merchant}: contact them to finish or to be refunded.`,
    unconfirmed: ({ merchant }: Names) =>
      `Your payment was seen, but the network did not confirm it in time. Contact ${merchant} before you pay again.`,
    expired: ({ merchant }: Names) =>
      `No payment arrived in time. Do not send anything to its address any more; ask ${merchant} for a new link.`,
  } satisfies Record<Stage, (outcome: Outcome) => string>,
  stalled: (networks: readonly string[]) =>
    `We cannot see ${networks.join(" and ")} right now. A payment that was sent there is safe and will be counted as soon as we can; you need not send it again.`,
  paidLate: ({ merchant }: Names) => `It arrived late, and ${merchant} accepted it.`,
  heldLate: ({ merchant }: Names) =>
    `A payment arrived after the end. ${merchant} has been told: contact them before you send anything else.`,
  amountToSend: "Amount to send",
  missing: "Still missing",
  received: "Received so far",
  toAddress: (pair: { symbol: string; network: string }) => `${pair.symbol} address on ${pair.network}`,
  sendOnly: (pair: { symbol: string; network: string }) => `Send only ${pair.symbol} on ${pair.network}.`,
  sendOnlyWhy: "Anything sent on another network or in another coin can be lost.",
  mustArrive:
    "Exactly this amount must arrive. If your wallet or exchange takes its fee out of it, add the fee on top.",
  openWallet: "Open in wallet",
  qrLabel: (pair: { amount: string; symbol: string; network: string }) =>
    `QR code to pay ${pair.amount} ${pair.symbol} on ${pair.network}`,
  copy: "Copy",
  copied: "Copied",
  copyAmount: "Copy the amount",
  copyAddress: "Copy the address",
  priceHeld: "Price held for",
  rate: "Rate",
  rateFixed: "Fixed demo rate",
  otherNetwork: "Pay with another network",
  payments: "Your payments",
  progress: {
    confirming: (n: number, m: number) => `${n} of ${m} ${m === 1 ? "confirmation" : "confirmations"}`,
    finality: "Waiting for finality",
    confirmed: "Confirmed",
    dropped: "Taken back by the network, not counted",
  },
  arrivedLate: "arrived late",
  transaction: "Transaction",
  continue: ({ merchant }: Names) => `Continue to ${merchant}`,
  back: ({ merchant }: Names) => `Back to ${merchant}`,
  cancel: "Cancel and go back",
  leaving: ({ merchant }: Names) => `Taking you back to ${merchant} in`,
  stay: "Stay here",
  language: "Language",
  footer: "Crypto payments by Paylink",
  unknown: {
    title: "No such payment",
    text: "This link is not known here. Check that it was copied whole, or ask the shop for a new one.",
  },
  broken: {
    title: "Something went wrong",
    text: "Your money is safe: payments are followed whether this page is open or not. Try again in a moment.",
    retry: "Try again",
  },
  notices: {
    too_many_addresses: "Too many addresses were asked for from your connection. Try again in a few minutes.",
    no_rate: "The price for that network cannot be had right now. Try again in a moment, or choose another.",
    not_offered: "That network cannot take this payment any more. Choose another.",
  } satisfies Record<Notice, string>,
};
