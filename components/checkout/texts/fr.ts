import type { WaitEstimate } from "../time-text.ts";
import type { Texts } from "./en.ts";
import { listOf, pluralOf } from "./word-forms.ts";

const plural = pluralOf("fr");
const list = listOf("fr");

const about = ({ unit, count }: WaitEstimate) =>
  unit === "seconds"
    ? "quelques secondes"
    : `environ ${count} ${plural(count, unit === "minute" ? { one: "minute", other: "minutes" } : { one: "heure", other: "heures" })}`;

const short = ({ unit, count }: WaitEstimate, about = "env. ") =>
  unit === "seconds" ? "quelques secondes" : `${about}${count} ${unit === "minute" ? "min" : "h"}`;

/** French, for everyone who reads it: formal address, no-break spaces before colon and semicolon. */
export const french: Texts = {
  locale: "fr",
  preview: {
    title: ({ merchant, price }) => `${price} à ${merchant}`,
    waiting: "En attente du paiement",
    partlyPaid: "Payé en partie",
  },
  testBanner: "Paiement de test, sans argent réel.",
  payTo: "Bénéficiaire",
  reference: "Référence",
  timeLeft: "Temps restant",
  daysShort: "j",
  timeLeftSoon: { 300: "Il reste 5 minutes pour payer.", 60: "Il reste 1 minute pour payer." },
  deadlineNote: ({ merchant }) =>
    `Ce que vous envoyez avant la fin du délai compte, même si la confirmation arrive plus tard. Après, demandez un nouveau lien à ${merchant}.`,
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
    canceled: "Ce paiement a été annulé",
  },
  explanations: {
    choose: () => "Choisissez la crypto et le réseau que votre portefeuille utilisera.",
    noChoice: () =>
      "Aucun réseau ne peut recevoir ce paiement pour le moment. Cette page continuera d’elle-même dès que l’un d’eux le pourra.",
    pay: () => "Copiez le montant et l’adresse dans votre portefeuille, ou scannez le code.",
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
    canceled: ({ merchant }) =>
      `${merchant} a mis fin à ce paiement. N’envoyez plus rien à l’adresse. Contactez ce marchand si vous avez déjà envoyé quelque chose.`,
  },
  topUpSmallest: ({ amount }) =>
    `Une partie est arrivée. Envoyez ${amount} à la même adresse, même s’il manque moins\u00a0: le réseau ne transporte pas de paiement plus petit.`,
  networksUnwatched: (networks) =>
    `Nous n’avons plus de visibilité sur ${list(networks)} pour le moment. Un paiement envoyé par là est en sécurité et sera compté dès que possible\u00a0; inutile de le renvoyer.`,
  astray: ({ amount, network, merchant }) =>
    `${amount} est arrivé sur ${network}. Ce n’est pas ce que ce paiement demande, donc cela ne compte pas ici. La somme est mise de côté et n’est pas perdue. Contactez ${merchant} en citant cette transaction.`,
  networkSlow:
    "Le réseau tarde à confirmer en ce moment. Votre paiement n’est pas perdu\u00a0; inutile de le renvoyer.",
  reverted:
    "Le réseau a annulé votre paiement précédent\u00a0: il ne compte pas. Vérifiez votre portefeuille avant de payer à nouveau.",
  lateAccepted: ({ merchant }) => `Il est arrivé en retard, et ${merchant} l’a accepté.`,
  lateTitle: "Votre paiement est arrivé en retard",
  lateHeld: ({ merchant }) =>
    `Un paiement est arrivé après la fin. ${merchant} en a été informé\u00a0: prenez contact avant d’envoyer quoi que ce soit d’autre.`,
  ask: {
    refund: "Demander le remboursement",
    newLink: "Demander un nouveau lien",
    contact: ({ merchant }) => `Contacter ${merchant}`,
  },
  usualWait: (wait) =>
    wait.unit === "seconds"
      ? `Cela prend généralement ${about(wait)}.`
      : `Cela prend généralement ${about(wait)}, parfois plus.`,
  networkSpeed: ({ wait, orMore }) => (orMore ? `${short(wait, "")} ou plus` : short(wait)),
  usualFee: ({ fee }) => `frais env. ${fee}`,
  lowestFee: ({ fee }) => `frais les plus bas, env. ${fee}`,
  contactMerchant: ({ merchant }) => `Contacter ${merchant}\u00a0:`,
  amountToSend: "Montant à envoyer",
  arrivesInFull: "doivent arriver, frais déduits",
  amountMissing: "Reste à envoyer",
  receivedSoFar: "Déjà reçu",
  toAddress: ({ symbol, network }) => `Adresse ${symbol} sur ${network}`,
  address: "Adresse",
  sendOnly: ({ symbol, network }) => `Uniquement ${symbol} sur ${network}`,
  sendOnlyReason: "Tout autre envoi peut être perdu.",
  walletNames: ({ names }) => `Dans les portefeuilles, ce réseau s’appelle ${names}.`,
  networkMistakes: {
    bitcoin: "Uniquement on-chain\u00a0: ni Lightning, ni bitcoin «\u00a0wrapped\u00a0».",
    trc20: "Ni Ethereum (ERC20), ni BNB Smart Chain (BEP20)\u00a0: une adresse TRC20 commence par T.",
    bep20: "Pas Ethereum (ERC20)\u00a0: les adresses se ressemblent, mais ce n’est pas le même réseau.",
  },
  compareAddress: "Dans votre portefeuille, comparez les premiers et les derniers caractères.",
  tagNeeded:
    "Si votre portefeuille demande un tag de destination, envoyez à cette adresse avec ce tag. Sans le tag, le paiement ne peut pas être reconnu.",
  destinationTag: "Tag de destination",
  seenAfterConfirmation: "Votre paiement sera visible ici après la première confirmation, pas avant.",
  contractsNotSeen: ({ symbol }) =>
    `Certaines plateformes d’échange et tous les portefeuilles intelligents envoient ${symbol} par un contrat. Un tel paiement n’est pas vu ici : dans ce cas, choisissez un jeton ou un autre réseau.`,
  openWallet: "Ouvrir le portefeuille",
  phoneWallets: "Payer avec une appli du téléphone",
  browserWallet: {
    open: "Payer avec un portefeuille de ce navigateur",
    pick: "Quel portefeuille ?",
    unnamed: "Portefeuille",
    waiting: "Confirmez le paiement dans votre portefeuille.",
    sent: "Envoyé par votre portefeuille. Cette page l’affiche dès son arrivée.",
    again: "Réessayer",
    refusals: {
      refused: "Vous avez refusé dans le portefeuille. Rien n’a été envoyé.",
      locked: "Votre portefeuille est verrouillé ou attend une autre réponse. Ouvrez-le, puis réessayez.",
      wrongChain: ({ network }) =>
        `Votre portefeuille n’est pas sur ${network}. Changez de réseau, puis réessayez.`,
      tooLittle: ({ amount }) => `Le compte de votre portefeuille contient moins de ${amount}.`,
      noFee: ({ coin }) => `Le compte de votre portefeuille a trop peu de ${coin} pour les frais du réseau.`,
      failed:
        "Le portefeuille n’a pas dit s’il a envoyé le paiement. Vérifiez dans le portefeuille avant de réessayer. Vous pouvez aussi utiliser le code ou l’adresse.",
    },
  },
  folds: {
    order: "À quoi correspond ce paiement\u00a0?",
    ways: "Autres façons de payer",
    network: "Pourquoi le réseau est-il important\u00a0?",
    address: "Est-ce la bonne adresse\u00a0?",
    rate: "Comment ce montant est-il calculé\u00a0?",
    deadline: "Combien de temps me reste-t-il\u00a0?",
  },
  qr: {
    scan: "Ou scannez ce code",
    withAmount: "Un code avec le montant",
    withoutAmount: "Un code avec l’adresse seule",
  },
  qrAddressLabel: ({ symbol, network }) => `Code QR de l’adresse ${symbol} sur ${network}`,
  qrAddressOnly: "Adresse seule\u00a0: saisissez le montant.",
  qrReaders: ({ wallets, network }) =>
    `${wallets} lisent ce code. Un autre portefeuille peut en tirer une mauvaise adresse\u00a0: avant de confirmer, vérifiez l’adresse et ${network}.`,
  qrLabel: ({ amount, symbol, network }) => `Code QR pour payer ${amount} ${symbol} sur ${network}`,
  exchange: {
    title: "Payer depuis une plateforme d’échange\u00a0?",
    network: ({ network }) =>
      `Retirez vers l’adresse ci-dessus en choisissant exactement ce réseau\u00a0: ${network}.`,
    fee: ({ amount }) =>
      `Les frais de la plateforme s’ajoutent\u00a0: saisissez un montant tel que ${amount} arrivent.`,
    wait: "Une plateforme peut mettre du temps. Gardez cette page ouverte, ou gardez son lien pour voir le paiement plus tard.",
    copyLink: "Copier le lien",
    linkCopied: "Lien copié.",
  },
  copy: "Copier",
  copied: "Copié",
  copyFailed: "Non copié",
  copyAmount: "Copier le montant",
  copyAddress: "Copier l’adresse",
  amountCopied: "Montant copié.",
  addressCopied: "Adresse copiée.",
  copyTag: "Copier le tag",
  tagCopied: "Tag copié.",
  priceHeldFor: "Prix garanti",
  priceRenewedAfter: "Puis actualisé ici.",
  priceRenewed: ({ before, now }) =>
    `Le prix a été actualisé\u00a0: envoyez maintenant ${now}, et non plus ${before}.`,
  priceRenewedSame: "Le prix a été actualisé. Le montant reste le même.",
  rate: "Taux",
  rateFrom: ({ sources }) => `selon ${sources}`,
  rateMarkup: ({ percent, merchant }) => `majoré de ${percent}\u00a0% par ${merchant}`,
  rateNow: "il y a moins d’une minute",
  rateFixed: "Taux fixe, pour les tests",
  rateFixedBy: ({ merchant }) => `Fixé par ${merchant}`,
  otherNetwork: "Payer par un autre réseau",
  yourPayments: "Vos paiements",
  progress: {
    confirming: (n, m) => `${n} ${plural(n, { one: "confirmation", other: "confirmations" })} sur ${m}`,
    finality: "En attente de la confirmation finale",
    confirmed: "Confirmé",
    dropped: "Annulé par le réseau, non compté",
  },
  arrivedLate: "arrivé en retard",
  notConfirmedInTime: "Non confirmé à temps",
  transaction: "Transaction",
  viewTransaction: "Voir la transaction",
  newTab: "(s’ouvre dans un nouvel onglet)",
  receiptCheck: {
    title: "Vérifier un reçu",
    valid: "Ce reçu est authentique.",
    refunded: "Remboursé",
    invalid: "Ce reçu n’est pas authentique, ou il a été émis ailleurs.",
    unknownKey:
      "Il est signé avec une clé qui n’est pas utilisée ici : il a été émis ailleurs, ou avant un changement de clé.",
    field: "Texte du reçu",
    check: "Vérifier",
    proof: "Preuve de ce reçu",
    signed: "Un reçu signé\u00a0: chacun peut vérifier que rien n’y a été changé.",
    download: "Télécharger le reçu",
    scan: "Scannez pour vérifier ce reçu",
  },
  continue: ({ merchant }) => `Continuer vers ${merchant}`,
  back: ({ merchant }) => `Retour à ${merchant}`,
  cancel: "Annuler et revenir",
  redirectAnnouncement: ({ merchant, seconds }) =>
    `Retour à ${merchant} dans ${seconds} secondes. Appuyez sur «\u00a0Rester ici\u00a0» pour ne pas y retourner.`,
  secondsShort: "s",
  stayHere: "Rester ici",
  disconnected:
    "Pas de connexion. Ce que vous voyez n’est peut-être plus à jour. Les paiements sont suivis malgré tout, et cette page se remettra à jour d’elle-même.",
  reconnected: "Connexion rétablie.",
  receipt: {
    title: "Reçu",
    print: "Imprimer ou enregistrer",
    order: "Commande",
    number: "Numéro",
    completed: "Terminé le",
    network: "Réseau",
    seen: "Vu le",
    address: "À l’adresse",
    zone: "Toutes les heures sont en UTC.",
    inUtc: "Afficher en UTC",
    inLocal: "Afficher à mon heure",
  },
  sandbox: {
    title: "Bac à sable\u00a0: jouez le payeur",
    explanation:
      "Paie ce lien sur sa chaîne de développement et mine les blocs. Aucun client ne voit jamais ce cadre.",
    scenarios: {
      exact: "Payer exactement",
      short: "Payer la moitié",
      over: "Payer une fois et demie",
      underpaid: "Payer la moitié, puis laisser passer le délai",
      late: "Laisser passer le délai, puis payer",
      extra: "Payer à nouveau après le règlement",
      wrong_token: "Payer dans un autre jeton",
      replaced: "Payer, puis remplacer",
      reorganised: "Payer, puis reprendre",
    },
    refused: "Rien n’a été joué\u00a0: ce lien ou son réseau ne le permet pas maintenant.",
  },
  language: "Langue",
  footer: "Paiements crypto par Paylink",
  form: {
    submit: "Continuer vers le paiement",
    each: ({ price }) => `${price} l’unité`,
    amount: ({ currency }) => `Montant en ${currency}`,
    atLeast: ({ amount }) => `Au moins ${amount}.`,
    atMost: ({ amount }) => `Au plus ${amount}.`,
    quantity: "Quantité",
    email: "Adresse e-mail",
    firstName: "Prénom",
    lastName: "Nom",
    phone: "Numéro de téléphone",
    note: "Remarque (facultatif)",
    paid: "Merci. Votre paiement est terminé.",
    closed: {
      title: "Ce formulaire est fermé",
      text: ({ merchant }) => `${merchant} n’accepte plus de paiements ici.`,
    },
    soldOut: {
      title: "Épuisé",
      text: "Il ne reste rien pour le moment. Ce que d’autres ont réservé sans payer redevient disponible.",
    },
    notices: {
      amount_not_possible: "Ce montant n’est pas possible ici. Choisissez-en un autre.",
      answers_malformed: "Une réponse manque ou n’est pas utilisable. Vérifiez votre saisie.",
      too_few_left: "Il en reste moins que demandé. Choisissez-en moins.",
      too_many_submissions:
        "Trop de paiements ont été lancés depuis votre connexion. Réessayez dans quelques minutes.",
    },
  },
  walletConnect: {
    open: "Payer avec un portefeuille sur un autre appareil",
    scan: "Scannez ce code avec un portefeuille compatible WalletConnect, puis confirmez-y le paiement.",
    link: "Ouvrir un portefeuille sur cet appareil",
  },
  pos: {
    title: "Point de vente",
    pairTitle: "Connecter cet appareil",
    pairText: "Saisissez le code d’appareil qui vous a été remis. Il ne sert qu’une fois.",
    deviceCode: "Code de l’appareil",
    connect: "Connecter",
    charge: "Encaisser",
    newSale: "Nouvelle vente",
    erase: "Effacer le dernier chiffre",
    offline: "Pas de connexion. La vente commencera dès son retour.",
    today: "Aujourd’hui",
    paidToday: ({ count, amount }) => `Payées : ${count}, ${amount}`,
    nothingYet: "Aucune vente pour l’instant.",
    newestShown: ({ shown, count }) => `Les ${shown} plus récentes sur ${count}.`,
    cancelSale: "Annuler",
    statuses: {
      waiting: "En attente",
      partPaid: "Payée en partie",
      onItsWay: "En route",
      paid: "Payé",
      notPaid: "Non payée",
      canceled: "Annulée",
    },
    notices: {
      wrong_code: "Ce code est faux ou a déjà servi. Demandez-en un nouveau.",
      too_many_tries:
        "Trop de codes ont été essayés depuis votre connexion. Réessayez dans quelques minutes.",
      too_many_sales: "Trop de ventes ont été lancées sur cet appareil. Réessayez dans quelques minutes.",
      amount_not_possible: "Ce montant n’est pas possible ici. Saisissez-en un autre.",
      answers_malformed: "Cette quantité n’est pas possible. Saisissez-en une autre.",
      too_few_left: "Il en reste moins que cela. Saisissez moins.",
    },
  },
  refund: {
    from: "Remboursement de",
    onNetwork: ({ network }) => `sur ${network}`,
    wholeAmount: ({ merchant }) => `Vous recevez la totalité\u00a0: ${merchant} paie les frais de réseau.`,
    message: "Mot du vendeur",
    validUntil: "Valable jusqu’au",
    titles: {
      enter: "Où l’envoyer\u00a0?",
      confirm: "Est-ce bien votre adresse\u00a0?",
      pending: "Votre remboursement est en préparation",
      sending: "Votre remboursement est en route",
      completed: "Remboursement terminé",
      failed: "Le remboursement n’a pas été envoyé",
      revoked: "Ce remboursement a été retiré",
      expired: "Ce remboursement a expiré",
    },
    explanations: {
      enter: () =>
        "Saisissez une adresse d’un portefeuille à vous. L’adresse d’où vous avez payé peut appartenir à une plateforme d’échange, qui garderait l’argent.",
      confirm: () =>
        "Comparez-la avec votre portefeuille. Ce qui est envoyé à une mauvaise adresse est perdu.",
      pending: ({ merchant }) =>
        `${merchant} l’envoie bientôt. Vous pouvez fermer cette page et rouvrir son lien plus tard.`,
      sending: () => "Le réseau le confirme. Cette page suit l’envoi toute seule.",
      completed: () => "Il a été envoyé à votre adresse, et le réseau l’a confirmé.",
      failed: ({ merchant }) => `Contactez ${merchant} pour être remboursé autrement.`,
      revoked: ({ merchant }) =>
        `${merchant} y a mis fin avant qu’une adresse soit saisie. Contactez ce marchand si vous ne savez pas pourquoi.`,
      expired: ({ merchant }) =>
        `Aucune adresse n’a été saisie à temps. Demandez un nouveau lien à ${merchant}.`,
    },
    check: "Continuer",
    compared: "J’ai comparé les premiers et les derniers caractères avec mon portefeuille.",
    send: "Envoyer à cette adresse",
    change: "Changer l’adresse",
    sentTo: "À votre adresse",
    notices: {
      malformed: ({ network }) =>
        `Ce n’est pas une adresse de ${network}. Copiez-la de nouveau depuis votre portefeuille.`,
      unusable: () =>
        "Cette adresse ne peut pas recevoir votre remboursement. Saisissez une adresse d’un portefeuille à vous.",
      not_compared: () => "Comparez d’abord l’adresse, puis cochez la case.",
      not_now: ({ merchant }) =>
        `Le remboursement ne peut pas être envoyé pour le moment, et ${merchant} le voit. Votre lien reste valable\u00a0: réessayez plus tard ou contactez ce marchand.`,
    },
  },
  linkNotFound: {
    title: "Paiement introuvable",
    text: "Ce lien n’est pas connu ici. Vérifiez qu’il a été copié en entier, ou demandez-en un nouveau à la boutique.",
  },
  pageError: {
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
