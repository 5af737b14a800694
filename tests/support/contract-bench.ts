import {
  type ChainTransfer,
  type NetworkAdapter,
  NodeError,
  type NodeErrorKind,
} from "#lib/chains/network.ts";
import { owning } from "./bitcoin-adapter.ts";
import type { ContractDriver, Inability } from "./contract-drivers/driver.ts";
import type { FakeNode } from "./fake-node.ts";

/** What the cases of one network share: its node, a fake in front of it, and adapters that reach it either way. */
export interface Bench {
  readonly driver: ContractDriver;
  readonly fake: FakeNode;
  readonly adapter: NetworkAdapter;
  /** Opened anew: it remembers nothing of what the fake did before. */
  behindFake(): NetworkAdapter;
  /** An address that nobody has paid yet, as shown. */
  newAddress(): string;
}

/** Of a hash, one that no transaction has. */
export function unknownHash(driver: ContractDriver, txHash: string): string {
  return driver.unknownHash ?? `${txHash.slice(0, -8)}${"0".repeat(8)}`;
}

/** `needs`: it is left out where a network is unable to. */
export type Case = readonly [name: string, run: (bench: Bench) => Promise<void>, needs?: Inability];

export const isNodeError =
  (...kinds: NodeErrorKind[]) =>
  (error: unknown) =>
    error instanceof NodeError && (kinds.length === 0 || kinds.includes(error.kind));

export const hashes = (transfers: readonly ChainTransfer[]) => transfers.map(({ txHash }) => txHash);

/** What blocks from..to hold for these addresses. */
export async function scan(adapter: NetworkAdapter, from: number, to: number, ...shown: readonly string[]) {
  return adapter.scanBlocks(
    { from, to },
    owning(...shown.map((address) => adapter.canonicalizeAddress(address)!)),
  );
}

export async function scanTip({ driver, adapter }: Bench, ...shown: readonly string[]) {
  const { height } = await driver.tip();
  return (await scan(adapter, height, height, ...shown)).transfers;
}
