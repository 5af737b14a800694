import { accentSheet } from "#lib/domain/merchants/accent-sheet.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";

type Face = Pick<PaymentLinkView, "branding" | "paymentLink">;

/** Path of the merchant's picture, which stands beside the link wherever PAYMENT_URL puts that; null: none. */
export function logoPath({ branding, paymentLink }: Face): string | null {
  return branding.logo === null ? null : new URL(`logo/${branding.logo}.webp`, paymentLink).pathname;
}

/** Path of the stylesheet with the merchant's colour; null: the page's own. */
export function accentPath({ branding, paymentLink }: Face): string | null {
  return branding.accent === null
    ? null
    : new URL(`face/${accentSheet(branding.accent).name}`, paymentLink).pathname;
}
