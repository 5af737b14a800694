import { headers } from "next/headers";
import { notFound, RedirectType, redirect } from "next/navigation";
import { listEnabledLanguages, readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { isOriginAllowed } from "#lib/web/realtime/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { readPageEmbedding, widgetParamsOf } from "../../page-request.ts";

/**
 * For a form of the link's page: answers what sends the visitor back there, in the language asked for and as the
 * widget asked for it. A form that another site sent, or that was posted to another link's page, finds nothing.
 */
export async function checkForm(
  refid: string,
  lang: string | null,
): Promise<(query: Readonly<Record<string, string>>) => never> {
  const { config } = getServices();
  const head = await headers();
  if (head.get("x-paylink-refid") !== refid) notFound();
  const publicOrigins = [config.paymentUrl, config.publicUrl].map((url) => new URL(url).origin);
  const origin = head.get("origin") ?? undefined;
  if (!isOriginAllowed(origin, { publicOrigins, host: head.get("host") ?? undefined })) notFound();
  const page = `${new URL(config.paymentUrl).pathname.replace(/\/$/, "")}/${refid}`;
  const asked = readRequestedLanguage(lang, listEnabledLanguages(config.draftLanguages));
  const kept = { ...(asked !== null && { lang: asked }), ...widgetParamsOf(await readPageEmbedding()) };
  return (query) => {
    const search = new URLSearchParams({ ...query, ...kept }).toString();
    return redirect(search === "" ? page : `${page}?${search}`, RedirectType.replace);
  };
}
