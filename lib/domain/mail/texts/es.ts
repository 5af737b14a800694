import type { MailTexts } from "../texts.ts";

export const spanish: MailTexts = {
  locale: "es",
  testBanner: "Pago de prueba. No se movió dinero real.",
  subject: ({ merchant, price }) => `Recibo: ${price} a ${merchant}`,
  paid: ({ merchant, price }) => `Su pago de ${price} a ${merchant} se ha completado.`,
  overpaid: ({ merchant, excess }) =>
    `Envió ${excess} de más. Póngase en contacto con ${merchant} por la diferencia.`,
  merchant: "Pagado a",
  reference: "Referencia",
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
