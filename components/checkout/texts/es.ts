import type { Texts } from "../texts.ts";
import { listOf, pluralOf } from "./word-forms.ts";

const plural = pluralOf("es");
const list = listOf("es");

/** Spanish, formal address, in words understood on both sides of the Atlantic. */
export const spanish: Texts = {
  locale: "es",
  pageTitle: ({ merchant }) => `Pagar a ${merchant}`,
  testBanner: "Pago de prueba. No se mueve dinero real.",
  payTo: "Pagar a",
  reference: "Referencia",
  timeLeft: "Tiempo para pagar",
  steps: { label: "Progreso", choose: "Elegir", send: "Enviar", confirm: "Confirmar", done: "Listo" },
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
  },
  explanations: {
    choose: () => "Elija la moneda y la red que usará su billetera para enviar.",
    noChoice: () =>
      "Ninguna red puede recibir este pago en este momento. Esta página seguirá sola en cuanto alguna pueda.",
    pay: () => "Escanee el código, o copie el importe y la dirección en su billetera.",
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
  },
  stalled: (networks) =>
    `Ahora mismo no podemos ver ${list(networks)}. Un pago enviado por ahí está a salvo y se contará en cuanto sea posible; no hace falta enviarlo otra vez.`,
  paidLate: ({ merchant }) => `Llegó tarde, y ${merchant} lo aceptó.`,
  heldLate: ({ merchant }) =>
    `Un pago llegó después del final. ${merchant} ya lo sabe: póngase en contacto antes de enviar nada más.`,
  amountToSend: "Importe a enviar",
  missing: "Falta por enviar",
  received: "Recibido hasta ahora",
  toAddress: ({ symbol, network }) => `Dirección ${symbol} en ${network}`,
  sendOnly: ({ symbol, network }) => `Envíe solo ${symbol} en ${network}.`,
  sendOnlyWhy: "Lo que se envíe por otra red o en otra moneda puede perderse.",
  mustArrive:
    "Debe llegar exactamente este importe. Si su billetera o plataforma descuenta de él su comisión, súmela.",
  openWallet: "Abrir en la billetera",
  qrLabel: ({ amount, symbol, network }) => `Código QR para pagar ${amount} ${symbol} en ${network}`,
  copy: "Copiar",
  copied: "Copiado",
  copyAmount: "Copiar el importe",
  copyAddress: "Copiar la dirección",
  priceHeld: "Precio garantizado durante",
  rate: "Cambio",
  rateFixed: "Cambio fijo de demostración",
  otherNetwork: "Pagar por otra red",
  payments: "Sus pagos",
  progress: {
    confirming: (n, m) => `${n} de ${m} ${plural(m, { one: "confirmación", other: "confirmaciones" })}`,
    finality: "A la espera de que sea definitivo",
    confirmed: "Confirmado",
    dropped: "Anulado por la red, no cuenta",
  },
  arrivedLate: "llegó tarde",
  transaction: "Transacción",
  continue: ({ merchant }) => `Continuar a ${merchant}`,
  back: ({ merchant }) => `Volver a ${merchant}`,
  cancel: "Cancelar y volver",
  leaving: ({ merchant }) => `Volverá a ${merchant} en`,
  stay: "Quedarme aquí",
  language: "Idioma",
  footer: "Pagos cripto con Paylink",
  unknown: {
    title: "Pago no encontrado",
    text: "Este enlace no se conoce aquí. Compruebe que se copió entero, o pida uno nuevo a la tienda.",
  },
  broken: {
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
