import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { findFramingOrigins } from "#lib/domain/payment-links/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { chooseLanguage, listEnabledLanguages } from "#lib/platform/languages/choose-language.ts";
import { resolveClientAddress } from "#lib/web/api/client-address.ts";
import { answerPlainText } from "#lib/web/plain-http.ts";
import type { Realtime } from "#lib/web/realtime/serve-realtime.ts";
import type { Services } from "#lib/web/services.ts";
import { parseEmbedding } from "./embedding.ts";
import { discardRest, type FormRefusal, readPageForm } from "./form.ts";
import { newNonce, pageHeaders, requestCsp } from "./headers.ts";
import { setLanguageHeaders } from "./name-language.ts";
import { hasPage, NOT_FOUND_PATH, pagePathMapper, parsePageRefid } from "./route.ts";
import { answerVersion, parseVersionRefid } from "./version.ts";

const FORM_REFUSALS: Readonly<Record<FormRefusal, readonly [number, string]>> = {
  not_a_form: [415, "this is not a form of the page"],
  too_large: [413, "this form is too large"],
  malformed: [400, "this form cannot be read"],
};

export interface PageListenerOptions extends Pick<Realtime, "unwatched"> {
  readonly dev: boolean;
  readonly publicOrigins: readonly string[];
}

/**
 * A page of Next: who visits it, in which language and within which frame, as only this server may say (the headers are
 * never taken from outside), and under which policy.
 */
export function pageListener(
  { config, database, log }: Services,
  page: RequestListener,
  { dev, publicOrigins, unwatched }: PageListenerOptions,
): RequestListener {
  const route = pagePathMapper(config.paymentUrl);
  const languages = listEnabledLanguages(config.draftLanguages);
  return async (request, response) => {
    const path = request.url ?? "/";
    request.url = route(path);
    if (!dev && !hasPage(request.url)) request.url = NOT_FOUND_PATH;
    if (!mayAsk(request, response)) return;
    request.headers["x-paylink-client-address"] = resolveClientAddress(
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
    setLanguageHeaders(response, language);
    const refid = parsePageRefid(request.url);
    hand(request, "x-paylink-refid", refid);
    const mayFrame = refid === null ? [] : await framersOf(refid);
    // Left to the link's page, "no such payment" would be drawn by the browser's scripts alone.
    if (mayFrame === null && request.method !== "POST") request.url = NOT_FOUND_PATH;
    const frameAncestors = mayFrame ?? [];
    const { parent, theme } = parseEmbedding(path, [...publicOrigins, ...frameAncestors]);
    hand(request, "x-paylink-parent", parent);
    hand(request, "x-paylink-theme", theme);
    const nonce = newNonce();
    request.headers["content-security-policy"] = requestCsp(nonce, { dev });
    for (const [name, value] of Object.entries(pageHeaders(nonce, { dev, frameAncestors }))) {
      response.setHeader(name, value);
    }
    const asked =
      request.method === "GET" || request.method === "HEAD" ? parseVersionRefid(request.url) : null;
    if (request.method === "POST") await takeForm(request, response);
    else if (asked !== null) await answerVersion({ database, log, unwatched }, asked, request, response);
    else page(request, response);
  };

  async function takeForm(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readPageForm(request).catch(() => null);
    // The visitor broke off.
    if (form === null) response.destroy();
    else if (form.ok) page(form.request, response);
    else {
      answerPlainText(response, ...FORM_REFUSALS[form.reason]);
      discardRest(request);
    }
  }

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

/** Refuses what Next would answer with an error of its own, or with a page as if it had been asked for one. */
function mayAsk(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "", headers, url = "" } = request;
  const methods = parsePageRefid(url) === null ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
  if (!methods.includes(method)) {
    answerPlainText(response, 405, "method not allowed", { allow: methods.join(", ") });
    return false;
  }
  try {
    // What the page's script has of the page: Next's own reader judges it, which throws.
    parseAndValidateFlightRouterState(headers["next-router-state-tree"]);
    return true;
  } catch {
    answerPlainText(response, 400, "bad request");
    return false;
  }
}

/** Says something of a request to Next, which no visitor may say in its place. */
function hand(request: IncomingMessage, header: string, value: string | null): void {
  delete request.headers[header];
  if (value !== null) request.headers[header] = value;
}
