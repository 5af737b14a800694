import { accentSheet } from "#lib/domain/merchants/accent-sheet.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";

type Face = Pick<PaymentLinkView, "face" | "paymentLink">;

/** Path of the merchant's picture, which stands beside the link wherever PAYMENT_URL puts that; null: none. */
export function logoPath({ face, paymentLink }: Face): string | null {
  return face.logo === null ? null : new URL(`logo/${face.logo}.webp`, paymentLink).pathname;
}

/** Path of the stylesheet with the merchant's colour; null: the page's own. */
export function accentPath({ face, paymentLink }: Face): string | null {
  return face.accent === null ? null : new URL(`face/${accentSheet(face.accent).name}`, paymentLink).pathname;
}
