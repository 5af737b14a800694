import { confirmPath, perform, readRequest, readSignedIn, requireDesk } from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import { isRecent } from "#lib/domain/authority/verb-rules.ts";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { getServices } from "#lib/web/services.ts";

/** Bytes of the form with its file. */
const MOST_BYTES = 2_000_000;

/**
 * Takes the form of a new logo, or of none. A route, because an action's body may have 16 kB. The server has checked the
 * form's origin (lib/web/page/listener.ts).
 */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ merchant: string; env: string }> },
) {
  const place = await params;
  if ((await readSignedIn()) === null) return goTo("/console/sign-in");
  const { signedIn, workplace, base } = await requireDesk(place, "settings.change");
  const back = (notice: NoticeCode) => goTo(`${base}/settings?notice=${notice}`);
  if (!isRecent(signedIn, new Date())) return goTo(confirmPath(`${base}/settings`));
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= MOST_BYTES)) return back("picture_too_large");
  const file = (await request.formData().catch(() => null))?.get("logo");
  const isRemoval = file === null || file === undefined;
  if (!isRemoval && !(file instanceof File && file.size > 0)) return back("picture_missing");
  const { convertLogo } = getServices();
  const converted = isRemoval
    ? null
    : await convertLogo(Buffer.from(await file.arrayBuffer()), workplace.merchantId);
  if (converted?.ok === false) return back(converted.reason);
  const ofMerchant = await readRequest(
    (name) => (name === "merchant" ? place.merchant : place.env),
    "settings",
  );
  const changed = await perform(updateMerchant, ofMerchant, { logo: converted?.picture ?? null });
  // A logo alone breaks no rule of the settings.
  if (!changed.ok) throw new Error(`a logo was refused: ${changed.reason}`);
  return back("settings_saved");
}

const goTo = (location: string) => new Response(null, { status: 303, headers: { location } });
