import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { NetworkFee } from "../network-fee.ts";
import { parseFields, parseList, parseUint } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";

/** Lamports for each signature, set by the protocol. A payment has one signature. */
const SIGNATURE_FEE = 5_000n;
/** A token transfer that creates the receiver's token account uses fewer compute units than this. */
const TRANSFER_UNITS = 50_000n;
const MICRO_LAMPORTS = 1_000_000n;

/**
 * The cost of a token transfer in lamports: its signature, plus the median of the lowest priority fees in
 * the node's recent blocks. The rent of a new token account is not a fee.
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
