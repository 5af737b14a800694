import type { WaitEstimate } from "../time-text.ts";
import type { Texts } from "./en.ts";
import { listOf } from "./word-forms.ts";

const list = listOf("ig");

const about = ({ unit, count }: WaitEstimate) =>
  unit === "seconds" ? "sekọnd ole na ole" : `ihe dị ka ${unit === "minute" ? "nkeji" : "awa"} ${count}`;

/** Igbo. A draft: no speaker has reviewed it yet. */
export const igbo: Texts = {
  locale: "ig",
  pageTitle: ({ merchant }) => `Kwụọ ${merchant} ụgwọ`,
  preview: {
    title: ({ merchant, price }) => `${price} nye ${merchant}`,
    waiting: "A na-eche ịkwụ ụgwọ",
    partlyPaid: "A kwụọla akụkụ ya",
  },
  testBanner: "Nke a bụ ịkwụ ụgwọ nnwale. Ọ nweghị ezigbo ego na-agagharị.",
  payTo: "Onye a na-akwụ",
  reference: "Nọmba ntụaka",
  timeLeft: "Oge fọdụrụ",
  daysShort: "ụb",
  timeLeftSoon: { 300: "Ọ fọrọ nkeji 5 ịkwụ ụgwọ.", 60: "Ọ fọrọ nkeji 1 ịkwụ ụgwọ." },
  deadlineNote: ({ merchant }) =>
    `Ihe i zipuru tupu oge agwụ na-agụ, ọ bụrụgodị na a kwadoro ya ma e mesịa. Mgbe ahụ gasịrị, rịọ ${merchant} njikọ ọhụrụ.`,
  steps: { label: "Usoro", choose: "Họrọ", send: "Zipu", confirm: "Nkwenye", done: "Agwụla" },
  titles: {
    choose: "Họrọ otu ị ga-esi kwụọ",
    noChoice: "Ọ gaghị ekwe omume ugbu a",
    pay: "Zipu ego gị",
    noPrice: "A na-eche ọnụahịa",
    topUp: "Ọ fọrọ obere",
    confirming: "Anatala ego ahụ",
    checking: "Oge agwụla, a na-enyocha",
    paid: "Ịkwụ ụgwọ agwụla",
    overpaid: "Ị kwụrụ karịa ihe a rịọrọ",
    underpaid: "Ego ahụ ezughị",
    unconfirmed: "A kwadoghị ịkwụ ụgwọ ahụ",
    expired: "Oge ịkwụ ụgwọ a agwụla",
    canceled: "A kagburu ịkwụ ụgwọ a",
  },
  explanations: {
    choose: () => "Họrọ ụdị ego na netwọk obere akpa gị ga-eji zipu.",
    noChoice: () =>
      "Ọ nweghị netwọk nwere ike ịnata ịkwụ ụgwọ a ugbu a. Ibe a ga-aga n’ihu n’onwe ya ozugbo otu nwere ike.",
    pay: () => "Detuo ego ole na adreesị n’obere akpa gị, ma ọ bụ jiri igwefoto gụọ koodu ahụ.",
    noPrice: () => "A naghị enweta ọnụahịa ugbu a. Ibe a ga-aga n’ihu n’onwe ya ozugbo e nwetara ya.",
    topUp: () => "Akụkụ ya erutela. Zipu kpọmkwem ihe fọdụrụ n’otu adreesị ahụ.",
    confirming: () => "Ọ dịghị ihe ọzọ ị ga-eme. Ọ ga-agwụ ozugbo netwọk kwadoro ya.",
    checking: () =>
      "Oge ịkwụ ụgwọ agwụla. Anyị na-elele ma e zipuru ego tupu oge ahụ. Ezipụla ihe ọ bụla ugbu a.",
    paid: ({ merchant }) => `A kwụọla ${merchant}. Ị nwere ike imechi ibe a.`,
    overpaid: ({ merchant, excess }) =>
      `A kwụọla ${merchant}. I zipuru ${excess} karịa ihe a rịọrọ: kpọtụrụ ha maka ihe karịrị.`,
    underpaid: ({ merchant }) =>
      `Oge gwụrụ tupu ego niile eruo. Ihe i zipuru dị n’aka ${merchant}: kpọtụrụ ha ka i mezuo ya ma ọ bụ ka e nyeghachi gị ego gị.`,
    unconfirmed: ({ merchant }) =>
      `A hụrụ ego gị, mana netwọk akwadoghị ya n’oge. Kpọtụrụ ${merchant} tupu ị kwụọ ọzọ.`,
    expired: ({ merchant }) =>
      `Ọ nweghị ego ruru n’oge. Ezipụkwala ihe ọ bụla n’adreesị nke ịkwụ ụgwọ a; rịọ ${merchant} njikọ ọhụrụ.`,
    canceled: ({ merchant }) =>
      `${merchant} kwụsịrị ịkwụ ụgwọ a. Ezigala ihe ọ bụla ọzọ n’adreesị ahụ. Kpọtụrụ ha ma ọ bụrụ na i zigala ihe.`,
  },
  topUpSmallest: ({ amount }) =>
    `Akụkụ ya erutela. Zipu ${amount} n’otu adreesị ahụ, ọ bụrụgodị na ihe fọdụrụ pere mpe karịa: netwọk anaghị ebu ego pere mpe karịa nke a.`,
  networksUnwatched: (networks) =>
    `Anyị enweghị ike ịhụ ${list(networks)} ugbu a. Ego e zipuru ebe ahụ nọ na nchekwa, a ga-agụkwa ya ozugbo anyị nwere ike; ọ dịghị mkpa izipu ya ọzọ.`,
  astray: ({ amount, network, merchant }) =>
    `${amount} rutere na ${network}. Ọ bụghị ihe ịkwụ ụgwọ a na-arịọ, ya mere a gụghị ya ebe a. E debere ya iche, ọ furughị efu. Kpọtụrụ ${merchant} ma kpọọ azụmahịa a aha.`,
  networkSlow: "Netwọk ahụ na-egbu oge ịkwado ugbu a. Ego gị efughị; ọ dịghị mkpa izipu ya ọzọ.",
  lateAccepted: ({ merchant }) => `Ọ bịara n’azụ oge, ma ${merchant} nabatara ya.`,
  lateHeld: ({ merchant }) =>
    `Ego bịara mgbe oge gwụchara. A gwala ${merchant}: kpọtụrụ ha tupu i zipu ihe ọzọ.`,
  usualWait: (wait) =>
    wait.unit === "seconds"
      ? `Ọ na-ewekarị ${about(wait)}.`
      : `Ọ na-ewekarị ${about(wait)}, mgbe ụfọdụ karịa.`,
  networkSpeed: ({ wait, orMore }) =>
    orMore ? `Ọ na-ewe ${about(wait)} ma ọ bụ karịa` : `Ọ na-ewe ${about(wait)}`,
  estimate: ({ amount }) => `ihe dị ka ${amount}`,
  usualFee: ({ fee }) => `Ụgwọ netwọk dị ihe dị ka ${fee}`,
  lowestFee: "Ụgwọ kacha ala",
  networkHints: {
    bitcoin: () => "Naanị on-chain, ọ bụghị Lightning",
    trc20: ({ start }) => `Adreesị na-amalite na ${start}`,
    bep20: () => "A na-akpọkwa ya BSC. Ọ bụghị Ethereum (ERC20)",
  },
  contactMerchant: ({ merchant }) => `Kpọtụrụ ${merchant}:`,
  amountToSend: "Ego a ga-ezipu",
  amountMissing: "Ihe fọdụrụ",
  receivedSoFar: "Ihe anatala ruo ugbu a",
  toAddress: ({ symbol, network }) => `Adreesị ${symbol} na ${network}`,
  sendOnly: ({ symbol, network }) => `Zipu naanị ${symbol} na ${network}.`,
  sendOnlyReason: "Ihe ọ bụla ọzọ e zipuru ebe ahụ nwere ike ifu.",
  walletNames: ({ names }) => `Obere akpa na-akpọ netwọk a ${names}.`,
  networkMistakes: {
    bitcoin: "Naanị on-chain: ọ bụghị na Lightning, ọ bụghịkwa bitcoin “wrapped”.",
    trc20: "Ọ bụghị Ethereum (ERC20), ọ bụghị BNB Smart Chain (BEP20): adreesị TRC20 na-amalite na T.",
    bep20: "Ọ bụghị Ethereum (ERC20): adreesị ha yiri naanị n’anya, netwọk dị iche.",
  },
  amountMustArrive: ({ amount }) =>
    `${amount} ga-eru. Ebe mgbanwe na-ewepụkarị ụgwọ ọrụ ha n’ime ya: tinyekwuo ya.`,
  compareAddress: "N’obere akpa gị, tụnyere mkpụrụedemede mbụ na nke ikpeazụ.",
  tagNeeded:
    "Ọ bụrụ na obere akpa gị na-ajụ akara ebe ọ na-aga (destination tag), ziga n’adreesị a tinyere akara a. Enweghị akara ahụ, a pụghị ịmata ịkwụ ụgwọ ahụ.",
  destinationTag: "Akara ebe ọ na-aga",
  seenAfterConfirmation: "A ga-ahụ ịkwụ ụgwọ gị ebe a mgbe nkwenye mbụ gasịrị, ọ bụghị tupu ya.",
  contractsNotSeen: ({ symbol }) =>
    `Ụfọdụ ebe mgbanwe na obere akpa smart niile na-ezipụ ${symbol} site na nkwekọrịta. A gaghị ahụ ụdị ịkwụ ụgwọ ahụ ebe a: site n’ebe ahụ, họrọ token ma ọ bụ netwọk ọzọ.`,
  openWallet: "Mepee n’obere akpa",
  phoneWallets: "Jiri ngwa dị n’ekwentị a kwụọ",
  browserWallet: {
    open: "Jiri obere akpa dị na ihe nchọgharị a kwụọ ụgwọ",
    pick: "Kedu obere akpa?",
    unnamed: "Obere akpa",
    waiting: "Kwado ịkwụ ụgwọ ahụ na obere akpa gị.",
    sent: "Obere akpa gị ezigala ya. Ibe a ga-egosi ya ozugbo o ruru.",
    again: "Nwaa ọzọ",
    refusals: {
      refused: "Ị jụrụ na obere akpa. E zighị ihe ọ bụla.",
      locked: "Obere akpa gị akpọchiri akpọchi, ma ọ bụ ọ na-eche azịza ọzọ. Mepee ya, wee nwaa ọzọ.",
      wrongChain: ({ network }) => `Obere akpa gị anọghị na ${network}. Gbanwee ya, wee nwaa ọzọ.`,
      tooLittle: ({ amount }) => `Akaụntụ obere akpa gị nwere ihe na-erughị ${amount}.`,
      noFee: ({ coin }) => `Akaụntụ obere akpa gị nwere ${coin} dị ntakịrị maka ụgwọ netwọk.`,
      failed:
        "Obere akpa ahụ ekwughị ma o zigara ụgwọ ahụ. Lelee na obere akpa tupu ị nwaa ọzọ. Ị nwekwara ike iji koodu ma ọ bụ adreesị.",
    },
  },
  qr: { label: "Ihe dị na koodu", payment: "Na ego ole", address: "Naanị adreesị" },
  qrAddressLabel: ({ symbol, network }) => `Koodu QR nke adreesị ${symbol} na ${network}`,
  qrAddressOnly: "Naanị adreesị dị na koodu a: tinye ego ole n’onwe gị.",
  qrReaders: ({ wallets, network }) =>
    `${wallets} na-agụ koodu a. Obere akpa ọzọ nwere ike iwere adreesị na-ezighi ezi: tupu ị kwenye, lelee adreesị na ${network}.`,
  qrLabel: ({ amount, symbol, network }) => `Koodu QR iji kwụọ ${amount} ${symbol} na ${network}`,
  exchange: {
    title: "Ị na-akwụ site n’ahịa mgbanwe?",
    network: ({ network }) => `Wepụ gaa na adreesị dị n’elu, họrọkwa kpọmkwem netwọk a: ${network}.`,
    fee: ({ amount }) => `A na-agbakwunye ụgwọ nke ahịa ahụ: tinye ego ga-eme ka ${amount} rute.`,
    wait: "Ahịa mgbanwe nwere ike were oge. Hapụ peeji a oghe, ma ọ bụ debe njikọ ya ka ị hụ ịkwụ ụgwọ ahụ emechaa.",
    copyLink: "Detuo njikọ",
    linkCopied: "E detuola njikọ.",
  },
  copy: "Detuo",
  copied: "E detuola",
  copyFailed: "E detughị",
  copyAmount: "Detuo ego ole",
  copyAddress: "Detuo adreesị",
  amountCopied: "E detuola ego ole.",
  addressCopied: "E detuola adreesị.",
  copyTag: "Detuo akara",
  tagCopied: "E detuola akara.",
  priceHeldFor: "Ọnụahịa agaghị agbanwe ruo",
  priceRenewedAfter: "E mesịa a ga-emelite ya ebe a.",
  priceRenewed: ({ before, now }) => `E melitela ọnụahịa: zipu ${now} ugbu a, ọ bụghịzi ${before}.`,
  priceRenewedSame: "E melitela ọnụahịa. Ego ole ahụ agbanwebeghị.",
  rate: "Ọnụego mgbanwe",
  rateFrom: ({ sources }) => `site na ${sources}`,
  rateMarkup: ({ percent, merchant }) => `gbakwunyere ${percent}% nke ${merchant}`,
  rateNow: "o rubeghị otu nkeji",
  rateFixed: "Ọnụego nnwale anaghị agbanwe",
  rateFixedBy: ({ merchant }) => `${merchant} kpebiri ya`,
  otherNetwork: "Kwụọ na netwọk ọzọ",
  yourPayments: "Ụgwọ ị kwụrụ",
  progress: {
    confirming: (n, m) => `Nkwenye ${n} n’ime ${m}`,
    finality: "A na-eche nkwenye ikpeazụ",
    confirmed: "A kwadola",
    dropped: "Netwọk kagburu ya, a gụghị ya",
  },
  arrivedLate: "ọ bịara n’azụ oge",
  notConfirmedInTime: "A kwadoghị ya n’oge",
  transaction: "Azụmahịa",
  viewTransaction: "Lee azụmahịa ahụ",
  newTab: "(ọ ga-emepe na taabụ ọhụrụ)",
  receiptCheck: {
    title: "Lelee akwụkwọ nnata",
    valid: "Akwụkwọ nnata a bụ ezigbo.",
    refunded: "Akwụghachiri",
    invalid: "Akwụkwọ nnata a abụghị ezigbo, ma ọ bụ e nyere ya ebe ọzọ.",
    unknownKey: "E ji igodo anaghị eji ebe a bịanye ya aka: e nyere ya ebe ọzọ, ma ọ bụ tupu agbanwee igodo.",
    field: "Ederede akwụkwọ nnata",
    check: "Lelee",
    signed: "Akwụkwọ nnata e binyere aka: onye ọ bụla nwere ike ịlele na a gbanweghị ihe ọ bụla.",
    download: "Budata akwụkwọ nnata",
    scan: "Nyochaa ka ị lelee akwụkwọ nnata a",
  },
  continue: ({ merchant }) => `Gaa n’ihu na ${merchant}`,
  back: ({ merchant }) => `Laghachi na ${merchant}`,
  cancel: "Kagbuo ma laghachi",
  redirecting: ({ merchant }) => `A na-akpọghachi gị na ${merchant} n’ime`,
  redirectAnnouncement: ({ merchant, seconds }) =>
    `A na-akpọghachi gị na ${merchant} n’ime sekọnd ${seconds}. Pịa “Nọrọ ebe a” iji kwụsị ya.`,
  secondsShort: "sek.",
  stayHere: "Nọrọ ebe a",
  disconnected:
    "Enweghị njikọ. Ihe ị na-ahụ nwere ike bụrụ nke ochie. A na-eso ịkwụ ụgwọ n’agbanyeghị, ibe a ga-emelitekwa onwe ya.",
  reconnected: "Njikọ alọtala.",
  receipt: {
    title: "Risiti",
    print: "Bipụta ma ọ bụ chekwaa",
    number: "Nọmba",
    completed: "Ọ gwụchara",
    network: "Netwọk",
    seen: "A hụrụ ya",
    address: "N’adreesị",
    zone: "Oge niile bụ nke UTC.",
  },
  sandbox: {
    title: "Ebe nnwale: mee dịka onye na-akwụ ụgwọ",
    explanation: "Ọ na-akwụ njikọ a n’agbụ nnwale ya ma na-egwupụta ngọngọ. Ọ dịghị onye ahịa na-ahụ igbe a.",
    scenarios: {
      exact: "Kwụọ kpọmkwem",
      short: "Kwụọ ọkara",
      over: "Kwụkwuo ọkara",
      underpaid: "Kwụọ ọkara, ka oge gwụ",
      late: "Ka oge gwụ, e mesịa kwụọ",
      extra: "Kwụọ ọzọ mgbe ọ gwụchara",
      wrong_token: "Jiri token ọzọ kwụọ",
      replaced: "Kwụọ, e mesịa dochie ya",
      reorganised: "Kwụọ, e mesịa weghachi ya",
    },
    refused: "Emeghị ya: njikọ a ma ọ bụ netwọk ya anaghị ekwe ugbu a.",
  },
  language: "Asụsụ",
  footer: "Ịkwụ ụgwọ kripto site na Paylink",
  form: {
    submit: "Gaa n’ihu ịkwụ ụgwọ",
    each: ({ price }) => `${price} nke ọ bụla`,
    amount: ({ currency }) => `Ego na ${currency}`,
    atLeast: ({ amount }) => `Ma ọ dịkarịa ala ${amount}.`,
    atMost: ({ amount }) => `Ka ọ ghara ịkarị ${amount}.`,
    quantity: "Ọnụ ọgụgụ",
    email: "Adreesị email",
    firstName: "Aha mbụ",
    lastName: "Aha nna",
    phone: "Nọmba ekwentị",
    note: "Ihe ịchọrọ ikwu (ọ bụghị iwu)",
    paid: "Daalụ. Ịkwụ ụgwọ gị agwụla.",
    closed: {
      title: "Emechiela fọm a",
      text: ({ merchant }) => `${merchant} anaghịzi anata ego ebe a.`,
    },
    soldOut: {
      title: "Ọ gwụla",
      text: "O nweghị nke fọdụrụ ugbu a. Nke ndị ọzọ debere ma ha akwụghị ụgwọ ga-adị ọzọ.",
    },
    notices: {
      amount_not_possible: "Ego a agaghị ekwe omume ebe a. Họrọ ọzọ.",
      answers_malformed: "Azịza adịghị ma ọ bụ e nweghị ike iji ya. Lelee ihe i tinyere.",
      too_few_left: "Nke fọdụrụ erughị ihe ị rịọrọ. Họrọ nke dị ntakịrị.",
      too_many_submissions:
        "E bidoro ọtụtụ ịkwụ ụgwọ site na njikọ gị. Nwaa ọzọ mgbe nkeji ole na ole gasịrị.",
    },
  },
  walletConnect: {
    open: "Jiri obere akpa nọ na ngwaọrụ ọzọ kwụọ",
    scan: "Jiri obere akpa nwere WalletConnect nyochaa koodu a, kwenyezie ịkwụ ụgwọ ebe ahụ.",
    link: "Mepee obere akpa na ngwaọrụ a",
  },
  pos: {
    title: "Ebe ire ahịa",
    pairTitle: "Jikọọ ngwaọrụ a",
    pairText: "Tinye koodu ngwaọrụ e nyere gị. Ọ na-arụ ọrụ naanị otu ugboro.",
    deviceCode: "Koodu ngwaọrụ",
    connect: "Jikọọ",
    charge: "Nara ego",
    newSale: "Ire ahịa ọhụrụ",
    erase: "Hichapụ ọnụọgụ ikpeazụ",
    offline: "Enweghị njikọ. Ire ahịa ga-amalite mgbe ọ lọtara.",
    today: "Taa",
    paidToday: ({ count, amount }) => `A kwụrụ: ${count}, ${amount}`,
    nothingYet: "Enwebeghị ire ahịa.",
    newestShown: ({ shown, count }) => `Ndị kacha ọhụrụ ${shown} n'ime ${count}.`,
    cancelSale: "Kagbuo",
    statuses: {
      waiting: "Na-eche",
      partPaid: "A kwụrụ otu akụkụ",
      onItsWay: "Ọ nọ n'ụzọ",
      paid: "A kwụọla",
      notPaid: "A kwụghị",
      canceled: "A kagburu",
    },
    notices: {
      wrong_code: "Koodu a ezighi ezi, ma ọ bụ e jirila ya. Rịọ nke ọhụrụ.",
      too_many_tries: "A nwalere koodu karịrị akarị site na njikọ gị. Nwaa ọzọ n'ime nkeji ole na ole.",
      too_many_sales: "A malitere ire ahịa karịrị akarị na ngwaọrụ a. Nwaa ọzọ n'ime nkeji ole na ole.",
      amount_not_possible: "Ego a agaghị ekwe omume ebe a. Tinye ọzọ.",
      answers_malformed: "Ọnụọgụ a agaghị ekwe omume. Tinye ọzọ.",
      too_few_left: "Nke fọdụrụ erughị nke ahụ. Tinye obere.",
    },
  },
  refund: {
    from: "Nkwụghachi ego sitere na",
    onNetwork: ({ network }) => `na ${network}`,
    wholeAmount: ({ merchant }) => `Ị ga-enweta ya niile: ${merchant} na-akwụ ụgwọ netwọk.`,
    message: "Ozi",
    validUntil: "Ọ ga-arụ ọrụ ruo",
    titles: {
      enter: "Ebee ka ọ ga-aga?",
      confirm: "Nke a ọ bụ adreesị gị?",
      pending: "A na-akwadebe ego gị",
      sending: "Ego gị nọ n’ụzọ",
      completed: "Akwụghachila ego ahụ",
      failed: "Ezipughị ego ahụ",
      revoked: "Ewepụla nkwụghachi a",
      expired: "Oge nkwụghachi a agwụla",
    },
    explanations: {
      enter: () =>
        "Tinye adreesị nke obere akpa gị. Adreesị i si kwụọ ụgwọ nwere ike ịbụ nke ebe a na-agbanwe ego, nke ga-ejide ego ahụ.",
      confirm: () => "Jiri ya tụnyere obere akpa gị. Ihe e zigara n’adreesị na-ezighị ezi efuola.",
      pending: ({ merchant }) =>
        `${merchant} ga-ezipu ya n’oge na-adịghị anya. Ị nwere ike imechi ibe a ma mepee njikọ ya ọzọ mgbe e mesịrị.`,
      sending: () => "Netwọk na-akwado ya. Ibe a na-eso ya n’onwe ya.",
      completed: () => "Ezipụla ya n’adreesị gị, netwọk akwadola ya.",
      failed: ({ merchant }) => `Kpọtụrụ ${merchant} maka ụzọ ọzọ a ga-esi kwụghachi gị.`,
      revoked: ({ merchant }) =>
        `${merchant} kwụsịrị ya tupu etinye adreesị. Kpọtụrụ ha ma ọ bụrụ na ị maghị ihe kpatara ya.`,
      expired: ({ merchant }) => `E tinyeghị adreesị n’oge. Rịọ ${merchant} njikọ ọhụrụ.`,
    },
    check: "Gaa n’ihu",
    compared: "Ejirila m mkpụrụedemede mbụ na nke ikpeazụ tụnyere obere akpa m.",
    send: "Ziga n’adreesị a",
    change: "Gbanwee adreesị ahụ",
    sentTo: "N’adreesị gị",
    notices: {
      malformed: ({ network }) => `Nke a abụghị adreesị ${network}. Detuo ya ọzọ site n’obere akpa gị.`,
      unusable: () => "Adreesị a enweghị ike ịnata ego gị. Tinye adreesị nke obere akpa gị.",
      not_compared: () => "Buru ụzọ tụnyere adreesị ahụ, wee kanye akara n’igbe ahụ.",
      not_now: ({ merchant }) =>
        `A pụghị izipu ego ahụ ugbu a, ${merchant} na-ahụ ya. Njikọ gị ka na-arụ ọrụ: nwaa ọzọ ma e mesịa, ma ọ bụ kpọtụrụ ha.`,
    },
  },
  linkNotFound: {
    title: "Ọ nweghị ụdị ịkwụ ụgwọ a",
    text: "A maghị njikọ a ebe a. Lelee ma e detuchara ya, ma ọ bụ rịọ ụlọ ahịa ahụ nke ọhụrụ.",
  },
  pageError: {
    title: "Ihe adịghị mma mere",
    text: "Ego gị nọ na nchekwa: a na-eso ịkwụ ụgwọ ma ibe a o mepere ma o mechiri. Nwaa ọzọ n’oge na-adịghị anya.",
    retry: "Nwaa ọzọ",
  },
  notices: {
    too_many_addresses:
      "A rịọrọ ọtụtụ adreesị site na njikọ ịntanetị gị. Nwaa ọzọ mgbe nkeji ole na ole gachara.",
    no_rate:
      "A naghị enweta ọnụahịa maka netwọk ahụ ugbu a. Nwaa ọzọ n’oge na-adịghị anya, ma ọ bụ họrọ nke ọzọ.",
    not_offered: "Netwọk ahụ enwekwaghị ike ịnata ịkwụ ụgwọ a. Họrọ nke ọzọ.",
  },
};
