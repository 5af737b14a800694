import { z } from "@hono/zod-openapi";
import { hasTransactions } from "#lib/chains/network.ts";
import type { ByteRates, NetworkFee } from "#lib/chains/network-fee.ts";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import {
  fetchTransactionRecord,
  requeryTransaction,
} from "#lib/domain/deposits/requery/requery-transaction.ts";
import { createWatchContext } from "#lib/domain/deposits/watch/watch-network.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import { JsonText, type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { type ApiContext, endpoint } from "../../endpoint.ts";
import { success } from "../../envelope.ts";
import { type ApiFailure, failure } from "../../errors.ts";
import { withMissingReason } from "../../field-reader.ts";
import { noData } from "../../fields/common.ts";
import { supportedNetworkField } from "../../fields/network.ts";
import { authorityOf, performAsProgram } from "../../perform.ts";

const tag = "Transactions";

/** The networks of each call in docs/service-interface.md. */
const SEARCH_NETWORKS = NETWORK_CODES;
const REQUERY_NETWORKS = NETWORK_CODES.filter((code) => code !== "dogecoin");
const FEE_NETWORKS = NETWORK_CODES.filter((code) => code !== "trc20");

/** The limits of node-lookups.ts. */
const LOOKUP_LIMIT =
  "Also 429 while two of your calls, or four calls of all merchants, query this network's nodes.";

const txHash = withMissingReason(
  z.string().openapi({ description: "Transaction hash in the network's own notation." }),
  "field_missing",
);

/** Endpoint 6. */
export const searchBlockchainTransactionEndpoint = endpoint(
  {
    method: "post",
    path: "/transaction/search-blockchain-txhash",
    operationId: "searchBlockchainTransaction",
    tag,
    summary: "Find a transaction on the blockchain",
    description:
      "`data` is the answer of the network's node. On erc20, bep20 and base: a string with the receipt's JSON. Otherwise: " +
      `an object, with \`txid\` on bitcoin, litecoin, dogecoin and trc20. ${LOOKUP_LIMIT}`,
    auth: ["read"],
    action: "payments.view",
    body: () => z.object({ tx_hash: txHash, network: supportedNetworkField(SEARCH_NETWORKS) }),
    message: "transaction retrieved successfully",
    data: z.unknown().nonoptional().openapi({
      description: "A string or an object: see the description of the operation.",
      example: '{"status":"0x1","blockNumber":"0x2faf080"}',
    }),
    errors: ["not_a_string", "network_not_supported", "transaction_not_found", "network_not_available"],
  },
  async ({ api, caller, input }) => {
    const { merchant, env } = caller;
    const adapter = api.networks.find(env, input.network);
    if (adapter === null) return failure("network_not_available");
    if (!hasTransactions(adapter)) return failure("network_not_supported");
    const owner = { merchantId: merchant.id, env };
    const search = () => fetchTransactionRecord(api.database.db, adapter, owner, input.tx_hash);
    const response = await queryNode(api, caller, input.network, search);
    if (!response.ok) return response;
    if (response.value === null) return failure("transaction_not_found");
    const { json, shownAs } = response.value;
    return success(shownAs === "text" ? json : new JsonText(json));
  },
);

/** Endpoint 7. */
export const requeryTransactionEndpoint = endpoint(
  {
    method: "post",
    path: "/transaction/requery/:network",
    operationId: "requeryTransaction",
    tag,
    summary: "Requery a transaction",
    description:
      "Reads the transaction from the chain again. Credits a confirmed deposit that was missed. `message`: " +
      `\`transaction confirmed in block 123\` or \`transaction already credited\`. ${LOOKUP_LIMIT}`,
    ...authorityOf("transaction.requery"),
    notFound: "network_not_supported",
    body: () => z.object({ network: supportedNetworkField(REQUERY_NETWORKS), tx_hash: txHash }),
    message: "transaction confirmed in block 50000000",
    data: noData,
    errors: [
      "not_a_string",
      "network_not_supported",
      "transaction_pending",
      "transaction_skipped",
      "transaction_failed",
      "action_failed",
      "network_not_available",
    ],
  },
  async ({ input, ...call }) => {
    const { api, caller } = call;
    const adapter = api.networks.find(caller.env, input.network);
    if (adapter === null) return failure("network_not_available");
    const watch = createWatchContext(watchDeps(api), adapter);
    const requery = () => performAsProgram(requeryTransaction, call, { watch, text: input.tx_hash });
    const response = await queryNode(api, caller, input.network, requery);
    if (!response.ok) return response;
    const result = response.value;
    if (!result.ok) return failure(result.reason);
    const text =
      result.outcome === "confirmed" ? `confirmed in block ${result.blockHeight}` : "already credited";
    return { ...success(null), message: `transaction ${text}` };
  },
);

