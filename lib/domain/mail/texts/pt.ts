import type { MailTexts } from "../texts.ts";

export const portuguese: MailTexts = {
  locale: "pt",
  testBanner: "Pagamento de teste. Nenhum dinheiro real foi movimentado.",
  subject: ({ merchant, price }) => `Recibo: ${price} a ${merchant}`,
  paid: ({ merchant, price }) => `O seu pagamento de ${price} a ${merchant} está concluído.`,
  overpaid: ({ merchant, excess }) =>
    `Enviou ${excess} a mais. Contacte ${merchant} a respeito da diferença.`,
  merchant: "Pago a",
  reference: "Referência",
  number: "Número",
  amount: "Montante",
  completed: "Concluído em",
  payment: "Pagamento",
  transaction: "Transação",
  view: "Mostrar o recibo",
  why: ({ merchant }) => `Recebe este e-mail porque ${merchant} indicou este endereço para o pagamento.`,
  stop: ({ merchant }) => `Não receber mais recibos de ${merchant}`,
  stopped: ({ merchant }) => `Não receberá mais recibos de ${merchant} por e-mail.`,
};
