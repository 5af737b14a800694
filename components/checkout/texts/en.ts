import type { PaymentNetwork } from "#lib/chains/networks.ts";
import type { Scenario } from "#lib/domain/sandbox/types.ts";
import type { Stage } from "../checkout-model.ts";
import type { NoticeCode } from "../texts.ts";
import type { WaitEstimate } from "../usual-wait.ts";

type Names = { merchant: string };
type Outcome = Names & { excess: string };

/** "about 10 minutes", "a few seconds". */
const aboutText = ({ unit, count }: WaitEstimate) =>
  unit === "moment" ? "a few seconds" : `about ${count} ${unit}${count === 1 ? "" : "s"}`;

/** Every word of the payment page in English. Another language is another object of this shape (`Texts`). */
export const english = {
  /** What Intl is asked for: BCP 47. */
  locale: "en",
  pageTitle: ({ merchant }: Names) => `Pay ${merchant}`,
  /** Title and state of the link where it is shared. */
  preview: {
    title: ({ merchant, price }: Names & { price: string }) => `${price} to ${merchant}`,
    waiting: "Waiting for payment",
    partlyPaid: "Partly paid",
  },
  testBanner: "Test payment. No real money moves.",
  payTo: "Pay to",
  reference: "Reference",
  timeLeft: "Time left",
  /** Short for "days", in a countdown. */
  daysShort: "d",
  timeLeftSoon: { 300: "5 minutes left to pay.", 60: "1 minute left to pay." },
  deadlineNote: ({ merchant }: Names) =>
    `What you send before the time is up counts, even if it is confirmed later. After that, ask ${merchant} for a new link.`,
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
    choose: () => "Pick the coin and the network that your wallet will send on.",
    noChoice: () =>
      "No network can take this payment at the moment. This page goes on by itself as soon as one can.",
    pay: () => "Copy the amount and the address into your wallet, or scan the code.",
    noPrice: () =>
      "The current price cannot be had at the moment. This page goes on by itself as soon as it can.",
    topUp: () => "Part of it has arrived. Send exactly what is missing to the same address.",
    confirming: () => "There is nothing more to do. It is complete once the network has confirmed it.",
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
  networksUnwatched: (networks: readonly string[]) =>
    `We cannot see ${networks.join(" and ")} right now. A payment that was sent there is safe and will be counted as soon as we can; you need not send it again.`,
  lateAccepted: ({ merchant }: Names) => `It arrived late, and ${merchant} accepted it.`,
  lateHeld: ({ merchant }: Names) =>
    `A payment arrived after the end. ${merchant} has been told: contact them before you send anything else.`,
  /** How long it usually takes; a few seconds need no warning that it may be longer. */
  usualWait: (wait: WaitEstimate) =>
    wait.unit === "moment"
      ? `This usually takes ${aboutText(wait)}.`
      : `This usually takes ${aboutText(wait)}, and sometimes longer.`,
  /** Beside a network on offer. `orMore`: one confirmation may not be enough. */
  networkSpeed: ({ wait, orMore }: { wait: WaitEstimate; orMore: boolean }) =>
    orMore ? `Takes ${aboutText(wait)} or more` : `Takes ${aboutText(wait)}`,
  /** What to look out for before a network is chosen. `start`: how its addresses begin. */
  networkHints: {
    bitcoin: () => "On-chain only, not Lightning",
    trc20: ({ start }) => `Addresses start with ${start}`,
    bep20: () => "Also called BSC. Not Ethereum (ERC20)",
  } satisfies Record<PaymentNetwork, (hint: { start: string }) => string>,
  contactMerchant: ({ merchant }: Names) => `Contact ${merchant}:`,
  amountToSend: "Amount to send",
  amountMissing: "Still missing",
  receivedSoFar: "Received so far",
  toAddress: (pair: { symbol: string; network: string }) => `${pair.symbol} address on ${pair.network}`,
  sendOnly: (pair: { symbol: string; network: string }) => `Send only ${pair.symbol} on ${pair.network}.`,
  sendOnlyReason: "Anything else sent there can be lost.",
  /** `names` is a list of what wallets call the network. */
  walletNames: ({ names }: { names: string }) => `Wallets call this network ${names}.`,
  networkMistakes: {
    bitcoin: "On-chain only: not over Lightning, and no wrapped bitcoin.",
    trc20: "Not Ethereum (ERC20), not BNB Smart Chain (BEP20): a TRC20 address starts with T.",
    bep20: "Not Ethereum (ERC20): its addresses only look alike.",
  } satisfies Record<PaymentNetwork, string>,
  amountMustArrive: ({ amount }: { amount: string }) =>
    `${amount} is what must arrive. Exchanges often take their fee out of the amount: add it on top.`,
  compareAddress: "In your wallet, compare the first and the last characters.",
  openWallet: "Open in wallet",
  qr: { label: "The code holds", payment: "With amount", address: "Address only" },
  qrAddressLabel: (pair: { symbol: string; network: string }) =>
    `QR code of the ${pair.symbol} address on ${pair.network}`,
  qrAddressOnly: "This code holds the address only: enter the amount yourself.",
  qrLabel: (pair: { amount: string; symbol: string; network: string }) =>
    `QR code to pay ${pair.amount} ${pair.symbol} on ${pair.network}`,
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Not copied",
  copyAmount: "Copy the amount",
  copyAddress: "Copy the address",
  amountCopied: "Amount copied.",
  addressCopied: "Address copied.",
  priceHeldFor: "Price held for",
  priceRenewedAfter: "After that it is renewed here.",
  priceRenewed: ({ before, now }: { before: string; now: string }) =>
    `The price was renewed: send ${now} now, no longer ${before}.`,
  priceRenewedSame: "The price was renewed. The amount is the same as before.",
  rate: "Rate",
  rateFrom: ({ sources }: { sources: string }) => `from ${sources}`,
  rateMarkup: ({ percent, merchant }: Names & { percent: string }) => `plus ${percent}% by ${merchant}`,
  rateNow: "less than a minute ago",
  rateFixed: "Fixed rate for testing",
  rateFixedBy: ({ merchant }: Names) => `Fixed by ${merchant}`,
  otherNetwork: "Pay with another network",
  yourPayments: "Your payments",
  progress: {
    confirming: (n: number, m: number) => `${n} of ${m} ${m === 1 ? "confirmation" : "confirmations"}`,
    finality: "Waiting for final confirmation",
    confirmed: "Confirmed",
    dropped: "Taken back by the network, not counted",
  },
  /** Of a payment that the network had not confirmed by the end. */
  notConfirmedInTime: "Not confirmed in time",
  arrivedLate: "arrived late",
  transaction: "Transaction",
  viewTransaction: "View transaction",
  newTab: "(opens in a new tab)",
  receipt: {
    title: "Receipt",
    print: "Print or save",
    number: "Number",
    completed: "Completed",
    network: "Network",
    seen: "Seen",
    address: "To address",
    zone: "All times are in UTC.",
  },
  continue: ({ merchant }: Names) => `Continue to ${merchant}`,
  back: ({ merchant }: Names) => `Back to ${merchant}`,
  cancel: "Cancel and go back",
  redirecting: ({ merchant }: Names) => `Taking you back to ${merchant} in`,
  /** The same, said aloud once. */
  redirectAnnouncement: ({ merchant, seconds }: Names & { seconds: number }) =>
    `Taking you back to ${merchant} in ${seconds} seconds. Press “Stay here” to stop that.`,
  /** Short for "seconds", beside a figure. */
  secondsShort: "s",
  stayHere: "Stay here",
  disconnected:
    "No connection. What you see may be out of date. Payments are followed all the same, and this page catches up by itself.",
  reconnected: "Connected again.",
  sandbox: {
    title: "Sandbox: play the payer",
    explanation:
      "Pays this link on its development chain and mines the blocks. No customer ever sees this box.",
    scenarios: {
      exact: "Pay exactly",
      short: "Pay half",
      over: "Pay half too much",
      late: "Let the time end, then pay",
      wrong_token: "Pay in another token",
      replaced: "Pay, then replace it",
      reorganised: "Pay, then take it back",
    } satisfies Record<Scenario, string>,
    refused: "That was not played: this link or its network does not allow it now.",
  },
  language: "Language",
  footer: "Crypto payments by Paylink",
  linkNotFound: {
    title: "No such payment",
    text: "This link is not known here. Check that it was copied whole, or ask the shop for a new one.",
  },
  pageError: {
    title: "Something went wrong",
    text: "Your money is safe: payments are followed whether this page is open or not. Try again in a moment.",
    retry: "Try again",
  },
  notices: {
    too_many_addresses: "Too many addresses were asked for from your connection. Try again in a few minutes.",
    no_rate: "The price for that network cannot be had right now. Try again in a moment, or choose another.",
    not_offered: "That network cannot take this payment any more. Choose another.",
  } satisfies Record<NoticeCode, string>,
};
