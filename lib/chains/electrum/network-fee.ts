import type { NetworkData, UtxoData } from "../network-data.ts";
import type { NetworkFee } from "../network-fee.ts";
import { parseFields } from "../parse-json.ts";
import { computeByteFee, FEE_TARGETS } from "../utxo/network-fee.ts";
import type { OpenServer } from "./electrum-server.ts";

/** The fee of a payment at the rates that the server's node estimates. */
export async function fetchElectrumNetworkFee(
  { session }: OpenServer,
  { data, family }: { readonly data: NetworkData; readonly family: UtxoData },
): Promise<NetworkFee> {
  const [info, ...rates] = await Promise.all([
    session.ask("mempool.get_info", []),
    // -1: the node has nothing to learn from.
    ...FEE_TARGETS.map((target) => session.call("blockchain.estimatefee", [target])),
  ]);
  // Since protocol 1.6. Before it, relayfee.
  const minimum = info.ok
    ? parseFields("its mempool's state", info.result).mempoolminfee
    : await session.call("blockchain.relayfee", []);
  return computeByteFee(data.coin, family, minimum, rates);
}
