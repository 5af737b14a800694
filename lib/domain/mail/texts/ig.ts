import type { MailTexts } from "./en.ts";

export const igbo: MailTexts = {
  locale: "ig",
  testBanner: "Nke a bụ ịkwụ ụgwọ nnwale. Ọ nweghị ezigbo ego gara.",
  subject: ({ merchant, price }) => `Risiti: ${price} nye ${merchant}`,
  paid: ({ merchant, price }) => `Ịkwụ ụgwọ gị nke ${price} nye ${merchant} agwụla.`,
  overpaid: ({ merchant, excess }) =>
    `I zigara ${excess} karịa ihe achọrọ. Kpọtụrụ ${merchant} maka ihe fọdụrụ.`,
  claim: {
    subject: ({ merchant, amount }) => `Ego ${merchant} na-akwụghachi gị: ${amount}`,
    text: ({ merchant, amount, network }) =>
      `${merchant} na-akwụghachi gị ${amount} na ${network}. Mepee njikọ ahụ ma tinye adreesị ga-anata ya.`,
    secret: "Onye ọ bụla nwere njikọ a nwere ike ịhọrọ adreesị ahụ. Enyela ya onye ọ bụla.",
    ended: ({ merchant }) =>
      `Njikọ nke nkwụghachi a adịghị arụ ọrụ ọzọ. Ọ bụrụ na ị jighị ya mee ihe, kpọtụrụ ${merchant}.`,
    message: "Ozi",
    until: "Ọ ga-arụ ọrụ ruo",
    open: "Tinye adreesị gị",
  },
  merchant: "Onye a kwụrụ",
  reference: "Nọmba ntụaka",
  number: "Nọmba",
  amount: "Ego ole",
  completed: "Ọ gwụchara",
  payment: "Ịkwụ ụgwọ",
  transaction: "Azụmahịa",
  view: "Gosi risiti",
  why: ({ merchant }) => `Ị na-enweta ozi a n’ihi na ${merchant} nyere adreesị a maka ịkwụ ụgwọ ahụ.`,
  stop: ({ merchant }) => `Kwụsị izite risiti ${merchant}`,
  stopped: ({ merchant }) => `Ị gaghị enweta risiti ${merchant} n’ozi email ọzọ.`,
};
