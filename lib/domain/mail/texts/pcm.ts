import type { MailTexts } from "../texts.ts";

export const pidgin: MailTexts = {
  locale: "pcm",
  testBanner: "Na test payment be dis. No real money move.",
  subject: ({ merchant, price }) => `Your receipt: ${price} go ${merchant}`,
  paid: ({ merchant, price }) => `Di ${price} wey you pay ${merchant} don complete.`,
  overpaid: ({ merchant, excess }) => `You send ${excess} pass. Ask ${merchant} about di rest.`,
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
