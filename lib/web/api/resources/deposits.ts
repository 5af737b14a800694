import { z } from "@hono/zod-openapi";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { displayPosition } from "#lib/chains/transfers.ts";
import { toDepositNumber } from "#lib/domain/deposit-status.ts";
import type { UnmatchedDeposit } from "#lib/domain/deposits/types.ts";
import { countUnmatchedDeposits, listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import { type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { timestamp } from "../fields/common.ts";
import { paged } from "../paging.ts";

const tag = "Deposits";

const unmatchedData = z
  .object({
    ref: z.string(),
    status: integerEnum(0, 3).openapi({ description: "0: not confirmed yet; 3: held." }),
    reason: z.string().openapi({
      description:
        "other_network: the address was allocated for another network; other_token: its payment link asks for " +
        "another token; no_purpose: the address has no purpose; before_allocation: its block is older than the " +
        "allocation of the address; unknown_token: the service does not know the token.",
      example: "unknown_token",
    }),
    genesis: integerEnum(0, 1),
    email: z.string(),
    value: z.number().nullable().openapi({ description: "null if the token is unknown." }),
    raw_value: z.number().nullable().openapi({
      description: "For an unknown token: the integer amount in its contract. Its decimals are not known.",
    }),
    network: z.string().openapi({ description: "Network of the transfer." }),
    address_network: z.string().openapi({ description: "Network for which the address was allocated." }),
    token: z.string().nullable(),
    contract: z.string().nullable().openapi({ description: "For an unknown token." }),
    address: z.string(),
    sender: z.string().nullable(),
    extra: z.string().nullable().openapi({ description: "XRP destination tag, else null." }),
    tx_hash: z.string(),
    output_pos: z.number().int().nullable(),
    customer: z.string().nullable(),
    confirmations: z.number().int().nullable(),
    required_confirmations: z.number().int().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("UnmatchedDeposit");

export const listUnmatchedDepositsEndpoint = endpoint(
  {
    method: "get",
    path: "/deposits/unmatched",
    operationId: "listUnmatchedDeposits",
    tag,
    summary: "List deposits at the merchant's addresses that were not credited",
    description:
      "A deposit of another token, on another network or without a purpose. The funds are held until the operator resolves it.",
    auth: ["read"],
    action: "money.view",
    paged: "id",
    message: "unmatched deposits retrieved successfully",
    data: z.array(unmatchedData),
    errors: [],
  },
  async ({ api, caller, page }) => {
    const { env, merchant } = caller;
    const { db } = api.database;
    const { data, meta } = await paged(page, {
      list: (range) => listUnmatchedDeposits(db, env, merchant.id, range),
      count: () => countUnmatchedDeposits(db, env, merchant.id),
      toJson: (row) => unmatchedToJson(row, api.networks.find(env, row.network)),
    });
    return success(data, meta);
  },
);

function unmatchedToJson(row: UnmatchedDeposit, adapter: NetworkAdapter | null): JsonValue {
  // A network that is disabled now may still have deposits.
  const displayed = (canonical: string | null) =>
    canonical === null ? null : (adapter?.addresses.display(canonical) ?? canonical);
  return {
    ref: String(row.id),
    status: toDepositNumber(row.status),
    reason: row.reason,
    genesis: row.purpose === "merchant" ? 1 : 0,
    email: row.merchantEmail,
    value: row.token === null ? null : toJsonNumber(row.amount, TOKENS[row.token].ledgerDecimals),
    raw_value: row.token === null ? toJsonNumber(row.amount, 0) : null,
    network: row.network,
    address_network: row.addressNetwork,
    token: row.token,
    contract: displayed(row.contract),
    address: displayed(row.address),
    sender: displayed(row.sender),
    extra: row.extra,
    tx_hash: row.txHash,
    output_pos: displayPosition(row.position),
    customer: row.customerEmail,
    confirmations: row.confirmations,
    required_confirmations: row.requiredConfirmations,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
