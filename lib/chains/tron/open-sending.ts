import { deriveHotAccount } from "../evm/derive-address.ts";
import type { EvmTokens } from "../evm/listed-tokens.ts";
import { fetchBalances } from "../evm/sending.ts";
import type { ChainReader } from "../network.ts";
import type { NodePool } from "../node-pool.ts";
import { checkAnswer, shareSending } from "../share-sending.ts";
import { tronAddressFromHex, tronAddressToHex } from "./address.ts";
import {
  broadcastRaw,
  fetchAccount,
  fetchDelegable,
  fetchDelegated,
  fetchFates,
  fetchPrices,
  fetchSendState,
  provesDead,
  type TronNode,
  type TronSending,
} from "./sending.ts";
import type { TronPrices } from "./types.ts";

/** Witnesses vote on prices, and a new one holds from the next maintenance on: six hours. */
const PRICES_MS = 60_000;

/** Opens the signer's requests to TRON, through the nodes of a network. */
export function openTronSending({
  accountKey,
  pool,
  tokens,
}: {
  readonly accountKey: string;
  readonly pool: NodePool<ChainReader & TronNode>;
  readonly tokens: EvmTokens;
}): TronSending {
  let known: { readonly prices: TronPrices; readonly until: number } | null = null;
  const pricesOf = async (node: TronNode) => {
    if (known === null || known.until < performance.now())
      known = { prices: await fetchPrices(node), until: performance.now() + PRICES_MS };
    return known.prices;
  };
  return {
    kind: "tron",
    findToken(token) {
      const listed = tokens.contracts.find((one) => one.token === token);
      if (listed !== undefined)
        return { contract: tronAddressFromHex(listed.contract), decimals: listed.decimals };
      return tokens.coin?.token === token ? { contract: null, decimals: tokens.coin.decimals } : null;
    },
    hotAccount: () => tronAddressFromHex(deriveHotAccount(accountKey)),
    ...shareSending(pool, (node) => readForSending(node, tokens, pricesOf)),
    async isDead(hash, expires) {
      const answers = await pool.askEach((node) => provesDead(node, hash, expires));
      return answers.length > 0 && answers.every((answer) => answer.ok && answer.result);
    },
  };
}

/** Opens the signer's requests to one node. */
const readForSending = (
  node: TronNode,
  tokens: EvmTokens,
  pricesOf: (node: TronNode) => Promise<TronPrices>,
): Pick<
  TronSending,
  | "fetchBalances"
  | "fetchState"
  | "fetchAccount"
  | "fetchDelegable"
  | "fetchDelegated"
  | "fetchFates"
  | "broadcast"
> => ({
  fetchBalances: (account) => fetchBalances(node.client, tronAddressToHex(account), tokens),
  fetchState: async (transfer, check) =>
    checkAnswer(fetchSendState(node, await pricesOf(node), transfer), check),
  fetchAccount: (address) => fetchAccount(node, address),
  fetchDelegable: (owner) => fetchDelegable(node, owner),
  fetchDelegated: (owner, receiver) => fetchDelegated(node, owner, receiver),
  fetchFates: (hashes, check) => checkAnswer(fetchFates(node, hashes), check),
  broadcast: (raw) => broadcastRaw(node, raw),
});
