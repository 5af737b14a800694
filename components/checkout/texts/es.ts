import type { WaitEstimate } from "../time-text.ts";
import type { Texts } from "./en.ts";
import { listOf, pluralOf } from "./word-forms.ts";

const plural = pluralOf("es");
const list = listOf("es");

const about = ({ unit, count }: WaitEstimate) => {
  if (unit === "seconds") return "unos segundos";
  const minutes = { one: "alrededor de 1 minuto", other: `unos ${count} minutos` };
  return plural(
    count,
    unit === "minute" ? minutes : { one: "alrededor de 1 hora", other: `unas ${count} horas` },
  );
};

const short = ({ unit, count }: WaitEstimate, about = "aprox. ") =>
  unit === "seconds" ? "unos segundos" : `${about}${count} ${unit === "minute" ? "min" : "h"}`;

/** Spanish, formal address, in words understood on both sides of the Atlantic. */
export const spanish: Texts = {
  locale: "es",
  preview: {
    title: ({ merchant, price }) => `${price} para ${merchant}`,
    waiting: "A la espera del pago",
    partlyPaid: "Pagado en parte",
  },
  testBanner: "Pago de prueba. No se mueve dinero real.",
  payTo: "Pagar a",
  reference: "Referencia",
  timeLeft: "Tiempo restante",
  daysShort: "d",
  timeLeftSoon: { 300: "Quedan 5 minutos para pagar.", 60: "Queda 1 minuto para pagar." },
  deadlineNote: ({ merchant }) =>
    `Lo que envíe antes de que acabe el plazo cuenta, aunque se confirme después. Más tarde, pida un enlace nuevo a ${merchant}.`,
  titles: {
    choose: "Elija cómo pagar",
    noChoice: "No es posible ahora",
    pay: "Envíe su pago",
    noPrice: "A la espera del precio",
    topUp: "Ya casi está",
    confirming: "Pago recibido",
    checking: "Tiempo agotado, comprobando",
    paid: "Pago completado",
    overpaid: "Pagó más de lo pedido",
    underpaid: "Importe incompleto",
    unconfirmed: "Pago sin confirmar",
    expired: "Este pago ha caducado",
    canceled: "Este pago fue cancelado",
  },
  explanations: {
    choose: () => "Elija la moneda y la red que usará su billetera para enviar.",
    noChoice: () =>
      "Ninguna red puede recibir este pago en este momento. Esta página seguirá sola en cuanto alguna pueda.",
    pay: () => "Copie el importe y la dirección en su billetera, o escanee el código.",
    noPrice: () =>
      "El precio actual no está disponible en este momento. Esta página seguirá sola en cuanto lo esté.",
    topUp: () => "Ha llegado una parte. Envíe exactamente lo que falta a la misma dirección.",
    confirming: () => "No tiene que hacer nada más. El pago se completará cuando la red lo confirme.",
    checking: () =>
      "El plazo para pagar ha terminado. Estamos comprobando si se envió un pago antes. No envíe nada ahora.",
    paid: ({ merchant }) => `El pago a ${merchant} se ha completado. Puede cerrar esta página.`,
    overpaid: ({ merchant, excess }) =>
      `El pago a ${merchant} se ha completado. Envió ${excess} de más: contacte con el vendedor por la diferencia.`,
    underpaid: ({ merchant }) =>
      `El plazo terminó antes de que llegara el importe completo. Lo que envió está en poder de ${merchant}: contacte con el vendedor para completarlo o recibir un reembolso.`,
    unconfirmed: ({ merchant }) =>
      `Su pago se vio, pero la red no lo confirmó a tiempo. Contacte con ${merchant} antes de volver a pagar.`,
    expired: ({ merchant }) =>
      `No llegó ningún pago a tiempo. No envíe nada más a la dirección de este pago; pida un enlace nuevo a ${merchant}.`,
    canceled: ({ merchant }) =>
      `${merchant} dio por terminado este pago. No envíe nada más a la dirección. Si ya envió algo, póngase en contacto con este comercio.`,
  },
  topUpSmallest: ({ amount }) =>
    `Ha llegado una parte. Envíe ${amount} a la misma dirección, aunque falte menos: la red no transporta pagos más pequeños.`,
  networksUnwatched: (networks) =>
    `Ahora mismo no podemos ver ${list(networks)}. Un pago enviado por ahí está a salvo y se contará en cuanto sea posible; no hace falta enviarlo otra vez.`,
  astray: ({ amount, network, merchant }) =>
    `Llegó ${amount} por ${network}. No es lo que pide este pago, así que aquí no cuenta. Se guarda aparte y no está perdido. Contacta con ${merchant} e indica esta transacción.`,
  networkSlow:
    "La red tarda en confirmar en este momento. Tu pago no se ha perdido; no hace falta enviarlo otra vez.",
  reverted:
    "La red anuló su pago anterior, así que no cuenta. Compruebe su billetera antes de volver a pagar.",
  lateAccepted: ({ merchant }) => `Llegó tarde, y ${merchant} lo aceptó.`,
  lateTitle: "Su pago llegó tarde",
  lateHeld: ({ merchant }) =>
    `Un pago llegó después del final. ${merchant} ya lo sabe: póngase en contacto antes de enviar nada más.`,
  ask: {
    refund: "Pedir el reembolso",
    newLink: "Pedir un enlace nuevo",
    contact: ({ merchant }) => `Contactar con ${merchant}`,
  },
  usualWait: (wait) =>
    wait.unit === "seconds" ? `Suele tardar ${about(wait)}.` : `Suele tardar ${about(wait)}, y a veces más.`,
  networkSpeed: ({ wait, orMore }) => (orMore ? `${short(wait, "")} o más` : short(wait)),
  usualFee: ({ fee }) => `comisión aprox. ${fee}`,
  lowestFee: ({ fee }) => `comisión más baja, aprox. ${fee}`,
  contactMerchant: ({ merchant }) => `Contactar con ${merchant}:`,
  amountToSend: "Importe a enviar",
  arrivesInFull: "deben llegar tras la comisión",
  amountMissing: "Falta por enviar",
  receivedSoFar: "Recibido hasta ahora",
  toAddress: ({ symbol, network }) => `Dirección ${symbol} en ${network}`,
  address: "Dirección",
  sendOnly: ({ symbol, network }) => `Solo ${symbol} en ${network}`,
  sendOnlyReason: "Cualquier otra cosa que envíe puede perderse.",
  walletNames: ({ names }) => `En las billeteras, esta red se llama ${names}.`,
  networkMistakes: {
    bitcoin: "Solo on-chain: ni Lightning ni bitcoin «wrapped».",
    trc20: "Ni Ethereum (ERC20) ni BNB Smart Chain (BEP20): una dirección TRC20 empieza por T.",
    bep20: "No es Ethereum (ERC20): las direcciones se parecen, pero la red es otra.",
  },
  compareAddress: "En su billetera, compare los primeros y los últimos caracteres.",
  tagNeeded:
    "Si su billetera pide una etiqueta de destino, envíe a esta dirección con esta etiqueta. Sin ella, el pago no se puede reconocer.",
  destinationTag: "Etiqueta de destino",
  seenAfterConfirmation: "Su pago se verá aquí después de la primera confirmación, no antes.",
  contractsNotSeen: ({ symbol }) =>
    `Algunos exchanges y todas las billeteras inteligentes envían ${symbol} mediante un contrato. Ese pago no se ve aquí: en ese caso, elija un token u otra red.`,
  openWallet: "Abrir en la billetera",
  phoneWallets: "Pagar con una aplicación de este teléfono",
  browserWallet: {
    open: "Pagar con una billetera de este navegador",
    pick: "¿Qué billetera?",
    unnamed: "Billetera",
    waiting: "Confirma el pago en tu billetera.",
    sent: "Enviado por tu billetera. Esta página lo muestra en cuanto llegue.",
    again: "Intentar de nuevo",
    refusals: {
      refused: "Lo rechazaste en la billetera. No se envió nada.",
      locked: "Tu billetera está bloqueada o espera otra respuesta. Ábrela e inténtalo de nuevo.",
      wrongChain: ({ network }) =>
        `Tu billetera no está en ${network}. Cámbiala de red e inténtalo de nuevo.`,
      tooLittle: ({ amount }) => `La cuenta de tu billetera tiene menos de ${amount}.`,
      noFee: ({ coin }) => `La cuenta de tu billetera tiene muy poco ${coin} para la comisión de la red.`,
      failed:
        "La billetera no dijo si envió el pago. Mira en la billetera antes de intentarlo de nuevo. También puedes usar el código o la dirección.",
    },
  },
  folds: {
    order: "¿A qué corresponde este pago?",
    ways: "Otras formas de pagar",
    network: "¿Por qué importa la red?",
    address: "¿Es esta la dirección correcta?",
    rate: "¿Cómo se calcula este importe?",
    deadline: "¿Cuánto tiempo tengo?",
  },
  qr: {
    scan: "O escanee este código",
    withAmount: "Un código con el importe",
    withoutAmount: "Un código solo con la dirección",
  },
  qrAddressLabel: ({ symbol, network }) => `Código QR de la dirección ${symbol} en ${network}`,
  qrAddressOnly: "Solo la dirección: introduzca usted el importe.",
  qrReaders: ({ wallets, network }) =>
    `${wallets} leen este código. Otra billetera puede tomar de él una dirección equivocada: antes de confirmar, compruebe la dirección y ${network}.`,
  qrLabel: ({ amount, symbol, network }) => `Código QR para pagar ${amount} ${symbol} en ${network}`,
  exchange: {
    title: "¿Paga desde un exchange?",
    network: ({ network }) => `Retire a la dirección de arriba y elija exactamente esta red: ${network}.`,
    fee: ({ amount }) => `La comisión del exchange se suma: escriba un importe con el que lleguen ${amount}.`,
    wait: "Un exchange puede tardar. Deje esta página abierta o guarde su enlace para ver el pago más tarde.",
    copyLink: "Copiar el enlace",
    linkCopied: "Enlace copiado.",
  },
  copy: "Copiar",
  copied: "Copiado",
  copyFailed: "No copiado",
  copyAmount: "Copiar el importe",
  copyAddress: "Copiar la dirección",
  amountCopied: "Importe copiado.",
  addressCopied: "Dirección copiada.",
  copyTag: "Copiar la etiqueta",
  tagCopied: "Etiqueta copiada.",
  priceHeldFor: "Precio garantizado",
  priceRenewedAfter: "Después se actualiza aquí.",
  priceRenewed: ({ before, now }) => `El precio se ha actualizado: envíe ahora ${now}, ya no ${before}.`,
  priceRenewedSame: "El precio se ha actualizado. El importe sigue siendo el mismo.",
  rate: "Cambio",
  rateFrom: ({ sources }) => `según ${sources}`,
  rateMarkup: ({ percent, merchant }) => `más ${percent}\u00a0% de ${merchant}`,
  rateNow: "hace menos de un minuto",
  rateFixed: "Cambio fijo, para pruebas",
  rateFixedBy: ({ merchant }) => `Fijado por ${merchant}`,
  otherNetwork: "Pagar por otra red",
  yourPayments: "Sus pagos",
  progress: {
    confirming: (n, m) => `${n} de ${m} ${plural(m, { one: "confirmación", other: "confirmaciones" })}`,
    finality: "A la espera de la confirmación final",
    confirmed: "Confirmado",
    dropped: "Anulado por la red, no cuenta",
  },
  arrivedLate: "llegó tarde",
  notConfirmedInTime: "Sin confirmar a tiempo",
  transaction: "Transacción",
  viewTransaction: "Ver la transacción",
  newTab: "(se abre en otra pestaña)",
  receiptCheck: {
    title: "Comprobar un recibo",
    valid: "Este recibo es auténtico.",
    refunded: "Reembolsado",
    invalid: "Este recibo no es auténtico, o se emitió en otro sitio.",
    unknownKey:
      "Está firmado con una clave que no se usa aquí: se emitió en otro sitio, o antes de cambiar la clave.",
    field: "Texto del recibo",
    check: "Comprobar",
    proof: "Prueba de este recibo",
    signed: "Un recibo firmado: cualquiera puede comprobar que no se ha cambiado nada.",
    download: "Descargar el recibo",
    scan: "Escanee para comprobar este recibo",
  },
  continue: ({ merchant }) => `Continuar a ${merchant}`,
  back: ({ merchant }) => `Volver a ${merchant}`,
  cancel: "Cancelar y volver",
  redirectAnnouncement: ({ merchant, seconds }) =>
    `Volverá a ${merchant} en ${seconds} segundos. Pulse «Quedarme aquí» para no volver.`,
  secondsShort: "s",
  stayHere: "Quedarme aquí",
  disconnected:
    "Sin conexión. Lo que ve puede no estar al día. Los pagos se siguen de todos modos, y esta página se pondrá al día sola.",
  reconnected: "Conexión restablecida.",
  receipt: {
    title: "Recibo",
    print: "Imprimir o guardar",
    order: "Pedido",
    number: "Número",
    completed: "Completado",
    network: "Red",
    seen: "Visto",
    address: "A la dirección",
    zone: "Todas las horas son UTC.",
    inUtc: "Mostrar en UTC",
    inLocal: "Mostrar en mi hora",
  },
  sandbox: {
    title: "Entorno de pruebas: haga de pagador",
    explanation:
      "Paga este enlace en su cadena de desarrollo y mina los bloques. Ningún cliente ve este recuadro.",
    scenarios: {
      exact: "Pagar exacto",
      short: "Pagar la mitad",
      over: "Pagar la mitad de más",
      underpaid: "Pagar la mitad y dejar que venza el plazo",
      late: "Dejar que venza el plazo y pagar",
      extra: "Volver a pagar tras completarse",
      wrong_token: "Pagar con otro token",
      replaced: "Pagar y luego reemplazar",
      reorganised: "Pagar y luego revertir",
    },
    refused: "No se ha simulado: este enlace o su red no lo permite ahora.",
  },
  language: "Idioma",
  footer: "Pagos cripto con Paylink",
  form: {
    submit: "Continuar al pago",
    each: ({ price }) => `${price} cada uno`,
    amount: ({ currency }) => `Importe en ${currency}`,
    atLeast: ({ amount }) => `Como mínimo ${amount}.`,
    atMost: ({ amount }) => `Como máximo ${amount}.`,
    quantity: "Cantidad",
    email: "Correo electrónico",
    firstName: "Nombre",
    lastName: "Apellidos",
    phone: "Número de teléfono",
    note: "Nota (opcional)",
    paid: "Gracias. Su pago está completo.",
    closed: {
      title: "Este formulario está cerrado",
      text: ({ merchant }) => `${merchant} ya no acepta pagos aquí.`,
    },
    soldOut: {
      title: "Agotado",
      text: "No queda nada por ahora. Lo que otros han reservado y no pagan vuelve a estar disponible.",
    },
    notices: {
      amount_not_possible: "Este importe no es posible aquí. Elija otro.",
      answers_malformed: "Falta una respuesta o no se puede usar. Revise lo que ha escrito.",
      too_few_left: "Queda menos de lo que pidió. Elija menos.",
      too_many_submissions:
        "Se iniciaron demasiados pagos desde su conexión. Inténtelo de nuevo en unos minutos.",
    },
  },
  walletConnect: {
    open: "Pagar con una cartera en otro dispositivo",
    scan: "Escanea este código con una cartera que tenga WalletConnect y confirma allí el pago.",
    link: "Abrir una cartera en este dispositivo",
  },
  pos: {
    title: "Punto de venta",
    pairTitle: "Conectar este dispositivo",
    pairText: "Introduce el código de dispositivo que te dieron. Sirve una sola vez.",
    deviceCode: "Código del dispositivo",
    connect: "Conectar",
    charge: "Cobrar",
    newSale: "Nueva venta",
    erase: "Borrar la última cifra",
    offline: "Sin conexión. La venta empezará en cuanto vuelva.",
    today: "Hoy",
    paidToday: ({ count, amount }) => `Pagadas: ${count}, ${amount}`,
    nothingYet: "Aún no hay ventas.",
    newestShown: ({ shown, count }) => `Las ${shown} más recientes de ${count}.`,
    cancelSale: "Anular",
    statuses: {
      waiting: "En espera",
      partPaid: "Pagada en parte",
      onItsWay: "En camino",
      paid: "Pagado",
      notPaid: "No pagada",
      canceled: "Anulada",
    },
    notices: {
      wrong_code: "Este código no es correcto o ya se usó. Pide uno nuevo.",
      too_many_tries: "Se probaron demasiados códigos desde tu conexión. Inténtalo de nuevo en unos minutos.",
      too_many_sales:
        "Se iniciaron demasiadas ventas en este dispositivo. Inténtalo de nuevo en unos minutos.",
      amount_not_possible: "Este importe no es posible aquí. Introduce otro.",
      answers_malformed: "Esta cantidad no es posible. Introduce otra.",
      too_few_left: "Queda menos que eso. Introduce menos.",
    },
  },
  refund: {
    from: "Reembolso de",
    onNetwork: ({ network }) => `en ${network}`,
    wholeAmount: ({ merchant }) => `Recibe el importe entero: ${merchant} paga la comisión de red.`,
    message: "Mensaje",
    validUntil: "Válido hasta",
    titles: {
      enter: "¿Adónde debe llegar?",
      confirm: "¿Es esta su dirección?",
      pending: "Su reembolso se está preparando",
      sending: "Su reembolso está en camino",
      completed: "Reembolso completado",
      failed: "El reembolso no se envió",
      revoked: "Este reembolso fue retirado",
      expired: "Este reembolso ha caducado",
    },
    explanations: {
      enter: () =>
        "Indique una dirección de una billetera suya. La dirección desde la que pagó puede pertenecer a una plataforma de intercambio, que se quedaría con el dinero.",
      confirm: () => "Compárela con su billetera. Lo que se envía a una dirección equivocada se pierde.",
      pending: ({ merchant }) =>
        `${merchant} lo envía pronto. Puede cerrar esta página y abrir su enlace más tarde.`,
      sending: () => "La red lo está confirmando. Esta página lo sigue por sí sola.",
      completed: () => "Se envió a su dirección y la red lo ha confirmado.",
      failed: ({ merchant }) => `Contacte con ${merchant} para que le reembolsen de otra manera.`,
      revoked: ({ merchant }) =>
        `${merchant} lo dio por terminado antes de que se indicara una dirección. Si no sabe por qué, póngase en contacto con este comercio.`,
      expired: ({ merchant }) =>
        `No se indicó ninguna dirección a tiempo. Pida un enlace nuevo a ${merchant}.`,
    },
    check: "Continuar",
    compared: "He comparado los primeros y los últimos caracteres con mi billetera.",
    send: "Enviar a esta dirección",
    change: "Cambiar la dirección",
    sentTo: "A su dirección",
    notices: {
      malformed: ({ network }) =>
        `Esto no es una dirección de ${network}. Cópiela de nuevo desde su billetera.`,
      unusable: () =>
        "Esta dirección no puede recibir su reembolso. Indique una dirección de una billetera suya.",
      not_compared: () => "Compare primero la dirección y después marque la casilla.",
      not_now: ({ merchant }) =>
        `El reembolso no se puede enviar ahora mismo, y ${merchant} lo ve. Su enlace sigue siendo válido: inténtelo más tarde o contacte con este comercio.`,
    },
  },
  linkNotFound: {
    title: "Pago no encontrado",
    text: "Este enlace no se conoce aquí. Compruebe que se copió entero, o pida uno nuevo a la tienda.",
  },
  pageError: {
    title: "Algo ha fallado",
    text: "Su dinero está a salvo: los pagos se siguen con esta página abierta o cerrada. Inténtelo de nuevo en un momento.",
    retry: "Reintentar",
  },
  notices: {
    too_many_addresses:
      "Se han pedido demasiadas direcciones desde su conexión. Inténtelo de nuevo en unos minutos.",
    no_rate:
      "El precio para esa red no está disponible en este momento. Inténtelo de nuevo en un momento, o elija otra.",
    not_offered: "Esa red ya no puede recibir este pago. Elija otra.",
  },
};
