import { openElectrumDriver } from "#tests/chains/contract/drivers/electrum.ts";
import {
  type Bitcoin,
  LITECOIN_REGTEST,
  openBitcoin,
  startBitcoind,
  startLitecoind,
} from "#tests/support/bitcoind.ts";
import type { StartableServer } from "#tests/support/electrum-world.ts";
import { type StartedEx, startEx } from "./e-x-server.ts";

export interface ExWorld {
  readonly nodeUrl: string;
  readonly bitcoin: Bitcoin;
  readonly server: StartableServer;
  close(): Promise<void>;
}

/** A bitcoind of its own, and e-x before it. */
export async function openExWorld(program: string): Promise<ExWorld> {
  const node = await startBitcoind({ txindex: true });
  const server = await startEx(program, node.url, "bitcoin");
  return {
    ...{ nodeUrl: node.url, bitcoin: openBitcoin(node.url), server },
    async close() {
      await server.close();
      await node.stop();
    },
  };
}

/** The contract suite's driver of bitcoin over e-x. */
export async function openExDriver(program: string) {
  const { nodeUrl, server, close } = await openExWorld(program);
  const driver = await openElectrumDriver({ url: server.url, nodeUrl });
  return {
    ...driver,
    async close() {
      await driver.close();
      await close();
    },
  };
}

/** A litecoind of its own. `start` starts e-x before it, with these settings. */
export async function openLitecoinWorld(program: string, settings: Readonly<Record<string, string>>) {
  const node = await startLitecoind({ txindex: true });
  let server: StartedEx | null = null;
  return {
    /** Whether it closed a connection that cost too much. */
    hasClosed: () => server?.said().includes("closing session over res usage"),
    litecoin: openBitcoin(node.url, LITECOIN_REGTEST),
    async start() {
      server = await startEx(program, node.url, "litecoin", settings);
      return server.url;
    },
    async close() {
      await server?.close();
      await node.stop();
    },
  };
}
