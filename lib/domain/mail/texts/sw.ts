import type { MailTexts } from "./en.ts";

export const swahili: MailTexts = {
  locale: "sw",
  testBanner: "Malipo ya majaribio. Hakuna pesa halisi zilizohamishwa.",
  subject: ({ merchant, price }) => `Risiti: ${price} kwa ${merchant}`,
  paid: ({ merchant, price }) => `Malipo yako ya ${price} kwa ${merchant} yamekamilika.`,
  overpaid: ({ merchant, excess }) =>
    `Ulituma ${excess} zaidi. Wasiliana na ${merchant} kuhusu tofauti hiyo.`,
  claim: {
    subject: ({ merchant, amount }) => `Pesa unazorudishiwa na ${merchant}: ${amount}`,
    text: ({ merchant, amount, network }) =>
      `${merchant} anakurudishia ${amount} kwenye ${network}. Fungua kiungo kisha weka anwani itakayopokea.`,
    secret: "Yeyote aliye na kiungo hiki anaweza kuchagua anwani. Usimpe mtu yeyote.",
    ended: ({ merchant }) =>
      `Kiungo cha kurudishiwa pesa hakitumiki tena. Ikiwa hukukitumia, wasiliana na ${merchant}.`,
    message: "Ujumbe",
    until: "Hadi tarehe",
    open: "Weka anwani yako",
  },
  merchant: "Imelipwa kwa",
  reference: "Kumbukumbu",
  order: "Oda",
  item: "Bidhaa",
  number: "Namba",
  amount: "Kiasi",
  completed: "Yalikamilika",
  payment: "Malipo",
  transaction: "Muamala",
  view: "Onyesha risiti",
  why: ({ merchant }) => `Unapata barua pepe hii kwa sababu ${merchant} alitoa anwani hii kwa malipo.`,
  stop: ({ merchant }) => `Usipokee risiti zaidi za ${merchant}`,
  stopped: ({ merchant }) => `Hutapokea tena risiti za ${merchant} kwa barua pepe.`,
};
