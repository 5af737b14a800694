import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { CoreNodeOptions } from "#lib/dev-chains/core-node.ts";
import { type PrivateChain, REGTEST, shareBitcoind, startBitcoind } from "#tests/support/bitcoind.ts";
import type { ContractDriver } from "./driver.ts";
import { openUtxoDriver } from "./utxo.ts";

/** Dogecoin Core's chainparams.cpp. It has no segwit. */
const LIVE = { bech32: "none", pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e };
/**
 * No dogecoin node is available for the tests, so a bitcoind replaces it. Its private chain has dogecoin's
 * version bytes and another first block. Only the data created here contains that chain: operators cannot
 * select it.
 */
export const STAND_IN: NetworkData = {
  ...NETWORKS.dogecoin,
  utxo: {
    ...NETWORKS.dogecoin.utxo,
    test: [
      {
        name: "regtest",
        genesis: NETWORKS.bitcoin.utxo.test[3].genesis,
        hrp: null,
        pubKeyHash: REGTEST.pubKeyHash,
        scriptHashes: [REGTEST.scriptHash],
      },
    ],
  },
};
export const STAND_IN_CHAIN: PrivateChain = { network: REGTEST, form: "pkh", replacesOutputs: true };

const LEGACY = { configuration: ["addresstype=legacy", "changetype=legacy"] };
const startStandIn = (options: CoreNodeOptions = {}) => startBitcoind({ ...options, ...LEGACY });
export const shareStandIn = (options: CoreNodeOptions = {}) => shareBitcoind({ ...options, ...LEGACY });

export function openDogecoinDriver(): Promise<ContractDriver> {
  return openUtxoDriver({
    data: STAND_IN,
    start: () => startStandIn(),
    chain: STAND_IN_CHAIN,
    live: LIVE,
    // A coin is expensive here: the payer has few of them.
    rates: "doge/usd=10",
    vectors: ["DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC", "DAcDAtJRztxBHyA6D6h8du1HguyTR43Mas"],
    nodeName: () => "bitcoind, dogecoin's parameters",
    blocksToCredit: 20,
  });
}
