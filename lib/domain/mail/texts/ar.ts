import type { MailTexts } from "./en.ts";

/** A name of unknown script: it keeps its own direction, and the sentence around it keeps its order. */
const name = (text: string) => `\u2068${text}\u2069`;
/** An amount: left to right within the sentence. */
const ltr = (text: string) => `\u2066${text}\u2069`;

export const arabic: MailTexts = {
  locale: "ar-u-nu-latn",
  testBanner: "دفعة تجريبية. لم تُنقل أي أموال حقيقية.",
  subject: ({ merchant, price }) => `إيصال: ${ltr(price)} إلى ${name(merchant)}`,
  paid: ({ merchant, price }) => `اكتمل دفعك بمبلغ ${ltr(price)} إلى ${name(merchant)}.`,
  overpaid: ({ merchant, excess }) =>
    `أرسلت ${ltr(excess)} زيادة عن المطلوب. تواصل مع ${name(merchant)} بشأن الفرق.`,
  claim: {
    subject: ({ merchant, amount }) => `المبلغ المسترد من ${name(merchant)}: ${ltr(amount)}`,
    text: ({ merchant, amount, network }) =>
      `يرد لك ${name(merchant)} مبلغ ${ltr(amount)} على شبكة ${name(network)}. افتح الرابط وأدخل العنوان الذي سيستلمه.`,
    secret: "كل من لديه هذا الرابط يستطيع اختيار العنوان. لا تشاركه مع أحد.",
    ended: ({ merchant }) => `لم يعد رابط هذا الاسترداد صالحًا. إذا لم تستخدمه فتواصل مع ${name(merchant)}.`,
    message: "رسالة",
    until: "صالح حتى",
    open: "إدخال عنوانك",
  },
  merchant: "الدفع إلى",
  reference: "المرجع",
  order: "الطلب",
  item: "الصنف",
  number: "الرقم",
  amount: "المبلغ",
  completed: "اكتمل في",
  payment: "الدفعة",
  transaction: "المعاملة",
  view: "عرض الإيصال",
  why: ({ merchant }) => `تصلك هذه الرسالة لأن ${name(merchant)} أعطى هذا العنوان لعملية الدفع.`,
  stop: ({ merchant }) => `إيقاف إيصالات ${name(merchant)}`,
  stopped: ({ merchant }) => `لن تصلك بعد الآن إيصالات ${name(merchant)} بالبريد.`,
};
