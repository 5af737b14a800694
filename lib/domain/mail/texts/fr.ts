import type { MailTexts } from "../texts.ts";

export const french: MailTexts = {
  locale: "fr",
  testBanner: "Paiement de test. Aucun argent réel n’a été transféré.",
  subject: ({ merchant, price }) => `Reçu : ${price} à ${merchant}`,
  paid: ({ merchant, price }) => `Votre paiement de ${price} à ${merchant} est terminé.`,
  overpaid: ({ merchant, excess }) =>
    `Vous avez envoyé ${excess} de trop. Contactez ${merchant} au sujet de la différence.`,
  merchant: "Bénéficiaire",
  reference: "Référence",
  number: "Numéro",
  amount: "Montant",
  completed: "Terminé le",
  payment: "Paiement",
  transaction: "Transaction",
  view: "Afficher le reçu",
  why: ({ merchant }) =>
    `Vous recevez cet e-mail parce que ${merchant} a indiqué cette adresse pour le paiement.`,
  stop: ({ merchant }) => `Ne plus recevoir de reçus de ${merchant}`,
  stopped: ({ merchant }) => `Vous ne recevrez plus de reçus de ${merchant} par e-mail.`,
};
