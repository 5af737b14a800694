import type { RefundStage } from "#components/refund/claim-model.ts";
import type { PaymentNetwork } from "#lib/chains/networks.ts";
import type { Scenario } from "#lib/domain/sandbox/types.ts";
import type { WalletRefusal } from "../browser-wallet/outcome.ts";
import type { Stage } from "../checkout-model.ts";
import type { FormNoticeCode, NoticeCode, PosNoticeCode, RefundNoticeCode } from "../notice-codes.ts";
import type { WaitEstimate } from "../time-text.ts";
import { aboutText, shortText } from "./word-forms.ts";

type Names = { merchant: string };

/** All texts of the payment page, and of the page of a form. English defines the shape; this folder has one file per language. */
export const english = {
  /** BCP 47 locale for Intl. */
  locale: "en",
  /** Title and state in the preview of a shared link. */
  preview: {
    title: ({ merchant, price }: Names & { price: string }) => `${price} to ${merchant}`,
    waiting: "Waiting for payment",
    partlyPaid: "Partly paid",
  },
  testBanner: "Test payment. No real money moves.",
  payTo: "Pay to",
  reference: "Reference",
  timeLeft: "Time left",
  /** Abbreviation of "days" in a countdown. */
  daysShort: "d",
  timeLeftSoon: { 300: "5 minutes left to pay.", 60: "1 minute left to pay." },
  deadlineNote: ({ merchant }: Names) =>
    `A payment sent before the time is up counts, even if it is confirmed later. After that, ask ${merchant} for a new link.`,
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
    canceled: "This payment was canceled",
  } satisfies Record<Stage, string>,
  explanations: {
    choose: () => "Choose the coin and the network that your wallet will use.",
    noChoice: () =>
      "No network can accept this payment right now. This page updates by itself as soon as one can.",
    pay: () => "Copy the amount and the address into your wallet, or scan the code.",
    noPrice: () =>
      "The current price is not available right now. This page updates by itself as soon as it is.",
    topUp: () => "Part of the payment has arrived. Send exactly the missing amount to the same address.",
    confirming: () =>
      "There is nothing more to do. The payment is complete once the network has confirmed it.",
    checking: () =>
      "The time to pay has ended. We are checking whether a payment was sent before that. Do not send anything now.",
    paid: ({ merchant }: Names) => `${merchant} has been paid. You may close this page.`,
    overpaid: ({ merchant, excess }: Names & { excess: string }) =>
      `${merchant} has been paid. You sent ${excess} too much. Contact them about the difference.`,
    underpaid: ({ merchant }: Names) =>
      `The time ended before the full amount arrived. ${merchant} has what you sent. Contact them to pay the rest or to get a refund.`,
    unconfirmed: ({ merchant }: Names) =>
      `Your payment was seen, but the network did not confirm it in time. Contact ${merchant} before you pay again.`,
    expired: ({ merchant }: Names) =>
      `No payment arrived in time. Do not send anything to the address any more. Ask ${merchant} for a new link.`,
    canceled: ({ merchant }: Names) =>
      `${merchant} ended this payment. Do not send anything to the address any more. Contact them if you have sent something.`,
  } satisfies Record<Stage, (values: Names & { excess: string }) => string>,
  /** Replaces the explanation of `topUp` where the network carries no smaller payment than the amount. */
  topUpSmallest: ({ amount }: { amount: string }) =>
    `Part of the payment has arrived. Send ${amount} to the same address, even if less is missing: the network carries no smaller payment.`,
  networksUnwatched: (networks: readonly string[]) =>
    `We cannot see ${networks.join(" and ")} right now. A payment that you sent there is safe, and it will be counted as soon as we can. You do not need to send it again.`,
  /** Money that arrived on another network or in another token. */
  astray: ({ amount, network, merchant }: Names & { amount: string; network: string }) =>
    `${amount} arrived on ${network}. That is not what this payment asks for, so it does not count here. It is kept apart and not lost. Contact ${merchant} and name this transaction.`,
  networkSlow:
    "The network is slow to confirm right now. Your payment is not lost, and you do not need to send it again.",
  reverted: "The network reverted your payment: it does not count. Check your wallet before you pay again.",
  lateAccepted: ({ merchant }: Names) => `The payment arrived late, and ${merchant} accepted it.`,
  /** Heading of a link that ended before its payment arrived. */
  lateTitle: "Your payment arrived late",
  lateHeld: ({ merchant }: Names) =>
    `A payment arrived after the time ended. ${merchant} has been notified. Contact them before you send anything else.`,
  /** Buttons that contact the merchant. */
  ask: {
    refund: "Ask for your refund",
    newLink: "Ask for a new link",
    contact: ({ merchant }: Names) => `Contact ${merchant}`,
  },
  /** Usual duration. A wait of a few seconds needs no warning that it may take longer. */
  usualWait: (wait: WaitEstimate) =>
    `This usually takes ${aboutText(wait)}${wait.unit === "seconds" ? "" : ", and sometimes longer"}.`,
  /** Shown next to a selectable network. `orMore`: one confirmation may not be enough. */
  networkSpeed: ({ wait, orMore }: { wait: WaitEstimate; orMore: boolean }) =>
    orMore ? `${shortText(wait, "")} or more` : shortText(wait),
  usualFee: ({ fee }: { fee: string }) => `fee about ${fee}`,
  lowestFee: ({ fee }: { fee: string }) => `lowest fee, about ${fee}`,
  contactMerchant: ({ merchant }: Names) => `Contact ${merchant}:`,
  amountToSend: "Amount to send",
  arrivesInFull: "must arrive after fees",
  amountMissing: "Still missing",
  receivedSoFar: "Received so far",
  toAddress: (pair: { symbol: string; network: string }) => `${pair.symbol} address on ${pair.network}`,
  address: "Address",
  sendOnly: ({ symbol, network }: { symbol: string; network: string }) => `Only ${symbol} on ${network}`,
  sendOnlyReason: "Anything else that you send there can be lost.",
  /** `names`: the names that wallets use for the network, already joined. */
  walletNames: ({ names }: { names: string }) => `Wallets call this network ${names}.`,
  networkMistakes: {
    bitcoin: "On-chain only: not over Lightning, and no wrapped bitcoin.",
    trc20: "Not Ethereum (ERC20), not BNB Smart Chain (BEP20): a TRC20 address starts with T.",
    bep20: "Not Ethereum (ERC20): its addresses look the same, but it is another network.",
  } satisfies Record<PaymentNetwork, string>,
  compareAddress: "In your wallet, compare the first and last characters of the address.",
  /** Where an address is an account and a number (xrp), for wallets that want both. */
  tagNeeded:
    "If your wallet asks for a destination tag, send to this address with this tag. Without the tag the payment cannot be recognized.",
  destinationTag: "Destination tag",
  /** Where the nodes show no waiting transactions. */
  seenAfterConfirmation: "Your payment is seen here after its first confirmation, not before.",
  /** Where coins that contracts send are not read. */
  contractsNotSeen: ({ symbol }: { symbol: string }) =>
    `Some exchanges and all smart wallets send ${symbol} through a contract. Such a payment is not seen here: from there, choose a token or another network.`,
  openWallet: "Open in wallet",
  /** Heads a list of wallets. Shown on phones. */
  phoneWallets: "Pay with an app on this phone",
  browserWallet: {
    open: "Pay with a wallet in this browser",
    pick: "Which wallet?",
    unnamed: "Wallet",
    waiting: "Confirm the payment in your wallet.",
    sent: "Sent by your wallet. This page shows it as soon as it arrives.",
    again: "Try again",
    refusals: {
      refused: "You refused in the wallet. Nothing was sent.",
      locked: "Your wallet is locked, or it waits for another answer. Open it, then try again.",
      wrongChain: ({ network }: { network: string }) =>
        `Your wallet is not on ${network}. Switch it there, then try again.`,
      tooLittle: ({ amount }: { amount: string }) => `The account in your wallet holds less than ${amount}.`,
      noFee: ({ coin }: { coin: string }) =>
        `The account in your wallet has too little ${coin} for the network fee.`,
      failed:
        "The wallet did not say whether it sent the payment. Look in the wallet before you try again. You can also use the code or the address.",
    } satisfies Record<WalletRefusal, unknown>,
  },
  /** Questions of a payer. Each answer shows when its question is pressed. */
  folds: {
    order: "What is this for?",
    ways: "Other ways to pay",
    network: "Why does the network matter?",
    address: "Is this the right address?",
    rate: "How is this amount worked out?",
    deadline: "How much time do I have?",
  },
  qr: {
    scan: "Or scan this code",
    withAmount: "A code with the amount",
    withoutAmount: "A code with the address only",
  },
  qrAddressLabel: (pair: { symbol: string; network: string }) =>
    `QR code of the ${pair.symbol} address on ${pair.network}`,
  qrAddressOnly: "Address only. Enter the amount yourself.",
  /** The code of a token, with its amount. */
  qrReaders: ({ wallets, network }: { wallets: string; network: string }) =>
    `${wallets} read this code. Another wallet may take the wrong address from it: before you confirm, check the address and ${network}.`,
  qrLabel: (pair: { amount: string; symbol: string; network: string }) =>
    `QR code to pay ${pair.amount} ${pair.symbol} on ${pair.network}`,
  /** Behind one press, under the code. */
  exchange: {
    title: "Paying from an exchange?",
    network: ({ network }: { network: string }) =>
      `Withdraw to the address above, and pick exactly this network: ${network}.`,
    fee: ({ amount }: { amount: string }) =>
      `The exchange’s fee comes on top: enter so much that ${amount} arrives.`,
    wait: "An exchange can take a while. Keep this page open, or keep its link to see the payment later.",
    copyLink: "Copy the link",
    linkCopied: "Link copied.",
  },
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Not copied",
  copyAmount: "Copy the amount",
  copyAddress: "Copy the address",
  amountCopied: "Amount copied.",
  addressCopied: "Address copied.",
  copyTag: "Copy the tag",
  tagCopied: "Tag copied.",
  priceHeldFor: "Price held for",
  priceRenewedAfter: "After that, it is renewed here.",
  priceRenewed: ({ before, now }: { before: string; now: string }) =>
    `The price was renewed. Send ${now} now instead of ${before}.`,
  priceRenewedSame: "The price was renewed. The amount is the same as before.",
  rate: "Rate",
  rateFrom: ({ sources }: { sources: string }) => `from ${sources}`,
  rateMarkup: ({ percent, merchant }: Names & { percent: string }) => `plus ${percent}% by ${merchant}`,
  rateNow: "less than a minute ago",
  rateFixed: "Fixed rate for testing",
  rateFixedBy: ({ merchant }: Names) => `Fixed by ${merchant}`,
  otherNetwork: "Use another network",
  yourPayments: "Your payments",
  progress: {
    confirming: (n: number, m: number) => `${n} of ${m} ${m === 1 ? "confirmation" : "confirmations"}`,
    finality: "Waiting for final confirmation",
    confirmed: "Confirmed",
    dropped: "Reverted by the network, not counted",
  },
  /** For a payment that the network did not confirm before the time ended. */
  notConfirmedInTime: "Not confirmed in time",
  arrivedLate: "arrived late",
  transaction: "Transaction",
  viewTransaction: "View transaction",
  newTab: "(opens in a new tab)",
  receipt: {
    title: "Receipt",
    print: "Print or save",
    order: "Order",
    number: "Number",
    completed: "Completed",
    network: "Network",
    seen: "Seen",
    address: "To address",
    zone: "All times are in UTC.",
    inUtc: "Show in UTC",
    inLocal: "Show in my time zone",
  },
  /** The signed receipt, and the page that checks it. */
  receiptCheck: {
    title: "Check a receipt",
    valid: "This receipt is genuine.",
    refunded: "Refunded",
    invalid: "This receipt is not genuine, or it was issued elsewhere.",
    unknownKey:
      "It was signed with a key that is not used here: it was issued elsewhere, or before this key was changed.",
    field: "Text of the receipt",
    check: "Check",
    proof: "Proof of this receipt",
    signed: "A signed receipt: anyone can check that nothing in it was changed.",
    download: "Download the receipt",
    scan: "Scan to check this receipt",
  },
  continue: ({ merchant }: Names) => `Continue to ${merchant}`,
  back: ({ merchant }: Names) => `Back to ${merchant}`,
  cancel: "Cancel and go back",
  /** The same for screen readers, announced once. */
  redirectAnnouncement: ({ merchant, seconds }: Names & { seconds: number }) =>
    `Taking you back to ${merchant} in ${seconds} seconds. Press “Stay here” to cancel.`,
  /** Abbreviation of "seconds" after a number. */
  secondsShort: "s",
  stayHere: "Stay here",
  disconnected:
    "No connection. This page may be out of date. Your payment is tracked all the same, and the page updates by itself once it is connected.",
  reconnected: "Connected again.",
  sandbox: {
    title: "Sandbox: simulate the payer",
    explanation:
      "These buttons pay this link on its development chain and mine the blocks. Customers never see this box.",
    scenarios: {
      exact: "Pay exactly",
      short: "Pay half",
      over: "Pay 50% too much",
      underpaid: "Pay half, then let the time end",
      late: "Pay after the time ends",
      extra: "Pay again after completion",
      wrong_token: "Pay in another token",
      replaced: "Pay, then replace the transaction",
      reorganised: "Pay, then revert the block",
    } satisfies Record<Scenario, string>,
    refused: "The payment was not simulated. This link or its network does not allow it now.",
  },
  language: "Language",
  footer: "Crypto payments by Paylink",
  form: {
    submit: "Continue to payment",
    /** The price of one unit. */
    each: ({ price }: { price: string }) => `${price} each`,
    amount: ({ currency }: { currency: string }) => `Amount in ${currency}`,
    atLeast: ({ amount }: { amount: string }) => `At least ${amount}.`,
    atMost: ({ amount }: { amount: string }) => `At most ${amount}.`,
    quantity: "Quantity",
    email: "E-mail address",
    firstName: "First name",
    lastName: "Last name",
    phone: "Phone number",
    note: "Note (optional)",
    paid: "Thank you. Your payment is complete.",
    closed: {
      title: "This form is closed",
      text: ({ merchant }: Names) => `${merchant} does not take payments here any more.`,
    },
    soldOut: {
      title: "Sold out",
      text: "Nothing is left right now. What others have reserved and do not pay becomes available again.",
    },
    notices: {
      amount_not_possible: "This amount is not possible here. Choose another one.",
      answers_malformed: "An answer is missing or cannot be used. Check what you entered.",
      too_few_left: "Less is left than you asked for. Choose less.",
      too_many_submissions:
        "Too many payments were started from your connection. Try again in a few minutes.",
    } satisfies Record<FormNoticeCode, string>,
  },
  walletConnect: {
    open: "Pay with a wallet on another device",
    scan: "Scan this code with a wallet that has WalletConnect, and confirm the payment there.",
    link: "Open a wallet on this device",
  },
  pos: {
    title: "Point of sale",
    pairTitle: "Connect this device",
    pairText: "Enter the device code that you were given. It works once.",
    deviceCode: "Device code",
    connect: "Connect",
    charge: "Charge",
    newSale: "New sale",
    erase: "Delete the last digit",
    offline: "No connection. The sale starts as soon as it is back.",
    today: "Today",
    paidToday: ({ count, amount }: { count: number; amount: string }) => `Paid: ${count}, ${amount}`,
    nothingYet: "No sales yet.",
    newestShown: ({ shown, count }: { shown: number; count: number }) => `The newest ${shown} of ${count}.`,
    cancelSale: "Cancel",
    statuses: {
      waiting: "Waiting",
      partPaid: "Paid in part",
      onItsWay: "On its way",
      paid: "Paid",
      notPaid: "Not paid",
      canceled: "Canceled",
    },
    notices: {
      wrong_code: "This code is not right, or it was used before. Ask for a new one.",
      too_many_tries: "Too many codes were tried from your connection. Try again in a few minutes.",
      too_many_sales: "Too many sales were started on this device. Try again in a few minutes.",
      amount_not_possible: "This amount is not possible here. Enter another one.",
      answers_malformed: "This quantity is not possible. Enter another one.",
      too_few_left: "Less is left than that. Enter less.",
    } satisfies Record<PosNoticeCode, string>,
  },
  /** The page on which a payer says where a refund goes, and follows it. */
  refund: {
    from: "Refund from",
    onNetwork: ({ network }: { network: string }) => `on ${network}`,
    wholeAmount: ({ merchant }: Names) => `You receive all of it: ${merchant} pays the network fee.`,
    message: "Message",
    validUntil: "Valid until",
    titles: {
      enter: "Where should it go?",
      confirm: "Is this your address?",
      pending: "Your refund is being prepared",
      sending: "Your refund is on its way",
      completed: "Refund complete",
      failed: "The refund was not sent",
      revoked: "This refund was withdrawn",
      expired: "This refund has expired",
    } satisfies Record<RefundStage, string>,
    explanations: {
      enter: () =>
        "Enter an address of a wallet of your own. The address that you paid from may belong to an exchange, which would keep the money.",
      confirm: () => "Compare it with your wallet. What is sent to a wrong address is lost.",
      pending: ({ merchant }: Names) =>
        `${merchant} sends it next. You may close this page and open its link again later.`,
      sending: () => "The network is confirming it. This page follows it by itself.",
      completed: () => "It was sent to your address, and the network has confirmed it.",
      failed: ({ merchant }: Names) => `Contact ${merchant} about another way to refund you.`,
      revoked: ({ merchant }: Names) =>
        `${merchant} ended it before an address was entered. Contact them if you do not know why.`,
      expired: ({ merchant }: Names) => `No address was entered in time. Ask ${merchant} for a new link.`,
    } satisfies Record<RefundStage, (names: Names) => string>,
    check: "Continue",
    compared: "I have compared the first and the last characters with my wallet.",
    send: "Send it to this address",
    change: "Change the address",
    sentTo: "To your address",
    notices: {
      malformed: ({ network }) => `This is not an address of ${network}. Copy it from your wallet again.`,
      unusable: () => "This address cannot receive your refund. Enter an address of a wallet of your own.",
      not_compared: () => "Compare the address first, then tick the box.",
      not_now: ({ merchant }) =>
        `The refund cannot be sent right now, and ${merchant} can see that. Your link stays valid: try again later, or contact them.`,
    } satisfies Record<RefundNoticeCode, (values: Names & { network: string }) => string>,
  },
  linkNotFound: {
    title: "Payment not found",
    text: "We do not know this link. Check that you copied all of it, or ask the shop for a new one.",
  },
  pageError: {
    title: "Something went wrong",
    text: "Your money is safe. Payments are tracked whether this page is open or not. Try again shortly.",
    retry: "Try again",
  },
  notices: {
    too_many_addresses: "Too many addresses were requested from your connection. Try again in a few minutes.",
    no_rate: "The price for that network is missing. Try again shortly, or choose another network.",
    not_offered: "That network cannot accept this payment any more. Choose another network.",
  } satisfies Record<NoticeCode, string>,
};

export type Texts = typeof english;
