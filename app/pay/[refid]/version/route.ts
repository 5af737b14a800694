import { linkVersion } from "#lib/payment-links/view-payment-link.ts";
import { isRefid } from "#lib/realtime/rules.ts";
import { getServices } from "#lib/server/services.ts";

/** The number a page compares with its own to learn whether it is out of date. */
export async function GET(_request: Request, { params }: { params: Promise<{ refid: string }> }) {
  const { refid } = await params;
  const version = isRefid(refid) ? await linkVersion(getServices().database.db, refid) : null;
  const headers = { "cache-control": "no-store" };
  return version === null
    ? Response.json({ message: "not found" }, { status: 404, headers })
    : Response.json({ version }, { headers });
}
