import { z } from "@hono/zod-openapi";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { toStatusNumber, WITHDRAWAL_STATUS_NUMBERS } from "#lib/domain/withdrawal-status.ts";
import { countWithdrawals, findWithdrawalByRefid, listWithdrawals } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { composeWithdrawalRecord } from "#lib/domain/withdrawals/withdrawal-record.ts";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import { type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { endpoint } from "../../endpoint.ts";
import { success } from "../../envelope.ts";
import { failure } from "../../errors.ts";
import { flag, timestamp } from "../../fields/common.ts";
import { paged } from "../../paging.ts";

const tag = "Transactions";

export const SEND_REFERENCE = { description: "Send reference, numeric text.", example: "4821907735610284" };

export const withdrawalShape = {
  id: z.number().int().openapi({ description: "Record number." }),
  refid: z.string().openapi(SEND_REFERENCE),
  checked: flag("1: balance, address and limits were checked and the funds reserved."),
  status: integerEnum(...WITHDRAWAL_STATUS_NUMBERS).openapi({
    description: "0: pending; 1: processing; 2: failed; 3: completed successfully; 5: refund queued.",
  }),
  email: z.string().openapi({ description: "The merchant's e-mail address." }),
  value: z.number().openapi({ description: "Amount sent, in whole tokens.", example: 12.5 }),
  _to: z.string().openapi({ description: "Destination address." }),
  token: z.string().openapi({ description: "Symbol, lower case.", example: "usdt" }),
  network: z.string().openapi({ example: "bep20" }),
  fee: z.number().openapi({ description: "Charged in addition to the value, in whole tokens.", example: 1 }),
  contract: z
    .string()
    .nullable()
    .openapi({ description: "Contract of the token; null: the network's own coin." }),
  tx_hash: z.string().nullable().openapi({ description: "Transaction hash, as soon as it is known." }),
  processed_at: timestamp.nullable().openapi({ description: "Time when it completed or failed." }),
  created_at: timestamp,
  updated_at: timestamp,
};
const withdrawalData = z.object(withdrawalShape).openapi("Withdrawal");

/** Endpoint 1. */
export const listTokenWithdrawalsEndpoint = endpoint(
  {
    method: "get",
    path: "/transaction/token-withdrawal",
    operationId: "listTokenWithdrawals",
    tag,
    summary: "List token withdrawals",
    description: "The merchant's withdrawals, newest first.",
    auth: ["read"],
    action: "money.view",
    paged: "id",
    message: "token withdrawals retrieved successfully",
    data: z.array(withdrawalData),
    errors: [],
  },
  async ({ api, caller, page }) => {
    const { db } = api.database;
    const filter = { env: caller.env, merchantId: caller.merchant.id, status: null };
    const { data, meta } = await paged(page, {
      list: (range) => listWithdrawals(db, filter, range),
      count: () => countWithdrawals(db, filter),
      toJson: (row) => withdrawalToJson(row, api.networks),
    });
    return success(data, meta);
  },
);

/** Endpoint 5. */
export const getWithdrawalByRefidEndpoint = endpoint(
  {
    method: "get",
    path: "/transaction/refId/:refid",
    operationId: "getWithdrawalByRefid",
    tag,
    summary: "Get a withdrawal by its reference id",
    description: "`message` contains a JSON object as text. Read `data` instead.",
    auth: ["read"],
    action: "money.view",
    pathTexts: { refid: SEND_REFERENCE },
    notFound: "withdrawal_not_found",
    message: 'withdrawal retrieved successfully: {"refid":"4821907735610284","status":3}',
    data: withdrawalData,
    errors: ["withdrawal_not_found"],
  },
  async ({ api, caller, path }) => {
    const found = await findWithdrawalByRefid(api.database.db, {
      env: caller.env,
      refid: path.refid,
      merchantId: caller.merchant.id,
    });
    if (found === null) return failure("withdrawal_not_found");
    const named = { refid: found.refid, status: toStatusNumber(found.status) };
    const message = `withdrawal retrieved successfully: ${JSON.stringify(named)}`;
    return { ...success(withdrawalToJson(found, api.networks)), message };
  },
);

export function withdrawalToJson(row: WithdrawalRow, networks: NetworkRegistry): JsonValue {
  return composeWithdrawalRecord(row, networks, toJsonNumber);
}
