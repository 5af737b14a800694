import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { stopMails } from "#lib/domain/mail/change-mail-settings.ts";
import { STOP_PATH } from "#lib/domain/mail/compose-mail.ts";
import { KIND_NAMES } from "#lib/domain/mail/merchant-mail.ts";
import { findMailByToken } from "#lib/domain/mail/queries.ts";
import { escapeHtml, oneLine } from "#lib/domain/mail/render-mail.ts";
import { mailTextsOf } from "#lib/domain/mail/texts.ts";
import type { LinkMailData, MailData, SwitchedKind } from "#lib/domain/mail/types.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { type LanguageCode, languageData, languageOrEnglish } from "#lib/platform/languages/languages.ts";
import { answerPlainText, UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";

const TOKEN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};

/** True if a mail's unsubscribe address may lead here. */
export function isMailStopPath(path: string): boolean {
  return path.startsWith(STOP_PATH);
}

/**
 * The unsubscribe address of a mail. GET shows a button and changes nothing, because programs that check mails for dangerous
 * links open them. POST stops the mails: from the button, or from a mail program (RFC 8058), which sends no cookie and no
 * Origin. The token is the permission.
 */
export async function answerMailStop(
  { database, log }: { readonly database: Database; readonly log: Logger },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  const token = (request.url ?? "").slice(STOP_PATH.length).split("?", 1)[0] ?? "";
  const { method } = request;
  if (!TOKEN.test(token)) return answerPlainText(response, 404, "not found");
  if (method !== "GET" && method !== "HEAD" && method !== "POST") {
    return answerPlainText(response, 405, "not allowed", { allow: "GET, HEAD, POST" });
  }
  try {
    const mail = await findMailByToken(database.db, token);
    if (mail === null) return answerPlainText(response, 404, "not found");
    const texts = composeStopTexts({ ...mail, merchantName: oneLine(mail.merchantName) });
    const done = method === "POST" && (await stopMails(database.db, token, new Date()));
    response.writeHead(200, HEADERS);
    response.end(method === "HEAD" ? undefined : composePage(texts, done));
  } catch (err) {
    log.error({ err }, "mails could not be stopped");
    answerPlainText(response, 503, "unavailable", { "retry-after": String(UNAVAILABLE_RETRY_SECONDS) });
  }
}

function composePage(
  { language, dir, stop, stopped }: ReturnType<typeof composeStopTexts>,
  done: boolean,
): string {
  const title = escapeHtml(done ? stopped : stop);
  const button = `<form method="post"><button style="font:inherit;padding:10px 16px">${escapeHtml(stop)}</button></form>`;
  return [
    `<!doctype html><html lang="${language}" dir="${dir}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><title>${title}</title></head>`,
    `<body style="margin:0;padding:32px;font-family:system-ui,sans-serif;font-size:18px;line-height:1.5">`,
    done ? `<p>${title}</p>` : button,
    "</body></html>",
  ].join("\n");
}

/** The texts of the page that stops a mail: in the payer's language, or for a merchant in English. */
function composeStopTexts(mail: {
  readonly kind: SwitchedKind;
  readonly data: MailData;
  readonly merchantName: string;
}): {
  readonly language: LanguageCode;
  readonly dir: "ltr" | "rtl";
  readonly stop: string;
  readonly stopped: string;
} {
  if (mail.kind !== "receipt") {
    const name = KIND_NAMES[mail.kind];
    const stopped = `Mails about ${name} are switched off.`;
    return { language: "en", dir: "ltr", stop: `No more mails about ${name}`, stopped };
  }
  const language = languageOrEnglish((mail.data as LinkMailData).language);
  const texts = mailTextsOf(language);
  const merchant = mail.merchantName;
  return {
    language,
    dir: languageData(language).dir,
    stop: texts.stop({ merchant }),
    stopped: texts.stopped({ merchant }),
  };
}