const GWEI_DECIMALS = 9;

const rate = (description: string) => z.number().openapi({ description });

/** One shape for all networks: generators of clients read an `anyOf` of objects each in their own way. */
const networkFeeData = z
  .object({
    network: z.string(),
    token: z
      .string()
      .openapi({ description: "The network's own coin, in which the fee is paid.", example: "bnb" }),
    fee: z.number().openapi({ description: "Whole coins, exact.", example: 0.00000325 }),
    virtual_bytes: z
      .number()
      .int()
      .optional()
      .openapi({ description: "bitcoin, litecoin, dogecoin: estimated size of the transaction." }),
    rates: z
      .object({
        fastest: rate("Within 2 blocks; `fee` is computed with it."),
        half_hour: rate("Within 3 blocks."),
        hour: rate("Within 6 blocks."),
        economy: rate("Within 144 blocks."),
        minimum: rate("The lowest rate that the node relays."),
      })
      .optional()
      .openapi({ description: "The same networks: recommended rates, satoshis per virtual byte." }),
    gas: z
      .number()
      .int()
      .optional()
      .openapi({ description: "erc20, bep20, base: gas of a token transfer.", example: 65_000 }),
    gas_price: z
      .number()
      .optional()
      .openapi({ description: "The same networks: Gwei, exact.", example: 0.05 }),
  })
  .openapi("NetworkFee");

/** Endpoint 8. */
export const getNetworkFeeEndpoint = endpoint(
  {
    method: "post",
    path: "/transaction/network-fee",
    operationId: "getNetworkFee",
    tag,
    summary: "Get the current fee of a network",
    description:
      "Cost of a simple payment now, in the network's own coin. bitcoin, litecoin, dogecoin: the node's rate for the next " +
      "two blocks times 141 virtual bytes (one segwit input, two outputs), 226 on dogecoin. erc20, bep20, base: the gas " +
      "price times 65,000 gas (a token transfer to an address that never held the token). xrp: the fee for a place in the " +
      `next ledger. solana: one signature plus the recent median priority fee of 50,000 compute units. ${LOOKUP_LIMIT}`,
    auth: ["read"],
    action: "payments.view",
    body: () => z.object({ network: supportedNetworkField(FEE_NETWORKS) }),
    message: "network fee retrieved successfully",
    data: networkFeeData,
    errors: ["not_a_string", "network_not_supported", "network_not_available"],
  },
  async ({ api, caller, input }) => {
    const adapter = api.networks.find(caller.env, input.network);
    if (adapter === null) return failure("network_not_available");
    const { feeRates } = adapter;
    if (feeRates === null) return failure("network_not_supported");
    const response = await queryNode(api, caller, input.network, () => feeRates.fetch());
    if (!response.ok) return response;
    const data = networkFeeToJson(input.network, response.value);
    return success(data);
  },
);

/** Runs a query to a network's nodes, within the lookup limits. The log alone gets the reason for a node failure. */
async function queryNode<T>(
  { nodeLookups, log }: ApiContext,
  caller: ApiCaller,
  network: string,
  query: () => Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | ApiFailure> {
  try {
    const result = await nodeLookups.run(caller, network, query);
    return result === null ? failure("too_many_requests") : { ok: true, value: result.value };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    log.warn({ err: error, network }, "no node answered a lookup");
    return failure("network_not_available");
  }
}

function watchDeps({ database, networks, rates, settings, log, now }: ApiContext) {
  return { database, networks, paymentLinks: { db: database.db, networks, rates, settings }, log, now };
}

function networkFeeToJson(network: string, fee: NetworkFee): JsonValue {
  const { coin } = fee;
  const common = { network, token: coin, fee: toJsonNumber(fee.fee, TOKENS[coin].ledgerDecimals) };
  if (fee.kind === "per_gas") {
    return { ...common, gas: fee.gas, gas_price: toJsonNumber(fee.gasPrice, GWEI_DECIMALS) };
  }
  if (fee.kind === "flat") return common;
  return { ...common, virtual_bytes: fee.virtualBytes, rates: ratesToJson(fee.rates) };
}

function ratesToJson({ fastest, halfHour, hour, economy, minimum }: ByteRates): JsonValue {
  return { fastest, half_hour: halfHour, hour, economy, minimum };
}
