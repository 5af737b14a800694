import type { MailTexts } from "./en.ts";

export const hausa: MailTexts = {
  locale: "ha",
  testBanner: "Biyan gwaji ne. Babu kuɗin gaske da ya motsa.",
  subject: ({ merchant, price }) => `Rasiti: ${price} zuwa ga ${merchant}`,
  paid: ({ merchant, price }) => `An kammala biyan ku na ${price} zuwa ga ${merchant}.`,
  overpaid: ({ merchant, excess }) =>
    `Ka aika ${excess} fiye da abin da ake bukata. Tuntuɓi ${merchant} game da bambancin.`,
  claim: {
    subject: ({ merchant, amount }) => `Kuɗin da ${merchant} zai mayar maka: ${amount}`,
    text: ({ merchant, amount, network }) =>
      `${merchant} yana mayar maka da ${amount} a ${network}. Buɗe mahaɗin ka shigar da adireshin da zai karɓa.`,
    secret: "Duk wanda yake da wannan mahaɗi zai iya zaɓar adireshin. Kada ka ba kowa.",
    ended: ({ merchant }) =>
      `Mahaɗin wannan mayar da kuɗi ya daina aiki. Idan ba ka yi amfani da shi ba, tuntuɓi ${merchant}.`,
    message: "Saƙo",
    until: "Yana aiki har zuwa",
    open: "Shigar da adireshinka",
  },
  merchant: "Wanda aka biya",
  reference: "Lambar shaida",
  number: "Lamba",
  amount: "Adadi",
  completed: "An kammala",
  payment: "Biya",
  transaction: "Ciniki",
  view: "Nuna rasiti",
  why: ({ merchant }) => `Ka sami wannan saƙo saboda ${merchant} ya ba da wannan adireshi domin biyan.`,
  stop: ({ merchant }) => `A daina aiko rasitin ${merchant}`,
  stopped: ({ merchant }) => `Ba za ka ƙara samun rasitin ${merchant} ta imel ba.`,
};
