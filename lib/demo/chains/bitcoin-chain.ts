import { join } from "node:path";
import { BITCOIND } from "../core-programs.ts";
import { startCoreChain } from "./core-chain.ts";
import type { DevChain } from "./dev-chain.ts";

/** Bitcoin: a real bitcoind. */
export function startBitcoin(dataDir: string): Promise<DevChain> {
  return startCoreChain(join(dataDir, "bitcoin"), {
    network: "bitcoin",
    program: BITCOIND,
    title: "BTC on Bitcoin (bitcoind, regtest)",
    zmq: true,
    request: /^(?:bitcoin:)?(bcrt1[0-9a-z]{20,80}|[mn2][1-9A-HJ-NP-Za-km-z]{25,40})(?:\?(.*))?$/i,
  });
}
