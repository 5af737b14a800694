import { rescale } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { NetworkFee } from "../network.ts";
import type { RpcClient } from "../rpc-client.ts";
import { parseQuantity } from "./codec.ts";

/** An ERC-20 transfer to an address that never held the token: the most expensive plain transfer. */
const TRANSFER_GAS = 65_000;
/** Decimals of a wei. */
const WEI_DECIMALS = 18;

/** The cost of a token transfer at the node's gas price, in the network's own coin. */
export async function fetchEvmNetworkFee(client: RpcClient, coin: TokenCode): Promise<NetworkFee> {
  const gasPrice = BigInt(parseQuantity("its gas price", await client.call("eth_gasPrice")));
  const fee = rescale(gasPrice * BigInt(TRANSFER_GAS), WEI_DECIMALS, TOKENS[coin].ledgerDecimals);
  return { kind: "per_gas", coin, fee, gas: TRANSFER_GAS, gasPrice };
}
