import { z } from "@hono/zod-openapi";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { payTestLink } from "#lib/domain/sandbox/pay-test-link.ts";
import { type Played, SCENARIOS } from "#lib/domain/sandbox/types.ts";
import { LINK_STATES } from "#lib/domain/types.ts";
import { EVENT_TYPES } from "#lib/domain/webhooks/events.ts";
import { type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { addToLogContext } from "#lib/platform/log/log-context.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { apiReason } from "../field-reader.ts";
import { flagField } from "../fields/common.ts";
import { amountField, tokenField } from "../fields/money.ts";
import { networkField } from "../fields/network.ts";
import { PATH_PARAMETERS } from "../openapi-text.ts";
import { authorityOf, performAsProgram } from "../perform.ts";

const paymentBody = z.object({
  refid: z
    .string()
    .openapi({ description: "Identifier of one of your links.", example: PATH_PARAMETERS.refid?.example }),
  scenario: z
    .enum(SCENARIOS, apiReason("scenario_unknown"))
    .openapi({ description: "The payment scenario to play.", example: "exact" }),
  network: networkField.optional(),
  token: tokenField.optional().openapi({
    description: "Without network and token: the ones last chosen on the link's page.",
    example: "usdt",
  }),
  amount: amountField
    .openapi({
      description: "Whole tokens to pay instead of the amount of the scenario.",
      example: "2.5",
    })
    .optional(),
  confirm: flagField(
    "0: broadcasts only and mines nothing. Default 1: mines until the payment is final. `underpaid`, `extra` and `reorganised` always mine.",
  ).optional(),
});

const paymentData = z
  .object({
    refid: z.string(),
    scenario: z.enum(SCENARIOS),
    network: z.string(),
    token: z.string(),
    address: z.string().openapi({ description: "Address of the link that was paid." }),
    amount: z.number().openapi({
      description:
        "Amount of each transaction, in whole tokens. With `amount`, `extra` pays the link first, and this is the second.",
    }),
    tx_hashes: z.array(z.string()).openapi({ description: "Hashes of `transactions`, in the same order." }),
    transactions: z.array(
      z.object({
        tx_hash: z.string(),
        fate: z
          .enum(["waiting", "mined", "replaced", "reorganised"])
          .openapi({ description: "Current state of the transaction; waiting: not in a block yet." }),
        contract: z.string().nullable().openapi({
          description: "Contract of the paid token, if it is not the requested token.",
        }),
      }),
    ),
    expected: z
      .object({ state: z.enum(LINK_STATES), event: z.enum(EVENT_TYPES).nullable() })
      .nullable()
      .openapi({
        description: "Final state of the link and the webhook event for it; null with `amount`.",
      }),
  })
  .openapi("SandboxPayment");

/** Not in the interface document: docs/integrate/testing.md. */
export const createSandboxPaymentEndpoint = endpoint(
  {
    method: "post",
    path: "/sandbox/payments",
    operationId: "createSandboxPayment",
    tag: "Sandbox",
    summary: "Pay a test link on a development chain with a chosen scenario",
    description:
      "Available only if the operator has set SANDBOX=on (otherwise 404), with a test key, and on networks whose nodes " +
      "are development chains. Chooses a network if none is chosen, and expires the link for `late` and `underpaid`. bitcoin has no " +
      "`wrong_token`, trc20 has no `replaced`.",
    ...authorityOf("sandbox.pay"),
    body: () => paymentBody,
    idempotent: true,
    message: "sandbox payment made successfully",
    data: paymentData,
    errors: [
      "not_a_string",
      "scenario_unknown",
      "network_unknown",
      "token_unknown",
      "not_a_flag",
      "not_found",
      "sandbox_live_key",
      "link_not_found",
      "link_takes_no_payment",
      "no_wallet_picked",
      "pair_not_offered",
      "no_development_chain",
      "scenario_not_playable",
      "amount_too_small_to_split",
      "not_a_number",
      "amount_not_positive",
      "amount_too_many_decimals",
      "amount_too_large",
      "token_data_unavailable",
      "network_not_available",
      "network_not_watched",
      "sandbox_busy",
      "action_failed",
    ],
  },
  // Does not use the transaction of the Idempotency-Key: the worker must see the changes while the call runs.
  async ({ input, ...call }) => {
    const { sandbox } = call.api;
    if (sandbox === null) return failure("not_found");
    const { refid, scenario, network = null, token = null, amount, confirm: mine = true } = input;
    if (isRefid(refid)) addToLogContext({ refid });
    const request = { refid, scenario, network, token, mine, ...(amount !== undefined && { amount }) };
    const result = await performAsProgram(payTestLink, call, { sandbox, request });
    if (!result.ok) return failure(result.reason);
    return success(playedToJson(result.played));
  },
);

function playedToJson(played: Played): JsonValue {
  const { refid, scenario, network, token, address, amount, transactions, expected } = played;
  return {
    refid,
    scenario,
    network,
    token,
    address,
    amount: toJsonNumber(amount, TOKENS[token].ledgerDecimals),
    tx_hashes: transactions.map(({ txHash }) => txHash),
    transactions: transactions.map(({ txHash, fate, contract }) => ({ tx_hash: txHash, fate, contract })),
    expected: expected && { ...expected },
  };
}
