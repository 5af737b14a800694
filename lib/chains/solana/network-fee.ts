import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { NetworkFee } from "../network.ts";
import { parseFields, parseList, parseUint } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";

/** Lamports for each signature, which the protocol sets; a payment has one. */
const SIGNATURE_FEE = 5_000n;
/** Compute units that a token transfer which makes the receiver's token account stays below. */
const TRANSFER_UNITS = 50_000n;
const MICRO_LAMPORTS = 1_000_000n;

/**
 * What a token transfer costs, lamports: its signature, and as priority the median of the least that got into each of
 * the node's recent blocks. What a new token account must hold (its rent) is no fee.
 */
export async function fetchSolanaNetworkFee(client: RpcClient, coin: TokenCode): Promise<NetworkFee> {
  const answer = parseList("its recent fees", await client.call("getRecentPrioritizationFees", [[]]));
  const prices = answer
    .map((entry) => parseUint("a recent fee", parseFields("a recent fee", entry).prioritizationFee))
    .sort((a, b) => a - b);
  const price = BigInt(prices[Math.floor(prices.length / 2)] ?? 0);
  const priority = (price * TRANSFER_UNITS + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  return { kind: "flat", coin, fee: SIGNATURE_FEE + priority };
}
