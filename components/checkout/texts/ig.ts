import type { Texts } from "../texts.ts";
import { listOf } from "./word-forms.ts";

const list = listOf("ig");

/** Igbo. A draft: no speaker has reviewed it yet. */
export const igbo: Texts = {
  locale: "ig",
  pageTitle: ({ merchant }) => `Kwụọ ${merchant} ụgwọ`,
  testBanner: "Nke a bụ ịkwụ ụgwọ nnwale. Ọ nweghị ezigbo ego na-agagharị.",
  payTo: "Onye a na-akwụ",
  reference: "Nọmba ntụaka",
  timeLeft: "Oge fọdụrụ ịkwụ ụgwọ",
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
  },
  explanations: {
    choose: () => "Họrọ ụdị ego na netwọk obere akpa gị ga-eji zipu.",
    noChoice: () =>
      "Ọ nweghị netwọk nwere ike ịnata ịkwụ ụgwọ a ugbu a. Ibe a ga-aga n’ihu n’onwe ya ozugbo otu nwere ike.",
    pay: () => "Jiri igwefoto gụọ koodu ahụ, ma ọ bụ detuo ego ole na adreesị n’obere akpa gị.",
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
  },
  stalled: (networks) =>
    `Anyị enweghị ike ịhụ ${list(networks)} ugbu a. Ego e zipuru ebe ahụ nọ na nchekwa, a ga-agụkwa ya ozugbo anyị nwere ike; ọ dịghị mkpa izipu ya ọzọ.`,
  paidLate: ({ merchant }) => `Ọ bịara n’azụ oge, ma ${merchant} nabatara ya.`,
  heldLate: ({ merchant }) =>
    `Ego bịara mgbe oge gwụchara. A gwala ${merchant}: kpọtụrụ ha tupu i zipu ihe ọzọ.`,
  amountToSend: "Ego a ga-ezipu",
  missing: "Ihe fọdụrụ",
  received: "Ihe anatala ruo ugbu a",
  toAddress: ({ symbol, network }) => `Adreesị ${symbol} na ${network}`,
  sendOnly: ({ symbol, network }) => `Zipu naanị ${symbol} na ${network}.`,
  sendOnlyWhy: "Ihe ọ bụla e zipuru na netwọk ọzọ ma ọ bụ n’ụdị ego ọzọ nwere ike ifu.",
  mustArrive:
    "Ego a kpọmkwem ga-eru. Ọ bụrụ na obere akpa ma ọ bụ ebe mgbanwe gị na-ewepụ ụgwọ ọrụ ya n’ime ya, tinyekwuo ya.",
  openWallet: "Mepee n’obere akpa",
  qrLabel: ({ amount, symbol, network }) => `Koodu QR iji kwụọ ${amount} ${symbol} na ${network}`,
  copy: "Detuo",
  copied: "E detuola",
  copyAmount: "Detuo ego ole",
  copyAddress: "Detuo adreesị",
  priceHeld: "Ọnụahịa agaghị agbanwe ruo",
  rate: "Ọnụego mgbanwe",
  rateFixed: "Ọnụego nnwale anaghị agbanwe",
  otherNetwork: "Kwụọ na netwọk ọzọ",
  payments: "Ụgwọ ị kwụrụ",
  progress: {
    confirming: (n, m) => `Nkwenye ${n} n’ime ${m}`,
    finality: "A na-eche nkwenye ikpeazụ",
    confirmed: "A kwadola",
    dropped: "Netwọk kagburu ya, a gụghị ya",
  },
  arrivedLate: "ọ bịara n’azụ oge",
  transaction: "Azụmahịa",
  continue: ({ merchant }) => `Gaa n’ihu na ${merchant}`,
  back: ({ merchant }) => `Laghachi na ${merchant}`,
  cancel: "Kagbuo ma laghachi",
  leaving: ({ merchant }) => `A na-akpọghachi gị na ${merchant} n’ime`,
  stay: "Nọrọ ebe a",
  language: "Asụsụ",
  footer: "Ịkwụ ụgwọ kripto site na Paylink",
  unknown: {
    title: "Ọ nweghị ụdị ịkwụ ụgwọ a",
    text: "A maghị njikọ a ebe a. Lelee ma e detuchara ya, ma ọ bụ rịọ ụlọ ahịa ahụ nke ọhụrụ.",
  },
  broken: {
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
