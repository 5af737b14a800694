import { z } from "@hono/zod-openapi";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { waitsForApproval } from "#lib/domain/withdrawals/approve/approval-rules.ts";
import { createWithdrawal } from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import type { RefundAmount } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/end/fail-withdrawal.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { endpoint, type IdempotentCall, type MerchantCall } from "../endpoint.ts";
import { type ApiSuccess, success } from "../envelope.ts";
import { type ApiFailure, type ApiReason, failure } from "../errors.ts";
import { flag } from "../fields/common.ts";
import { amountField, parseUnits, tokenField } from "../fields/money.ts";
import { networkField } from "../fields/network.ts";
import { authorityOf, perform } from "../perform.ts";
import type { ApiServices } from "../types.ts";
import { SEND_REFERENCE, withdrawalShape, withdrawalToJson } from "./transaction/withdrawals.ts";

const tag = "Withdrawals";

export const askedShape = {
  ...withdrawalShape,
  waits_for_approval: flag("1: an owner or manager of the merchant has yet to approve it."),
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

/** The merchant of a key exists and is active, and no key refunds a failed withdrawal. */
const ANSWERS = {
  payment_link_not_found: "link_not_found",
  merchant_not_found: "internal_error",
  network_only_receives: "sends_disabled_for_network",
  refunded_not_found: "internal_error",
  refunded_not_failed: "internal_error",
  refunded_already: "internal_error",
} as const satisfies Readonly<Record<string, ApiReason>>;

interface Asked {
  readonly network: NetworkCode;
  readonly token: TokenCode;
  readonly amount: RefundAmount;
  readonly to: string;
  readonly paymentLink: string | null;
}

/** The idempotency key as the row of a withdrawal keeps it. */
export const keptKey = (idempotencyKey: string | null) => `api:${idempotencyKey}`;

/** Creates a withdrawal or a refund for a key. */
export async function ask(
  call: MerchantCall<string> & IdempotentCall,
  { network, token, amount, to, paymentLink }: Asked,
): Promise<ApiSuccess | ApiFailure> {
  const { networks } = call.api;
  // The row keeps it longer than the API does: money never leaves twice for one key.
  const idempotencyKey = keptKey(call.idempotencyKey);
  const request = { networks, network, token, amount, to, refundOf: null, paymentLink, idempotencyKey };
  const made = await perform(createWithdrawal, call, request, ANSWERS);
  return made.ok ? success(askedToJson(made.withdrawal, networks)) : made;
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
    ...authorityOf("withdrawal.create"),
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

const SENT_OR_ENDED = {
  withdrawal_not_sent: "withdrawal_not_cancelable",
  withdrawal_already_sent: "withdrawal_not_cancelable",
  withdrawal_may_still_pay: "withdrawal_not_cancelable",
  withdrawal_not_abandoned: "withdrawal_not_cancelable",
  withdrawal_abandoned: "withdrawal_not_cancelable",
  withdrawal_failed: "withdrawal_not_cancelable",
  withdrawal_completed: "withdrawal_not_cancelable",
  withdrawal_changed: "withdrawal_not_cancelable",
} as const satisfies Readonly<Record<string, ApiReason>>;

export const cancelWithdrawalEndpoint = endpoint(
  {
    method: "post",
    path: "/withdrawals/:refid/cancel",
    operationId: "cancelWithdrawal",
    tag,
    summary: "Cancel a withdrawal for which nothing was sent",
    description: "Its status becomes 5 and then 2, and its amount and fee return to the balance.",
    ...authorityOf("withdrawal.fail"),
    pathTexts: { refid: SEND_REFERENCE },
    notFound: "withdrawal_not_found",
    message: "withdrawal canceled successfully",
    data: askedData,
    errors: ["withdrawal_not_found", "withdrawal_not_cancelable"],
  },
  async ({ path, ...call }) => {
    const canceled = await perform(
      failWithdrawal,
      call,
      { refid: path.refid, reason: "canceled" },
      SENT_OR_ENDED,
    );
    return canceled.ok ? success(askedToJson(canceled.withdrawal, call.api.networks)) : canceled;
  },
);
