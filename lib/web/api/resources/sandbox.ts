import { z } from "@hono/zod-openapi";
import { type Played, SCENARIOS } from "#lib/domain/sandbox/types.ts";
import { EVENT_TYPES } from "#lib/domain/webhooks/types.ts";
import { addToLogContext } from "#lib/platform/log/about.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { isRefid } from "#lib/web/realtime/rules.ts";
import { creatingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { apiReason } from "../field-reader.ts";
import { flagField } from "../fields/common.ts";
import { amountField, tokenField } from "../fields/money.ts";
import { networkField } from "../fields/network.ts";
import { LINK_STATES } from "../fields/payment-link-record.ts";
import { type JsonValue, toJsonNumber } from "../json-text.ts";
import { PATH_PARAMETERS } from "../openapi-text.ts";

const paymentBody = z.object({
  refid: z
    .string()
    .openapi({ description: "Of one of your links.", example: PATH_PARAMETERS.refid?.example }),
  scenario: z
    .enum(SCENARIOS, apiReason("scenario_unknown"))
    .openapi({ description: "What is to come of the payment.", example: "exact" }),
  network: networkField.optional(),
  token: tokenField
    .optional()
    .openapi({ description: "With neither: what was picked last on the link's page.", example: "usdt" }),
  amount: amountField
    .openapi({
      type: ["number", "string"],
      description: "In whole tokens, to pay instead of what the scenario would.",
      example: "2.5",
    })
    .optional(),
  confirm: flagField(
    "0: broadcasts and mines nothing. Default 1: mines until the payment is final. `reorganised` always mines.",
  ).optional(),
});

const paymentData = z
  .object({
    refid: z.string(),
    scenario: z.enum(SCENARIOS),
    network: z.string(),
    token: z.string(),
    address: z.string().openapi({ description: "The link's, which was paid." }),
    amount: z.number().openapi({ description: "What each transaction pays, in the token." }),
    tx_hashes: z.array(z.string()).openapi({ description: "Of `transactions`, in their order." }),
    transactions: z.array(
      z.object({
        tx_hash: z.string(),
        fate: z
          .enum(["waiting", "mined", "replaced", "reorganised"])
          .openapi({ description: "What has become of it by now; waiting: in no block yet." }),
        contract: z.string().nullable().openapi({
          description: "Contract of the token that was paid, where it is not the one asked for.",
        }),
      }),
    ),
    expected: z
      .object({ state: z.enum(LINK_STATES), event: z.enum(EVENT_TYPES).nullable() })
      .nullable()
      .openapi({
        description:
          "Where the link comes to stand, and the webhook event that tells of it; null with `amount`.",
      }),
  })
  .openapi("SandboxPayment");

/** Beside the document: docs/integrate.md, Rehearse. */
const pay = creatingEndpoint(
  {
    method: "post",
    path: "/sandbox/payments",
    operationId: "createSandboxPayment",
    tag: "Sandbox",
    summary: "Pay a test link on a development chain, with the scenario you choose",
    description:
      "There only where the operator has set SANDBOX=on (elsewhere: 404), with a test key, and on networks whose nodes " +
      "are development chains. Picks the network where nobody has, and ends the time to pay for `late`. `wrong_token` " +
      "is not for bitcoin, `replaced` not for trc20.",
    scopes: ["payment-links"],
    body: () => paymentBody,
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
  // Not in the key's transaction: the worker must see what is done while the call goes on.
  async ({ api, caller, input }) => {
    if (api.sandbox === null) return failure("not_found");
    if (caller.env !== "test") return failure("sandbox_live_key");
    const { refid, scenario, network = null, token = null, amount, confirm: mine = true } = input;
    // What no link is called is not worth a look, nor a line in the log.
    if (!isRefid(refid)) return failure("link_not_found");
    addToLogContext({ refid });
    const merchantId = caller.merchant.id;
    const result = await api.sandbox.play({
      ...{ refid, scenario, network, token, mine, merchantId },
      ...(amount !== undefined && { amount }),
    });
    if (!result.ok) return failure(result.reason);
    return success("sandbox payment made successfully", playedToJson(result.played));
  },
);

export const sandboxEndpoints = [pay];

function playedToJson(played: Played): JsonValue {
  const { refid, scenario, network, token, address, amount, transactions, expected } = played;
  return {
    ...{ refid, scenario, network, token, address },
    amount: toJsonNumber(amount, TOKENS[token].ledgerDecimals),
    tx_hashes: transactions.map(({ txHash }) => txHash),
    transactions: transactions.map(({ txHash, fate, contract }) => ({ tx_hash: txHash, fate, contract })),
    expected: expected && { ...expected },
  };
}
