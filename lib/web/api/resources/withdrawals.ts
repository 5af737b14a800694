import { z } from "@hono/zod-openapi";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { waitsForApproval } from "#lib/domain/withdrawals/approval-rules.ts";
import {
  attemptWithdrawal,
  type CreateWithdrawalRefusal,
  recordRefusedWithdrawal,
} from "#lib/domain/withdrawals/create-withdrawal.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { endpoint, type IdempotentCall, type MerchantCall } from "../endpoint.ts";
import { type ApiSuccess, success } from "../envelope.ts";
import { type ApiFailure, type ApiReason, failure } from "../errors.ts";
import { flag } from "../fields/common.ts";
import { amountField, parseUnits, tokenField } from "../fields/money.ts";
import { networkField } from "../fields/network.ts";
import type { ApiServices } from "../types.ts";
import { SEND_REFERENCE, withdrawalShape, withdrawalToJson } from "./transaction/withdrawals.ts";

const tag = "Withdrawals";
const auth = ["withdrawals"] as const;

export const askedShape = {
  ...withdrawalShape,
  waits_for_approval: flag("1: a second person of the merchant has yet to approve it."),
};
const askedData = z.object(askedShape).openapi("AskedWithdrawal");

const askedToJson = (row: WithdrawalRow, networks: ApiServices["networks"]) => ({
  ...(withdrawalToJson(row, networks) as object),
  waits_for_approval: waitsForApproval(row) ? 1 : 0,
});

export const fields = {
  network: networkField,
  token: tokenField.openapi({ description: "Symbol.", example: "usdt" }),
  amount: amountField.openapi({
    description: "Whole tokens that arrive. Read exactly, never as a float. The balance also pays the fee.",
    example: "12.5",
  }),
  to: z.string().openapi({
    description: "Address of the network. It must not belong to this service.",
    example: "0x976EA74026E726554dB657fA54763abd0C3a0aa9",
  }),
};

/** The reasons for which a withdrawal or a refund is refused, besides its fields. */
export const REFUSALS = [
  "send_amount_too_fine",
  "send_amount_below_minimum",
  "send_amount_above_maximum",
  "network_off",
  "token_not_on_network",
  "sends_disabled_for_network",
  "sends_disabled_for_token",
  "destination_malformed",
  "destination_is_ours",
  "destination_unsafe",
  "above_transfer_limit",
  "above_day_limit",
  "insufficient_balance",
] as const satisfies readonly ApiReason[];
export const FIELD_REFUSALS = [
  "network_unknown",
  "not_a_string",
  "not_a_number",
  "token_unknown",
  "amount_not_positive",
  "amount_too_many_decimals",
  "amount_too_large",
] as const satisfies readonly ApiReason[];

/** Reasons of other callers: the merchant of a key exists and is active, and no key refunds a failed withdrawal. */
const isOfOthers = (reason: CreateWithdrawalRefusal) =>
  reason === "merchant_not_found" || reason.startsWith("refunded_");

interface Asked {
  readonly network: NetworkCode;
  readonly token: TokenCode;
  /** Ledger units. */
  readonly amount: bigint;
  readonly to: string;
  readonly paymentLink: string | null;
}

/** The idempotency key as the row of a withdrawal keeps it. */
export const keptKey = (idempotencyKey: string | null) => `api:${idempotencyKey}`;

/** Creates a withdrawal or a refund for a key. */
export async function ask(
  call: MerchantCall<string> & IdempotentCall,
  { paymentLink, ...asked }: Asked,
): Promise<ApiSuccess | ApiFailure> {
  const { api, caller, now, db, idempotencyKey, afterwards } = call;
  const { env, merchant, keyId } = caller;
  const target = { env, email: merchant.email, ...asked };
  // The row keeps it longer than the API does: money never leaves twice for one key.
  const request = { ...target, refundOf: null, paymentLink, idempotencyKey: keptKey(idempotencyKey) };
  const deps = { db, networks: api.networks };
  const made = await attemptWithdrawal(deps, request, `key:${keyId}`, now);
  if (made.ok) return success(askedToJson(made.withdrawal, api.networks));
  const { reason } = made;
  afterwards(() => recordRefusedWithdrawal(api.database.db, request, reason, now));
  if (reason === "payment_link_not_found") return failure("link_not_found");
  if (isOfOthers(reason)) throw new Error(`a key's withdrawal was refused: ${reason}`);
  return failure(reason as Exclude<CreateWithdrawalRefusal, "payment_link_not_found"> & ApiReason);
}

export const createWithdrawalEndpoint = endpoint(
  {
    method: "post",
    path: "/withdrawals",
    operationId: "createWithdrawal",
    tag,
    summary: "Ask for a withdrawal",
    description:
      "Amount and fee are reserved in the balance, and the withdrawal waits until it is sent. `Idempotency-Key` is required. " +
      "Follow it with `withdrawal_completed` and `withdrawal_failed`.",
    auth,
    action: "withdrawals.create",
    changes: "environment",
    body: () => z.object(fields),
    idempotent: "required",
    message: "withdrawal created successfully",
    data: askedData,
    errors: [...FIELD_REFUSALS, ...REFUSALS, "destination_not_in_book", "destination_too_new"],
  },
  async (call) => {
    const { token, amount: text } = call.input;
    const amount = parseUnits(text, TOKENS[token].ledgerDecimals);
    if (!amount.ok) return failure(amount.reason);
    return ask(call, { ...call.input, amount: amount.units, paymentLink: null });
  },
);

export const getWithdrawalEndpoint = endpoint(
  {
    method: "get",
    path: "/withdrawals/:refid",
    operationId: "getWithdrawal",
    tag,
    summary: "Get a withdrawal",
    description: "Also one that was asked for in the console or by the operator, and refunds.",
    auth: ["withdrawals", "read"],
    action: "money.view",
    pathTexts: { refid: SEND_REFERENCE },
    notFound: "withdrawal_not_found",
    message: "withdrawal retrieved successfully",
    data: askedData,
    errors: ["withdrawal_not_found"],
  },
  async ({ api, caller, path }) => {
    const own = { env: caller.env, merchantId: caller.merchant.id, refid: path.refid };
    const found = await findWithdrawalByRefid(api.database.db, own);
    return found === null ? failure("withdrawal_not_found") : success(askedToJson(found, api.networks));
  },
);

export const cancelWithdrawalEndpoint = endpoint(
  {
    method: "post",
    path: "/withdrawals/:refid/cancel",
    operationId: "cancelWithdrawal",
    tag,
    summary: "Cancel a withdrawal for which nothing was sent",
    description: "Its status becomes 5 and then 2, and its amount and fee return to the balance.",
    auth,
    action: "withdrawals.create",
    changes: "environment",
    pathTexts: { refid: SEND_REFERENCE },
    notFound: "withdrawal_not_found",
    message: "withdrawal canceled successfully",
    data: askedData,
    errors: ["withdrawal_not_found", "withdrawal_not_cancelable"],
  },
  async ({ api, caller, path, now }) => {
    const { env, merchant, keyId } = caller;
    const { db } = api.database;
    const found = await findWithdrawalByRefid(db, { env, merchantId: merchant.id, refid: path.refid });
    if (found === null) return failure("withdrawal_not_found");
    if (found.status !== 0) return failure("withdrawal_not_cancelable");
    const decision = { env, refid: path.refid, reason: "canceled", actor: `key:${keyId}` };
    const failed = await failWithdrawal({ db, networks: api.networks }, decision, now);
    return failed.ok
      ? success(askedToJson(failed.withdrawal, api.networks))
      : failure("withdrawal_not_cancelable");
  },
);
