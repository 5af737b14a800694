import { NETWORK } from "@scure/btc-signer";
import { NETWORKS } from "#lib/chains/networks.ts";
import { BITCOIN_REGTEST, startBitcoind } from "#tests/support/bitcoind.ts";
import { ADDRESSES, type ContractDriver } from "./driver.ts";
import { openUtxoDriver } from "./utxo.ts";

export function openBitcoinDriver(): Promise<ContractDriver> {
  return openUtxoDriver({
    data: NETWORKS.bitcoin,
    start: () => startBitcoind(),
    chain: BITCOIN_REGTEST,
    live: NETWORK,
    rates: "btc/usd=50000",
    vectors: [ADDRESSES.bitcoin, "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"],
    nodeName: bitcoindName,
    blocksToCredit: 1,
  });
}

/** "bitcoind 29.5.0 Knots 20260101". */
function bitcoindName(subversion: string): string {
  const [, core = "", knots] = /Satoshi:([0-9.]+)\/(?:Knots:([0-9]+))?/.exec(subversion) ?? [];
  return `bitcoind ${core}${knots === undefined ? "" : ` Knots ${knots}`}`;
}
