/** Codes in `?notice=` that say why the last choice of a network failed. */
export const NOTICE_CODES = ["too_many_addresses", "no_rate", "not_offered"] as const;
export type NoticeCode = (typeof NOTICE_CODES)[number];

/** Codes in `?notice=` of a form's page that say why its last submission failed. */
export const FORM_NOTICE_CODES = [
  "amount_not_possible",
  "answers_malformed",
  "too_few_left",
  "too_many_submissions",
] as const;
export type FormNoticeCode = (typeof FORM_NOTICE_CODES)[number];

/** Codes in `?notice=` of a point of sale. */
export const POS_NOTICE_CODES = [
  "wrong_code",
  "too_many_tries",
  "too_many_sales",
  "amount_not_possible",
  "answers_malformed",
  "too_few_left",
] as const;
export type PosNoticeCode = (typeof POS_NOTICE_CODES)[number];

/** Codes in `?notice=` of a refund's page that say why its address was not accepted. */
export const REFUND_NOTICE_CODES = ["malformed", "unusable", "not_compared", "not_now"] as const;
export type RefundNoticeCode = (typeof REFUND_NOTICE_CODES)[number];
