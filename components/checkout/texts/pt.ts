import type { Texts } from "../texts.ts";
import { listOf, pluralOf } from "./word-forms.ts";

const plural = pluralOf("pt");
const list = listOf("pt");

/** Portuguese in words that Africa, Brazil and Portugal share. */
export const portuguese: Texts = {
  locale: "pt",
  pageTitle: ({ merchant }) => `Pagar a ${merchant}`,
  testBanner: "Pagamento de teste. Nenhum dinheiro real é movimentado.",
  payTo: "Pagar a",
  reference: "Referência",
  timeLeft: "Tempo restante para pagar",
  steps: { label: "Progresso", choose: "Escolher", send: "Enviar", confirm: "Confirmar", done: "Concluído" },
  titles: {
    choose: "Escolha como pagar",
    noChoice: "Impossível neste momento",
    pay: "Envie o seu pagamento",
    noPrice: "À espera do preço",
    topUp: "Falta pouco",
    confirming: "Pagamento recebido",
    checking: "Tempo esgotado, em verificação",
    paid: "Pagamento concluído",
    overpaid: "Pagou mais do que o pedido",
    underpaid: "Valor incompleto",
    unconfirmed: "Pagamento não confirmado",
    expired: "Este pagamento expirou",
  },
  explanations: {
    choose: () => "Escolha a moeda e a rede que a sua carteira vai usar para enviar.",
    noChoice: () =>
      "Nenhuma rede pode receber este pagamento neste momento. Esta página continua sozinha assim que uma puder.",
    pay: () => "Leia o código, ou copie o valor e o endereço para a sua carteira.",
    noPrice: () =>
      "O preço atual não está disponível neste momento. Esta página continua sozinha assim que estiver.",
    topUp: () => "Chegou uma parte. Envie exatamente o que falta para o mesmo endereço.",
    confirming: () =>
      "Não precisa de fazer mais nada. O pagamento fica concluído assim que a rede o confirmar.",
    checking: () =>
      "O prazo para pagar terminou. Verificamos agora se um pagamento foi enviado antes disso. Não envie nada agora.",
    paid: ({ merchant }) => `O pagamento a ${merchant} está concluído. Pode fechar esta página.`,
    overpaid: ({ merchant, excess }) =>
      `O pagamento a ${merchant} está concluído. Enviou ${excess} a mais: fale com o vendedor sobre a diferença.`,
    underpaid: ({ merchant }) =>
      `O prazo terminou antes de chegar o valor total. O que enviou está com ${merchant}: fale com o vendedor para completar ou ser reembolsado.`,
    unconfirmed: ({ merchant }) =>
      `O seu pagamento foi visto, mas a rede não o confirmou a tempo. Fale com ${merchant} antes de pagar outra vez.`,
    expired: ({ merchant }) =>
      `Nenhum pagamento chegou a tempo. Não envie mais nada para o endereço deste pagamento; peça um novo link a ${merchant}.`,
  },
  stalled: (networks) =>
    `Neste momento não conseguimos ver ${list(networks)}. Um pagamento enviado por aí está seguro e será contado assim que possível; não precisa de o enviar outra vez.`,
  paidLate: ({ merchant }) => `Chegou com atraso, e ${merchant} aceitou-o.`,
  heldLate: ({ merchant }) =>
    `Um pagamento chegou depois do fim. ${merchant} já foi informado: fale com o vendedor antes de enviar mais alguma coisa.`,
  amountToSend: "Valor a enviar",
  missing: "Ainda falta",
  received: "Já recebido",
  toAddress: ({ symbol, network }) => `Endereço ${symbol} em ${network}`,
  sendOnly: ({ symbol, network }) => `Envie apenas ${symbol} em ${network}.`,
  sendOnlyWhy: "O que for enviado por outra rede ou em outra moeda pode perder-se.",
  mustArrive:
    "É exatamente este valor que tem de chegar. Se a sua carteira ou corretora descontar a taxa dele, some a taxa.",
  openWallet: "Abrir na carteira",
  qrLabel: ({ amount, symbol, network }) => `Código QR para pagar ${amount} ${symbol} em ${network}`,
  copy: "Copiar",
  copied: "Copiado",
  copyAmount: "Copiar o valor",
  copyAddress: "Copiar o endereço",
  priceHeld: "Preço garantido por",
  rate: "Câmbio",
  rateFixed: "Câmbio fixo de demonstração",
  otherNetwork: "Pagar por outra rede",
  payments: "Os seus pagamentos",
  progress: {
    confirming: (n, m) => `${n} de ${m} ${plural(m, { one: "confirmação", other: "confirmações" })}`,
    finality: "À espera da finalização",
    confirmed: "Confirmado",
    dropped: "Anulado pela rede, não contado",
  },
  arrivedLate: "chegou com atraso",
  transaction: "Transação",
  continue: ({ merchant }) => `Continuar para ${merchant}`,
  back: ({ merchant }) => `Voltar a ${merchant}`,
  cancel: "Cancelar e voltar",
  leaving: ({ merchant }) => `Volta a ${merchant} em`,
  stay: "Ficar aqui",
  language: "Idioma",
  footer: "Pagamentos cripto por Paylink",
  unknown: {
    title: "Pagamento não encontrado",
    text: "Este link não é conhecido aqui. Verifique se foi copiado por inteiro, ou peça um novo à loja.",
  },
  broken: {
    title: "Algo não funcionou",
    text: "O seu dinheiro está seguro: os pagamentos são acompanhados com ou sem esta página aberta. Tente de novo daqui a pouco.",
    retry: "Tentar de novo",
  },
  notices: {
    too_many_addresses:
      "Foram pedidos endereços demais a partir da sua conexão. Tente de novo daqui a alguns minutos.",
    no_rate:
      "O preço para essa rede não está disponível neste momento. Tente de novo daqui a pouco, ou escolha outra.",
    not_offered: "Essa rede já não pode receber este pagamento. Escolha outra.",
  },
};
