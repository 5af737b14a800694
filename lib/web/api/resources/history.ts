import { z } from "@hono/zod-openapi";
import type { HistoryCursor } from "#lib/domain/ledger/history-rules.ts";
import { listHistory, totalHistory } from "#lib/domain/ledger/list-history.ts";
import { getStatistics } from "#lib/domain/ledger/read-statistics.ts";
import type { HistoryEntry } from "#lib/domain/ledger/types.ts";
import { USD_DECIMALS } from "#lib/domain/ledger/value-rules.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { askingListEndpoint, readingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { apiReason, customField, fieldText } from "../field-reader.ts";
import { tokenField } from "../fields/money.ts";
import { type JsonValue, toJsonNumber } from "../json-text.ts";
import { isMerchantEmail, merchantEmailField } from "./balances.ts";

const moment = z.string().openapi({ format: "date-time" });

const timestamp = customField((value) => {
  const since = utcTime(fieldText(value));
  return since === null ? { ok: false, reason: "timestamp_malformed" } : { ok: true, value: since };
}).openapi({
  type: "string",
  description: "Nothing from before it: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, UTC.",
  example: "2026-01-31 12:00:00",
});

/** A date or date and time that exists, in UTC. */
function utcTime(text: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?: ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d))?$/.exec(text);
  if (match === null) return null;
  const time = new Date(`${match[1]}T${match[2] ?? "00:00:00"}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(match[1] ?? "") ? time : null;
}

const entryData = z
  .object({
    id: z.number().int().openapi({ description: "Unique among entries of the same status." }),
    status: z
      .number()
      .int()
      .openapi({ enum: [0, 1], description: "1: it happened; 0: a rule refused it." }),
    direction: z.enum(["credit", "debit"]),
    balance_before: z.number().openapi({ description: "Whole tokens, like balance_after and amount." }),
    balance_after: z.number(),
    email: z.string(),
    token: z.string(),
    amount: z.number(),
    created_at: moment,
    updated_at: moment,
    deleted_at: z.null(),
  })
  .openapi("HistoryEntry");

/** Endpoint 11. */
const history = askingListEndpoint(
  {
    method: "post",
    path: "/history",
    operationId: "getHistory",
    tag: "Balances",
    summary: "What moved on the merchant's balances, and what was refused",
    description:
      "Newest first. Of refused attempts (status 0) the newest 1,000 are kept; nothing moved there, so both balances " +
      "are what stood there.",
    scopes: ["read"],
    cursor: "pair",
    body: () =>
      z.object({
        email: merchantEmailField,
        token: tokenField.optional().openapi({ example: "eth" }),
        network: customField((value) => ({ ok: true, value }))
          .optional()
          .openapi({ type: "string", description: "Accepted; has no effect." }),
        direction: z.enum(["credit", "debit"], apiReason("direction_unknown")).optional(),
        timestamp: timestamp.optional(),
        status: customField((value) => {
          const text = fieldText(value);
          if (text !== "0" && text !== "1") return { ok: false, reason: "status_unknown" };
          return { ok: true, value: text === "1" ? (1 as const) : (0 as const) };
        })
          .optional()
          .openapi({ type: "integer", enum: [0, 1], description: "1 success, 0 failure." }),
      }),
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
    const { entries, next } = await listHistory(db, filter, { before: cursorOf(page), limit: page.limit });
    const meta = {
      has_more: next !== null,
      next_cursor: next && `${next.posting}-${next.refusal}`,
      ...(page.counted && { total: await totalHistory(db, filter) }),
    };
    const data = { history: entries.map((entry) => entryToJson(entry, merchant.email)) };
    return success("history retrieved successfully", data, meta);
  },
);

function cursorOf(page: { before: number | null; beforeSecond?: number | null }): HistoryCursor | null {
  const { before: posting, beforeSecond: refusal = null } = page;
  return posting === null || refusal === null ? null : { posting, refusal };
}

function entryToJson(entry: HistoryEntry, email: string): JsonValue {
  const units = (amount: bigint) => toJsonNumber(amount, TOKENS[entry.token].ledgerDecimals);
  return {
    id: entry.id,
    status: entry.status,
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

/** Endpoint 12. */
const statistics = readingEndpoint(
  {
    method: "get",
    path: "/analytics/stats",
    operationId: "getStatistics",
    tag: "Balances",
    summary: "What came in and went out in all, in USD",
    description:
      "Each movement at the price of its moment; one that no price was known for is counted as soon as one is.",
    scopes: ["read"],
    data: z
      .object({
        total_volume: z.number().openapi({ description: "USD: credit and debit together." }),
        total_credit: z.number().openapi({ description: "USD that came in." }),
        total_debit: z.number().openapi({ description: "USD that went out." }),
      })
      .openapi("Statistics"),
    errors: [],
  },
  async ({ api, caller }) => {
    const { credit, debit } = await getStatistics(api.database.db, caller.env, caller.merchant.id);
    return success("statistics retrieved successfully", {
      total_volume: toJsonNumber(credit + debit, USD_DECIMALS),
      total_credit: toJsonNumber(credit, USD_DECIMALS),
      total_debit: toJsonNumber(debit, USD_DECIMALS),
    });
  },
);

export const historyEndpoints = [history, statistics];
