import type { Texts } from "../texts.ts";
import { listOf } from "./word-forms.ts";

const list = listOf("sw");

/** Swahili as spoken in Kenya and Tanzania. */
export const swahili: Texts = {
  locale: "sw",
  pageTitle: ({ merchant }) => `Lipa ${merchant}`,
  testBanner: "Malipo ya majaribio. Hakuna pesa halisi zinazohamishwa.",
  payTo: "Lipa kwa",
  reference: "Kumbukumbu",
  timeLeft: "Muda uliobaki wa kulipa",
  steps: { label: "Hatua", choose: "Chagua", send: "Tuma", confirm: "Thibitisha", done: "Tayari" },
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
  },
  explanations: {
    choose: () => "Chagua sarafu na mtandao ambao pochi yako itatumia kutuma.",
    noChoice: () =>
      "Hakuna mtandao unaoweza kupokea malipo haya kwa sasa. Ukurasa huu utaendelea wenyewe mara mmoja utakapoweza.",
    pay: () => "Changanua msimbo, au nakili kiasi na anwani uviweke kwenye pochi yako.",
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
  },
  stalled: (networks) =>
    `Kwa sasa hatuwezi kuona ${list(networks)}. Malipo yaliyotumwa huko yako salama na yatahesabiwa mara tutakapoweza; huhitaji kutuma tena.`,
  paidLate: ({ merchant }) => `Yalichelewa kufika, na ${merchant} waliyakubali.`,
  heldLate: ({ merchant }) =>
    `Malipo yalifika baada ya muda kuisha. ${merchant} wamejulishwa: wasiliana nao kabla ya kutuma kitu kingine.`,
  amountToSend: "Kiasi cha kutuma",
  missing: "Bado kinahitajika",
  received: "Kilichopokelewa hadi sasa",
  toAddress: ({ symbol, network }) => `Anwani ya ${symbol} kwenye ${network}`,
  sendOnly: ({ symbol, network }) => `Tuma ${symbol} pekee kwenye ${network}.`,
  sendOnlyWhy: "Chochote kinachotumwa kwa mtandao mwingine au kwa sarafu nyingine kinaweza kupotea.",
  mustArrive:
    "Kiasi hiki kamili ndicho lazima kifike. Ikiwa pochi au soko lako la sarafu linakata ada ndani yake, ongeza ada juu yake.",
  openWallet: "Fungua kwenye pochi",
  qrLabel: ({ amount, symbol, network }) => `Msimbo wa QR wa kulipa ${amount} ${symbol} kwenye ${network}`,
  copy: "Nakili",
  copied: "Imenakiliwa",
  copyAmount: "Nakili kiasi",
  copyAddress: "Nakili anwani",
  priceHeld: "Bei haitabadilika kwa",
  rate: "Kiwango",
  rateFixed: "Kiwango maalum cha maonyesho",
  otherNetwork: "Lipa kwa mtandao mwingine",
  payments: "Malipo yako",
  progress: {
    confirming: (n, m) => `Uthibitisho ${n} kati ya ${m}`,
    finality: "Tunasubiri yawe ya mwisho",
    confirmed: "Yamethibitishwa",
    dropped: "Yamefutwa na mtandao, hayahesabiwi",
  },
  arrivedLate: "yalichelewa kufika",
  transaction: "Muamala",
  continue: ({ merchant }) => `Endelea kwa ${merchant}`,
  back: ({ merchant }) => `Rudi kwa ${merchant}`,
  cancel: "Ghairi na urudi",
  leaving: ({ merchant }) => `Unarudishwa kwa ${merchant} baada ya`,
  stay: "Baki hapa",
  language: "Lugha",
  footer: "Malipo ya kripto kupitia Paylink",
  unknown: {
    title: "Malipo hayapatikani",
    text: "Kiungo hiki hakijulikani hapa. Hakikisha kimenakiliwa chote, au omba duka likupe kipya.",
  },
  broken: {
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
