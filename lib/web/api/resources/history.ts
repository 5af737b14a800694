import { z } from "@hono/zod-openapi";
import type { HistoryCursor } from "#lib/domain/ledger/history-rules.ts";
import { countHistory, listHistory } from "#lib/domain/ledger/queries.ts";
import type { HistoryEntry } from "#lib/domain/ledger/types.ts";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import { type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { apiReason, customField, fieldText } from "../field-reader.ts";
import { neverDeleted, timestamp } from "../fields/common.ts";
import { isMerchantEmail, merchantEmailField } from "../fields/customer.ts";
import { tokenField } from "../fields/money.ts";
import { type PageRequest, readPageMeta } from "../paging.ts";

const UTC_TIME =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?: (?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])?$/;

const sinceField = customField((value) => {
  const since = parseUtcTime(fieldText(value));
  return since === null ? { ok: false, reason: "timestamp_malformed" } : { ok: true, value: since };
}).openapi({
  type: "string",
  pattern: UTC_TIME.source,
  description: "Only entries from this time on: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, UTC.",
  example: "2026-01-31 12:00:00",
});

/** Parses a date, or a date with a time, in UTC. null if it is malformed or does not exist. */
function parseUtcTime(text: string): Date | null {
  if (!UTC_TIME.test(text)) return null;
  const [day = "", time = "00:00:00"] = text.split(" ");
  const parsed = new Date(`${day}T${time}Z`);
  // A day that the month does not have becomes one of the next month.
  return parsed.toISOString().startsWith(day) ? parsed : null;
}

const entryData = z
  .object({
    id: z.number().int().openapi({ description: "Unique among entries of the same status." }),
    status: integerEnum(1, 0).openapi({ description: "1: executed; 0: refused by a rule." }),
    direction: z.enum(["credit", "debit"]),
    balance_before: z.number().openapi({ description: "Whole tokens, like balance_after and amount." }),
    balance_after: z.number(),
    email: z.string(),
    token: z.string(),
    amount: z.number(),
    created_at: timestamp,
    updated_at: timestamp,
    deleted_at: neverDeleted,
  })
  .openapi("HistoryEntry");

/** Endpoint 11. */
export const getHistoryEndpoint = endpoint(
  {
    method: "post",
    path: "/history",
    operationId: "getHistory",
    tag: "Balances",
    summary: "List balance movements and refused attempts",
    description:
      "Newest first. The newest 1,000 refused attempts (status 0) are kept. A refused attempt moves nothing: both of its " +
      "balances are the balance at that time.",
    auth: ["read"],
    action: "money.view",
    body: () =>
      z.object({
        email: merchantEmailField,
        token: tokenField.optional().openapi({ example: "eth" }),
        network: customField((value) => ({ ok: true, value }))
          .optional()
          .openapi({ type: "string", description: "Accepted; has no effect." }),
        direction: z.enum(["credit", "debit"], apiReason("direction_unknown")).optional(),
        timestamp: sinceField.optional(),
        status: customField((value) => {
          const text = fieldText(value);
          if (text !== "0" && text !== "1") return { ok: false, reason: "status_unknown" };
          return { ok: true, value: text === "1" ? ("executed" as const) : ("refused" as const) };
        })
          .optional()
          .openapi({ type: "integer", enum: [0, 1], description: "1 success, 0 failure." }),
      }),
    paged: "pair",
    message: "history retrieved successfully",
    data: z.object({ history: z.array(entryData) }),
    errors: [
      "not_a_string",
      "token_unknown",
      "direction_unknown",
      "timestamp_malformed",
      "status_unknown",
      "email_not_merchants",
    ],
  },
  async ({ api, caller, input, page }) => {
    const { merchant, env } = caller;
    if (!isMerchantEmail(input.email, merchant)) return failure("email_not_merchants");
    const { token = null, direction = null, timestamp: since = null, status = null } = input;
    const filter = { env, merchantId: merchant.id, token, direction, since, status };
    const { db } = api.database;
    const { entries, next } = await listHistory(db, filter, {
      before: toHistoryCursor(page),
      limit: page.limit,
    });
    const nextCursor = next && `${next.posting}-${next.refusal}`;
    const meta = await readPageMeta(page, nextCursor, () => countHistory(db, filter));
    const data = { history: entries.map((entry) => entryToJson(entry, merchant.email)) };
    return success(data, meta);
  },
);

function toHistoryCursor(page: PageRequest): HistoryCursor | null {
  const { before: posting, beforeSecond: refusal = null } = page;
  return posting === null || refusal === null ? null : { posting, refusal };
}

function entryToJson(entry: HistoryEntry, email: string): JsonValue {
  const units = (amount: bigint) => toJsonNumber(amount, TOKENS[entry.token].ledgerDecimals);
  return {
    id: entry.id,
    status: entry.status === "executed" ? 1 : 0,
    direction: entry.direction,
    balance_before: units(entry.balanceBefore),
    balance_after: units(entry.balanceAfter),
    email,
    token: entry.token,
    amount: units(entry.amount),
    created_at: entry.createdAt,
    updated_at: entry.createdAt,
    deleted_at: null,
  };
}
