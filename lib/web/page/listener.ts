import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { findFormFramingOrigins } from "#lib/domain/forms/queries.ts";
import { findFramingOrigins } from "#lib/domain/payment-links/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { chooseLanguage } from "#lib/platform/languages/choose-language.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { resolveClientAddress } from "#lib/web/api/client-address.ts";
import { answerPlainText } from "#lib/web/plain-http.ts";
import type { Realtime } from "#lib/web/realtime/serve-realtime.ts";
import type { Services } from "#lib/web/services.ts";
import type { WebPorts } from "#lib/web/web-ports.ts";
import { answerAnswers, isAnswersQuestion } from "./answers.ts";
import { admitClaim } from "./claim.ts";
import { discardRest, type FormRefusal, readPageForm } from "./form.ts";
import { newNonce, pageHeaders, requestCsp, setLanguageHeaders } from "./headers.ts";
import { findKeptPath, keptPages } from "./kept-pages.ts";
import {
  HOME_PATH,
  hasPage,
  isBelowConsole,
  isConsolePath,
  isForConsole,
  isUploadPath,
  NOT_FOUND_PATH,
  pagePathMapper,
  parseClaimPath,
  parseEmbedding,
  parseFormCode,
  parseKeyOrigin,
  parsePageRefid,
  parsePosCode,
  parseSentRefid,
} from "./route.ts";
import { answerSent } from "./sent.ts";
import { setUnavailableStatus } from "./unavailable.ts";
import { answerVersion, parseVersionRefid } from "./version.ts";

const FORM_REFUSALS: Readonly<Record<FormRefusal, readonly [number, string]>> = {
  not_a_form: [415, "this is not a form of the page"],
  too_large: [413, "this form is too large"],
  malformed: [400, "this form cannot be read"],
};

const LOOPBACK = /^(?:127\.0\.0\.1|\[::1\])(?::\d+)?$/;

export interface PageListenerOptions extends Pick<Realtime, "unwatched">, Pick<WebPorts, "servedAt"> {
  readonly dev: boolean;
  readonly publicOrigins: readonly string[];
  /** Names of the files that Next serves in addition to the pages. */
  readonly publicFiles: ReadonlySet<string>;
}

/**
 * Serves Next's pages. Passes the client address, the language and the embedding to Next in request headers, which
 * replace those of the visitor. Sets the content policy of each response.
 */
export function pageListener(
  { config, database, log, claimTries }: Services,
  page: RequestListener,
  { dev, servedAt, publicOrigins, publicFiles, unwatched }: PageListenerOptions,
): RequestListener {
  const toInnerPath = pagePathMapper(config.paymentUrl);
  const answerKept = keptPages(page, log);
  return async (request, response) => {
    const path = request.url ?? "/";
    request.url = toInnerPath(path);
    const served = servedAt(request.socket);
    const consoleUrl = served === "payers" ? null : config.consoleUrl;
    if (served === "console" && request.url === HOME_PATH) return leadToConsole(response);
    const isConsole = consoleUrl !== null && isConsolePath(request.url);
    if (isConsole && !isConsoleRequest(request, response, new URL(consoleUrl))) return;
    const isServed = served === "console" ? isForConsole(request.url) : hasPage(request.url, publicFiles);
    const isOfConsole =
      isConsole || (consoleUrl !== null && (served === "console" ? !isServed : isBelowConsole(request.url)));
    if ((!isServed || (isConsolePath(request.url) && !isConsole)) && !dev) request.url = NOT_FOUND_PATH;
    if (!isAnswerable(request, response)) return;
    if (isAnswersQuestion(request)) return answerAnswers({ database }, response);
    request.headers["x-paylink-client-address"] = resolveClientAddress(
      request.socket.remoteAddress ?? "",
      request.headers["x-forwarded-for"],
      config.trustedProxies,
    );
    const language = isOfConsole ? "en" : choosePageLanguage(request, path);
    request.headers["x-paylink-language"] = language;
    setLanguageHeaders(response, language);
    setUnavailableStatus(response);
    setInternalHeader(request, "x-paylink-console", isConsole ? (request.url ?? "on") : null);
    const codes = setPathHeaders(request, request.url);
    const claim = parseClaimPath(request.url);
    const framingOrigins = await findFrameAncestors({ database, log }, codes);
    // On the page's own path, only the browser's scripts would render "no such payment".
    if (framingOrigins === null) request.url = NOT_FOUND_PATH;
    const frameAncestors = framingOrigins ?? [];
    const { parent, theme } = parseEmbedding(path, publicOrigins.concat(addHost(frameAncestors, request)));
    setInternalHeader(request, "x-paylink-parent", parent);
    setInternalHeader(request, "x-paylink-theme", theme);
    const nonce = newNonce();
    const policy = { dev, relayUrl: codes.refid === null ? null : (config.walletConnect?.url ?? null) };
    request.headers["content-security-policy"] = requestCsp(nonce, policy);
    const ancestors = isOfConsole || claim !== null ? null : frameAncestors;
    const formOrigin = isConsole ? parseKeyOrigin(request.url) : null;
    const framing = { ...policy, formOrigin, isSecret: claim !== null, frameAncestors: ancestors };
    response.setHeaders(new Headers(pageHeaders(nonce, framing)));
    const admitted = claim && (await admitClaim({ database, log, claimTries }, claim, { request, response }));
    if (admitted === "answered") return discardRest(request);
    if (admitted === "unknown") request.url = NOT_FOUND_PATH;
    const versionRefid = parseVersionRefid(request.url);
    const keptPath = findKeptPath(request.url);
    if (!dev && keptPath !== null) {
      await answerKept(response, nonce, { path: keptPath, language, parent, theme, isConsole: isOfConsole });
      discardRest(request);
    } else if (parseSentRefid(request.url) !== null) {
      await answerSent({ database, log }, request, response);
      discardRest(request);
    } else if (request.method === "POST" && !isUploadPath(request.url))
      await handleForm(page, request, response);
    else if (versionRefid !== null)
      await answerVersion({ database, log, unwatched }, versionRefid, request, response);
    else page(request, response);
  };
}

