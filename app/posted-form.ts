import { headers } from "next/headers";
import { readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { isOriginAllowed } from "#lib/web/realtime/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { readPageEmbedding, widgetParamsOf } from "./page-request.ts";

/** True if the form of this request was posted by one of our pages. */
export async function isFromOwnOrigin(): Promise<boolean> {
  const { config } = getServices();
  const head = await headers();
  const publicOrigins = [config.paymentUrl, config.publicUrl].map((url) => new URL(url).origin);
  const host = head.get("host") ?? undefined;
  return isOriginAllowed(head.get("origin") ?? undefined, { publicOrigins, host });
}

/** The query parameters that the page after a form keeps: the language that the form names, and the widget's. */
export async function readKeptParams(lang: string | null): Promise<Readonly<Record<string, string>>> {
  const language = readRequestedLanguage(lang);
  return { ...(language !== null && { lang: language }), ...widgetParamsOf(await readPageEmbedding()) };
}

/** The public path of a link's page. */
export function linkPath(refid: string): string {
  return `${new URL(getServices().config.paymentUrl).pathname.replace(/\/$/, "")}/${refid}`;
}

export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
}
