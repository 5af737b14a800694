import type { MailTexts } from "./en.ts";

export const yoruba: MailTexts = {
  locale: "yo",
  testBanner: "Ìdánwò ìsanwó ni èyí. Kò sí owó gidi kankan tó kúrò.",
  subject: ({ merchant, price }) => `Ìwé ẹ̀rí ìsanwó: ${price} fún ${merchant}`,
  paid: ({ merchant, price }) => `Ìsanwó rẹ ti ${price} fún ${merchant} ti parí.`,
  overpaid: ({ merchant, excess }) =>
    `O fi ${excess} ránṣẹ́ ju iye tó yẹ lọ. Kàn sí ${merchant} nípa ìyàtọ̀ náà.`,
  claim: {
    subject: ({ merchant, amount }) => `Owó tí ${merchant} ń dá padà fún ọ: ${amount}`,
    text: ({ merchant, amount, network }) =>
      `${merchant} ń dá ${amount} padà fún ọ lórí ${network}. Ṣí ìjápọ̀ náà kí o sì tẹ àdírẹ́sì tí yóò gbà á.`,
    secret: "Ẹnikẹ́ni tó bá ní ìjápọ̀ yìí lè yan àdírẹ́sì náà. Má ṣe fún ẹnikẹ́ni.",
    ended: ({ merchant }) => `Ìjápọ̀ ìdápadà owó yìí kò ṣiṣẹ́ mọ́. Tí o kò bá lò ó, kàn sí ${merchant}.`,
    message: "Iṣẹ́ tí wọ́n rán",
    until: "Ó ń ṣiṣẹ́ títí di",
    open: "Tẹ àdírẹ́sì rẹ",
  },
  merchant: "A san fún",
  reference: "Nọ́mbà ìtọ́kasí",
  number: "Nọ́mbà",
  amount: "Iye owó",
  completed: "Ó parí ní",
  payment: "Ìsanwó",
  transaction: "Ìdúnàádúrà",
  view: "Wo ìwé ẹ̀rí ìsanwó",
  why: ({ merchant }) => `O gba ìwé yìí nítorí pé ${merchant} fún wa ní àdírẹ́sì yìí fún ìsanwó náà.`,
  stop: ({ merchant }) => `Má fi ìwé ẹ̀rí ${merchant} ránṣẹ́ mọ́`,
  stopped: ({ merchant }) => `O kò ní gba ìwé ẹ̀rí ${merchant} nípa ímeèlì mọ́.`,
};
