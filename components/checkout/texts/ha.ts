import type { WaitEstimate } from "../time-text.ts";
import type { Texts } from "./en.ts";
import { listOf } from "./word-forms.ts";

const list = listOf("ha");

const about = ({ unit, count }: WaitEstimate) =>
  unit === "seconds" ? "’yan daƙiƙoƙi" : `kusan ${unit === "minute" ? "minti" : "awa"} ${count}`;

/** Hausa. A draft: no speaker has reviewed it yet. */
export const hausa: Texts = {
  locale: "ha",
  pageTitle: ({ merchant }) => `Biya ${merchant}`,
  preview: {
    title: ({ merchant, price }) => `${price} zuwa ga ${merchant}`,
    waiting: "Ana jiran biya",
    partlyPaid: "An biya wani ɓangare",
  },
  testBanner: "Biyan gwaji ne. Babu kuɗin gaske da zai motsa.",
  payTo: "Wanda za a biya",
  reference: "Lambar shaida",
  timeLeft: "Lokacin da ya rage",
  daysShort: "k",
  timeLeftSoon: { 300: "Saura minti 5 a biya.", 60: "Saura minti 1 a biya." },
  deadlineNote: ({ merchant }) =>
    `Abin da aka aika kafin lokacin ya ƙare yana cikin lissafi, ko da an tabbatar da shi daga baya. Bayan haka, nemi sabon mahaɗi daga ${merchant}.`,
  steps: { label: "Matakai", choose: "Zaɓi", send: "Aika", confirm: "Tabbaci", done: "An gama" },
  titles: {
    choose: "Zaɓi yadda za ka biya",
    noChoice: "Ba zai yiwu ba yanzu",
    pay: "Aika kuɗinka",
    noPrice: "Ana jiran farashi",
    topUp: "Saura kaɗan",
    confirming: "An karɓi kuɗin",
    checking: "Lokaci ya ƙare, ana dubawa",
    paid: "An kammala biya",
    overpaid: "Ka biya fiye da abin da aka nema",
    underpaid: "Kuɗin bai cika ba",
    unconfirmed: "Ba a tabbatar da biyan ba",
    expired: "Lokacin wannan biyan ya ƙare",
    canceled: "An soke wannan biya",
  },
  explanations: {
    choose: () => "Zaɓi nau’in kuɗi da hanyar sadarwar da walat ɗinka zai aika ta kai.",
    noChoice: () =>
      "Babu hanyar sadarwar da za ta iya karɓar wannan biyan yanzu. Wannan shafin zai ci gaba da kansa da zarar an samu.",
    pay: () => "Kwafi adadin da adireshin zuwa walat ɗinka, ko ka duba lambar QR da kyamara.",
    noPrice: () => "Ba a samun farashin yanzu. Wannan shafin zai ci gaba da kansa da zarar an same shi.",
    topUp: () => "Wani ɓangare ya iso. Aika daidai abin da ya rage zuwa adireshin nan ɗaya.",
    confirming: () => "Ba sai ka sake yin komai ba. Zai kammala da zarar hanyar sadarwa ta tabbatar da shi.",
    checking: () =>
      "Lokacin biya ya ƙare. Muna duba ko an aika kuɗi kafin lokacin. Kada ka aika komai yanzu.",
    paid: ({ merchant }) => `An biya ${merchant}. Za ka iya rufe wannan shafin.`,
    overpaid: ({ merchant, excess }) =>
      `An biya ${merchant}. Ka aika ${excess} fiye da abin da aka nema: tuntuɓe su game da ragowar.`,
    underpaid: ({ merchant }) =>
      `Lokaci ya ƙare kafin cikakken kuɗin ya iso. Abin da ka aika yana hannun ${merchant}: tuntuɓe su don ka cika ko a mayar maka.`,
    unconfirmed: ({ merchant }) =>
      `An ga kuɗinka, amma hanyar sadarwa ba ta tabbatar da shi a kan lokaci ba. Tuntuɓi ${merchant} kafin ka sake biya.`,
    expired: ({ merchant }) =>
      `Babu kuɗin da ya iso a kan lokaci. Kada ka sake aika komai zuwa adireshin wannan biyan; nemi sabon mahaɗi daga ${merchant}.`,
    canceled: ({ merchant }) =>
      `${merchant} ya dakatar da wannan biya. Kada ka ƙara aika komai zuwa adireshin. Tuntuɓe shi idan ka riga ka aika wani abu.`,
  },
  topUpSmallest: ({ amount }) =>
    `Wani ɓangare ya iso. Aika ${amount} zuwa adireshin nan ɗaya, ko da abin da ya rage ya fi haka ƙanƙanta: hanyar sadarwa ba ta ɗaukar ƙaramin biyan kuɗi fiye da haka.`,
  networksUnwatched: (networks) =>
    `Ba ma iya ganin ${list(networks)} yanzu. Kuɗin da aka aika ta can yana lafiya kuma za a ƙidaya shi da zarar mun iya; ba sai ka sake aikawa ba.`,
  astray: ({ amount, network, merchant }) =>
    `${amount} ya iso ta ${network}. Ba abin da wannan biyan yake nema ba ne, don haka ba a ƙirga shi a nan ba. An ajiye shi gefe, bai ɓace ba. Tuntuɓi ${merchant} ka faɗi wannan ciniki.`,
  networkSlow:
    "Hanyar sadarwar tana jinkirin tabbatarwa a yanzu. Kuɗinka bai ɓata ba; ba sai ka sake aikawa ba.",
  lateAccepted: ({ merchant }) => `Ya iso a makare, kuma ${merchant} sun karɓa.`,
  lateHeld: ({ merchant }) =>
    `Wani kuɗi ya iso bayan ƙarshen lokaci. An sanar da ${merchant}: tuntuɓe su kafin ka sake aika wani abu.`,
  usualWait: (wait) =>
    wait.unit === "seconds"
      ? `Yawanci yana ɗaukar ${about(wait)}.`
      : `Yawanci yana ɗaukar ${about(wait)}, wani lokaci fiye da haka.`,
  networkSpeed: ({ wait, orMore }) =>
    orMore ? `Yana ɗaukar ${about(wait)} ko fiye` : `Yana ɗaukar ${about(wait)}`,
  estimate: ({ amount }) => `kusan ${amount}`,
  usualFee: ({ fee }) => `Kuɗin hanyar sadarwa kusan ${fee}`,
  lowestFee: "Kuɗi mafi ƙaranci",
  networkHints: {
    bitcoin: () => "On-chain kaɗai, ba Lightning ba",
    trc20: ({ start }) => `Adireshi yana farawa da ${start}`,
    bep20: () => "Ana kiranta BSC ma. Ba Ethereum (ERC20) ba ce",
  },
  contactMerchant: ({ merchant }) => `Tuntuɓi ${merchant}:`,
  amountToSend: "Adadin da za a aika",
  amountMissing: "Abin da ya rage",
  receivedSoFar: "Abin da aka karɓa zuwa yanzu",
  toAddress: ({ symbol, network }) => `Adireshin ${symbol} a kan ${network}`,
  sendOnly: ({ symbol, network }) => `Aika ${symbol} kaɗai a kan ${network}.`,
  sendOnlyReason: "Duk wani abu dabam da aka aika can zai iya ɓacewa.",
  walletNames: ({ names }) => `A walat ana kiran wannan hanyar sadarwa ${names}.`,
  networkMistakes: {
    bitcoin: "On-chain kaɗai: ba ta Lightning ba, kuma ba bitcoin na “wrapped” ba.",
    trc20: "Ba Ethereum (ERC20) ba, ba BNB Smart Chain (BEP20) ba: adireshin TRC20 yana farawa da T.",
    bep20: "Ba Ethereum (ERC20) ba ce: adiresoshin suna kama ne kawai, hanyar sadarwar dabam ce.",
  },
  amountMustArrive: ({ amount }) =>
    `${amount} ne dole ya iso. Kasuwannin kirifto sukan cire kuɗin aikinsu daga ciki: ƙara shi a kai.`,
  compareAddress: "A walat ɗinka, kwatanta haruffan farko da na ƙarshe.",
  tagNeeded:
    "Idan walat ɗinka ya nemi lambar makoma (destination tag), aika zuwa wannan adireshin tare da wannan lambar. Ba tare da lambar ba, ba za a iya gane biyan ba.",
  destinationTag: "Lambar makoma",
  seenAfterConfirmation: "Za a ga biyan kuɗinka a nan bayan tabbatarwa ta farko, ba kafin haka ba.",
  contractsNotSeen: ({ symbol }) =>
    `Wasu musayar kuɗi da duk walat masu wayo suna aika ${symbol} ta kwangila. Ba za a ga irin wannan biyan a nan ba: daga can, zaɓi token ko wata hanyar sadarwa.`,
  openWallet: "Buɗe a walat",
  phoneWallets: "Biya da manhajar wannan waya",
  browserWallet: {
    open: "Biya da walat ɗin da ke wannan burauza",
    pick: "Wane walat?",
    unnamed: "Walat",
    waiting: "Tabbatar da biyan a walat ɗinka.",
    sent: "Walat ɗinka ya aika. Wannan shafi zai nuna da zarar ya iso.",
    again: "Sake gwadawa",
    refusals: {
      refused: "Ka ƙi a walat. Ba a aika komai ba.",
      locked: "Walat ɗinka a kulle yake, ko yana jiran wata amsa. Buɗe shi, sannan ka sake gwadawa.",
      wrongChain: ({ network }) => `Walat ɗinka ba ya kan ${network}. Sauya shi, sannan ka sake gwadawa.`,
      tooLittle: ({ amount }) => `Asusun walat ɗinka yana da ƙasa da ${amount}.`,
      noFee: ({ coin }) => `Asusun walat ɗinka yana da ${coin} kaɗan don kuɗin hanyar sadarwa.`,
      failed:
        "Walat bai faɗi ko ya aika biyan ba. Duba walat kafin ka sake gwadawa. Za ka iya amfani da lambar hoto ko adireshin.",
    },
  },
  qr: { label: "Abin da lambar ta ƙunsa", payment: "Da adadi", address: "Adireshi kaɗai" },
  qrAddressLabel: ({ symbol, network }) => `Lambar QR ta adireshin ${symbol} a kan ${network}`,
  qrAddressOnly: "Wannan lambar tana ɗauke da adireshi kaɗai: shigar da adadin da kanka.",
  qrReaders: ({ wallets, network }) =>
    `${wallets} suna karanta wannan lambar. Wata walat na iya ɗaukar adireshin da ba daidai ba: kafin ka tabbatar, duba adireshin da ${network}.`,
  qrLabel: ({ amount, symbol, network }) => `Lambar QR ta biyan ${amount} ${symbol} a kan ${network}`,
  exchange: {
    title: "Kana biya daga kasuwar kuɗi?",
    network: ({ network }) =>
      `Cire zuwa adireshin da ke sama, ka zaɓi wannan hanyar sadarwa daidai: ${network}.`,
    fee: ({ amount }) => `Ana ƙara kuɗin kasuwar a sama: shigar da adadin da zai sa ${amount} su iso.`,
    wait: "Kasuwa na iya ɗaukar lokaci. Ka bar wannan shafi a buɗe, ko ka ajiye hanyar haɗinsa don ganin biyan daga baya.",
    copyLink: "Kwafi hanyar haɗi",
    linkCopied: "An kwafi hanyar haɗi.",
  },
  copy: "Kwafi",
  copied: "An kwafa",
  copyFailed: "Ba a kwafa ba",
  copyAmount: "Kwafi adadin",
  copyAddress: "Kwafi adireshin",
  amountCopied: "An kwafi adadin.",
  addressCopied: "An kwafi adireshin.",
  copyTag: "Kwafi lambar",
  tagCopied: "An kwafi lambar.",
  priceHeldFor: "Farashin zai tsaya na",
  priceRenewedAfter: "Bayan haka za a sabunta shi a nan.",
  priceRenewed: ({ before, now }) => `An sabunta farashin: yanzu ka aika ${now}, ba ${before} ba kuma.`,
  priceRenewedSame: "An sabunta farashin. Adadin bai canza ba.",
  rate: "Farashin canji",
  rateFrom: ({ sources }) => `daga ${sources}`,
  rateMarkup: ({ percent, merchant }) => `da ƙarin kashi ${percent}% na ${merchant}`,
  rateNow: "ƙasa da minti ɗaya da ya wuce",
  rateFixed: "Tsayayyen farashin gwaji",
  rateFixedBy: ({ merchant }) => `${merchant} ne ya ƙayyade`,
  otherNetwork: "Biya ta wata hanyar sadarwa",
  yourPayments: "Biyan da ka yi",
  progress: {
    confirming: (n, m) => `Tabbatarwa ${n} cikin ${m}`,
    finality: "Ana jiran tabbatarwa ta ƙarshe",
    confirmed: "An tabbatar",
    dropped: "Hanyar sadarwa ta soke shi, ba a ƙidaya ba",
  },
  arrivedLate: "ya iso a makare",
  notConfirmedInTime: "Ba a tabbatar a kan lokaci ba",
  transaction: "Ciniki",
  viewTransaction: "Duba cinikin",
  newTab: "(zai buɗe a sabon shafi)",
  receiptCheck: {
    title: "Duba rasiti",
    valid: "Wannan rasiti na gaskiya ne.",
    refunded: "An mayar",
    invalid: "Wannan rasiti ba na gaskiya ba ne, ko an bayar da shi a wani wuri.",
    unknownKey:
      "An sa masa hannu da maɓallin da ba a amfani da shi a nan: an bayar da shi a wani wuri, ko kafin a canja maɓallin.",
    field: "Rubutun rasiti",
    check: "Duba",
    signed: "Rasiti mai sa hannu: kowa zai iya tabbatar da cewa ba a canza komai ba.",
    download: "Sauke rasitin",
    scan: "Ɗauki lambar don duba wannan rasiti",
  },
  continue: ({ merchant }) => `Ci gaba zuwa ${merchant}`,
  back: ({ merchant }) => `Koma ${merchant}`,
  cancel: "Soke ka koma",
  redirecting: ({ merchant }) => `Za a mayar da kai ${merchant} cikin`,
  redirectAnnouncement: ({ merchant, seconds }) =>
    `Za a mayar da kai ${merchant} cikin daƙiƙa ${seconds}. Danna “Tsaya a nan” don dakatar da hakan.`,
  secondsShort: "daƙ.",
  stayHere: "Tsaya a nan",
  disconnected:
    "Babu haɗin intanet. Abin da kake gani ƙila ya tsufa. Ana bin biyan duk da haka, kuma wannan shafin zai sabunta kansa.",
  reconnected: "An sake haɗuwa.",
  receipt: {
    title: "Rasiti",
    print: "Buga ko adana",
    number: "Lamba",
    completed: "An kammala",
    network: "Hanyar sadarwa",
    seen: "An gani",
    address: "Zuwa adireshi",
    zone: "Duk lokuta na UTC ne.",
  },
  sandbox: {
    title: "Wurin gwaji: yi kamar mai biya",
    explanation:
      "Yana biyan wannan mahaɗin a sarkar gwajinsa kuma yana haƙar tubalan. Babu abokin ciniki da zai taɓa ganin wannan akwati.",
    scenarios: {
      exact: "Biya daidai",
      short: "Biya rabi",
      over: "Biya ƙarin rabi",
      underpaid: "Biya rabi, sannan a bari lokaci ya ƙare",
      late: "Bari lokaci ya ƙare, sannan a biya",
      extra: "Sake biya bayan an kammala",
      wrong_token: "Biya da wani token",
      replaced: "Biya, sannan a musanya",
      reorganised: "Biya, sannan a janye",
    },
    refused: "Ba a yi ba: wannan mahaɗin ko hanyar sadarwarsa ba ta yarda ba yanzu.",
  },
  language: "Harshe",
  footer: "Biyan kirifto ta Paylink",
  form: {
    submit: "Ci gaba zuwa biya",
    each: ({ price }) => `${price} kowanne`,
    amount: ({ currency }) => `Adadi a ${currency}`,
    atLeast: ({ amount }) => `Aƙalla ${amount}.`,
    atMost: ({ amount }) => `Kada ya wuce ${amount}.`,
    quantity: "Yawa",
    email: "Adireshin imel",
    firstName: "Sunan farko",
    lastName: "Sunan mahaifi",
    phone: "Lambar waya",
    note: "Bayani (ba dole ba)",
    paid: "Mun gode. Biyan ku ya kammala.",
    closed: {
      title: "An rufe wannan fom",
      text: ({ merchant }) => `${merchant} ba ya karɓar kuɗi a nan kuma.`,
    },
    soldOut: {
      title: "Ya ƙare",
      text: "Babu abin da ya rage yanzu. Abin da wasu suka ajiye ba su biya ba zai sake samuwa.",
    },
    notices: {
      amount_not_possible: "Wannan adadi ba zai yiwu a nan ba. Zaɓi wani.",
      answers_malformed: "Wata amsa ta ɓace ko ba ta dace ba. Duba abin da kuka shigar.",
      too_few_left: "Abin da ya rage bai kai abin da kuka nema ba. Zaɓi kaɗan.",
      too_many_submissions: "An fara biya da yawa daga haɗin ku. Sake gwadawa bayan mintuna kaɗan.",
    },
  },
  walletConnect: {
    open: "Biya da walat ɗin wata na'ura",
    scan: "Duba wannan lambar da walat mai WalletConnect, sannan ka tabbatar da biyan a can.",
    link: "Buɗe walat a wannan na'ura",
  },
  pos: {
    title: "Wurin sayarwa",
    pairTitle: "Haɗa wannan na'ura",
    pairText: "Shigar da lambar na'ura da aka ba ka. Tana aiki sau ɗaya kawai.",
    deviceCode: "Lambar na'ura",
    connect: "Haɗa",
    charge: "Karɓi kuɗi",
    newSale: "Sabuwar sayarwa",
    erase: "Goge lamba ta ƙarshe",
    offline: "Babu haɗi. Sayarwar za ta fara da zarar ya dawo.",
    today: "Yau",
    paidToday: ({ count, amount }) => `An biya: ${count}, ${amount}`,
    nothingYet: "Babu sayarwa tukuna.",
    newestShown: ({ shown, count }) => `Sababbi ${shown} cikin ${count}.`,
    cancelSale: "Soke",
    statuses: {
      waiting: "Ana jira",
      partPaid: "An biya wani ɓangare",
      onItsWay: "Yana kan hanya",
      paid: "An biya",
      notPaid: "Ba a biya ba",
      canceled: "An soke",
    },
    notices: {
      wrong_code: "Wannan lambar ba daidai ba ce, ko an riga an yi amfani da ita. Nemi sabuwa.",
      too_many_tries: "An gwada lambobi da yawa daga haɗinka. Sake gwadawa nan da 'yan mintuna.",
      too_many_sales: "An fara sayarwa da yawa a wannan na'ura. Sake gwadawa nan da 'yan mintuna.",
      amount_not_possible: "Wannan adadin ba zai yiwu a nan ba. Shigar da wani.",
      answers_malformed: "Wannan yawan ba zai yiwu ba. Shigar da wani.",
      too_few_left: "Abin da ya rage bai kai haka ba. Shigar da kaɗan.",
    },
  },
  refund: {
    from: "Mayar da kuɗi daga",
    onNetwork: ({ network }) => `a kan ${network}`,
    wholeAmount: ({ merchant }) => `Za ka karɓi duka: ${merchant} yana biyan kuɗin network.`,
    message: "Saƙo",
    validUntil: "Yana aiki har zuwa",
    titles: {
      enter: "Ina za a aika?",
      confirm: "Wannan adireshinka ne?",
      pending: "Ana shirya kuɗin da za a mayar maka",
      sending: "Kuɗin da aka mayar maka yana kan hanya",
      completed: "An mayar da kuɗin",
      failed: "Ba a aika kuɗin ba",
      revoked: "An janye wannan mayar da kuɗi",
      expired: "Lokacin wannan mayar da kuɗi ya ƙare",
    },
    explanations: {
      enter: () =>
        "Shigar da adireshin walat naka. Adireshin da ka biya daga gare shi yana iya zama na kasuwar musaya, wadda za ta riƙe kuɗin.",
      confirm: () => "Kwatanta shi da walat ɗinka. Abin da aka aika zuwa adireshi mara daidai ya ɓace.",
      pending: ({ merchant }) =>
        `${merchant} zai aika nan gaba kaɗan. Za ka iya rufe wannan shafi ka sake buɗe mahaɗinsa daga baya.`,
      sending: () => "Network yana tabbatar da shi. Wannan shafi yana bin sa da kansa.",
      completed: () => "An aika shi zuwa adireshinka, kuma network ya tabbatar da shi.",
      failed: ({ merchant }) => `Tuntuɓi ${merchant} game da wata hanyar mayar maka da kuɗi.`,
      revoked: ({ merchant }) =>
        `${merchant} ya dakatar da shi kafin a shigar da adireshi. Tuntuɓe shi idan ba ka san dalili ba.`,
      expired: ({ merchant }) =>
        `Ba a shigar da adireshi a kan lokaci ba. Nemi sabon mahaɗi daga ${merchant}.`,
    },
    check: "Ci gaba",
    compared: "Na kwatanta haruffan farko da na ƙarshe da walat ɗina.",
    send: "Aika zuwa wannan adireshi",
    change: "Canza adireshin",
    sentTo: "Zuwa adireshinka",
    notices: {
      malformed: ({ network }) => `Wannan ba adireshin ${network} ba ne. Sake kwafe shi daga walat ɗinka.`,
      unusable: () => "Wannan adireshi ba zai iya karɓar kuɗinka ba. Shigar da adireshin walat naka.",
      not_compared: () => "Kwatanta adireshin da farko, sannan ka yi alama a akwatin.",
      not_now: ({ merchant }) =>
        `Ba za a iya aika kuɗin yanzu ba, kuma ${merchant} yana gani. Mahaɗinka yana aiki har yanzu: sake gwadawa daga baya, ko ka tuntuɓe shi.`,
    },
  },
  linkNotFound: {
    title: "Babu irin wannan biyan",
    text: "Ba a san wannan mahaɗin a nan ba. Duba ko an kwafe shi duka, ko ka nemi sabo daga shagon.",
  },
  pageError: {
    title: "Wani abu ya lalace",
    text: "Kuɗinka yana lafiya: ana bin biyan ko wannan shafin a buɗe yake ko a rufe. Sake gwadawa nan gaba kaɗan.",
    retry: "Sake gwadawa",
  },
  notices: {
    too_many_addresses:
      "An nemi adiresoshi da yawa daga haɗin intanet ɗinka. Sake gwadawa bayan ’yan mintuna.",
    no_rate:
      "Ba a samun farashin wannan hanyar sadarwar yanzu. Sake gwadawa nan gaba kaɗan, ko ka zaɓi wata.",
    not_offered: "Wannan hanyar sadarwar ba za ta iya karɓar biyan ba kuma. Zaɓi wata.",
  },
};
