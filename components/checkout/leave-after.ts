/**
 * Seconds between a payment that completes before the visitor's eyes and the way back to the shop: the least that
 * leaves everybody time to stop it (WCAG 2.2.1). The button on the page goes at once.
 */
export const REDIRECT_AFTER_SECONDS = 20;
