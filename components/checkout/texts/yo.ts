import type { WaitEstimate } from "../time-text.ts";
import type { Texts } from "./en.ts";
import { listOf } from "./word-forms.ts";

const list = listOf("yo");

const about = ({ unit, count }: WaitEstimate) =>
  unit === "seconds" ? "ìṣẹ́jú àáyá díẹ̀" : `nǹkan bí ${unit === "minute" ? "ìṣẹ́jú" : "wákàtí"} ${count}`;

/** Yoruba, with its tone marks. A draft: no speaker has reviewed it yet. */
export const yoruba: Texts = {
  locale: "yo",
  pageTitle: ({ merchant }) => `San owó fún ${merchant}`,
  preview: {
    title: ({ merchant, price }) => `${price} fún ${merchant}`,
    waiting: "À ń dúró de ìsanwó",
    partlyPaid: "A ti san apá kan",
  },
  testBanner: "Ìdánwò ìsanwó ni èyí. Kò sí owó gidi kankan tí yóò kúrò.",
  payTo: "San fún",
  reference: "Nọ́mbà ìtọ́kasí",
  timeLeft: "Àkókò tó kù",
  daysShort: "ọj",
  timeLeftSoon: { 300: "Ó ku ìṣẹ́jú 5 láti san.", 60: "Ó ku ìṣẹ́jú 1 láti san." },
  deadlineNote: ({ merchant }) =>
    `Ohun tí o bá fi ránṣẹ́ kí àkókò tó parí yóò kà, bí a bá tilẹ̀ fìdí rẹ̀ múlẹ̀ lẹ́yìn náà. Lẹ́yìn ìyẹn, béèrè ìjápọ̀ tuntun lọ́wọ́ ${merchant}.`,
  steps: { label: "Ìgbésẹ̀", choose: "Yàn", send: "Fi ránṣẹ́", confirm: "Ìmúdájú", done: "Ó parí" },
  titles: {
    choose: "Yan bí o ṣe fẹ́ san",
    noChoice: "Kò ṣeé ṣe báyìí",
    pay: "Fi owó rẹ ránṣẹ́",
    noPrice: "À ń dúró de iye owó",
    topUp: "Ó kù díẹ̀",
    confirming: "A ti rí owó náà gbà",
    checking: "Àkókò ti tán, à ń yẹ̀ ẹ́ wò",
    paid: "Ìsanwó ti parí",
    overpaid: "O san ju iye tí a béèrè lọ",
    underpaid: "Owó náà kò pé",
    unconfirmed: "A kò fìdí ìsanwó náà múlẹ̀",
    expired: "Àkókò ìsanwó yìí ti kọjá",
    canceled: "A ti fagilé ìsanwó yìí",
  },
  explanations: {
    choose: () => "Yan irú owó àti nẹ́tíwọ́ọ̀kì tí wálẹ́ẹ̀tì rẹ yóò lò.",
    noChoice: () =>
      "Kò sí nẹ́tíwọ́ọ̀kì tó lè gba ìsanwó yìí báyìí. Ojú ìwé yìí yóò tẹ̀síwájú fúnra rẹ̀ nígbà tí ọ̀kan bá lè gbà á.",
    pay: () => "Ṣe ẹ̀dà iye àti àdírẹ́sì sínú wálẹ́ẹ̀tì rẹ, tàbí ya àwòrán kóòdù náà.",
    noPrice: () => "A kò lè rí iye owó báyìí. Ojú ìwé yìí yóò tẹ̀síwájú fúnra rẹ̀ nígbà tí a bá rí i.",
    topUp: () => "Apá kan ti dé. Fi iye tó kù gẹ́lẹ́ ránṣẹ́ sí àdírẹ́sì kan náà.",
    confirming: () => "O kò ní láti ṣe ohunkóhun mọ́. Yóò parí nígbà tí nẹ́tíwọ́ọ̀kì bá fìdí rẹ̀ múlẹ̀.",
    checking: () =>
      "Àkókò láti san ti parí. À ń wò bóyá a ti fi owó ránṣẹ́ ṣáájú. Má fi ohunkóhun ránṣẹ́ báyìí.",
    paid: ({ merchant }) => `A ti san owó fún ${merchant}. O lè ti ojú ìwé yìí.`,
    overpaid: ({ merchant, excess }) =>
      `A ti san owó fún ${merchant}. O fi ${excess} ránṣẹ́ ju iye tí a béèrè lọ: kàn sí wọn nípa ìyàtọ̀ náà.`,
    underpaid: ({ merchant }) =>
      `Àkókò parí kí gbogbo owó tó dé. Ohun tí o fi ránṣẹ́ wà lọ́wọ́ ${merchant}: kàn sí wọn láti san èyí tó kù tàbí kí wọ́n dá a padà.`,
    unconfirmed: ({ merchant }) =>
      `A rí ìsanwó rẹ, ṣùgbọ́n nẹ́tíwọ́ọ̀kì kò fìdí rẹ̀ múlẹ̀ lásìkò. Kàn sí ${merchant} kí o tó tún san.`,
    expired: ({ merchant }) =>
      `Kò sí owó tó dé lásìkò. Má fi ohunkóhun ránṣẹ́ sí àdírẹ́sì ìsanwó yìí mọ́; béèrè ìjápọ̀ tuntun lọ́wọ́ ${merchant}.`,
    canceled: ({ merchant }) =>
      `${merchant} ti fòpin sí ìsanwó yìí. Má ṣe fi ohunkóhun ránṣẹ́ sí àdírẹ́sì náà mọ́. Kàn sí wọn bí o bá ti fi nǹkan ránṣẹ́.`,
  },
  topUpSmallest: ({ amount }) =>
    `Apá kan ti dé. Fi ${amount} ránṣẹ́ sí àdírẹ́sì kan náà, bí iye tó kù bá tilẹ̀ kéré sí i: nẹ́tíwọ́ọ̀kì kì í gbé owó tó kéré ju èyí lọ.`,
  networksUnwatched: (networks) =>
    `A kò lè rí ${list(networks)} báyìí. Owó tí a fi ránṣẹ́ níbẹ̀ wà láìléwu, a ó sì kà á nígbà tí a bá lè rí i; kò yẹ kí o tún fi ránṣẹ́.`,
  astray: ({ amount, network, merchant }) =>
    `${amount} dé lórí ${network}. Kì í ṣe ohun tí ìsanwó yìí béèrè, nítorí náà a kò kà á níbí. A fi í sọ́tọ̀, kò sọnù. Kàn sí ${merchant} kí o sì dárúkọ ìdúnàádúrà yìí.`,
  networkSlow: "Nẹ́tíwọ́ọ̀kì ń pẹ́ láti fìdí ìsanwó múlẹ̀ báyìí. Owó rẹ kò sọnù; kò yẹ kí o tún fi ránṣẹ́.",
  lateAccepted: ({ merchant }) => `Ó pẹ́ kó tó dé, ${merchant} sì gbà á.`,
  lateHeld: ({ merchant }) =>
    `Owó kan dé lẹ́yìn tí àkókò parí. A ti sọ fún ${merchant}: kàn sí wọn kí o tó fi ohun mìíràn ránṣẹ́.`,
  usualWait: (wait) =>
    wait.unit === "seconds"
      ? `Ó sábà máa ń gba ${about(wait)}.`
      : `Ó sábà máa ń gba ${about(wait)}, nígbà mìíràn ju bẹ́ẹ̀ lọ.`,
  networkSpeed: ({ wait, orMore }) =>
    orMore ? `Ó ń gba ${about(wait)} tàbí jù bẹ́ẹ̀ lọ` : `Ó ń gba ${about(wait)}`,
  estimate: ({ amount }) => `nǹkan bíi ${amount}`,
  usualFee: ({ fee }) => `Owó nẹ́tíwọ́ọ̀kì nǹkan bíi ${fee}`,
  lowestFee: "Owó tó kéré jù",
  networkHints: {
    bitcoin: () => "On-chain nìkan, kì í ṣe Lightning",
    trc20: ({ start }) => `Àdírẹ́sì máa ń bẹ̀rẹ̀ pẹ̀lú ${start}`,
    bep20: () => "A tún ń pè é ní BSC. Kì í ṣe Ethereum (ERC20)",
  },
  contactMerchant: ({ merchant }) => `Kàn sí ${merchant}:`,
  amountToSend: "Iye tí o máa fi ránṣẹ́",
  amountMissing: "Iye tó kù",
  receivedSoFar: "Iye tó ti dé",
  toAddress: ({ symbol, network }) => `Àdírẹ́sì ${symbol} lórí ${network}`,
  sendOnly: ({ symbol, network }) => `${symbol} lórí ${network} nìkan ni kí o fi ránṣẹ́.`,
  sendOnlyReason: "Ohun mìíràn tí o bá fi ránṣẹ́ síbẹ̀ lè sọnù.",
  walletNames: ({ names }) => `Nínú wálẹ́ẹ̀tì, orúkọ nẹ́tíwọ́ọ̀kì yìí ni ${names}.`,
  networkMistakes: {
    bitcoin: "On-chain nìkan: kì í ṣe lórí Lightning, kì í sì í ṣe bitcoin “wrapped”.",
    trc20: "Kì í ṣe Ethereum (ERC20), kì í ṣe BNB Smart Chain (BEP20): àdírẹ́sì TRC20 máa ń bẹ̀rẹ̀ pẹ̀lú T.",
    bep20: "Kì í ṣe Ethereum (ERC20): àwọn àdírẹ́sì náà jọra lásán ni, nẹ́tíwọ́ọ̀kì wọn yàtọ̀.",
  },
  amountMustArrive: ({ amount }) =>
    `${amount} ló gbọ́dọ̀ dé. Ibi ìpààrọ̀ sábà máa ń yọ owó iṣẹ́ rẹ̀ kúrò nínú rẹ̀: fi kún un.`,
  compareAddress: "Nínú wálẹ́ẹ̀tì rẹ, fi àwọn lẹ́tà ìbẹ̀rẹ̀ àti ti ìparí wéra.",
  tagNeeded:
    "Bí wálẹ́ẹ̀tì rẹ bá béèrè fún àmì ibi-ìfiránṣẹ́ (destination tag), fi ránṣẹ́ sí àdírẹ́sì yìí pẹ̀lú àmì yìí. Láìsí àmì náà, a kò lè dá ìsanwó náà mọ̀.",
  destinationTag: "Àmì ibi-ìfiránṣẹ́",
  seenAfterConfirmation: "A ó rí ìsanwó rẹ níbí lẹ́yìn ìmúdájú àkọ́kọ́, kì í ṣe ṣáájú rẹ̀.",
  contractsNotSeen: ({ symbol }) =>
    `Àwọn pàṣípààrọ̀ kan àti gbogbo wálẹ́ẹ̀tì ọlọ́gbọ́n máa ń fi ${symbol} ránṣẹ́ nípasẹ̀ àdéhùn. A kò ní rí irú ìsanwó bẹ́ẹ̀ níbí: láti ibẹ̀, yan tókìnnì tàbí nẹ́tíwọ́ọ̀kì mìíràn.`,
  openWallet: "Ṣí i nínú wálẹ́ẹ̀tì",
  phoneWallets: "Fi áàpù orí fóònù yìí sanwó",
  browserWallet: {
    open: "Fi wálẹ́ẹ̀tì inú aṣàwárí yìí sanwó",
    pick: "Wálẹ́ẹ̀tì wo?",
    unnamed: "Wálẹ́ẹ̀tì",
    waiting: "Jẹ́rìí sí ìsanwó náà nínú wálẹ́ẹ̀tì rẹ.",
    sent: "Wálẹ́ẹ̀tì rẹ ti fi ránṣẹ́. Ojú-ìwé yìí yóò fi hàn ní kété tí ó bá dé.",
    again: "Gbìyànjú lẹ́ẹ̀kan sí i",
    refusals: {
      refused: "O kọ̀ ọ́ nínú wálẹ́ẹ̀tì. A kò fi nǹkan ránṣẹ́.",
      locked: "Wálẹ́ẹ̀tì rẹ wà ní títì, tàbí ó ń dúró de ìdáhùn mìíràn. Ṣí i, kí o sì tún gbìyànjú.",
      wrongChain: ({ network }) => `Wálẹ́ẹ̀tì rẹ kò sí lórí ${network}. Yí i padà, kí o sì tún gbìyànjú.`,
      tooLittle: ({ amount }) => `Ohun tó wà nínú àkántì wálẹ́ẹ̀tì rẹ kéré sí ${amount}.`,
      noFee: ({ coin }) => `${coin} tó wà nínú àkántì wálẹ́ẹ̀tì rẹ kéré jù fún owó nẹ́tíwọ́ọ̀kì.`,
      failed:
        "Wálẹ́ẹ̀tì náà kò sọ bóyá ó ti fi ìsanwó ránṣẹ́. Wò ó nínú wálẹ́ẹ̀tì kí o tó tún gbìyànjú. O tún lè lo kóòdù tàbí àdírẹ́sì náà.",
    },
  },
  qr: { label: "Ohun tó wà nínú kóòdù", payment: "Pẹ̀lú iye", address: "Àdírẹ́sì nìkan" },
  qrAddressLabel: ({ symbol, network }) => `Kóòdù QR ti àdírẹ́sì ${symbol} lórí ${network}`,
  qrAddressOnly: "Àdírẹ́sì nìkan ló wà nínú kóòdù yìí: tẹ iye owó fúnra rẹ.",
  qrReaders: ({ wallets, network }) =>
    `${wallets} ń ka kóòdù yìí. Wálẹ́ẹ̀tì mìíràn lè mú àdírẹ́sì tí kò tọ́: kí o tó fọwọ́ sí i, yẹ àdírẹ́sì náà àti ${network} wò.`,
  qrLabel: ({ amount, symbol, network }) => `Kóòdù QR láti san ${amount} ${symbol} lórí ${network}`,
  exchange: {
    title: "Ṣé láti ibi pàṣípààrọ̀ ni o ti ń sanwó?",
    network: ({ network }) => `Yọ owó sí àdírẹ́sì òkè yìí, kí o sì yan nẹ́tíwọ́ọ̀kì yìí gan-an: ${network}.`,
    fee: ({ amount }) => `Owó iṣẹ́ ibi pàṣípààrọ̀ náà wà lórí rẹ̀: tẹ iye tí ${amount} yóò fi dé.`,
    wait: "Ibi pàṣípààrọ̀ lè pẹ́ díẹ̀. Fi ojú ìwé yìí sílẹ̀ ní ṣíṣí, tàbí tọ́jú ìjápọ̀ rẹ̀ kí o lè rí ìsanwó náà nígbà tó bá yá.",
    copyLink: "Da ìjápọ̀ kọ",
    linkCopied: "A ti da ìjápọ̀ kọ.",
  },
  copy: "Ṣe ẹ̀dà",
  copied: "A ti ṣe ẹ̀dà",
  copyFailed: "Kò ṣe ẹ̀dà",
  copyAmount: "Ṣe ẹ̀dà iye",
  copyAddress: "Ṣe ẹ̀dà àdírẹ́sì",
  amountCopied: "A ti ṣe ẹ̀dà iye.",
  addressCopied: "A ti ṣe ẹ̀dà àdírẹ́sì.",
  copyTag: "Ṣe ẹ̀dà àmì",
  tagCopied: "A ti ṣe ẹ̀dà àmì.",
  priceHeldFor: "Iye owó kò ní yí fún",
  priceRenewedAfter: "Lẹ́yìn náà a ó sọ ọ́ di tuntun níbí.",
  priceRenewed: ({ before, now }) =>
    `A ti sọ iye owó di tuntun: fi ${now} ránṣẹ́ báyìí, kì í ṣe ${before} mọ́.`,
  priceRenewedSame: "A ti sọ iye owó di tuntun. Iye náà kò yí padà.",
  rate: "Iye pàṣípààrọ̀",
  rateFrom: ({ sources }) => `láti ọ̀dọ̀ ${sources}`,
  rateMarkup: ({ percent, merchant }) => `pẹ̀lú àfikún ${percent}% láti ọ̀dọ̀ ${merchant}`,
  rateNow: "kò tíì pé ìṣẹ́jú kan",
  rateFixed: "Iye ìdánwò tí kò yí",
  rateFixedBy: ({ merchant }) => `${merchant} ló fi lélẹ̀`,
  otherNetwork: "San lórí nẹ́tíwọ́ọ̀kì mìíràn",
  yourPayments: "Àwọn ìsanwó rẹ",
  progress: {
    confirming: (n, m) => `Ìmúdájú ${n} nínú ${m}`,
    finality: "À ń dúró de ìmúdájú ìkẹyìn",
    confirmed: "A ti fìdí rẹ̀ múlẹ̀",
    dropped: "Nẹ́tíwọ́ọ̀kì ti fagi lé e, a kò kà á",
  },
  arrivedLate: "ó pẹ́ kó tó dé",
  notConfirmedInTime: "A kò fìdí rẹ̀ múlẹ̀ lásìkò",
  transaction: "Ìdúnàádúrà",
  viewTransaction: "Wo ìdúnàádúrà",
  newTab: "(yóò ṣí ní ojú ewé tuntun)",
  receiptCheck: {
    title: "Yẹ ìwé ẹ̀rí wò",
    valid: "Ìwé ẹ̀rí yìí jẹ́ òótọ́.",
    refunded: "A ti dá a padà",
    invalid: "Ìwé ẹ̀rí yìí kì í ṣe òótọ́, tàbí ibòmíràn ni wọ́n ti fi í sílẹ̀.",
    unknownKey:
      "Kọ́kọ́rọ́ tí a kì í lò níbí ni wọ́n fi bu ọwọ́ lù ú: ibòmíràn ni wọ́n ti fi í sílẹ̀, tàbí kí a tó yí kọ́kọ́rọ́ padà.",
    field: "Ọ̀rọ̀ ìwé ẹ̀rí",
    check: "Yẹ̀ ẹ́ wò",
    signed: "Ìwé ẹ̀rí tí a fọwọ́ sí: ẹnikẹ́ni lè yẹ̀ ẹ́ wò pé a kò yí ohunkóhun padà.",
    download: "Gba ìwé ẹ̀rí náà sílẹ̀",
    scan: "Ṣàyẹ̀wò kóòdù láti yẹ ìwé ẹ̀rí yìí wò",
  },
  continue: ({ merchant }) => `Tẹ̀síwájú sí ${merchant}`,
  back: ({ merchant }) => `Padà sí ${merchant}`,
  cancel: "Fagi lé e kí o padà",
  redirecting: ({ merchant }) => `À ń dá ọ padà sí ${merchant} láàárín`,
  redirectAnnouncement: ({ merchant, seconds }) =>
    `À ń dá ọ padà sí ${merchant} láàárín ìṣẹ́jú àáyá ${seconds}. Tẹ “Dúró síbí” láti dá a dúró.`,
  secondsShort: "ìṣ. àáyá",
  stayHere: "Dúró síbí",
  disconnected:
    "Kò sí ìsopọ̀. Ohun tí ò ń rí lè ti pẹ́. À ń tọpa ìsanwó síbẹ̀síbẹ̀, ojú ìwé yìí yóò sì sọ ara rẹ̀ di tuntun.",
  reconnected: "Ìsopọ̀ ti padà.",
  receipt: {
    title: "Ìwé ẹ̀rí ìsanwó",
    print: "Tẹ̀ ẹ́ jáde tàbí tọ́jú rẹ̀",
    number: "Nọ́mbà",
    completed: "Ó parí ní",
    network: "Nẹ́tíwọ́ọ̀kì",
    seen: "A rí i ní",
    address: "Sí àdírẹ́sì",
    zone: "Gbogbo àkókò jẹ́ ti UTC.",
  },
  sandbox: {
    title: "Ibi ìdánwò: ṣe bí ẹni tó ń sanwó",
    explanation:
      "Ó ń san ìjápọ̀ yìí lórí ẹ̀wọ̀n ìdánwò rẹ̀, ó sì ń wa àwọn búlọ́ọ̀kù. Kò sí oníbàárà tó ń rí àpótí yìí.",
    scenarios: {
      exact: "San gẹ́lẹ́",
      short: "San ìdajì",
      over: "San ìdajì lé e",
      underpaid: "San ìdajì, jẹ́ kí àkókò parí",
      late: "Jẹ́ kí àkókò parí, kí o tó san",
      extra: "San lẹ́ẹ̀kan sí i lẹ́yìn tó parí",
      wrong_token: "Fi token mìíràn san",
      replaced: "San, kí o sì pààrọ̀ rẹ̀",
      reorganised: "San, kí o sì gbà á padà",
    },
    refused: "A kò ṣe é: ìjápọ̀ yìí tàbí nẹ́tíwọ́ọ̀kì rẹ̀ kò gbà á báyìí.",
  },
  language: "Èdè",
  footer: "Ìsanwó kírípítò láti ọwọ́ Paylink",
  form: {
    submit: "Tẹ̀síwájú láti sanwó",
    each: ({ price }) => `${price} fún ọ̀kọ̀ọ̀kan`,
    amount: ({ currency }) => `Iye ní ${currency}`,
    atLeast: ({ amount }) => `Ó kéré tán ${amount}.`,
    atMost: ({ amount }) => `Kò gbọdọ̀ ju ${amount}.`,
    quantity: "Iye ẹyọ",
    email: "Àdírẹ́sì ímeèlì",
    firstName: "Orúkọ àkọ́kọ́",
    lastName: "Orúkọ ìdílé",
    phone: "Nọ́mbà fóònù",
    note: "Àkíyèsí (kò pọndandan)",
    paid: "Ẹ ṣé. Ìsanwó yín ti parí.",
    closed: {
      title: "A ti ti fọ́ọ̀mù yìí",
      text: ({ merchant }) => `${merchant} kò gba owó níbí mọ́.`,
    },
    soldOut: {
      title: "Ó ti tán",
      text: "Kò sí ohun tó kù báyìí. Ohun tí àwọn míràn fi pamọ́ tí wọn kò sanwó fún yóò tún wà.",
    },
    notices: {
      amount_not_possible: "Iye yìí kò ṣeé ṣe níbí. Ẹ yan òmíràn.",
      answers_malformed: "Ìdáhùn kan kò sí tàbí kò ṣeé lò. Ẹ yẹ ohun tí ẹ kọ wò.",
      too_few_left: "Ohun tó kù kéré sí ohun tí ẹ béèrè. Ẹ yan díẹ̀.",
      too_many_submissions: "A ti bẹ̀rẹ̀ ìsanwó púpọ̀ jù láti ìsopọ̀ yín. Ẹ tún gbìyànjú lẹ́yìn ìṣẹ́jú díẹ̀.",
    },
  },
  walletConnect: {
    open: "Fi àpò owó orí ẹ̀rọ mìíràn san",
    scan: "Fi àpò owó tó ní WalletConnect wo kóòdù yìí, kí o sì fọwọ́ sí ìsanwó náà níbẹ̀.",
    link: "Ṣí àpò owó lórí ẹ̀rọ yìí",
  },
  pos: {
    title: "Ibi ìtajà",
    pairTitle: "So ẹ̀rọ yìí pọ̀",
    pairText: "Tẹ kóòdù ẹ̀rọ tí wọ́n fún ọ. Ìgbà kan ṣoṣo ló máa ṣiṣẹ́.",
    deviceCode: "Kóòdù ẹ̀rọ",
    connect: "So pọ̀",
    charge: "Gba owó",
    newSale: "Ìtajà tuntun",
    erase: "Pa nọ́mbà ìkẹyìn rẹ́",
    offline: "Kò sí ìsopọ̀. Ìtajà yóò bẹ̀rẹ̀ nígbà tó bá padà.",
    today: "Òní",
    paidToday: ({ count, amount }) => `Tí a san: ${count}, ${amount}`,
    nothingYet: "Kò tíì sí ìtajà.",
    newestShown: ({ shown, count }) => `Tuntun ${shown} nínú ${count}.`,
    cancelSale: "Fagi lé",
    statuses: {
      waiting: "Ó ń dúró",
      partPaid: "A san apá kan",
      onItsWay: "Ó wà lọ́nà",
      paid: "A ti san",
      notPaid: "A kò san",
      canceled: "A ti fagi lé",
    },
    notices: {
      wrong_code: "Kóòdù yìí kò tọ́, tàbí a ti lò ó rí. Béèrè tuntun.",
      too_many_tries: "Kóòdù tí a gbìyànjú láti orí ìsopọ̀ rẹ ti pọ̀ jù. Tún gbìyànjú ní ìṣẹ́jú díẹ̀.",
      too_many_sales: "Ìtajà tí a bẹ̀rẹ̀ lórí ẹ̀rọ yìí ti pọ̀ jù. Tún gbìyànjú ní ìṣẹ́jú díẹ̀.",
      amount_not_possible: "Iye yìí kò ṣeé ṣe níbí. Tẹ òmíràn.",
      answers_malformed: "Iye ẹyọ yìí kò ṣeé ṣe. Tẹ òmíràn.",
      too_few_left: "Ohun tó kù kéré sí ìyẹn. Tẹ èyí tó kéré.",
    },
  },
  refund: {
    from: "Owó tí a dá padà láti ọwọ́",
    onNetwork: ({ network }) => `lórí ${network}`,
    wholeAmount: ({ merchant }) => `Gbogbo rẹ̀ ni o máa gbà: ${merchant} ló ń san owó nẹ́tíwọ́ọ̀kì.`,
    message: "Iṣẹ́ tí wọ́n rán",
    validUntil: "Ó ń ṣiṣẹ́ títí di",
    titles: {
      enter: "Ibo ni kí a fi ránṣẹ́ sí?",
      confirm: "Ṣé àdírẹ́sì rẹ nìyí?",
      pending: "A ń múra owó rẹ sílẹ̀",
      sending: "Owó rẹ wà lójú ọ̀nà",
      completed: "A ti dá owó padà",
      failed: "A kò fi owó náà ránṣẹ́",
      revoked: "A ti fagi lé ìdápadà owó yìí",
      expired: "Àkókò ìdápadà owó yìí ti parí",
    },
    explanations: {
      enter: () =>
        "Tẹ àdírẹ́sì wálẹ́ẹ̀tì tìrẹ. Àdírẹ́sì tí o fi sanwó lè jẹ́ ti ilé-iṣẹ́ pàṣípààrọ̀, tí yóò mú owó náà.",
      confirm: () => "Fi wé wálẹ́ẹ̀tì rẹ. Ohun tí a bá fi ránṣẹ́ sí àdírẹ́sì tí kò tọ́ ti sọnù.",
      pending: ({ merchant }) =>
        `${merchant} máa fi ránṣẹ́ láìpẹ́. O lè pa ojú ewé yìí dé kí o sì ṣí ìjápọ̀ rẹ̀ lẹ́yìn náà.`,
      sending: () => "Nẹ́tíwọ́ọ̀kì ń jẹ́rìí sí i. Ojú ewé yìí ń tẹ̀ lé e fúnra rẹ̀.",
      completed: () => "A ti fi ránṣẹ́ sí àdírẹ́sì rẹ, nẹ́tíwọ́ọ̀kì sì ti jẹ́rìí sí i.",
      failed: ({ merchant }) => `Kàn sí ${merchant} nípa ọ̀nà mìíràn láti dá owó rẹ padà.`,
      revoked: ({ merchant }) =>
        `${merchant} fòpin sí i kí a tó tẹ àdírẹ́sì kankan. Kàn sí wọn bí o kò bá mọ ìdí.`,
      expired: ({ merchant }) => `A kò tẹ àdírẹ́sì kankan lásìkò. Béèrè ìjápọ̀ tuntun lọ́wọ́ ${merchant}.`,
    },
    check: "Tẹ̀síwájú",
    compared: "Mo ti fi àwọn lẹ́tà ìbẹ̀rẹ̀ àti ti ìparí wé wálẹ́ẹ̀tì mi.",
    send: "Fi ránṣẹ́ sí àdírẹ́sì yìí",
    change: "Yí àdírẹ́sì padà",
    sentTo: "Sí àdírẹ́sì rẹ",
    notices: {
      malformed: ({ network }) => `Èyí kì í ṣe àdírẹ́sì ${network}. Tún ṣe ẹ̀dà rẹ̀ láti wálẹ́ẹ̀tì rẹ.`,
      unusable: () => "Àdírẹ́sì yìí kò lè gba owó rẹ. Tẹ àdírẹ́sì wálẹ́ẹ̀tì tìrẹ.",
      not_compared: () => "Kọ́kọ́ fi àdírẹ́sì náà wéra, lẹ́yìn náà fi àmì sí àpótí náà.",
      not_now: ({ merchant }) =>
        `A kò lè fi owó náà ránṣẹ́ báyìí, ${merchant} sì rí i. Ìjápọ̀ rẹ ṣì ń ṣiṣẹ́: tún gbìyànjú lẹ́yìn náà, tàbí kàn sí wọn.`,
    },
  },
  linkNotFound: {
    title: "Kò sí irú ìsanwó bẹ́ẹ̀",
    text: "A kò mọ ìjápọ̀ yìí níbí. Wò ó bóyá a ṣe ẹ̀dà rẹ̀ tán, tàbí béèrè tuntun lọ́wọ́ ilé ìtajà náà.",
  },
  pageError: {
    title: "Nǹkan kan kò lọ dáadáa",
    text: "Owó rẹ wà láìléwu: à ń tọpa ìsanwó bóyá ojú ìwé yìí ṣí tàbí kò ṣí. Tún gbìyànjú láìpẹ́.",
    retry: "Tún gbìyànjú",
  },
  notices: {
    too_many_addresses: "A ti béèrè àdírẹ́sì tó pọ̀ jù láti ìsopọ̀ rẹ. Tún gbìyànjú lẹ́yìn ìṣẹ́jú díẹ̀.",
    no_rate: "A kò lè rí iye owó fún nẹ́tíwọ́ọ̀kì yẹn báyìí. Tún gbìyànjú láìpẹ́, tàbí yan òmíràn.",
    not_offered: "Nẹ́tíwọ́ọ̀kì yẹn kò lè gba ìsanwó yìí mọ́. Yan òmíràn.",
  },
};
