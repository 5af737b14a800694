/** Characters of each of a customer's details. */
export const MAX_CUSTOMER_TEXT = 255;

/** An e-mail address, loosely: one @, a host with a dot, no spaces. */
export const CUSTOMER_EMAIL = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@.\p{Cc}\p{Cs}]+$/u;
