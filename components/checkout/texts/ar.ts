import type { WaitEstimate } from "../time-text.ts";
import type { Texts } from "./en.ts";
import { listOf, pluralOf } from "./word-forms.ts";

/** A name of unknown script: it keeps its own direction, and the sentence around it keeps its order. */
const name = (text: string) => `\u2068${text}\u2069`;
/** An amount, a symbol, a network: left to right within the sentence. */
const ltr = (text: string) => `\u2066${text}\u2069`;
const list = listOf("ar");
const plural = pluralOf("ar");

const about = ({ unit, count }: WaitEstimate) => {
  if (unit === "seconds") return "بضع ثوانٍ";
  const minutes = { one: "دقيقة واحدة", two: "دقيقتين", few: `${count} دقائق`, other: `${count} دقيقة` };
  const hours = { one: "ساعة واحدة", two: "ساعتين", few: `${count} ساعات`, other: `${count} ساعة` };
  return `حوالي ${plural(count, unit === "minute" ? minutes : hours)}`;
};

const short = ({ unit, count }: WaitEstimate, about = "نحو ") =>
  unit === "seconds" ? "بضع ثوانٍ" : `${about}${count} ${unit === "minute" ? "د" : "س"}`;

/** Modern Standard Arabic, with the digits of the amounts that are to be copied. */
export const arabic: Texts = {
  locale: "ar-u-nu-latn",
  preview: {
    title: ({ merchant, price }) => `${ltr(price)} إلى ${name(merchant)}`,
    waiting: "في انتظار الدفع",
    partlyPaid: "مدفوع جزئيًا",
  },
  testBanner: "دفعة تجريبية. لا تُنقل أي أموال حقيقية.",
  payTo: "الدفع إلى",
  reference: "المرجع",
  timeLeft: "الوقت المتبقي",
  daysShort: "ي",
  timeLeftSoon: { 300: "بقيت 5 دقائق للدفع.", 60: "بقيت دقيقة واحدة للدفع." },
  deadlineNote: ({ merchant }) =>
    `كل ما ترسله قبل انتهاء المهلة يُحتسب، حتى لو تأكد بعدها. وبعد انتهائها اطلب رابطًا جديدًا من ${name(merchant)}.`,
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
    canceled: "أُلغيت هذه الدفعة",
  },
  explanations: {
    choose: () => "اختر العملة والشبكة اللتين سترسل بهما من محفظتك.",
    noChoice: () => "لا تستطيع أي شبكة استقبال هذه الدفعة حاليًا. ستتابع هذه الصفحة تلقائيًا فور توفّر إحداها.",
    pay: () => "انسخ المبلغ والعنوان إلى محفظتك، أو امسح الرمز.",
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
    canceled: ({ merchant }) =>
      `أنهى ${merchant} هذه الدفعة. لا ترسل أي شيء إلى العنوان بعد الآن. تواصل معه إن كنت قد أرسلت شيئًا.`,
  },
  topUpSmallest: ({ amount }) =>
    `وصل جزء من المبلغ. أرسل ${ltr(amount)} إلى العنوان نفسه، حتى لو كان الناقص أقل: لا تنقل الشبكة دفعة أصغر.`,
  networksUnwatched: (networks) =>
    `لا يمكننا رؤية ${list(networks.map(ltr))} حاليًا. أي دفعة أُرسلت عبرها في أمان وستُحتسب في أقرب وقت ممكن، فلا حاجة إلى إرسالها مرة أخرى.`,
  astray: ({ amount, network, merchant }) =>
    `وصل ${amount} على ${network}. ليس هذا ما تطلبه هذه الدفعة، لذا لا يُحتسب هنا. المبلغ محفوظ على حدة ولم يضِع. تواصل مع ${merchant} واذكر هذه المعاملة.`,
  networkSlow: "الشبكة بطيئة في التأكيد حاليًا. دفعتك لم تضع، فلا حاجة إلى إرسالها مرة أخرى.",
  reverted: "ألغت الشبكة دفعتك السابقة، لذا لا تُحتسب. تحقق من محفظتك قبل أن تدفع مرة أخرى.",
  lateAccepted: ({ merchant }) => `وصلت الدفعة متأخرة، وقبلها ${name(merchant)}.`,
  lateTitle: "وصلت دفعتك متأخرة",
  lateHeld: ({ merchant }) =>
    `وصلت دفعة بعد انتهاء المهلة، وقد أُبلغ بها ${name(merchant)}: تواصل مع التاجر قبل أن ترسل أي شيء آخر.`,
  ask: {
    refund: "اطلب استرداد المبلغ",
    newLink: "اطلب رابطًا جديدًا",
    contact: ({ merchant }) => `تواصل مع ${name(merchant)}`,
  },
  usualWait: (wait) =>
    wait.unit === "seconds"
      ? `يستغرق ذلك عادةً ${about(wait)}.`
      : `يستغرق ذلك عادةً ${about(wait)}، وأحيانًا أكثر.`,
  networkSpeed: ({ wait, orMore }) => (orMore ? `${short(wait, "")} أو أكثر` : short(wait)),
  usualFee: ({ fee }) => `الرسوم نحو ${fee}`,
  lowestFee: ({ fee }) => `أقل رسوم، نحو ${fee}`,
  contactMerchant: ({ merchant }) => `تواصل مع ${name(merchant)}:`,
  amountToSend: "المبلغ المطلوب إرساله",
  arrivesInFull: "يجب أن يصل بعد الرسوم",
  amountMissing: "المبلغ الناقص",
  receivedSoFar: "المستلَم حتى الآن",
  toAddress: ({ symbol, network }) => `عنوان ${ltr(symbol)} على ${ltr(network)}`,
  address: "العنوان",
  sendOnly: ({ symbol, network }) => `${ltr(symbol)} فقط على ${ltr(network)}`,
  sendOnlyReason: "أي شيء آخر يُرسل إليها قد يضيع.",
  walletNames: ({ names }) => `تُسمّي المحافظ هذه الشبكة ${names}.`,
  networkMistakes: {
    bitcoin: "على السلسلة (on-chain) فقط: لا عبر Lightning، ولا بيتكوين مغلّفة (wrapped).",
    trc20: "ليست Ethereum (ERC20) ولا BNB Smart Chain (BEP20): عنوان TRC20 يبدأ بالحرف T.",
    bep20: "ليست Ethereum (ERC20): العناوين متشابهة في الشكل فقط، والشبكة مختلفة.",
  },
  compareAddress: "قارن في محفظتك الأحرف الأولى والأخيرة.",
  tagNeeded:
    "إذا طلبت محفظتك وسم الوجهة (destination tag)، فأرسل إلى هذا العنوان مع هذا الوسم. بدون الوسم لا يمكن التعرف على الدفعة.",
  destinationTag: "وسم الوجهة",
  seenAfterConfirmation: "ستظهر دفعتك هنا بعد تأكيدها الأول، وليس قبل ذلك.",
  contractsNotSeen: ({ symbol }) =>
    `بعض المنصات وكل المحافظ الذكية ترسل ${symbol} عبر عقد. مثل هذه الدفعة لا تظهر هنا: من هناك، اختر رمزًا آخر أو شبكة أخرى.`,
  openWallet: "افتح في المحفظة",
  phoneWallets: "ادفع بتطبيق على هذا الهاتف",
  browserWallet: {
    open: "الدفع بمحفظة في هذا المتصفح",
    pick: "أي محفظة؟",
    unnamed: "محفظة",
    waiting: "أكِّد الدفعة في محفظتك.",
    sent: "أرسلتها محفظتك. تعرضها هذه الصفحة فور وصولها.",
    again: "حاول مرة أخرى",
    refusals: {
      refused: "رفضت الدفعة في المحفظة. لم يُرسل شيء.",
      locked: "محفظتك مقفلة أو تنتظر ردًا آخر. افتحها ثم حاول مرة أخرى.",
      wrongChain: ({ network }) => `محفظتك ليست على ${network}. بدّل الشبكة ثم حاول مرة أخرى.`,
      tooLittle: ({ amount }) => `في حساب محفظتك أقل من ${amount}.`,
      noFee: ({ coin }) => `في حساب محفظتك القليل جدًا من ${coin} لرسوم الشبكة.`,
      failed:
        "لم تذكر المحفظة هل أرسلت الدفعة. تحقق في المحفظة قبل أن تحاول مرة أخرى. يمكنك أيضًا استخدام الرمز أو العنوان.",
    },
  },
  folds: {
    order: "ما الذي تدفع ثمنه؟",
    ways: "طرق أخرى للدفع",
    network: "لماذا تهم الشبكة؟",
    address: "هل هذا هو العنوان الصحيح؟",
    rate: "كيف حُسب هذا المبلغ؟",
    deadline: "كم بقي لي من الوقت؟",
  },
  qr: { scan: "أو امسح هذا الرمز", withAmount: "رمز مع المبلغ", withoutAmount: "رمز بالعنوان فقط" },
  qrAddressLabel: ({ symbol, network }) => `رمز QR لعنوان ${ltr(symbol)} على ${ltr(network)}`,
  qrAddressOnly: "العنوان فقط: أدخل المبلغ بنفسك.",
  qrReaders: ({ wallets, network }) =>
    `يقرأ ${wallets} هذا الرمز. قد تأخذ محفظة أخرى منه عنوانًا خاطئًا: تحقق من العنوان ومن ${network} قبل التأكيد.`,
  qrLabel: ({ amount, symbol, network }) => `رمز QR لدفع ${ltr(`${amount} ${symbol}`)} على ${ltr(network)}`,
  exchange: {
    title: "هل تدفع من منصة تداول؟",
    network: ({ network }) => `اسحب إلى العنوان أعلاه، واختر هذه الشبكة تحديدًا: ${network}.`,
    fee: ({ amount }) => `تُضاف رسوم المنصة: أدخل مبلغًا يصل منه ${amount}.`,
    wait: "قد تستغرق المنصة بعض الوقت. أبقِ هذه الصفحة مفتوحة، أو احتفظ برابطها لترى الدفعة لاحقًا.",
    copyLink: "نسخ الرابط",
    linkCopied: "نُسخ الرابط.",
  },
  copy: "نسخ",
  copied: "تم النسخ",
  copyFailed: "لم يُنسخ",
  copyAmount: "نسخ المبلغ",
  copyAddress: "نسخ العنوان",
  amountCopied: "تم نسخ المبلغ.",
  addressCopied: "تم نسخ العنوان.",
  copyTag: "نسخ الوسم",
  tagCopied: "تم نسخ الوسم.",
  priceHeldFor: "السعر ثابت لمدة",
  priceRenewedAfter: "بعدها يتجدد السعر هنا.",
  priceRenewed: ({ before, now }) => `تجدّد السعر: أرسل الآن ${ltr(now)} بدلًا من ${ltr(before)}.`,
  priceRenewedSame: "تجدّد السعر. المبلغ هو نفسه كما كان.",
  rate: "سعر الصرف",
  rateFrom: ({ sources }) => `حسب ${sources}`,
  rateMarkup: ({ percent, merchant }) => `مع زيادة ${ltr(`${percent}%`)} من ${name(merchant)}`,
  rateNow: "قبل أقل من دقيقة",
  rateFixed: "سعر ثابت للاختبار",
  rateFixedBy: ({ merchant }) => `حدّده ${name(merchant)}`,
  otherNetwork: "الدفع عبر شبكة أخرى",
  yourPayments: "دفعاتك",
  progress: {
    confirming: (n, m) => `التأكيدات: ${n} من ${m}`,
    finality: "في انتظار التأكيد النهائي",
    confirmed: "مؤكَّدة",
    dropped: "ألغتها الشبكة ولم تُحتسب",
  },
  arrivedLate: "وصلت متأخرة",
  notConfirmedInTime: "لم تتأكد في الوقت المحدد",
  transaction: "المعاملة",
  viewTransaction: "عرض المعاملة",
  newTab: "(يُفتح في علامة تبويب جديدة)",
  receiptCheck: {
    title: "التحقق من إيصال",
    valid: "هذا الإيصال أصلي.",
    refunded: "تم رده",
    invalid: "هذا الإيصال غير أصلي، أو صدر من مكان آخر.",
    unknownKey: "وُقِّع بمفتاح غير مستخدم هنا: صدر من مكان آخر، أو قبل تغيير المفتاح.",
    field: "نص الإيصال",
    check: "تحقق",
    proof: "إثبات هذا الإيصال",
    signed: "إيصال موقَّع: يمكن لأي شخص التحقق من أن شيئًا فيه لم يتغير.",
    download: "تنزيل الإيصال",
    scan: "امسح الرمز للتحقق من هذا الإيصال",
  },
  continue: ({ merchant }) => `المتابعة إلى ${name(merchant)}`,
  back: ({ merchant }) => `العودة إلى ${name(merchant)}`,
  cancel: "إلغاء والعودة",
  redirectAnnouncement: ({ merchant, seconds }) =>
    `ستعود إلى ${name(merchant)} خلال ${seconds} ثوانٍ. اضغط «البقاء هنا» لإيقاف ذلك.`,
  secondsShort: "ث",
  stayHere: "البقاء هنا",
  disconnected:
    "لا يوجد اتصال. قد لا يكون ما تراه محدَّثًا. تُتابَع المدفوعات رغم ذلك، وستتحدّث هذه الصفحة تلقائيًا.",
  reconnected: "عاد الاتصال.",
  receipt: {
    title: "إيصال",
    print: "طباعة أو حفظ",
    order: "الطلب",
    number: "الرقم",
    completed: "اكتمل في",
    network: "الشبكة",
    seen: "رُصدت في",
    address: "إلى العنوان",
    zone: "جميع الأوقات بتوقيت UTC.",
    inUtc: "عرض بتوقيت UTC",
    inLocal: "عرض بتوقيتي",
  },
  sandbox: {
    title: "بيئة التجربة: مثّل دور الدافع",
    explanation: "يدفع هذا الرابط على سلسلته التطويرية ويعدّن الكتل. لا يرى أي عميل هذا المربع أبدًا.",
    scenarios: {
      exact: "ادفع المبلغ بالضبط",
      short: "ادفع النصف",
      over: "ادفع مرة ونصفًا",
      underpaid: "ادفع النصف ودع المهلة تنتهي",
      late: "دع المهلة تنتهي ثم ادفع",
      extra: "ادفع مرة أخرى بعد الاكتمال",
      wrong_token: "ادفع برمز آخر",
      replaced: "ادفع ثم استبدل المعاملة",
      reorganised: "ادفع ثم ألغِ الدفعة",
    },
    refused: "لم يُنفَّذ ذلك: هذا الرابط أو شبكته لا يسمح به الآن.",
  },
  language: "اللغة",
  footer: "مدفوعات العملات الرقمية عبر Paylink",
  form: {
    submit: "المتابعة إلى الدفع",
    each: ({ price }) => `${price} للواحدة`,
    amount: ({ currency }) => `المبلغ بعملة ${currency}`,
    atLeast: ({ amount }) => `على الأقل ${amount}.`,
    atMost: ({ amount }) => `على الأكثر ${amount}.`,
    quantity: "الكمية",
    email: "البريد الإلكتروني",
    firstName: "الاسم الأول",
    lastName: "اسم العائلة",
    phone: "رقم الهاتف",
    note: "ملاحظة (اختيارية)",
    paid: "شكرًا لك. اكتملت عملية الدفع.",
    closed: {
      title: "هذا النموذج مغلق",
      text: ({ merchant }) => `لم يعد ${merchant} يقبل الدفع هنا.`,
    },
    soldOut: {
      title: "نفدت الكمية",
      text: "لم يبقَ شيء الآن. ما حجزه آخرون ولم يدفعوا ثمنه يصبح متاحًا من جديد.",
    },
    notices: {
      amount_not_possible: "هذا المبلغ غير ممكن هنا. اختر مبلغًا آخر.",
      answers_malformed: "هناك إجابة ناقصة أو غير صالحة. راجع ما أدخلته.",
      too_few_left: "المتبقي أقل مما طلبت. اختر كمية أقل.",
      too_many_submissions: "بدأت عمليات دفع كثيرة جدًا من اتصالك. أعد المحاولة بعد بضع دقائق.",
    },
  },
  walletConnect: {
    open: "الدفع بمحفظة على جهاز آخر",
    scan: "امسح هذا الرمز بمحفظة تدعم WalletConnect، ثم أكّد الدفع فيها.",
    link: "فتح محفظة على هذا الجهاز",
  },
  pos: {
    title: "نقطة البيع",
    pairTitle: "ربط هذا الجهاز",
    pairText: "أدخل رمز الجهاز الذي حصلت عليه. يعمل مرة واحدة فقط.",
    deviceCode: "رمز الجهاز",
    connect: "ربط",
    charge: "تحصيل",
    newSale: "عملية بيع جديدة",
    erase: "حذف آخر رقم",
    offline: "لا يوجد اتصال. ستبدأ عملية البيع فور عودته.",
    today: "اليوم",
    paidToday: ({ count, amount }) => `المدفوعة: ${count}، ${amount}`,
    nothingYet: "لا توجد مبيعات بعد.",
    newestShown: ({ shown, count }) => `أحدث ${shown} من أصل ${count}.`,
    cancelSale: "إلغاء",
    statuses: {
      waiting: "في الانتظار",
      partPaid: "مدفوعة جزئيًا",
      onItsWay: "في الطريق",
      paid: "تم الدفع",
      notPaid: "غير مدفوعة",
      canceled: "ملغاة",
    },
    notices: {
      wrong_code: "هذا الرمز غير صحيح أو استُخدم من قبل. اطلب رمزًا جديدًا.",
      too_many_tries: "تمت تجربة رموز كثيرة جدًا من اتصالك. حاول مرة أخرى بعد بضع دقائق.",
      too_many_sales: "بدأت عمليات بيع كثيرة جدًا على هذا الجهاز. حاول مرة أخرى بعد بضع دقائق.",
      amount_not_possible: "هذا المبلغ غير ممكن هنا. أدخل مبلغًا آخر.",
      answers_malformed: "هذه الكمية غير ممكنة. أدخل كمية أخرى.",
      too_few_left: "المتبقي أقل من ذلك. أدخل أقل.",
    },
  },
  refund: {
    from: "استرداد من",
    onNetwork: ({ network }) => `على ${ltr(network)}`,
    wholeAmount: ({ merchant }) => `تستلم المبلغ كاملًا: يدفع ${name(merchant)} رسوم الشبكة.`,
    message: "رسالة",
    validUntil: "صالح حتى",
    titles: {
      enter: "إلى أين نرسل المبلغ؟",
      confirm: "هل هذا عنوانك؟",
      pending: "يجري تجهيز المبلغ المسترد",
      sending: "المبلغ المسترد في الطريق",
      completed: "اكتمل الاسترداد",
      failed: "لم يُرسل المبلغ المسترد",
      revoked: "سُحب هذا الاسترداد",
      expired: "انتهت مهلة هذا الاسترداد",
    },
    explanations: {
      enter: () =>
        "أدخل عنوانًا من محفظتك الخاصة. قد يكون العنوان الذي دفعت منه ملكًا لمنصة تداول، فتحتفظ هي بالمال.",
      confirm: () => "قارنه بمحفظتك. ما يُرسل إلى عنوان خاطئ يضيع.",
      pending: ({ merchant }) => `سيرسله ${name(merchant)} قريبًا. يمكنك إغلاق هذه الصفحة وفتح رابطها لاحقًا.`,
      sending: () => "تؤكده الشبكة الآن. تتابعه هذه الصفحة تلقائيًا.",
      completed: () => "أُرسل إلى عنوانك وأكدته الشبكة.",
      failed: ({ merchant }) => `تواصل مع ${name(merchant)} بشأن طريقة أخرى لرد المبلغ.`,
      revoked: ({ merchant }) => `أنهاه ${name(merchant)} قبل إدخال عنوان. تواصل معه إن كنت لا تعرف السبب.`,
      expired: ({ merchant }) => `لم يُدخل عنوان في الوقت المحدد. اطلب رابطًا جديدًا من ${name(merchant)}.`,
    },
    check: "متابعة",
    compared: "قارنت الأحرف الأولى والأخيرة بمحفظتي.",
    send: "إرسال إلى هذا العنوان",
    change: "تغيير العنوان",
    sentTo: "إلى عنوانك",
    notices: {
      malformed: ({ network }) => `هذا ليس عنوانًا على ${ltr(network)}. انسخه من محفظتك مرة أخرى.`,
      unusable: () => "لا يستطيع هذا العنوان استلام المبلغ المسترد. أدخل عنوانًا من محفظتك الخاصة.",
      not_compared: () => "قارن العنوان أولًا، ثم ضع علامة في المربع.",
      not_now: ({ merchant }) =>
        `لا يمكن إرسال المبلغ الآن، ويرى ${name(merchant)} ذلك. يبقى رابطك صالحًا: حاول لاحقًا أو تواصل معه.`,
    },
  },
  linkNotFound: {
    title: "لا توجد دفعة كهذه",
    text: "هذا الرابط غير معروف هنا. تأكد من نسخه كاملًا، أو اطلب رابطًا جديدًا من المتجر.",
  },
  pageError: {
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
