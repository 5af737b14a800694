import type { Texts } from "../texts.ts";
import { listOf } from "./word-forms.ts";

const list = listOf("ha");

/** Hausa. A draft: no speaker has reviewed it yet. */
export const hausa: Texts = {
  locale: "ha",
  pageTitle: ({ merchant }) => `Biya ${merchant}`,
  testBanner: "Biyan gwaji ne. Babu kuɗin gaske da zai motsa.",
  payTo: "Wanda za a biya",
  reference: "Lambar shaida",
  timeLeft: "Lokacin da ya rage",
  steps: { label: "Matakai", choose: "Zaɓi", send: "Aika", confirm: "Tabbatarwa", done: "An gama" },
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
  },
  explanations: {
    choose: () => "Zaɓi nau’in kuɗi da hanyar sadarwar da walat ɗinka zai aika ta kai.",
    noChoice: () =>
      "Babu hanyar sadarwar da za ta iya karɓar wannan biyan yanzu. Wannan shafin zai ci gaba da kansa da zarar an samu.",
    pay: () => "Duba lambar QR da kyamara, ko ka kwafi adadin da adireshin zuwa walat ɗinka.",
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
  },
  stalled: (networks) =>
    `Ba ma iya ganin ${list(networks)} yanzu. Kuɗin da aka aika ta can yana lafiya kuma za a ƙidaya shi da zarar mun iya; ba sai ka sake aikawa ba.`,
  paidLate: ({ merchant }) => `Ya iso a makare, kuma ${merchant} sun karɓa.`,
  heldLate: ({ merchant }) =>
    `Wani kuɗi ya iso bayan ƙarshen lokaci. An sanar da ${merchant}: tuntuɓe su kafin ka sake aika wani abu.`,
  amountToSend: "Adadin da za a aika",
  missing: "Abin da ya rage",
  received: "Abin da aka karɓa zuwa yanzu",
  toAddress: ({ symbol, network }) => `Adireshin ${symbol} a kan ${network}`,
  sendOnly: ({ symbol, network }) => `Aika ${symbol} kaɗai a kan ${network}.`,
  sendOnlyWhy: "Duk abin da aka aika ta wata hanyar sadarwa ko da wani nau’in kuɗi zai iya ɓacewa.",
  mustArrive:
    "Daidai wannan adadin ne dole ya iso. Idan walat ko kasuwar kirifto tana cire kuɗin aikinta daga ciki, ƙara shi a kai.",
  openWallet: "Buɗe a walat",
  qrLabel: ({ amount, symbol, network }) => `Lambar QR ta biyan ${amount} ${symbol} a kan ${network}`,
  copy: "Kwafi",
  copied: "An kwafa",
  copyAmount: "Kwafi adadin",
  copyAddress: "Kwafi adireshin",
  priceHeld: "Farashin zai tsaya na",
  rate: "Farashin canji",
  rateFixed: "Tsayayyen farashin gwaji",
  otherNetwork: "Biya ta wata hanyar sadarwa",
  payments: "Biyan da ka yi",
  progress: {
    confirming: (n, m) => `Tabbatarwa ${n} cikin ${m}`,
    finality: "Ana jiran tabbaci na ƙarshe",
    confirmed: "An tabbatar",
    dropped: "Hanyar sadarwa ta soke shi, ba a ƙidaya ba",
  },
  arrivedLate: "ya iso a makare",
  transaction: "Ciniki",
  continue: ({ merchant }) => `Ci gaba zuwa ${merchant}`,
  back: ({ merchant }) => `Koma ${merchant}`,
  cancel: "Soke ka koma",
  leaving: ({ merchant }) => `Za a mayar da kai ${merchant} cikin`,
  stay: "Tsaya a nan",
  language: "Harshe",
  footer: "Biyan kirifto ta Paylink",
  unknown: {
    title: "Babu irin wannan biyan",
    text: "Ba a san wannan mahaɗin a nan ba. Duba ko an kwafe shi duka, ko ka nemi sabo daga shagon.",
  },
  broken: {
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
