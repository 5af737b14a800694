import { join } from "node:path";
import { LITECOIND } from "../core-programs.ts";
import { startCoreChain } from "./core-chain.ts";
import type { DevChain } from "./dev-chain.ts";

/** Litecoin: a real litecoind. Legacy addresses are not accepted: on regtest they start like bitcoin's. */
export function startLitecoin(dataDir: string): Promise<DevChain> {
  return startCoreChain(join(dataDir, "litecoin"), {
    network: "litecoin",
    program: LITECOIND,
    title: "LTC on Litecoin (litecoind, regtest)",
    zmq: false,
    request: /^(?:litecoin:)?(rltc1[0-9a-z]{20,80})(?:\?(.*))?$/i,
  });
}
