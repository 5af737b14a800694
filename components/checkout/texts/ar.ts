import type { Texts } from "../texts.ts";
import { listOf } from "./word-forms.ts";

/** A name of unknown script: it keeps its own direction, and the sentence around it keeps its order. */
const name = (text: string) => `\u2068${text}\u2069`;
/** An amount, a symbol, a network: left to right within the sentence. */
const ltr = (text: string) => `\u2066${text}\u2069`;
const list = listOf("ar");

/** Modern Standard Arabic, with the digits of the amounts that are to be copied. */
export const arabic: Texts = {
  locale: "ar-u-nu-latn",
  pageTitle: ({ merchant }) => `الدفع إلى ${name(merchant)}`,
  testBanner: "دفعة تجريبية. لا تُنقل أي أموال حقيقية.",
  payTo: "الدفع إلى",
  reference: "المرجع",
  timeLeft: "الوقت المتبقي للدفع",
  steps: { label: "مراحل الدفع", choose: "الاختيار", send: "الإرسال", confirm: "التأكيد", done: "تم" },
  titles: {
    choose: "اختر طريقة الدفع",
    noChoice: "غير ممكن حاليًا",
    pay: "أرسل دفعتك",
    noPrice: "في انتظار السعر",
    topUp: "لم يبقَ إلا القليل",
    confirming: "تم استلام الدفعة",
    checking: "انتهى الوقت، جارٍ التحقق",
    paid: "اكتمل الدفع",
    overpaid: "دفعت أكثر من المطلوب",
    underpaid: "لم يُدفع المبلغ كاملًا",
    unconfirmed: "لم تتأكد الدفعة",
    expired: "انتهت مهلة هذا الدفع",
  },
  explanations: {
    choose: () => "اختر العملة والشبكة اللتين سترسل بهما من محفظتك.",
    noChoice: () => "لا تستطيع أي شبكة استقبال هذه الدفعة حاليًا. ستتابع هذه الصفحة تلقائيًا فور توفّر إحداها.",
    pay: () => "امسح الرمز، أو انسخ المبلغ والعنوان إلى محفظتك.",
    noPrice: () => "السعر الحالي غير متاح الآن. ستتابع هذه الصفحة تلقائيًا فور توفّره.",
    topUp: () => "وصل جزء من المبلغ. أرسل المبلغ الناقص بالضبط إلى العنوان نفسه.",
    confirming: () => "ليس عليك فعل أي شيء آخر. يكتمل الدفع فور أن تؤكده الشبكة.",
    checking: () => "انتهت مهلة الدفع. نتحقق مما إذا كانت دفعة قد أُرسلت قبل ذلك. لا ترسل أي شيء الآن.",
    paid: ({ merchant }) => `تم الدفع إلى ${name(merchant)}. يمكنك إغلاق هذه الصفحة.`,
    overpaid: ({ merchant, excess }) =>
      `تم الدفع إلى ${name(merchant)}. أرسلت ${ltr(excess)} زيادةً على المطلوب: تواصل مع التاجر بشأن الفرق.`,
    underpaid: ({ merchant }) =>
      `انتهت المهلة قبل وصول المبلغ كاملًا. ما أرسلته موجود لدى ${name(merchant)}: تواصل مع التاجر لإكمال الدفع أو لاسترداد المبلغ.`,
    unconfirmed: ({ merchant }) =>
      `رُصدت دفعتك، لكن الشبكة لم تؤكدها في الوقت المحدد. تواصل مع ${name(merchant)} قبل أن تدفع مرة أخرى.`,
    expired: ({ merchant }) =>
      `لم تصل أي دفعة في الوقت المحدد. لا ترسل أي شيء بعد الآن إلى عنوان هذا الدفع، واطلب رابطًا جديدًا من ${name(merchant)}.`,
  },
  stalled: (networks) =>
    `لا يمكننا رؤية ${list(networks.map(ltr))} حاليًا. أي دفعة أُرسلت عبرها في أمان وستُحتسب في أقرب وقت ممكن، فلا حاجة إلى إرسالها مرة أخرى.`,
  paidLate: ({ merchant }) => `وصلت الدفعة متأخرة، وقبلها ${name(merchant)}.`,
  heldLate: ({ merchant }) =>
    `وصلت دفعة بعد انتهاء المهلة، وقد أُبلغ بها ${name(merchant)}: تواصل مع التاجر قبل أن ترسل أي شيء آخر.`,
  amountToSend: "المبلغ المطلوب إرساله",
  missing: "المبلغ الناقص",
  received: "المستلَم حتى الآن",
  toAddress: ({ symbol, network }) => `عنوان ${ltr(symbol)} على ${ltr(network)}`,
  sendOnly: ({ symbol, network }) => `أرسل ${ltr(symbol)} فقط وعلى ${ltr(network)} فقط.`,
  sendOnlyWhy: "كل ما يُرسل عبر شبكة أخرى أو بعملة أخرى قد يضيع.",
  mustArrive: "يجب أن يصل هذا المبلغ بالضبط. إذا كانت محفظتك أو منصتك تخصم رسومها منه، فأضف الرسوم إليه.",
  openWallet: "افتح في المحفظة",
  qrLabel: ({ amount, symbol, network }) => `رمز QR لدفع ${ltr(`${amount} ${symbol}`)} على ${ltr(network)}`,
  copy: "نسخ",
  copied: "تم النسخ",
  copyAmount: "نسخ المبلغ",
  copyAddress: "نسخ العنوان",
  priceHeld: "السعر ثابت لمدة",
  rate: "سعر الصرف",
  rateFixed: "سعر تجريبي ثابت",
  otherNetwork: "الدفع عبر شبكة أخرى",
  payments: "دفعاتك",
  progress: {
    confirming: (n, m) => `التأكيدات: ${n} من ${m}`,
    finality: "في انتظار التثبيت النهائي",
    confirmed: "مؤكَّدة",
    dropped: "ألغتها الشبكة ولم تُحتسب",
  },
  arrivedLate: "وصلت متأخرة",
  transaction: "المعاملة",
  continue: ({ merchant }) => `المتابعة إلى ${name(merchant)}`,
  back: ({ merchant }) => `العودة إلى ${name(merchant)}`,
  cancel: "إلغاء والعودة",
  leaving: ({ merchant }) => `ستعود إلى ${name(merchant)} خلال`,
  stay: "البقاء هنا",
  language: "اللغة",
  footer: "مدفوعات العملات الرقمية عبر Paylink",
  unknown: {
    title: "لا توجد دفعة كهذه",
    text: "هذا الرابط غير معروف هنا. تأكد من نسخه كاملًا، أو اطلب رابطًا جديدًا من المتجر.",
  },
  broken: {
    title: "حدث خطأ ما",
    text: "أموالك في أمان: تُتابَع المدفوعات سواء كانت هذه الصفحة مفتوحة أم لا. حاول مرة أخرى بعد قليل.",
    retry: "حاول مرة أخرى",
  },
  notices: {
    too_many_addresses: "طُلب عدد كبير جدًا من العناوين من اتصالك. حاول مرة أخرى بعد بضع دقائق.",
    no_rate: "السعر لهذه الشبكة غير متاح الآن. حاول مرة أخرى بعد قليل، أو اختر شبكة أخرى.",
    not_offered: "لم تعد هذه الشبكة قادرة على استقبال هذه الدفعة. اختر شبكة أخرى.",
  },
};
