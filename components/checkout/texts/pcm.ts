import type { Texts } from "../texts.ts";
import type { WaitEstimate } from "../time-text.ts";

const about = ({ unit, count }: WaitEstimate) =>
  unit === "seconds" ? "some seconds" : `like ${count} ${unit}${count === 1 ? "" : "s"}`;

/** Nigerian Pidgin. A draft: no speaker has reviewed it yet. */
export const pidgin: Texts = {
  locale: "pcm",
  pageTitle: ({ merchant }) => `Pay money give ${merchant}`,
  preview: {
    title: ({ merchant, price }) => `${price} give ${merchant}`,
    waiting: "We dey wait for payment",
    partlyPaid: "Dem don pay part",
  },
  testBanner: "Na test payment be dis. No real money dey move.",
  payTo: "Who you dey pay",
  reference: "Reference number",
  timeLeft: "Time wey remain",
  daysShort: "dè",
  timeLeftSoon: { 300: "E remain 5 minutes to pay.", 60: "E remain 1 minute to pay." },
  deadlineNote: ({ merchant }) =>
    `Anything wey you send before time finish go count, even if e confam later. After dat one, ask ${merchant} for new link.`,
  steps: {
    label: "Where you dey",
    choose: "Pick",
    send: "Send am",
    confirm: "Confam",
    done: "Finish",
  },
  titles: {
    choose: "Choose how you wan pay",
    noChoice: "E no possible now",
    pay: "Send your money",
    noPrice: "We dey wait for price",
    topUp: "E remain small",
    confirming: "We don see your money",
    checking: "Time don finish, we dey check",
    paid: "Payment don complete",
    overpaid: "You pay pass wetin dem ask",
    underpaid: "Di money no complete",
    unconfirmed: "Payment no confam",
    expired: "Time for dis payment don pass",
  },
  explanations: {
    choose: () => "Choose di coin and di network wey your wallet go use send am.",
    noChoice: () => "No network fit collect dis payment now. Dis page go continue by itself once one fit.",
    pay: () => "Copy di amount and di address put for your wallet, or scan di code.",
    noPrice: () => "We no fit get di price now. Dis page go continue by itself once we get am.",
    topUp: () => "Part of di money don land. Send di exact one wey remain go di same address.",
    confirming: () => "You no need do anything again. E go complete once di network confam am.",
    checking: () =>
      "Time to pay don finish. We dey check whether any money don waka before dat time. No send anything now.",
    paid: ({ merchant }) => `${merchant} don collect dia money. You fit close dis page.`,
    overpaid: ({ merchant, excess }) =>
      `${merchant} don collect dia money. You send ${excess} pass wetin dem ask: follow dem talk about di extra.`,
    underpaid: ({ merchant }) =>
      `Time finish before di full money land. Wetin you send dey with ${merchant}: follow dem talk make you complete am or make dem refund you.`,
    unconfirmed: ({ merchant }) =>
      `We see your payment, but di network no confam am on time. Follow ${merchant} talk before you pay again.`,
    expired: ({ merchant }) =>
      `No money land on time. No send anything go di address of dis payment again; ask ${merchant} for new link.`,
  },
  topUpSmallest: ({ amount }) =>
    `Part of di money don land. Send ${amount} go di same address, even if wetin remain small pass am: di network no dey carry money wey small pass dis one.`,
  networksUnwatched: (networks) =>
    `We no fit see ${networks.join(" and ")} now. Any money wey you send there dey safe and we go count am once we fit; you no need send am again.`,
  networkSlow: "The network dey slow to confirm now. Your payment no lost; you no need send am again.",
  lateAccepted: ({ merchant }) => `E land late, and ${merchant} gree collect am.`,
  lateHeld: ({ merchant }) =>
    `One payment land after time don finish. We don tell ${merchant}: follow dem talk before you send any other thing.`,
  usualWait: (wait) =>
    wait.unit === "seconds"
      ? `E dey normally take ${about(wait)}.`
      : `E dey normally take ${about(wait)}, sometimes e dey pass like dat.`,
  networkSpeed: ({ wait, orMore }) =>
    orMore ? `E dey take ${about(wait)} or more` : `E dey take ${about(wait)}`,
  networkHints: {
    bitcoin: () => "Na on-chain only, no be Lightning",
    trc20: ({ start }) => `Di address dey start with ${start}`,
    bep20: () => "Dem dey call am BSC too. E no be Ethereum (ERC20)",
  },
  contactMerchant: ({ merchant }) => `Talk to ${merchant}:`,
  amountToSend: "Amount wey you go send",
  amountMissing: "Wetin remain",
  receivedSoFar: "Wetin don land",
  toAddress: ({ symbol, network }) => `${symbol} address for ${network}`,
  sendOnly: ({ symbol, network }) => `Na only ${symbol} for ${network} you go send.`,
  sendOnlyReason: "Any other thing wey you send there fit lost.",
  walletNames: ({ names }) => `Wallets dey call dis network ${names}.`,
  networkMistakes: {
    bitcoin: "Na on-chain only: no be Lightning, and no be wrapped bitcoin.",
    trc20: "E no be Ethereum (ERC20), e no be BNB Smart Chain (BEP20): TRC20 address dey start with T.",
    bep20: "E no be Ethereum (ERC20): di addresses just resemble, di network no be di same.",
  },
  amountMustArrive: ({ amount }) =>
    `Na ${amount} must land. Exchanges dey comot dia fee from di amount: add am on top.`,
  compareAddress: "For your wallet, check say di first and di last characters match.",
  seenAfterConfirmation: "Your payment go show here afta di first confamation, no be before.",
  openWallet: "Open am for wallet",
  qr: { label: "Wetin dey inside di code", payment: "Wit amount", address: "Only address" },
  qrAddressLabel: ({ symbol, network }) => `QR code of di ${symbol} address for ${network}`,
  qrAddressOnly: "Na only address dey dis code: put di amount by yourself.",
  qrLabel: ({ amount, symbol, network }) => `QR code to take pay ${amount} ${symbol} for ${network}`,
  copy: "Copy",
  copied: "You don copy am",
  copyFailed: "E no copy",
  copyAmount: "Copy di amount",
  copyAddress: "Copy di address",
  amountCopied: "Amount don copy.",
  addressCopied: "Address don copy.",
  priceHeldFor: "Di price no go change for",
  priceRenewedAfter: "After dat one, we go renew am here.",
  priceRenewed: ({ before, now }) => `Di price don change: send ${now} now, no be ${before} again.`,
  priceRenewedSame: "We don renew di price. Di amount still be di same.",
  rate: "Exchange rate",
  rateFrom: ({ sources }) => `wey come from ${sources}`,
  rateMarkup: ({ percent, merchant }) => `with ${percent}% wey ${merchant} add`,
  rateNow: "e never reach one minute",
  rateFixed: "Test rate wey no dey change",
  rateFixedBy: ({ merchant }) => `Na ${merchant} fix am`,
  otherNetwork: "Pay with another network instead",
  yourPayments: "Money wey you don send",
  progress: {
    confirming: (n, m) => `${n} confamation out of ${m}`,
    finality: "We dey wait for di final confamation",
    confirmed: "E don confam",
    dropped: "Di network don cancel am, we no count am",
  },
  arrivedLate: "e land late",
  notConfirmedInTime: "E no confam on time",
  transaction: "Transaction number",
  viewTransaction: "See di transaction",
  newTab: "(e go open for new tab)",
  continue: ({ merchant }) => `Continue go ${merchant}`,
  back: ({ merchant }) => `Go back to ${merchant}`,
  cancel: "Cancel am, go back",
  redirecting: ({ merchant }) => `We dey carry you go back to ${merchant} in`,
  redirectAnnouncement: ({ merchant, seconds }) =>
    `We dey carry you go back to ${merchant} in ${seconds} seconds. Press “Stay for here” to stop am.`,
  secondsShort: "sek",
  stayHere: "Stay for here",
  disconnected:
    "No connection. Wetin you dey see fit don old. We still dey follow payment, and dis page go update by itself.",
  reconnected: "Connection don come back.",
  receipt: {
    title: "Payment receipt",
    print: "Print am or save am",
    number: "Receipt number",
    completed: "E complete",
    network: "Di network",
    seen: "We see am",
    address: "To dis address",
    zone: "All di time na UTC.",
  },
  sandbox: {
    title: "Sandbox: act like person wey dey pay",
    explanation:
      "E go pay dis link for im development chain and mine di blocks. No customer dey ever see dis box.",
    scenarios: {
      exact: "Pay am exact",
      short: "Pay half of am",
      over: "Pay half join",
      underpaid: "Pay half, then make time finish",
      late: "Make time finish, then pay",
      extra: "Pay again after e don complete",
      wrong_token: "Pay with another token",
      replaced: "Pay, then replace am",
      reorganised: "Pay, then take am back",
    },
    refused: "E no happen: dis link or im network no gree for now.",
  },
  language: "Language to use",
  footer: "Crypto payment by Paylink",
  linkNotFound: {
    title: "We no see dis payment",
    text: "We no know dis link for here. Check say you copy am finish, or ask di shop for new one.",
  },
  pageError: {
    title: "Something don spoil",
    text: "Your money dey safe: we dey follow payment whether dis page open or e no open. Try again small time.",
    retry: "Try am again",
  },
  notices: {
    too_many_addresses: "Too many addresses don comot from your connection. Try again after some minutes.",
    no_rate: "We no fit get di price for dat network now. Try again small time, or choose another one.",
    not_offered: "Dat network no fit collect dis payment again. Choose another one.",
  },
};
