import type { MailTexts } from "./en.ts";

export const spanish: MailTexts = {
  locale: "es",
  testBanner: "Pago de prueba. No se movió dinero real.",
  subject: ({ merchant, price }) => `Recibo: ${price} a ${merchant}`,
  paid: ({ merchant, price }) => `Su pago de ${price} a ${merchant} se ha completado.`,
  overpaid: ({ merchant, excess }) =>
    `Envió ${excess} de más. Póngase en contacto con ${merchant} por la diferencia.`,
  claim: {
    subject: ({ merchant, amount }) => `Su reembolso de ${merchant}: ${amount}`,
    text: ({ merchant, amount, network }) =>
      `${merchant} le reembolsa ${amount} en ${network}. Abra el enlace e indique la dirección que debe recibirlo.`,
    secret: "Quien tenga este enlace puede elegir la dirección. No lo comparta con nadie.",
    ended: ({ merchant }) =>
      `El enlace de este reembolso ya no es válido. Si no lo usó, contacte con ${merchant}.`,
    message: "Mensaje",
    until: "Válido hasta",
    open: "Indicar su dirección",
  },
  merchant: "Pagado a",
  reference: "Referencia",
  order: "Pedido",
  item: "Artículo",
  number: "Número",
  amount: "Importe",
  completed: "Completado",
  payment: "Pago",
  transaction: "Transacción",
  view: "Ver el recibo",
  why: ({ merchant }) => `Recibe este correo porque ${merchant} indicó esta dirección para el pago.`,
  stop: ({ merchant }) => `No recibir más recibos de ${merchant}`,
  stopped: ({ merchant }) => `No recibirá más recibos de ${merchant} por correo.`,
};
