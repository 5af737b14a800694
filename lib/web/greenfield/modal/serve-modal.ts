import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { findFramingOrigins, findLinkLanguage } from "#lib/domain/payment-links/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { answerPlainText } from "#lib/web/plain-http.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");
/** The scripts by their path. The first is loaded by shops, the second by the page around an invoice. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["btcpay.js", read("btcpay.js")],
  ["frame.js", read("frame.js")],
]);
const FRAME_SCRIPT = `/modal/frame.js?v=${createHash("sha256")
  .update(SCRIPTS.get("frame.js") ?? "")
  .digest("hex")
  .slice(0, 8)}`;
const STYLE = "html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}";
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const SAFE = { "x-content-type-options": "nosniff", "x-robots-tag": "noindex, nofollow" };

/** Answers /modal/btcpay.js, which plugins of shops load, and the script of the page around an invoice. */
export function answerModalScript(name: string, response: ServerResponse): void {
  const script = SCRIPTS.get(name);
  if (script === undefined) {
    answerPlainText(response, 404, "there is no such page");
    return;
  }
  response
    .writeHead(200, {
      ...SAFE,
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=300",
      // Shops are other sites.
      "cross-origin-resource-policy": "cross-origin",
    })
    .end(script);
}

/**
 * Answers the page that a shop frames: the payment page in a frame of its own, which fills it, and a script that reports to the shop what
 * the payment page says. The payment page has no script more for it. The same origins may frame it as the payment page.
 */
export async function answerModal(db: Db, refid: string, response: ServerResponse): Promise<void> {
  const origins = isRefid(refid) ? await findFramingOrigins(db, refid) : null;
  if (origins === null) {
    answerPlainText(response, 404, "there is no such page");
    return;
  }
  const language = (await findLinkLanguage(db, refid)) ?? "";
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors 'self' ${origins.join(" ")}`.trim(),
  ].join("; ");
  response
    .writeHead(200, {
      ...SAFE,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "referrer-policy": "strict-origin",
      "permissions-policy": "clipboard-write=(self), camera=(), microphone=(), geolocation=(), payment=()",
      "cache-control": "no-store",
    })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Payment</title>` +
        `<style>${STYLE}</style><body data-refid="${refid}" data-lang="${language}"><iframe title="Payment" allow="clipboard-write"></iframe>` +
        `<script src="${FRAME_SCRIPT}"></script></body></html>`,
    );
}
