import type { MailTexts } from "../texts.ts";

export const yoruba: MailTexts = {
  locale: "yo",
  testBanner: "Ìdánwò ìsanwó ni èyí. Kò sí owó gidi kankan tó kúrò.",
  subject: ({ merchant, price }) => `Ìwé ẹ̀rí ìsanwó: ${price} fún ${merchant}`,
  paid: ({ merchant, price }) => `Ìsanwó rẹ ti ${price} fún ${merchant} ti parí.`,
  overpaid: ({ merchant, excess }) =>
    `O fi ${excess} ránṣẹ́ ju iye tó yẹ lọ. Kàn sí ${merchant} nípa ìyàtọ̀ náà.`,
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
