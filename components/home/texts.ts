import type { LanguageCode } from "#lib/platform/languages/languages.ts";

const english = {
  home: {
    title: "Crypto payments for shops",
    lead: "This server takes payments in bitcoin, stablecoins and other coins, straight to the shop's own wallet.",
    payTitle: "Do you want to pay?",
    payText:
      "Open the payment link that the shop gave you. Its page says what to pay, and follows your payment.",
    shopTitle: "Do you have a shop?",
    console: "Sign in to the console",
    docs: "API reference",
    status: "State of the networks",
  },
  networkStatus: {
    title: "State of the networks",
    allWell: "All networks work",
    trouble: "Some payments are seen late",
    well: "Works",
    unwatched: "Payments are seen late. No payment is lost.",
    late: "Confirmations are late. Payments are seen.",
    test: "Test networks",
    none: "No network is on.",
  },
};

/** The texts of the pages of the host itself. English defines the shape. */
export type HostTexts = typeof english;

const french: HostTexts = {
  home: {
    title: "Paiements en cryptomonnaie pour les boutiques",
    lead: "Ce serveur reçoit des paiements en bitcoin, en stablecoins et en d’autres monnaies, directement dans le portefeuille de la boutique.",
    payTitle: "Vous voulez payer ?",
    payText:
      "Ouvrez le lien de paiement que la boutique vous a donné. Sa page indique quoi payer et suit votre paiement.",
    shopTitle: "Vous avez une boutique ?",
    console: "Se connecter à la console",
    docs: "Référence de l’API",
    status: "État des réseaux",
  },
  networkStatus: {
    title: "État des réseaux",
    allWell: "Tous les réseaux fonctionnent",
    trouble: "Certains paiements sont vus en retard",
    well: "Fonctionne",
    unwatched: "Les paiements sont vus en retard. Aucun paiement n’est perdu.",
    late: "Les confirmations sont en retard. Les paiements sont vus.",
    test: "Réseaux de test",
    none: "Aucun réseau n’est activé.",
  },
};

const portuguese: HostTexts = {
  home: {
    title: "Pagamentos em cripto para lojas",
    lead: "Este servidor recebe pagamentos em bitcoin, stablecoins e outras moedas, diretamente na carteira da loja.",
    payTitle: "Quer pagar?",
    payText:
      "Abra o link de pagamento que a loja lhe deu. A página diz o que pagar e acompanha o seu pagamento.",
    shopTitle: "Tem uma loja?",
    console: "Entrar na consola",
    docs: "Referência da API",
    status: "Estado das redes",
  },
  networkStatus: {
    title: "Estado das redes",
    allWell: "Todas as redes funcionam",
    trouble: "Alguns pagamentos são vistos com atraso",
    well: "Funciona",
    unwatched: "Os pagamentos são vistos com atraso. Nenhum pagamento se perde.",
    late: "As confirmações estão atrasadas. Os pagamentos são vistos.",
    test: "Redes de teste",
    none: "Nenhuma rede está ligada.",
  },
};

const spanish: HostTexts = {
  home: {
    title: "Pagos en criptomonedas para tiendas",
    lead: "Este servidor recibe pagos en bitcoin, stablecoins y otras monedas, directamente en la cartera de la tienda.",
    payTitle: "¿Quiere pagar?",
    payText: "Abra el enlace de pago que le dio la tienda. Su página dice qué pagar y sigue su pago.",
    shopTitle: "¿Tiene una tienda?",
    console: "Entrar en la consola",
    docs: "Referencia de la API",
    status: "Estado de las redes",
  },
  networkStatus: {
    title: "Estado de las redes",
    allWell: "Todas las redes funcionan",
    trouble: "Algunos pagos se ven con retraso",
    well: "Funciona",
    unwatched: "Los pagos se ven con retraso. Ningún pago se pierde.",
    late: "Las confirmaciones llegan con retraso. Los pagos se ven.",
    test: "Redes de prueba",
    none: "No hay ninguna red activa.",
  },
};

const swahili: HostTexts = {
  home: {
    title: "Malipo ya kripto kwa maduka",
    lead: "Seva hii hupokea malipo ya bitcoin, stablecoin na sarafu nyingine, moja kwa moja kwenye pochi ya duka.",
    payTitle: "Unataka kulipa?",
    payText:
      "Fungua kiungo cha malipo ulichopewa na duka. Ukurasa wake unasema cha kulipa na hufuatilia malipo yako.",
    shopTitle: "Una duka?",
    console: "Ingia kwenye konsoli",
    docs: "Marejeo ya API",
    status: "Hali ya mitandao",
  },
  networkStatus: {
    title: "Hali ya mitandao",
    allWell: "Mitandao yote inafanya kazi",
    trouble: "Baadhi ya malipo yanaonekana kwa kuchelewa",
    well: "Inafanya kazi",
    unwatched: "Malipo yanaonekana kwa kuchelewa. Hakuna malipo yanayopotea.",
    late: "Uthibitisho unachelewa. Malipo yanaonekana.",
    test: "Mitandao ya majaribio",
    none: "Hakuna mtandao uliowashwa.",
  },
};

const arabic: HostTexts = {
  home: {
    title: "مدفوعات بالعملات المشفرة للمتاجر",
    lead: "يستقبل هذا الخادم مدفوعات بالبيتكوين والعملات المستقرة وعملات أخرى، مباشرة إلى محفظة المتجر.",
    payTitle: "هل تريد الدفع؟",
    payText: "افتح رابط الدفع الذي أعطاك إياه المتجر. تبيّن صفحته ما يجب دفعه وتتابع دفعتك.",
    shopTitle: "هل لديك متجر؟",
    console: "الدخول إلى لوحة التحكم",
    docs: "مرجع واجهة البرمجة",
    status: "حالة الشبكات",
  },
  networkStatus: {
    title: "حالة الشبكات",
    allWell: "كل الشبكات تعمل",
    trouble: "تظهر بعض المدفوعات متأخرة",
    well: "تعمل",
    unwatched: "تظهر المدفوعات متأخرة. لا تضيع أي دفعة.",
    late: "التأكيدات متأخرة. المدفوعات تظهر.",
    test: "شبكات الاختبار",
    none: "لا توجد شبكة مفعّلة.",
  },
};

const TEXTS: Readonly<Record<LanguageCode, HostTexts>> = {
  en: english,
  fr: french,
  pt: portuguese,
  es: spanish,
  sw: swahili,
  ar: arabic,
};

/** The texts of the pages of the host in a language. */
export const hostTextsOf = (language: LanguageCode): HostTexts => TEXTS[language];
