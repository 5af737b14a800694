import { readPageLanguage } from "#app/page-request.ts";
import { buildLinkPreview } from "#components/checkout/link-preview.ts";
import { textsOf } from "#components/checkout/texts.ts";
import { accentColors } from "#lib/domain/merchants/accent-rules.ts";
import { findLogo } from "#lib/domain/merchants/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { findLinkStamp } from "#lib/domain/payment-links/version-queries.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { languageData } from "#lib/platform/languages/languages.ts";
import { COLORS } from "#lib/platform/look.ts";
import type { LinkCard } from "#lib/platform/pictures/types.ts";
import { getServices } from "#lib/web/services.ts";

/** Paylink's own colors, for a merchant who has not chosen any. */
const OWN_ACCENT = COLORS.light.accent;
/** Value of Retry-After while the drawing queue is full, seconds. */
const RETRY_AFTER = 5;

/** The picture shown where a link is shared: the merchant, the price, the networks and the status. */
export async function GET(_request: Request, { params }: { params: Promise<{ refid: string }> }) {
  const [{ refid }, language] = await Promise.all([params, readPageLanguage()]);
  const { database, pictures, paymentLinks } = getServices();
  const stamp = isRefid(refid) ? await findLinkStamp(database.db, refid, new Date()) : null;
  if (stamp === null) return plain("no such payment\n", 404);
  const card = async (): Promise<LinkCard> => {
    const now = new Date();
    const view = await viewPaymentLink(paymentLinks, refid, now);
    if (view === null) throw new Error("a payment link went away");
    const { branding } = view;
    return {
      ...buildLinkPreview(view, textsOf(language), now),
      dir: languageData(language).dir,
      logo: branding.logo === null ? null : await findLogo(database.db, branding.logo),
      colors: accentColors(branding.accent ?? OWN_ACCENT, "light"),
    };
  };
  const drawing = await pictures.getPicture(`${refid}-${stamp}-${language}`, card);
  if (!drawing.ok) return plain("try again later\n", 503, { "retry-after": String(RETRY_AFTER) });
  return new Response(new Uint8Array(drawing.png), {
    headers: { "content-type": "image/png", "cache-control": "public, max-age=60" },
  });
}

function plain(text: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...headers, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
