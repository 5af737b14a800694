import type { WaitEstimate } from "../time-text.ts";
import type { Texts } from "./en.ts";
import { listOf } from "./word-forms.ts";

const list = listOf("sw");

const about = ({ unit, count }: WaitEstimate) =>
  unit === "seconds" ? "sekunde chache" : `takriban ${unit === "minute" ? "dakika" : "saa"} ${count}`;

const short = ({ unit, count }: WaitEstimate, about = "kama ") =>
  unit === "seconds" ? "sekunde chache" : `${about}${unit === "minute" ? "dak" : "saa"} ${count}`;

/** Swahili as spoken in Kenya and Tanzania. */
export const swahili: Texts = {
  locale: "sw",
  preview: {
    title: ({ merchant, price }) => `${price} kwa ${merchant}`,
    waiting: "Inasubiri malipo",
    partlyPaid: "Imelipwa kwa sehemu",
  },
  testBanner: "Malipo ya majaribio, bila pesa halisi.",
  payTo: "Lipa kwa",
  reference: "Kumbukumbu",
  timeLeft: "Muda uliobaki",
  daysShort: "siku",
  timeLeftSoon: { 300: "Zimebaki dakika 5 za kulipa.", 60: "Imebaki dakika 1 ya kulipa." },
  deadlineNote: ({ merchant }) =>
    `Unachotuma kabla muda haujaisha kinahesabiwa, hata kikithibitishwa baadaye. Baada ya hapo, omba kiungo kipya kutoka kwa ${merchant}.`,
  titles: {
    choose: "Chagua njia ya kulipa",
    noChoice: "Haiwezekani kwa sasa",
    pay: "Tuma malipo yako",
    noPrice: "Tunasubiri bei",
    topUp: "Umekaribia kumaliza",
    confirming: "Malipo yamepokelewa",
    checking: "Muda umeisha, tunakagua",
    paid: "Malipo yamekamilika",
    overpaid: "Umelipa zaidi ya kilichoombwa",
    underpaid: "Kiasi chote hakijalipwa",
    unconfirmed: "Malipo hayakuthibitishwa",
    expired: "Muda wa malipo haya umeisha",
    canceled: "Malipo haya yameghairiwa",
  },
  explanations: {
    choose: () => "Chagua sarafu na mtandao ambao pochi yako itatumia kutuma.",
    noChoice: () =>
      "Hakuna mtandao unaoweza kupokea malipo haya kwa sasa. Ukurasa huu utaendelea wenyewe mara mmoja utakapoweza.",
    pay: () => "Nakili kiasi na anwani uviweke kwenye pochi yako, au changanua msimbo.",
    noPrice: () => "Bei ya sasa haipatikani kwa sasa. Ukurasa huu utaendelea wenyewe mara itakapopatikana.",
    topUp: () => "Sehemu ya malipo imefika. Tuma kiasi kamili kilichobaki kwa anwani ile ile.",
    confirming: () => "Huhitaji kufanya kitu kingine. Malipo yatakamilika mtandao ukishayathibitisha.",
    checking: () =>
      "Muda wa kulipa umeisha. Tunaangalia kama malipo yalitumwa kabla ya hapo. Usitume chochote sasa.",
    paid: ({ merchant }) => `Malipo kwa ${merchant} yamekamilika. Unaweza kufunga ukurasa huu.`,
    overpaid: ({ merchant, excess }) =>
      `Malipo kwa ${merchant} yamekamilika. Umetuma ${excess} zaidi ya kilichoombwa: wasiliana nao kuhusu tofauti hiyo.`,
    underpaid: ({ merchant }) =>
      `Muda uliisha kabla kiasi chote hakijafika. Ulichotuma kiko kwa ${merchant}: wasiliana nao ili ukamilishe au urudishiwe pesa.`,
    unconfirmed: ({ merchant }) =>
      `Malipo yako yalionekana, lakini mtandao haukuyathibitisha kwa wakati. Wasiliana na ${merchant} kabla ya kulipa tena.`,
    expired: ({ merchant }) =>
      `Hakuna malipo yaliyofika kwa wakati. Usitume chochote tena kwa anwani ya malipo haya; omba kiungo kipya kutoka kwa ${merchant}.`,
    canceled: ({ merchant }) =>
      `${merchant} amesitisha malipo haya. Usitume chochote tena kwenye anwani. Wasiliana naye ikiwa umeshatuma kitu.`,
  },
  topUpSmallest: ({ amount }) =>
    `Sehemu ya malipo imefika. Tuma ${amount} kwa anwani ile ile, hata kama kilichobaki ni kidogo zaidi: mtandao haupitishi malipo madogo kuliko hayo.`,
  networksUnwatched: (networks) =>
    `Kwa sasa hatuwezi kuona ${list(networks)}. Malipo yaliyotumwa huko yako salama na yatahesabiwa mara tutakapoweza; huhitaji kutuma tena.`,
  astray: ({ amount, network, merchant }) =>
    `${amount} zimefika kwenye ${network}. Si zile ambazo malipo haya yanaomba, kwa hiyo hazihesabiwi hapa. Zimewekwa kando na hazijapotea. Wasiliana na ${merchant} na utaje muamala huu.`,
  networkSlow: "Kwa sasa mtandao unachelewa kuthibitisha. Malipo yako hayajapotea; huhitaji kutuma tena.",
  reverted:
    "Mtandao ulifuta malipo yako ya awali, kwa hiyo hayahesabiwi. Angalia pochi yako kabla ya kulipa tena.",
  lateAccepted: ({ merchant }) => `Yalichelewa kufika, na ${merchant} waliyakubali.`,
  lateTitle: "Malipo yako yamefika kwa kuchelewa",
  lateHeld: ({ merchant }) =>
    `Malipo yalifika baada ya muda kuisha. ${merchant} wamejulishwa: wasiliana nao kabla ya kutuma kitu kingine.`,
  ask: {
    refund: "Omba kurejeshewa pesa",
    newLink: "Omba kiungo kipya",
    contact: ({ merchant }) => `Wasiliana na ${merchant}`,
  },
  usualWait: (wait) =>
    wait.unit === "seconds"
      ? `Kwa kawaida huchukua ${about(wait)}.`
      : `Kwa kawaida huchukua ${about(wait)}, na wakati mwingine zaidi.`,
  networkSpeed: ({ wait, orMore }) => (orMore ? `${short(wait, "")} au zaidi` : short(wait)),
  usualFee: ({ fee }) => `ada kama ${fee}`,
  lowestFee: ({ fee }) => `ada ya chini zaidi, kama ${fee}`,
  contactMerchant: ({ merchant }) => `Wasiliana na ${merchant}:`,
  amountToSend: "Kiasi cha kutuma",
  arrivesInFull: "lazima zifike baada ya ada",
  amountMissing: "Bado kinahitajika",
  receivedSoFar: "Kilichopokelewa hadi sasa",
  toAddress: ({ symbol, network }) => `Anwani ya ${symbol} kwenye ${network}`,
  address: "Anwani",
  sendOnly: ({ symbol, network }) => `${symbol} pekee kwenye ${network}`,
  sendOnlyReason: "Kitu kingine chochote kikitumwa hapo kinaweza kupotea.",
  walletNames: ({ names }) => `Kwenye pochi, mtandao huu huitwa ${names}.`,
  networkMistakes: {
    bitcoin: "On-chain pekee: si Lightning, wala bitcoin iliyofungwa (wrapped).",
    trc20: "Si Ethereum (ERC20), wala BNB Smart Chain (BEP20): anwani ya TRC20 huanza na T.",
    bep20: "Si Ethereum (ERC20): anwani zinafanana tu, mtandao si ule ule.",
  },
  compareAddress: "Kwenye pochi yako, linganisha herufi za mwanzo na za mwisho.",
  tagNeeded:
    "Ikiwa pochi yako inaomba lebo ya mpokeaji (destination tag), tuma kwenye anwani hii pamoja na lebo hii. Bila lebo, malipo hayawezi kutambuliwa.",
  destinationTag: "Lebo ya mpokeaji",
  seenAfterConfirmation: "Malipo yako yataonekana hapa baada ya uthibitisho wa kwanza, si kabla.",
  contractsNotSeen: ({ symbol }) =>
    `Baadhi ya masoko na pochi zote mahiri hutuma ${symbol} kupitia mkataba. Malipo hayo hayaonekani hapa: kutoka huko, chagua tokeni au mtandao mwingine.`,
  openWallet: "Fungua kwenye pochi",
  phoneWallets: "Lipa kwa programu ya simu hii",
  browserWallet: {
    open: "Lipa kwa pochi iliyo kwenye kivinjari hiki",
    pick: "Pochi ipi?",
    unnamed: "Pochi",
    waiting: "Thibitisha malipo kwenye pochi yako.",
    sent: "Imetumwa na pochi yako. Ukurasa huu utaonyesha mara tu yanapofika.",
    again: "Jaribu tena",
    refusals: {
      refused: "Umekataa kwenye pochi. Hakuna kilichotumwa.",
      locked: "Pochi yako imefungwa au inasubiri jibu lingine. Ifungue, kisha jaribu tena.",
      wrongChain: ({ network }) => `Pochi yako haiko kwenye ${network}. Ibadilishe, kisha jaribu tena.`,
      tooLittle: ({ amount }) => `Akaunti ya pochi yako ina chini ya ${amount}.`,
      noFee: ({ coin }) => `Akaunti ya pochi yako ina ${coin} kidogo mno kwa ada ya mtandao.`,
      failed:
        "Pochi haikusema kama imetuma malipo. Angalia kwenye pochi kabla ya kujaribu tena. Unaweza pia kutumia msimbo au anwani.",
    },
  },
  folds: {
    order: "Malipo haya ni ya nini?",
    ways: "Njia nyingine za kulipa",
    network: "Kwa nini mtandao ni muhimu?",
    address: "Je, hii ndiyo anwani sahihi?",
    rate: "Kiasi hiki kimekokotolewaje?",
    deadline: "Nina muda gani?",
  },
  qr: {
    scan: "Au changanua msimbo huu",
    withAmount: "Msimbo wenye kiasi",
    withoutAmount: "Msimbo wenye anwani pekee",
  },
  qrAddressLabel: ({ symbol, network }) => `Msimbo wa QR wa anwani ya ${symbol} kwenye ${network}`,
  qrAddressOnly: "Anwani pekee: weka kiasi mwenyewe.",
  qrReaders: ({ wallets, network }) =>
    `${wallets} husoma msimbo huu. Pochi nyingine inaweza kuchukua anwani isiyo sahihi: kabla ya kuthibitisha, angalia anwani na ${network}.`,
  qrLabel: ({ amount, symbol, network }) => `Msimbo wa QR wa kulipa ${amount} ${symbol} kwenye ${network}`,
  exchange: {
    title: "Unalipa kutoka kwenye soko la sarafu?",
    network: ({ network }) => `Toa kwenda kwenye anwani iliyo juu, na uchague mtandao huu hasa: ${network}.`,
    fee: ({ amount }) => `Ada ya soko huongezwa juu: weka kiasi ambacho ${amount} zitafika.`,
    wait: "Soko linaweza kuchelewa. Acha ukurasa huu wazi, au hifadhi kiungo chake uone malipo baadaye.",
    copyLink: "Nakili kiungo",
    linkCopied: "Kiungo kimenakiliwa.",
  },
  copy: "Nakili",
  copied: "Tayari",
  copyFailed: "Haikunakiliwa",
  copyAmount: "Nakili kiasi",
  copyAddress: "Nakili anwani",
  amountCopied: "Kiasi kimenakiliwa.",
  addressCopied: "Anwani imenakiliwa.",
  copyTag: "Nakili lebo",
  tagCopied: "Lebo imenakiliwa.",
  priceHeldFor: "Bei haitabadilika kwa",
  priceRenewedAfter: "Baada ya hapo inasasishwa hapa.",
  priceRenewed: ({ before, now }) => `Bei imesasishwa: sasa tuma ${now}, si ${before} tena.`,
  priceRenewedSame: "Bei imesasishwa. Kiasi ni kile kile.",
  rate: "Kiwango",
  rateFrom: ({ sources }) => `kutoka ${sources}`,
  rateMarkup: ({ percent, merchant }) => `pamoja na asilimia ${percent} ya ${merchant}`,
  rateNow: "chini ya dakika moja iliyopita",
  rateFixed: "Kiwango maalum cha majaribio",
  rateFixedBy: ({ merchant }) => `Kimewekwa na ${merchant}`,
  otherNetwork: "Lipa kwa mtandao mwingine",
  yourPayments: "Malipo yako",
  progress: {
    confirming: (n, m) => `Uthibitisho ${n} kati ya ${m}`,
    finality: "Tunasubiri uthibitisho wa mwisho",
    confirmed: "Yamethibitishwa",
    dropped: "Yamefutwa na mtandao, hayahesabiwi",
  },
  arrivedLate: "yalichelewa kufika",
  notConfirmedInTime: "Hayakuthibitishwa kwa wakati",
  transaction: "Muamala",
  viewTransaction: "Tazama muamala",
  newTab: "(hufunguka kwenye kichupo kipya)",
  receiptCheck: {
    title: "Kagua risiti",
    valid: "Risiti hii ni halisi.",
    refunded: "Imerejeshwa",
    invalid: "Risiti hii si halisi, au ilitolewa kwingine.",
    unknownKey:
      "Ilisainiwa kwa ufunguo usiotumika hapa: ilitolewa kwingine, au kabla ya ufunguo kubadilishwa.",
    field: "Maandishi ya risiti",
    check: "Kagua",
    proof: "Uthibitisho wa risiti hii",
    signed: "Risiti iliyosainiwa: mtu yeyote anaweza kuhakiki kwamba hakuna kilichobadilishwa.",
    download: "Pakua risiti",
    scan: "Changanua ili kukagua risiti hii",
  },
  continue: ({ merchant }) => `Endelea kwa ${merchant}`,
  back: ({ merchant }) => `Rudi kwa ${merchant}`,
  cancel: "Ghairi na urudi",
  redirectAnnouncement: ({ merchant, seconds }) =>
    `Unarudishwa kwa ${merchant} baada ya sekunde ${seconds}. Bonyeza “Baki hapa” ili usirudishwe.`,
  secondsShort: "sek.",
  stayHere: "Baki hapa",
  disconnected:
    "Hakuna muunganisho. Unachokiona huenda kimepitwa na wakati. Malipo yanafuatiliwa hata hivyo, na ukurasa huu utajisasisha wenyewe.",
  reconnected: "Umeunganishwa tena.",
  receipt: {
    title: "Risiti",
    print: "Chapisha au hifadhi",
    order: "Oda",
    number: "Namba",
    completed: "Yalikamilika",
    network: "Mtandao",
    seen: "Yalionekana",
    address: "Kwa anwani",
    zone: "Saa zote ni za UTC.",
    inUtc: "Onyesha kwa UTC",
    inLocal: "Onyesha kwa saa yangu",
  },
  sandbox: {
    title: "Majaribio: igiza mlipaji",
    explanation:
      "Hulipa kiungo hiki kwenye mnyororo wake wa majaribio na kuchimba bloku. Hakuna mteja anayeona kisanduku hiki.",
    scenarios: {
      exact: "Lipa kiasi kamili",
      short: "Lipa nusu",
      over: "Lipa nusu zaidi",
      underpaid: "Lipa nusu, kisha acha muda uishe",
      late: "Acha muda uishe, kisha lipa",
      extra: "Lipa tena baada ya kukamilika",
      wrong_token: "Lipa kwa tokeni nyingine",
      replaced: "Lipa, kisha badilisha muamala",
      reorganised: "Lipa, kisha urudishe",
    },
    refused: "Haikuigizwa: kiungo hiki au mtandao wake hauruhusu kwa sasa.",
  },
  language: "Lugha",
  footer: "Malipo ya kripto kupitia Paylink",
  form: {
    submit: "Endelea kulipa",
    each: ({ price }) => `${price} kwa kila kimoja`,
    amount: ({ currency }) => `Kiasi kwa ${currency}`,
    atLeast: ({ amount }) => `Angalau ${amount}.`,
    atMost: ({ amount }) => `Si zaidi ya ${amount}.`,
    quantity: "Idadi",
    email: "Anwani ya barua pepe",
    firstName: "Jina la kwanza",
    lastName: "Jina la mwisho",
    phone: "Namba ya simu",
    note: "Maelezo (si lazima)",
    paid: "Asante. Malipo yako yamekamilika.",
    closed: {
      title: "Fomu hii imefungwa",
      text: ({ merchant }) => `${merchant} hapokei malipo hapa tena.`,
    },
    soldOut: {
      title: "Zimeisha",
      text: "Hakuna kilichobaki kwa sasa. Ambacho wengine wamehifadhi bila kulipa kitapatikana tena.",
    },
    notices: {
      amount_not_possible: "Kiasi hiki hakiwezekani hapa. Chagua kingine.",
      answers_malformed: "Jibu moja halipo au halifai. Kagua ulichoandika.",
      too_few_left: "Kilichobaki ni kidogo kuliko ulichoomba. Chagua kidogo zaidi.",
      too_many_submissions:
        "Malipo mengi mno yameanzishwa kutoka muunganisho wako. Jaribu tena baada ya dakika chache.",
    },
  },
  walletConnect: {
    open: "Lipa kwa pochi iliyo kwenye kifaa kingine",
    scan: "Changanua msimbo huu kwa pochi yenye WalletConnect, kisha thibitisha malipo humo.",
    link: "Fungua pochi kwenye kifaa hiki",
  },
  pos: {
    title: "Mahali pa mauzo",
    pairTitle: "Unganisha kifaa hiki",
    pairText: "Weka msimbo wa kifaa uliopewa. Unafanya kazi mara moja tu.",
    deviceCode: "Msimbo wa kifaa",
    connect: "Unganisha",
    charge: "Toza",
    newSale: "Mauzo mapya",
    erase: "Futa tarakimu ya mwisho",
    offline: "Hakuna muunganisho. Mauzo yataanza mara utakaporudi.",
    today: "Leo",
    paidToday: ({ count, amount }) => `Yaliyolipwa: ${count}, ${amount}`,
    nothingYet: "Bado hakuna mauzo.",
    newestShown: ({ shown, count }) => `${shown} mapya zaidi kati ya ${count}.`,
    cancelSale: "Ghairi",
    statuses: {
      waiting: "Inasubiri",
      partPaid: "Imelipwa kiasi",
      onItsWay: "Iko njiani",
      paid: "Imelipwa",
      notPaid: "Haijalipwa",
      canceled: "Imeghairiwa",
    },
    notices: {
      wrong_code: "Msimbo huu si sahihi, au ulishatumika. Omba mwingine.",
      too_many_tries:
        "Misimbo mingi mno imejaribiwa kutoka kwa muunganisho wako. Jaribu tena baada ya dakika chache.",
      too_many_sales: "Mauzo mengi mno yameanzishwa kwenye kifaa hiki. Jaribu tena baada ya dakika chache.",
      amount_not_possible: "Kiasi hiki hakiwezekani hapa. Weka kingine.",
      answers_malformed: "Idadi hii haiwezekani. Weka nyingine.",
      too_few_left: "Kilichobaki ni kidogo kuliko hicho. Weka kidogo zaidi.",
    },
  },
  refund: {
    from: "Pesa zinarudishwa na",
    onNetwork: ({ network }) => `kwenye ${network}`,
    wholeAmount: ({ merchant }) => `Unapokea kiasi chote: ${merchant} analipa ada ya mtandao.`,
    message: "Ujumbe",
    validUntil: "Hadi tarehe",
    titles: {
      enter: "Ziende wapi?",
      confirm: "Je, hii ni anwani yako?",
      pending: "Pesa zako zinaandaliwa",
      sending: "Pesa zako ziko njiani",
      completed: "Pesa zimerudishwa",
      failed: "Pesa hazikutumwa",
      revoked: "Urejeshaji huu umeondolewa",
      expired: "Muda wa urejeshaji huu umeisha",
    },
    explanations: {
      enter: () =>
        "Weka anwani ya pochi yako mwenyewe. Anwani uliyolipia inaweza kuwa ya soko la kubadilishana, ambalo lingebaki na pesa.",
      confirm: () => "Ilinganishe na pochi yako. Kinachotumwa kwenye anwani isiyo sahihi hupotea.",
      pending: ({ merchant }) =>
        `${merchant} atazituma hivi karibuni. Unaweza kufunga ukurasa huu na kufungua kiungo chake tena baadaye.`,
      sending: () => "Mtandao unazithibitisha. Ukurasa huu unafuatilia wenyewe.",
      completed: () => "Zimetumwa kwenye anwani yako, na mtandao umezithibitisha.",
      failed: ({ merchant }) => `Wasiliana na ${merchant} kuhusu njia nyingine ya kukurudishia pesa.`,
      revoked: ({ merchant }) =>
        `${merchant} aliuondoa kabla anwani haijawekwa. Wasiliana naye ikiwa hujui sababu.`,
      expired: ({ merchant }) =>
        `Hakuna anwani iliyowekwa kwa wakati. Omba kiungo kipya kutoka kwa ${merchant}.`,
    },
    check: "Endelea",
    compared: "Nimelinganisha herufi za mwanzo na za mwisho na pochi yangu.",
    send: "Tuma kwenye anwani hii",
    change: "Badilisha anwani",
    sentTo: "Kwenye anwani yako",
    notices: {
      malformed: ({ network }) => `Hii si anwani ya ${network}. Inakili tena kutoka kwenye pochi yako.`,
      unusable: () => "Anwani hii haiwezi kupokea pesa zako. Weka anwani ya pochi yako mwenyewe.",
      not_compared: () => "Linganisha anwani kwanza, kisha weka alama kwenye kisanduku.",
      not_now: ({ merchant }) =>
        `Pesa haziwezi kutumwa kwa sasa, na ${merchant} anaona hivyo. Kiungo chako bado kinatumika: jaribu tena baadaye, au wasiliana naye.`,
    },
  },
  linkNotFound: {
    title: "Malipo hayapatikani",
    text: "Kiungo hiki hakijulikani hapa. Hakikisha kimenakiliwa chote, au omba duka likupe kipya.",
  },
  pageError: {
    title: "Hitilafu imetokea",
    text: "Pesa zako ziko salama: malipo yanafuatiliwa ukurasa huu ukiwa wazi au la. Jaribu tena baada ya muda mfupi.",
    retry: "Jaribu tena",
  },
  notices: {
    too_many_addresses:
      "Anwani nyingi mno zimeombwa kutoka kwenye muunganisho wako. Jaribu tena baada ya dakika chache.",
    no_rate: "Bei ya mtandao huo haipatikani kwa sasa. Jaribu tena baada ya muda mfupi, au chagua mwingine.",
    not_offered: "Mtandao huo hauwezi tena kupokea malipo haya. Chagua mwingine.",
  },
};
