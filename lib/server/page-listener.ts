import type { IncomingMessage, RequestListener } from "node:http";
import { clientAddress } from "#lib/api/client-address.ts";
import { chooseLanguage, languagesOn } from "#lib/languages/choose-language.ts";
import { findFramingOrigins } from "#lib/payment-links/find-framing-origins.ts";
import { isRefid } from "#lib/realtime/rules.ts";
import { nameLanguage } from "./name-language.ts";
import { readEmbedding } from "./page-embedding.ts";
import { newNonce, pageHeaders, requestCsp } from "./page-headers.ts";
import { linkOfPage, NOWHERE, pageRoute } from "./page-route.ts";
import { answerVersion, linkOfVersion } from "./page-version.ts";
import type { Services } from "./services.ts";

/**
 * A page of Next: who visits it, in which language and within which frame, as only this server may say (the headers are
 * never taken from outside), and under which policy.
 */
export function pageListener(
  { config, database, log }: Services,
  page: RequestListener,
  { dev, publicOrigins }: { dev: boolean; publicOrigins: readonly string[] },
): RequestListener {
  const route = pageRoute(config.paymentUrl);
  const languages = languagesOn(config.draftLanguages);
  return async (request, response) => {
    const path = request.url ?? "/";
    request.url = route(path);
    request.headers["x-paylink-client-address"] = clientAddress(
      request.socket.remoteAddress ?? "",
      request.headers["x-forwarded-for"],
      config.trustedProxies,
    );
    const language = chooseLanguage({
      lang: new URLSearchParams(path.split("?", 2)[1]).get("lang"),
      acceptLanguage: request.headers["accept-language"],
      on: languages,
    });
    request.headers["x-paylink-language"] = language;
    nameLanguage(response, language);
    const refid = linkOfPage(request.url);
    const mayFrame = refid === null ? [] : await framersOf(refid);
    // Left to the link's page, "no such payment" would be drawn by the browser's scripts alone.
    if (mayFrame === null && request.method !== "POST") request.url = NOWHERE;
    const frameAncestors = mayFrame ?? [];
    const { parent, theme } = readEmbedding(path, [...publicOrigins, ...frameAncestors]);
    hand(request, "x-paylink-parent", parent);
    hand(request, "x-paylink-theme", theme);
    const nonce = newNonce();
    request.headers["content-security-policy"] = requestCsp(nonce, { dev });
    for (const [name, value] of Object.entries(pageHeaders(nonce, { dev, frameAncestors }))) {
      response.setHeader(name, value);
    }
    const asked = request.method === "GET" || request.method === "HEAD" ? linkOfVersion(request.url) : null;
    if (asked === null) page(request, response);
    else await answerVersion({ database, log }, asked, request, response);
  };

  /** null: there is no such link. */
  async function framersOf(refid: string): Promise<readonly string[] | null> {
    if (!isRefid(refid)) return null;
    try {
      return await findFramingOrigins(database.db, refid);
    } catch (error) {
      log.error({ err: error }, "cannot look up who may frame a payment page");
      return [];
    }
  }
}

/** Says something of a request to Next, which no visitor may say in its place. */
function hand(request: IncomingMessage, header: string, value: string | null): void {
  delete request.headers[header];
  if (value !== null) request.headers[header] = value;
}
