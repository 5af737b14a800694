import type { MailTexts } from "./en.ts";

export const portuguese: MailTexts = {
  locale: "pt",
  testBanner: "Pagamento de teste. Nenhum dinheiro real foi movimentado.",
  subject: ({ merchant, price }) => `Recibo: ${price} a ${merchant}`,
  paid: ({ merchant, price }) => `O seu pagamento de ${price} a ${merchant} está concluído.`,
  overpaid: ({ merchant, excess }) =>
    `Enviou ${excess} a mais. Contacte ${merchant} a respeito da diferença.`,
  claim: {
    subject: ({ merchant, amount }) => `O seu reembolso de ${merchant}: ${amount}`,
    text: ({ merchant, amount, network }) =>
      `${merchant} reembolsa ${amount} na rede ${network}. Abra o link e indique o endereço que o deve receber.`,
    secret: "Quem tiver este link pode escolher o endereço. Não o partilhe com ninguém.",
    ended: ({ merchant }) => `O link deste reembolso já não é válido. Se não o usou, fale com ${merchant}.`,
    message: "Mensagem",
    until: "Válido até",
    open: "Indicar o seu endereço",
  },
  merchant: "Pago a",
  reference: "Referência",
  order: "Encomenda",
  item: "Artigo",
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
