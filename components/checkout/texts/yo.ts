import type { Texts } from "../texts.ts";
import { listOf } from "./word-forms.ts";

const list = listOf("yo");

/** Yoruba, with its tone marks. A draft: no speaker has reviewed it yet. */
export const yoruba: Texts = {
  locale: "yo",
  pageTitle: ({ merchant }) => `San owó fún ${merchant}`,
  testBanner: "Ìdánwò ìsanwó ni èyí. Kò sí owó gidi kankan tí yóò kúrò.",
  payTo: "San fún",
  reference: "Nọ́mbà ìtọ́kasí",
  timeLeft: "Àkókò tó kù láti san",
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
  },
  explanations: {
    choose: () => "Yan irú owó àti nẹ́tíwọ́ọ̀kì tí wálẹ́ẹ̀tì rẹ yóò lò.",
    noChoice: () =>
      "Kò sí nẹ́tíwọ́ọ̀kì tó lè gba ìsanwó yìí báyìí. Ojú ìwé yìí yóò tẹ̀síwájú fúnra rẹ̀ nígbà tí ọ̀kan bá lè gbà á.",
    pay: () => "Ya àwòrán kóòdù náà, tàbí ṣe ẹ̀dà iye àti àdírẹ́sì sínú wálẹ́ẹ̀tì rẹ.",
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
  },
  stalled: (networks) =>
    `A kò lè rí ${list(networks)} báyìí. Owó tí a fi ránṣẹ́ níbẹ̀ wà láìléwu, a ó sì kà á nígbà tí a bá lè rí i; kò yẹ kí o tún fi ránṣẹ́.`,
  paidLate: ({ merchant }) => `Ó pẹ́ kó tó dé, ${merchant} sì gbà á.`,
  heldLate: ({ merchant }) =>
    `Owó kan dé lẹ́yìn tí àkókò parí. A ti sọ fún ${merchant}: kàn sí wọn kí o tó fi ohun mìíràn ránṣẹ́.`,
  amountToSend: "Iye tí o máa fi ránṣẹ́",
  missing: "Iye tó kù",
  received: "Iye tó ti dé",
  toAddress: ({ symbol, network }) => `Àdírẹ́sì ${symbol} lórí ${network}`,
  sendOnly: ({ symbol, network }) => `${symbol} lórí ${network} nìkan ni kí o fi ránṣẹ́.`,
  sendOnlyWhy: "Ohunkóhun tí o bá fi ránṣẹ́ lórí nẹ́tíwọ́ọ̀kì mìíràn tàbí ní owó mìíràn lè sọnù.",
  mustArrive:
    "Iye yìí gẹ́lẹ́ ló gbọ́dọ̀ dé. Bí wálẹ́ẹ̀tì tàbí ibi ìpààrọ̀ rẹ bá yọ owó iṣẹ́ kúrò nínú rẹ̀, fi kún un.",
  openWallet: "Ṣí i nínú wálẹ́ẹ̀tì",
  qrLabel: ({ amount, symbol, network }) => `Kóòdù QR láti san ${amount} ${symbol} lórí ${network}`,
  copy: "Ṣe ẹ̀dà",
  copied: "A ti ṣe ẹ̀dà",
  copyAmount: "Ṣe ẹ̀dà iye",
  copyAddress: "Ṣe ẹ̀dà àdírẹ́sì",
  priceHeld: "Iye owó kò ní yí fún",
  rate: "Iye pàṣípààrọ̀",
  rateFixed: "Iye ìdánwò tí kò yí",
  otherNetwork: "San lórí nẹ́tíwọ́ọ̀kì mìíràn",
  payments: "Àwọn ìsanwó rẹ",
  progress: {
    confirming: (n, m) => `Ìmúdájú ${n} nínú ${m}`,
    finality: "À ń dúró de ìmúdájú ìkẹyìn",
    confirmed: "A ti fìdí rẹ̀ múlẹ̀",
    dropped: "Nẹ́tíwọ́ọ̀kì ti fagi lé e, a kò kà á",
  },
  arrivedLate: "ó pẹ́ kó tó dé",
  transaction: "Ìdúnàádúrà",
  continue: ({ merchant }) => `Tẹ̀síwájú sí ${merchant}`,
  back: ({ merchant }) => `Padà sí ${merchant}`,
  cancel: "Fagi lé e kí o padà",
  leaving: ({ merchant }) => `À ń dá ọ padà sí ${merchant} láàárín`,
  stay: "Dúró síbí",
  language: "Èdè",
  footer: "Ìsanwó kírípítò láti ọwọ́ Paylink",
  unknown: {
    title: "Kò sí irú ìsanwó bẹ́ẹ̀",
    text: "A kò mọ ìjápọ̀ yìí níbí. Wò ó bóyá a ṣe ẹ̀dà rẹ̀ tán, tàbí béèrè tuntun lọ́wọ́ ilé ìtajà náà.",
  },
  broken: {
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
