import type { IncomingMessage, ServerResponse } from "node:http";
import { findLinkLanguage } from "#lib/domain/payment-links/queries.ts";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { answerPlainText, UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";
import { answerModal, answerModalScript } from "./modal/serve-modal.ts";
import type { GreenfieldServices } from "./route.ts";

/** A page of the protocol: the path, whose first group is the value of `answer`. */
interface Page {
  readonly pattern: RegExp;
  answer(
    services: GreenfieldServices,
    asked: { readonly value: string; readonly query: URLSearchParams; readonly isFramed: boolean },
    response: ServerResponse,
  ): Promise<void> | void;
}

const PAGES: readonly Page[] = [
  // The page on which a customer pays.
  {
    pattern: /^\/i\/([0-9A-Za-z]{1,64})\/?$/,
    answer: async ({ database, settings }, { value, query, isFramed }, response) => {
      if (isFramed) return answerModal(database.db, value, response);
      const language = await findLinkLanguage(database.db, value);
      if (language !== null && !query.has("lang")) query.set("lang", language);
      lead(response, `${settings.paymentUrl}/${value}`, query);
    },
  },
  // The same, as the modal window of shops asks for it.
  {
    pattern: /^\/invoice(\/?)$/,
    answer: ({ database }, { query }, response) => answerModal(database.db, query.get("id") ?? "", response),
  },
  {
    pattern: /^\/modal\/((?:btcpay|frame)\.js)$/,
    answer: (_, { value }, response) => answerModalScript(value, response),
  },
  // The merchant's page of a payment.
  {
    pattern: /^\/invoices\/([0-9A-Za-z]{1,64})\/?$/,
    answer: ({ consoleUrl }, { value }, response) =>
      consoleUrl === null ? noPage(response) : lead(response, `${consoleUrl}/invoice/${value}`),
  },
  // Where a person gives a plugin its key.
  {
    pattern: /^\/api-keys\/authorize(\/?)$/,
    answer: ({ consoleUrl }, { query }, response) =>
      consoleUrl === null ? noPage(response) : lead(response, `${consoleUrl}/authorize`, query),
  },
];

const pathOf = (url: string) => url.split("?", 1)[0] ?? "";

export function isGreenfieldPage(url: string): boolean {
  return PAGES.some(({ pattern }) => pattern.test(pathOf(url)));
}

/** Answers the pages that plugins of shops send people to. Most lead to a page of Paylink. */
export function createPages(
  services: GreenfieldServices,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async ({ url = "", method = "", headers }, response) => {
    if (method !== "GET" && method !== "HEAD")
      return answerPlainText(response, 405, "method not allowed", { allow: "GET, HEAD" });
    const { searchParams: query } = new URL(url, services.publicUrl);
    // Some plugins frame the address of an invoice as it is. Browsers say so.
    const isFramed = query.get("view") === "modal" || headers["sec-fetch-dest"] === "iframe";
    const page = PAGES.find(({ pattern }) => pattern.test(pathOf(url)));
    const value = page?.pattern.exec(pathOf(url))?.[1];
    if (page === undefined || value === undefined) return noPage(response);
    try {
      await page.answer(services, { value, query, isFramed }, response);
    } catch (error) {
      services.log.error({ err: error }, "request failed");
      answerFailure(response, error);
    }
  };
}

function answerFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else if (isDatabaseUnavailable(error))
    answerPlainText(response, 503, "unavailable", { "retry-after": String(UNAVAILABLE_RETRY_SECONDS) });
  else answerPlainText(response, 500, "the request failed");
}

function lead(response: ServerResponse, to: string, query = new URLSearchParams()): void {
  const location = query.size === 0 ? to : `${to}?${query}`;
  answerPlainText(response, 302, "the page is at another address", { location });
}

function noPage(response: ServerResponse): void {
  answerPlainText(response, 404, "there is no such page");
}
