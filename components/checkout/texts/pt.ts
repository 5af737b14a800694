import type { WaitEstimate } from "../time-text.ts";
import type { Texts } from "./en.ts";
import { listOf, pluralOf } from "./word-forms.ts";

const plural = pluralOf("pt");
const list = listOf("pt");

const about = ({ unit, count }: WaitEstimate) =>
  unit === "seconds"
    ? "alguns segundos"
    : `cerca de ${count} ${plural(count, unit === "minute" ? { one: "minuto", other: "minutos" } : { one: "hora", other: "horas" })}`;

const short = ({ unit, count }: WaitEstimate, about = "cerca de ") =>
  unit === "seconds" ? "alguns segundos" : `${about}${count} ${unit === "minute" ? "min" : "h"}`;

/** Portuguese in words that Africa, Brazil and Portugal share. */
export const portuguese: Texts = {
  locale: "pt",
  preview: {
    title: ({ merchant, price }) => `${price} para ${merchant}`,
    waiting: "À espera do pagamento",
    partlyPaid: "Pago em parte",
  },
  testBanner: "Pagamento de teste, sem dinheiro real.",
  payTo: "Pagar a",
  reference: "Referência",
  timeLeft: "Tempo restante",
  daysShort: "d",
  timeLeftSoon: { 300: "Faltam 5 minutos para pagar.", 60: "Falta 1 minuto para pagar." },
  deadlineNote: ({ merchant }) =>
    `O que enviar antes do fim do prazo conta, mesmo que a confirmação chegue depois. A seguir, peça um novo link a ${merchant}.`,
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
    canceled: "Este pagamento foi cancelado",
  },
  explanations: {
    choose: () => "Escolha a moeda e a rede que a sua carteira vai usar para enviar.",
    noChoice: () =>
      "Nenhuma rede pode receber este pagamento neste momento. Esta página continua sozinha assim que uma puder.",
    pay: () => "Copie o valor e o endereço para a sua carteira, ou leia o código.",
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
    canceled: ({ merchant }) =>
      `${merchant} encerrou este pagamento. Não envie mais nada para o endereço. Se já enviou algo, fale com a loja.`,
  },
  topUpSmallest: ({ amount }) =>
    `Chegou uma parte. Envie ${amount} para o mesmo endereço, mesmo que falte menos: a rede não transporta pagamentos mais pequenos.`,
  networksUnwatched: (networks) =>
    `Neste momento não conseguimos ver ${list(networks)}. Um pagamento enviado por aí está seguro e será contado assim que possível; não precisa de o enviar outra vez.`,
  astray: ({ amount, network, merchant }) =>
    `Chegou ${amount} em ${network}. Não é o que este pagamento pede, por isso não conta aqui. O valor fica guardado à parte e não está perdido. Contacte ${merchant} e indique esta transação.`,
  networkSlow:
    "A rede está a demorar a confirmar neste momento. O seu pagamento não se perdeu; não precisa de o enviar outra vez.",
  reverted:
    "A rede anulou o seu pagamento anterior, por isso não conta. Verifique a sua carteira antes de pagar outra vez.",
  lateAccepted: ({ merchant }) => `Chegou com atraso, e ${merchant} aceitou-o.`,
  lateTitle: "O seu pagamento chegou com atraso",
  lateHeld: ({ merchant }) =>
    `Um pagamento chegou depois do fim. ${merchant} já foi informado: fale com o vendedor antes de enviar mais alguma coisa.`,
  ask: {
    refund: "Pedir o reembolso",
    newLink: "Pedir um novo link",
    contact: ({ merchant }) => `Falar com ${merchant}`,
  },
  usualWait: (wait) =>
    wait.unit === "seconds"
      ? `Normalmente demora ${about(wait)}.`
      : `Normalmente demora ${about(wait)}, às vezes mais.`,
  networkSpeed: ({ wait, orMore }) => (orMore ? `${short(wait, "")} ou mais` : short(wait)),
  usualFee: ({ fee }) => `taxa cerca de ${fee}`,
  lowestFee: ({ fee }) => `taxa mais baixa, cerca de ${fee}`,
  contactMerchant: ({ merchant }) => `Fale com ${merchant}:`,
  amountToSend: "Valor a enviar",
  arrivesInFull: "devem chegar após as taxas",
  amountMissing: "Ainda falta",
  receivedSoFar: "Já recebido",
  toAddress: ({ symbol, network }) => `Endereço ${symbol} em ${network}`,
  address: "Endereço",
  sendOnly: ({ symbol, network }) => `Apenas ${symbol} em ${network}`,
  sendOnlyReason: "Qualquer outro envio pode perder-se.",
  walletNames: ({ names }) => `Nas carteiras, esta rede chama-se ${names}.`,
  networkMistakes: {
    bitcoin: "Só on-chain: nem Lightning, nem bitcoin «wrapped».",
    trc20: "Nem Ethereum (ERC20), nem BNB Smart Chain (BEP20): um endereço TRC20 começa por T.",
    bep20: "Não é Ethereum (ERC20): os endereços são parecidos, mas a rede não é a mesma.",
  },
  compareAddress: "Na sua carteira, compare os primeiros e os últimos caracteres.",
  tagNeeded:
    "Se a sua carteira pedir uma tag de destino, envie para este endereço com esta tag. Sem a tag, o pagamento não pode ser reconhecido.",
  destinationTag: "Tag de destino",
  seenAfterConfirmation: "O seu pagamento será visto aqui após a primeira confirmação, não antes.",
  contractsNotSeen: ({ symbol }) =>
    `Algumas exchanges e todas as carteiras inteligentes enviam ${symbol} por um contrato. Esse pagamento não é visto aqui: nesse caso, escolha um token ou outra rede.`,
  openWallet: "Abrir na carteira",
  phoneWallets: "Pagar com um aplicativo deste telefone",
  browserWallet: {
    open: "Pagar com uma carteira deste navegador",
    pick: "Qual carteira?",
    unnamed: "Carteira",
    waiting: "Confirme o pagamento na sua carteira.",
    sent: "Enviado pela sua carteira. Esta página mostra-o assim que chegar.",
    again: "Tentar novamente",
    refusals: {
      refused: "Você recusou na carteira. Nada foi enviado.",
      locked: "A sua carteira está bloqueada ou espera outra resposta. Abra-a e tente novamente.",
      wrongChain: ({ network }) => `A sua carteira não está em ${network}. Mude de rede e tente novamente.`,
      tooLittle: ({ amount }) => `A conta da sua carteira tem menos de ${amount}.`,
      noFee: ({ coin }) => `A conta da sua carteira tem pouco ${coin} para a taxa da rede.`,
      failed:
        "A carteira não disse se enviou o pagamento. Verifique na carteira antes de tentar novamente. Também pode usar o código ou o endereço.",
    },
  },
  folds: {
    order: "A que se refere este pagamento?",
    ways: "Outras formas de pagar",
    network: "Porque é que a rede importa?",
    address: "Este é o endereço certo?",
    rate: "Como se calcula este valor?",
    deadline: "Quanto tempo tenho?",
  },
  qr: {
    scan: "Ou leia este código",
    withAmount: "Um código com o valor",
    withoutAmount: "Um código só com o endereço",
  },
  qrAddressLabel: ({ symbol, network }) => `Código QR do endereço ${symbol} em ${network}`,
  qrAddressOnly: "Só o endereço: introduza o valor.",
  qrReaders: ({ wallets, network }) =>
    `${wallets} leem este código. Outra carteira pode tirar dele um endereço errado: antes de confirmar, confira o endereço e ${network}.`,
  qrLabel: ({ amount, symbol, network }) => `Código QR para pagar ${amount} ${symbol} em ${network}`,
  exchange: {
    title: "Vai pagar de uma corretora?",
    network: ({ network }) => `Saque para o endereço acima e escolha exatamente esta rede: ${network}.`,
    fee: ({ amount }) => `A taxa da corretora é somada: informe um valor com o qual cheguem ${amount}.`,
    wait: "Uma corretora pode demorar. Mantenha esta página aberta ou guarde o link para ver o pagamento mais tarde.",
    copyLink: "Copiar o link",
    linkCopied: "Link copiado.",
  },
  copy: "Copiar",
  copied: "Copiado",
  copyFailed: "Não copiado",
  copyAmount: "Copiar o valor",
  copyAddress: "Copiar o endereço",
  amountCopied: "Valor copiado.",
  addressCopied: "Endereço copiado.",
  copyTag: "Copiar a tag",
  tagCopied: "Tag copiada.",
  priceHeldFor: "Preço garantido",
  priceRenewedAfter: "Depois é atualizado aqui.",
  priceRenewed: ({ before, now }) => `O preço foi atualizado: envie agora ${now}, e já não ${before}.`,
  priceRenewedSame: "O preço foi atualizado. O valor continua o mesmo.",
  rate: "Câmbio",
  rateFrom: ({ sources }) => `segundo ${sources}`,
  rateMarkup: ({ percent, merchant }) => `mais ${percent}% de ${merchant}`,
  rateNow: "há menos de um minuto",
  rateFixed: "Câmbio fixo, para testes",
  rateFixedBy: ({ merchant }) => `Fixado por ${merchant}`,
  otherNetwork: "Pagar por outra rede",
  yourPayments: "Os seus pagamentos",
  progress: {
    confirming: (n, m) => `${n} de ${m} ${plural(m, { one: "confirmação", other: "confirmações" })}`,
    finality: "À espera da confirmação final",
    confirmed: "Confirmado",
    dropped: "Anulado pela rede, não contado",
  },
  arrivedLate: "chegou com atraso",
  notConfirmedInTime: "Não confirmado a tempo",
  transaction: "Transação",
  viewTransaction: "Ver a transação",
  newTab: "(abre em um novo separador)",
  receiptCheck: {
    title: "Verificar um recibo",
    valid: "Este recibo é autêntico.",
    refunded: "Reembolsado",
    invalid: "Este recibo não é autêntico, ou foi emitido noutro lugar.",
    unknownKey:
      "Está assinado com uma chave que não é usada aqui: foi emitido noutro lugar, ou antes de a chave mudar.",
    field: "Texto do recibo",
    check: "Verificar",
    proof: "Prova deste recibo",
    signed: "Um recibo assinado: qualquer pessoa pode verificar que nada foi alterado.",
    download: "Baixar o recibo",
    scan: "Leia o código para verificar este recibo",
  },
  continue: ({ merchant }) => `Continuar para ${merchant}`,
  back: ({ merchant }) => `Voltar a ${merchant}`,
  cancel: "Cancelar e voltar",
  redirectAnnouncement: ({ merchant, seconds }) =>
    `Volta a ${merchant} em ${seconds} segundos. Prima “Ficar aqui” para não voltar.`,
  secondsShort: "s",
  stayHere: "Ficar aqui",
  disconnected:
    "Sem conexão. O que vê pode estar desatualizado. Os pagamentos são acompanhados na mesma, e esta página atualiza-se sozinha.",
  reconnected: "Conexão restabelecida.",
  receipt: {
    title: "Recibo",
    print: "Imprimir ou guardar",
    order: "Encomenda",
    number: "Número",
    completed: "Concluído em",
    network: "Rede",
    seen: "Visto em",
    address: "Para o endereço",
    zone: "Todas as horas são em UTC.",
    inUtc: "Mostrar em UTC",
    inLocal: "Mostrar na minha hora",
  },
  sandbox: {
    title: "Sandbox: faça o papel do pagador",
    explanation:
      "Paga este link na sua blockchain de desenvolvimento e minera os blocos. Nenhum cliente vê esta caixa.",
    scenarios: {
      exact: "Pagar exatamente",
      short: "Pagar metade",
      over: "Pagar metade a mais",
      underpaid: "Pagar metade e deixar o prazo acabar",
      late: "Deixar o prazo acabar e pagar",
      extra: "Pagar de novo depois de concluído",
      wrong_token: "Pagar com outro token",
      replaced: "Pagar e depois substituir",
      reorganised: "Pagar e depois desfazer",
    },
    refused: "Nada foi simulado: este link ou a sua rede não o permite agora.",
  },
  language: "Idioma",
  footer: "Pagamentos cripto por Paylink",
  form: {
    submit: "Continuar para o pagamento",
    each: ({ price }) => `${price} cada`,
    amount: ({ currency }) => `Valor em ${currency}`,
    atLeast: ({ amount }) => `No mínimo ${amount}.`,
    atMost: ({ amount }) => `No máximo ${amount}.`,
    quantity: "Quantidade",
    email: "Endereço de e-mail",
    firstName: "Nome próprio",
    lastName: "Apelido",
    phone: "Número de telefone",
    note: "Nota (opcional)",
    paid: "Obrigado. O seu pagamento está concluído.",
    closed: {
      title: "Este formulário está fechado",
      text: ({ merchant }) => `${merchant} já não aceita pagamentos aqui.`,
    },
    soldOut: {
      title: "Esgotado",
      text: "Não resta nada neste momento. O que outros reservaram e não pagam volta a ficar disponível.",
    },
    notices: {
      amount_not_possible: "Este valor não é possível aqui. Escolha outro.",
      answers_malformed: "Falta uma resposta ou não pode ser usada. Verifique o que escreveu.",
      too_few_left: "Resta menos do que pediu. Escolha menos.",
      too_many_submissions:
        "Foram iniciados demasiados pagamentos a partir da sua ligação. Tente novamente dentro de alguns minutos.",
    },
  },
  walletConnect: {
    open: "Pagar com uma carteira noutro dispositivo",
    scan: "Leia este código com uma carteira que tenha WalletConnect e confirme lá o pagamento.",
    link: "Abrir uma carteira neste dispositivo",
  },
  pos: {
    title: "Ponto de venda",
    pairTitle: "Ligar este dispositivo",
    pairText: "Introduza o código do dispositivo que recebeu. Funciona uma só vez.",
    deviceCode: "Código do dispositivo",
    connect: "Ligar",
    charge: "Cobrar",
    newSale: "Nova venda",
    erase: "Apagar o último dígito",
    offline: "Sem ligação. A venda começa assim que ela voltar.",
    today: "Hoje",
    paidToday: ({ count, amount }) => `Pagas: ${count}, ${amount}`,
    nothingYet: "Ainda não há vendas.",
    newestShown: ({ shown, count }) => `As ${shown} mais recentes de ${count}.`,
    cancelSale: "Cancelar",
    statuses: {
      waiting: "À espera",
      partPaid: "Paga em parte",
      onItsWay: "A caminho",
      paid: "Pago",
      notPaid: "Não paga",
      canceled: "Cancelada",
    },
    notices: {
      wrong_code: "Este código está errado ou já foi usado. Peça um novo.",
      too_many_tries:
        "Foram tentados demasiados códigos a partir da sua ligação. Tente novamente daqui a alguns minutos.",
      too_many_sales:
        "Foram iniciadas demasiadas vendas neste dispositivo. Tente novamente daqui a alguns minutos.",
      amount_not_possible: "Este valor não é possível aqui. Introduza outro.",
      answers_malformed: "Esta quantidade não é possível. Introduza outra.",
      too_few_left: "Resta menos do que isso. Introduza menos.",
    },
  },
  refund: {
    from: "Reembolso de",
    onNetwork: ({ network }) => `em ${network}`,
    wholeAmount: ({ merchant }) => `Recebe o valor inteiro: ${merchant} paga a taxa da rede.`,
    message: "Mensagem",
    validUntil: "Válido até",
    titles: {
      enter: "Para onde deve ir?",
      confirm: "Este é o seu endereço?",
      pending: "O seu reembolso está a ser preparado",
      sending: "O seu reembolso está a caminho",
      completed: "Reembolso concluído",
      failed: "O reembolso não foi enviado",
      revoked: "Este reembolso foi retirado",
      expired: "Este reembolso expirou",
    },
    explanations: {
      enter: () =>
        "Indique um endereço de uma carteira sua. O endereço de onde pagou pode pertencer a uma corretora, que ficaria com o dinheiro.",
      confirm: () => "Compare-o com a sua carteira. O que é enviado para um endereço errado perde-se.",
      pending: ({ merchant }) =>
        `${merchant} envia-o em breve. Pode fechar esta página e abrir o link mais tarde.`,
      sending: () => "A rede está a confirmá-lo. Esta página acompanha tudo sozinha.",
      completed: () => "Foi enviado para o seu endereço, e a rede confirmou-o.",
      failed: ({ merchant }) => `Fale com ${merchant} sobre outra forma de o reembolsar.`,
      revoked: ({ merchant }) =>
        `${merchant} encerrou-o antes de ser indicado um endereço. Se não sabe porquê, fale com a loja.`,
      expired: ({ merchant }) => `Nenhum endereço foi indicado a tempo. Peça um novo link a ${merchant}.`,
    },
    check: "Continuar",
    compared: "Comparei os primeiros e os últimos caracteres com a minha carteira.",
    send: "Enviar para este endereço",
    change: "Mudar o endereço",
    sentTo: "Para o seu endereço",
    notices: {
      malformed: ({ network }) => `Isto não é um endereço de ${network}. Copie-o outra vez da sua carteira.`,
      unusable: () =>
        "Este endereço não pode receber o seu reembolso. Indique um endereço de uma carteira sua.",
      not_compared: () => "Compare primeiro o endereço e depois marque a caixa.",
      not_now: ({ merchant }) =>
        `O reembolso não pode ser enviado agora, e ${merchant} vê isso. O seu link continua válido: tente mais tarde ou fale com a loja.`,
    },
  },
  linkNotFound: {
    title: "Pagamento não encontrado",
    text: "Este link não é conhecido aqui. Verifique se foi copiado por inteiro, ou peça um novo à loja.",
  },
  pageError: {
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
