import type { MailTexts } from "./en.ts";

export const pidgin: MailTexts = {
  locale: "pcm",
  testBanner: "Na test payment be dis. No real money move.",
  subject: ({ merchant, price }) => `Your receipt: ${price} go ${merchant}`,
  paid: ({ merchant, price }) => `Di ${price} wey you pay ${merchant} don complete.`,
  overpaid: ({ merchant, excess }) => `You send ${excess} pass. Ask ${merchant} about di rest.`,
  claim: {
    subject: ({ merchant, amount }) => `Di money wey ${merchant} dey give you back: ${amount}`,
    text: ({ merchant, amount, network }) =>
      `${merchant} dey give you back ${amount} for ${network}. Open di link, then put di address wey go collect am.`,
    secret: "Anybody wey get dis link fit choose di address. No give am to anybody.",
    ended: ({ merchant }) =>
      `Di link for dis refund no dey work again. If no be you use am, contact ${merchant}.`,
    message: "Wetin dem write",
    until: "E go work reach",
    open: "Put your address",
  },
  merchant: "Who you pay",
  reference: "Reference number",
  number: "Receipt number",
  amount: "How much",
  completed: "E complete",
  payment: "Di payment",
  transaction: "Transaction number",
  view: "See di receipt",
  why: ({ merchant }) => `You get dis mail because ${merchant} give us dis address for di payment.`,
  stop: ({ merchant }) => `Make una no send ${merchant} receipt again`,
  stopped: ({ merchant }) => `You no go get ${merchant} receipt by mail again.`,
};
