import { z } from "@hono/zod-openapi";
import { displayPosition, type NetworkAdapter } from "#lib/chains/network.ts";
import type { UnmatchedDeposit } from "#lib/domain/deposits/types.ts";
import { countUnmatchedDeposits, listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { listingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { integerEnum } from "../field-reader.ts";
import { type JsonValue, toJsonNumber } from "../json-text.ts";
import { cutPage } from "../paging.ts";

const tag = "Deposits";
const moment = z.string().openapi({ format: "date-time" });

const unmatchedData = z
  .object({
    ref: z.string(),
    status: integerEnum(0, 3).openapi({ description: "0: its confirmations are missing; 3: held." }),
    reason: z.string().openapi({
      description:
        "other_network: the address was given out for another network; other_token: its payment link asks for " +
        "another token; no_purpose: the address stands for nothing; unknown_token: a token that no books are kept of.",
      example: "unknown_token",
    }),
    genesis: integerEnum(0, 1),
    email: z.string(),
    value: z.number().nullable().openapi({ description: "null where the token is unknown." }),
    raw_value: z.number().nullable().openapi({
      description:
        "Of an unknown token: the integer that its contract counted, in a unit nobody vouches for.",
    }),
    network: z.string().openapi({ description: "Where the money is." }),
    address_network: z.string().openapi({ description: "What the address was given out for." }),
    token: z.string().nullable(),
    contract: z.string().nullable().openapi({ description: "Of an unknown token." }),
    address: z.string(),
    sender: z.string().nullable(),
    extra: z.string().nullable().openapi({ description: "XRP destination tag or Solana memo." }),
    tx_hash: z.string(),
    output_pos: z.number().int().nullable(),
    customer: z.string().nullable(),
    confirmations: z.number().int().nullable(),
    required_confirmations: z.number().int().nullable(),
    created_at: moment,
    updated_at: moment,
  })
  .openapi("UnmatchedDeposit");

const unmatched = listingEndpoint(
  {
    method: "get",
    path: "/deposits/unmatched",
    operationId: "listUnmatchedDeposits",
    tag,
    summary: "Money at the merchant's addresses that nothing was credited for",
    description:
      "Another token, another network, no purpose. The operator resolves it; until then nobody can spend it.",
    scopes: ["read"],
    data: z.array(unmatchedData),
    errors: [],
  },
  async ({ api, caller, page }) => {
    const { env, merchant } = caller;
    const { db } = api.database;
    const found = await listUnmatchedDeposits(db, env, merchant.id, {
      before: page.before,
      limit: page.limit + 1,
    });
    const total = page.counted ? await countUnmatchedDeposits(db, env, merchant.id) : null;
    const { rows, meta } = cutPage(found, page, total);
    const data = rows.map((row) => unmatchedToJson(row, api.networks.find(env, row.network)));
    return success("unmatched deposits retrieved successfully", data, meta);
  },
);

function unmatchedToJson(row: UnmatchedDeposit, adapter: NetworkAdapter | null): JsonValue {
  // A network that is off now may still have money.
  const shown = (canonical: string | null) =>
    canonical === null ? null : (adapter?.displayAddress(canonical) ?? canonical);
  return {
    ref: String(row.id),
    status: row.status,
    reason: row.reason,
    genesis: row.purpose === "merchant" ? 1 : 0,
    email: row.merchantEmail,
    value: row.token === null ? null : toJsonNumber(row.amount, TOKENS[row.token].ledgerDecimals),
    raw_value: row.token === null ? toJsonNumber(row.amount, 0) : null,
    network: row.network,
    address_network: row.addressNetwork,
    token: row.token,
    contract: shown(row.contract),
    address: shown(row.address),
    sender: shown(row.sender),
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

export const depositEndpoints = [unmatched];
