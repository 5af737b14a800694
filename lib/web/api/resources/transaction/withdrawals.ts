import { z } from "@hono/zod-openapi";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { countWithdrawals, findWithdrawal, listWithdrawals } from "#lib/domain/withdrawals/queries.ts";
import { WITHDRAWAL_STATUSES, type WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { composeWithdrawalRecord } from "#lib/domain/withdrawals/withdrawal-record.ts";
import { listingEndpoint, readingEndpoint } from "../../endpoint.ts";
import { success } from "../../envelope.ts";
import { failure } from "../../errors.ts";
import { integerEnum } from "../../field-reader.ts";
import { type JsonValue, toJsonNumber } from "../../json-text.ts";
import { cutPage } from "../../paging.ts";

const tag = "Transactions";
const moment = z.string().openapi({ format: "date-time" });

const SEND_REFERENCE = { description: "Send reference, numeric text.", example: "4821907735610284" };

const withdrawalData = z
  .object({
    id: z.number().int().openapi({ description: "Record number." }),
    refid: z.string().openapi(SEND_REFERENCE),
    checked: integerEnum(0, 1).openapi({
      description: "1 once balance, address and limits were checked and the funds reserved.",
    }),
    status: integerEnum(...WITHDRAWAL_STATUSES).openapi({
      description: "0: pending; 1: processing; 2: failed; 3: completed successfully; 5: refund queued.",
    }),
    email: z.string().openapi({ description: "The merchant's." }),
    value: z.number().openapi({ description: "Amount sent, in whole tokens.", example: 12.5 }),
    _to: z.string().openapi({ description: "Destination address." }),
    token: z.string().openapi({ description: "Symbol, lower case.", example: "usdt" }),
    network: z.string().openapi({ example: "bep20" }),
    fee: z.number().openapi({ description: "On top of the value, in whole tokens.", example: 1 }),
    contract: z.string().nullable().openapi({ description: "Of the token; null: the network's own coin." }),
    tx_hash: z.string().nullable().openapi({ description: "Blockchain hash once known." }),
    processed_at: moment.nullable().openapi({ description: "When it completed or failed." }),
    created_at: moment,
    updated_at: moment,
  })
  .openapi("Withdrawal");

/** Endpoint 1. */
const list = listingEndpoint(
  {
    method: "get",
    path: "/transaction/token-withdrawal",
    operationId: "listTokenWithdrawals",
    tag,
    summary: "List token withdrawals",
    description: "The merchant's sends, newest first.",
    scopes: ["read"],
    data: z.array(withdrawalData),
    errors: [],
  },
  async ({ api, caller, page }) => {
    const { db } = api.database;
    const filter = { env: caller.env, merchantId: caller.merchant.id, status: null };
    const found = await listWithdrawals(db, filter, { before: page.before, limit: page.limit + 1 });
    const total = page.counted ? await countWithdrawals(db, filter) : null;
    const { rows, meta } = cutPage(found, page, total);
    const data = rows.map((row) => withdrawalToJson(row, api.networks));
    return success("token withdrawals retrieved successfully", data, meta);
  },
);

/** Endpoint 5. */
const one = readingEndpoint(
  {
    method: "get",
    path: "/transaction/refId/:refid",
    operationId: "getWithdrawalByRefid",
    tag,
    summary: "Get withdrawal queue record by reference id",
    description: "The message embeds a stringified object; read `data` instead of it.",
    scopes: ["read"],
    pathTexts: { refid: SEND_REFERENCE },
    notFound: "withdrawal_not_found",
    data: withdrawalData,
    errors: ["withdrawal_not_found"],
  },
  async ({ api, caller, path }) => {
    const found = await findWithdrawal(api.database.db, caller.env, caller.merchant.id, path.refid);
    if (found === null) return failure("withdrawal_not_found");
    const { refid, status } = found;
    const message = `withdrawal retrieved successfully: ${JSON.stringify({ refid, status })}`;
    return success(message, withdrawalToJson(found, api.networks));
  },
);

function withdrawalToJson(row: WithdrawalRow, networks: NetworkRegistry): JsonValue {
  return composeWithdrawalRecord(row, networks, toJsonNumber);
}

export const withdrawalEndpoints = [list, one];