/** Passes a form that is well-formed to the page, and refuses others. */
async function handleForm(
  page: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = await readPageForm(request).catch(() => null);
  // The visitor closed the connection.
  if (form === null) response.destroy();
  else if (form.ok) page(form.request, response);
  else {
    answerPlainText(response, ...FORM_REFUSALS[form.reason]);
    discardRest(request);
  }
}

/**
 * Adds the origins of the server's name that the visitor used: a shop's plugin may know another than PUBLIC_URL. Not if no shop may frame the
 * page: such pages are kept by their parent, and visitors choose the Host that they send.
 */
function addHost(shops: readonly string[], { headers: { host } }: IncomingMessage): readonly string[] {
  return shops.length === 0 || host === undefined ? shops : [...shops, `https://${host}`, `http://${host}`];
}

function leadToConsole(response: ServerResponse): void {
  answerPlainText(response, 307, "the console is at another path", { location: "/console" });
}

/** Passes what the path names to Next, and returns the codes in it. */
function setPathHeaders(request: IncomingMessage, path: string) {
  const [refid, formCode, posCode] = [parsePageRefid(path), parseFormCode(path), parsePosCode(path)];
  setInternalHeader(request, "x-paylink-refid", refid);
  setInternalHeader(request, "x-paylink-form", formCode);
  setInternalHeader(request, "x-paylink-pos", posCode);
  setInternalHeader(request, "x-paylink-claim", parseClaimPath(path)?.secret ?? null);
  return { refid, formCode, posCode };
}

function choosePageLanguage({ headers }: IncomingMessage, path: string): LanguageCode {
  const lang = new URLSearchParams(path.split("?", 2)[1]).get("lang");
  return chooseLanguage({ lang, acceptLanguage: headers["accept-language"] });
}

/** Origins that may frame the page of a link or a form; none for another page. null: there is no such link or form. */
async function findFrameAncestors(
  { database, log }: Pick<Services, "database" | "log">,
  codes: Readonly<Record<"refid" | "formCode" | "posCode", string | null>>,
): Promise<readonly string[] | null> {
  const code = codes.refid ?? codes.formCode ?? codes.posCode;
  if (code === null) return [];
  if (!isRefid(code)) return null;
  const find = codes.refid === null ? findFormFramingOrigins : findFramingOrigins;
  try {
    const origins = await find(database.db, code);
    // A device's page starts payments: no shop may frame it.
    return origins !== null && codes.posCode !== null ? [] : origins;
  } catch (error) {
    log.error({ err: error }, "cannot look up which origins may frame a payment page");
    return [];
  }
}

/**
 * Redirects a visitor of a loopback address to "localhost", because passkeys need a host name. Refuses what another site, or a browser
 * that hides where a form is from, posts here: every action of the console is a POST.
 */
function isConsoleRequest(request: IncomingMessage, response: ServerResponse, consoleUrl: URL): boolean {
  const { method = "", headers, url = "" } = request;
  if (method === "POST" && headers.origin !== consoleUrl.origin) {
    answerPlainText(response, 403, "this form was sent from another site");
    discardRest(request);
    return false;
  }
  // Next compares it with the origin of an action. Behind a proxy that rewrites Host they would differ.
  if (method === "POST") headers["x-forwarded-host"] = consoleUrl.host;
  // After an action, Next fetches the next page from the loopback address.
  const isNext = headers.rsc !== undefined;
  if (isNext || consoleUrl.hostname !== "localhost" || !LOOPBACK.test(headers.host ?? "")) return true;
  answerPlainText(response, 307, "the console is at another address", {
    location: `${consoleUrl.origin}${url}`,
  });
  return false;
}

/** Refuses requests that Next would answer with its own error, or with a page although it has no such method. */
function isAnswerable(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "", headers, url = "" } = request;
  const hasForm =
    isConsolePath(url) ||
    parseClaimPath(url)?.isVersion === false ||
    [parsePageRefid, parseFormCode, parsePosCode].some((parse) => parse(url) !== null);
  // Next fetches an action that was posted to the page of another from this machine, which would hide the caller's address.
  if (headers["x-action-forwarded"] !== undefined) {
    answerPlainText(response, 400, "this form belongs to another page");
    discardRest(request);
    return false;
  }
  const forms = hasForm ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
  const methods = parseSentRefid(url) === null ? forms : ["POST"];
  if (!methods.includes(method)) {
    answerPlainText(response, 405, "method not allowed", { allow: methods.join(", ") });
    return false;
  }
  try {
    // Next's own parser. It throws on a malformed header.
    parseAndValidateFlightRouterState(headers["next-router-state-tree"]);
    return true;
  } catch {
    answerPlainText(response, 400, "bad request");
    return false;
  }
}

/** Sets a header for Next and removes one that a visitor sent. */
function setInternalHeader(request: IncomingMessage, header: string, value: string | null): void {
  delete request.headers[header];
  if (value !== null) request.headers[header] = value;
}
