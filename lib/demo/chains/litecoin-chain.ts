import { join } from "node:path";
import { LITECOIND } from "../core-programs.ts";
import { startCoreChain } from "./core-chain.ts";
import type { DevChain } from "./dev-chain.ts";

/** Litecoin: a real litecoind. Its addresses of the old kind begin like bitcoin's here, and are not taken. */
export function startLitecoin(dataDir: string): Promise<DevChain> {
  return startCoreChain(join(dataDir, "litecoin"), {
    network: "litecoin",
    program: LITECOIND,
    title: "LTC on Litecoin (litecoind, regtest)",
    zmq: false,
    request: /^(?:litecoin:)?(rltc1[0-9a-z]{20,80})(?:\?(.*))?$/i,
  });
}
