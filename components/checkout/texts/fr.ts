import type { Texts } from "../texts.ts";
import { listOf, pluralOf } from "./word-forms.ts";

const plural = pluralOf("fr");
const list = listOf("fr");

/** French, for everyone who reads it: formal address, no-break spaces before colon and semicolon. */
export const french: Texts = {
  locale: "fr",
  pageTitle: ({ merchant }) => `Payer ${merchant}`,
  testBanner: "Paiement de test. Aucun argent réel n’est transféré.",
  payTo: "Bénéficiaire",
  reference: "Référence",
  timeLeft: "Temps restant pour payer",
  steps: { label: "Progression", choose: "Choisir", send: "Envoyer", confirm: "Confirmer", done: "Terminé" },
  titles: {
    choose: "Choisissez comment payer",
    noChoice: "Impossible pour le moment",
    pay: "Envoyez votre paiement",
    noPrice: "En attente du prix",
    topUp: "Vous y êtes presque",
    confirming: "Paiement reçu",
    checking: "Temps écoulé, vérification",
    paid: "Paiement terminé",
    overpaid: "Vous avez payé plus que demandé",
    underpaid: "Montant incomplet",
    unconfirmed: "Paiement non confirmé",
    expired: "Ce paiement a expiré",
  },
  explanations: {
    choose: () => "Choisissez la crypto et le réseau que votre portefeuille utilisera.",
    noChoice: () =>
      "Aucun réseau ne peut recevoir ce paiement pour le moment. Cette page continuera d’elle-même dès que l’un d’eux le pourra.",
    pay: () => "Scannez le code, ou copiez le montant et l’adresse dans votre portefeuille.",
    noPrice: () =>
      "Le prix actuel est indisponible pour le moment. Cette page continuera d’elle-même dès qu’il sera connu.",
    topUp: () => "Une partie est arrivée. Envoyez exactement ce qui manque à la même adresse.",
    confirming: () =>
      "Vous n’avez plus rien à faire. Le paiement sera terminé dès que le réseau l’aura confirmé.",
    checking: () =>
      "Le délai de paiement est écoulé. Nous vérifions si un paiement a été envoyé avant. N’envoyez rien maintenant.",
    paid: ({ merchant }) => `Votre paiement à ${merchant} est terminé. Vous pouvez fermer cette page.`,
    overpaid: ({ merchant, excess }) =>
      `Votre paiement à ${merchant} est terminé. Vous avez envoyé ${excess} de trop\u00a0: contactez le vendeur au sujet de la différence.`,
    underpaid: ({ merchant }) =>
      `Le délai s’est écoulé avant l’arrivée du montant complet. Ce que vous avez envoyé est chez ${merchant}\u00a0: contactez le vendeur pour compléter ou être remboursé.`,
    unconfirmed: ({ merchant }) =>
      `Votre paiement a été vu, mais le réseau ne l’a pas confirmé à temps. Contactez ${merchant} avant de payer à nouveau.`,
    expired: ({ merchant }) =>
      `Aucun paiement n’est arrivé à temps. N’envoyez plus rien à l’adresse de ce paiement\u00a0; demandez un nouveau lien à ${merchant}.`,
  },
  stalled: (networks) =>
    `Nous n’avons plus de visibilité sur ${list(networks)} pour le moment. Un paiement envoyé par là est en sécurité et sera compté dès que possible\u00a0; inutile de le renvoyer.`,
  paidLate: ({ merchant }) => `Il est arrivé en retard, et ${merchant} l’a accepté.`,
  heldLate: ({ merchant }) =>
    `Un paiement est arrivé après la fin. ${merchant} en a été informé\u00a0: prenez contact avant d’envoyer quoi que ce soit d’autre.`,
  amountToSend: "Montant à envoyer",
  missing: "Reste à envoyer",
  received: "Déjà reçu",
  toAddress: ({ symbol, network }) => `Adresse ${symbol} sur ${network}`,
  sendOnly: ({ symbol, network }) => `Envoyez uniquement des ${symbol} sur ${network}.`,
  sendOnlyWhy: "Tout envoi par un autre réseau ou dans une autre crypto peut être perdu.",
  mustArrive:
    "C’est exactement ce montant qui doit arriver. Si votre portefeuille ou votre plateforme en déduit ses frais, ajoutez-les en plus.",
  openWallet: "Ouvrir le portefeuille",
  qrLabel: ({ amount, symbol, network }) => `Code QR pour payer ${amount} ${symbol} sur ${network}`,
  copy: "Copier",
  copied: "Copié",
  copyAmount: "Copier le montant",
  copyAddress: "Copier l’adresse",
  priceHeld: "Prix garanti pendant",
  rate: "Taux",
  rateFixed: "Taux de démonstration fixe",
  otherNetwork: "Payer par un autre réseau",
  payments: "Vos paiements",
  progress: {
    confirming: (n, m) => `${n} ${plural(n, { one: "confirmation", other: "confirmations" })} sur ${m}`,
    finality: "En attente de finalité",
    confirmed: "Confirmé",
    dropped: "Annulé par le réseau, non compté",
  },
  arrivedLate: "arrivé en retard",
  transaction: "Transaction",
  continue: ({ merchant }) => `Continuer vers ${merchant}`,
  back: ({ merchant }) => `Retour à ${merchant}`,
  cancel: "Annuler et revenir",
  leaving: ({ merchant }) => `Retour à ${merchant} dans`,
  stay: "Rester ici",
  language: "Langue",
  footer: "Paiements crypto par Paylink",
  unknown: {
    title: "Paiement introuvable",
    text: "Ce lien n’est pas connu ici. Vérifiez qu’il a été copié en entier, ou demandez-en un nouveau à la boutique.",
  },
  broken: {
    title: "Un problème est survenu",
    text: "Votre argent est en sécurité\u00a0: les paiements sont suivis, que cette page soit ouverte ou non. Réessayez dans un instant.",
    retry: "Réessayer",
  },
  notices: {
    too_many_addresses:
      "Trop d’adresses ont été demandées depuis votre connexion. Réessayez dans quelques minutes.",
    no_rate:
      "Le prix pour ce réseau est indisponible pour le moment. Réessayez dans un instant, ou choisissez un autre réseau.",
    not_offered: "Ce réseau ne peut plus recevoir ce paiement. Choisissez-en un autre.",
  },
};
