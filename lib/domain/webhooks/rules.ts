import { nextAttemptAt } from "#lib/domain/delivery/schedule-rules.ts";
import { parseRetryAfter } from "#lib/platform/http/retry-after.ts";
import { writeJson } from "#lib/platform/json-text.ts";
import type { AttemptCategory, AttemptDecision, AttemptOutcome, NewEvent, SendOutcome } from "./types.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const LONGEST_RETRY_AFTER_MS = 24 * HOUR;
/** An endpoint that has accepted nothing for this time is disabled. */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR;
/**
 * Pause before the next attempt with an unreadable secret. The operator must set the right SECRET_KEY first.
 */
const UNSIGNED_PAUSE_MS = 5 * MINUTE;

/** How long a delivery waits if its secret cannot be opened, and why. */
export function unreadableSecretDelay(now: Date): { readonly until: Date; readonly error: string } {
  return { until: new Date(now.getTime() + UNSIGNED_PAUSE_MS), error: "secret cannot be opened" };
}

/** True if an endpoint must be disabled. `failingSince` is null if it accepted its last attempt. */
export function hasFailedTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_LIMIT_MS;
}

/**
 * Decides what follows attempt number `attempt`. A 2xx status delivers. 410 fails and disables the endpoint.
 * Any other answer, redirects included, is retried until the schedule ends, and not before a Retry-After of
 * 429 and 503.
 */
export function decideAfterAttempt(
  outcome: AttemptOutcome,
  attempt: number,
  now: Date,
  random: number,
): AttemptDecision {
  const status = outcome.kind === "answered" ? outcome.status : null;
  if (status !== null && status >= 200 && status < 300) return { kind: "delivered", status };
  const error = outcome.kind === "answered" ? `answered ${outcome.status}` : outcome.error;
  if (status === 410) return { kind: "failed", status, error, disableEndpoint: true };
  const scheduled = nextAttemptAt(attempt, now, random);
  if (scheduled === null) return { kind: "failed", status, error, disableEndpoint: false };
  const asked =
    outcome.kind === "answered" && (status === 429 || status === 503)
      ? now.getTime() + Math.min(parseRetryAfter(outcome.retryAfter, now.getTime()), LONGEST_RETRY_AFTER_MS)
      : 0;
  return { kind: "retry", status, error, at: new Date(Math.max(scheduled.getTime(), asked)) };
}

/**
 * The body to store, sign and send. Its members are in the order of the event's data, and metadata keeps every byte.
 * Throws SyntaxError if metadata is not valid JSON.
 */
export function composeEventBody({ type, data }: NewEvent, now: Date): string {
  const body = writeJson({ type, timestamp: now, data });
  JSON.parse(body);
  return body;
}

/**
 * Pattern of the refid in a stored body, the same for JavaScript and PostgreSQL. Quotes in texts are escaped,
 * so a text cannot look like it. Metadata can, but it comes after the refid.
 */
export const REFID_PATTERN = '"refid":"([0-9A-Za-z]{1,40})"';

/** The refid of the link or withdrawal in a stored body; null without one. */
export function extractRefid(body: string): string | null {
  return new RegExp(REFID_PATTERN).exec(body)?.[1] ?? null;
}

/**
 * The category of an attempt for the metrics: the class of its status, or the reason why there is no answer.
 * `refused` means that our own guard blocked the address.
 */
export function categorizeOutcome(outcome: Exclude<SendOutcome, { kind: "interrupted" }>): AttemptCategory {
  if (outcome.kind === "unsigned") return "unsigned";
  if (outcome.kind === "answered") {
    const classes = ["delivered", "redirected", "client_error", "server_error"] as const;
    return classes[Math.floor(outcome.status / 100) - 2] ?? "other_status";
  }
  const [, kind] = KINDS.find(([codes]) => codes.test(outcome.error)) ?? [];
  return kind ?? "other";
}

/** Error codes of Node and of this program. The first match counts. */
const KINDS: readonly (readonly [RegExp, AttemptCategory])[] = [
  [/TIMEOUT$|TIMEDOUT$/i, "timeout"],
  [/^address_not_allowed$|^url_/, "refused"],
  [/^ENOTFOUND$|^ENODATA$|^ESERVFAIL$|^EAI_/, "name"],
  [/CERT|TLS|SSL|SIGNATURE|^EPROTO$/, "tls"],
  [/^E[A-Z]+$|^UND_ERR_|^HPE_/, "connection"],
];

/**
 * The forms in which a submitted hash may be stored: as given (base58 is case-sensitive), and hexadecimal in
 * lower case with and without 0x.
 */
export function listHashForms(text: string): string[] {
  const hex = /^(?:0x)?([0-9a-f]+)$/i.exec(text)?.[1]?.toLowerCase();
  return hex === undefined ? [text] : [...new Set([text, hex, `0x${hex}`])];
}
