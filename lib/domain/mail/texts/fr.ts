import type { MailTexts } from "./en.ts";

export const french: MailTexts = {
  locale: "fr",
  testBanner: "Paiement de test. Aucun argent réel n’a été transféré.",
  subject: ({ merchant, price }) => `Reçu : ${price} à ${merchant}`,
  paid: ({ merchant, price }) => `Votre paiement de ${price} à ${merchant} est terminé.`,
  overpaid: ({ merchant, excess }) =>
    `Vous avez envoyé ${excess} de trop. Contactez ${merchant} au sujet de la différence.`,
  claim: {
    subject: ({ merchant, amount }) => `Votre remboursement de ${merchant} : ${amount}`,
    text: ({ merchant, amount, network }) =>
      `${merchant} vous rembourse ${amount} sur ${network}. Ouvrez le lien et saisissez l’adresse qui doit le recevoir.`,
    secret: "Toute personne qui a ce lien peut choisir l’adresse. Ne le partagez avec personne.",
    ended: ({ merchant }) =>
      `Le lien de ce remboursement n’est plus valable. Si vous ne l’avez pas utilisé, contactez ${merchant}.`,
    message: "Mot du vendeur",
    until: "Valable jusqu’au",
    open: "Saisir votre adresse",
  },
  merchant: "Bénéficiaire",
  reference: "Référence",
  order: "Commande",
  item: "Article",
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
