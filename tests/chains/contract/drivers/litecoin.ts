import { NETWORKS } from "#lib/chains/networks.ts";
import { LITECOIN_REGTEST, startLitecoind } from "#tests/support/bitcoind.ts";
import type { ContractDriver } from "./driver.ts";
import { openUtxoDriver } from "./utxo.ts";

/** Litecoin Core's chainparams.cpp. */
const LIVE = { bech32: "ltc", pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 };

/** Blocks with an extension have a test of their own (litecoin-mweb.test.ts). It is never active here. */
export function openLitecoinDriver(): Promise<ContractDriver> {
  return openUtxoDriver({
    data: NETWORKS.litecoin,
    start: () => startLitecoind(),
    chain: LITECOIN_REGTEST,
    live: LIVE,
    rates: "ltc/usd=100",
    vectors: ["ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh", "ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn"],
    nodeName: (subversion) => `litecoind ${/LitecoinCore:([0-9.]+)/.exec(subversion)?.[1] ?? subversion}`,
    blocksToCredit: 6,
  });
}
