import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import type { FakeNode } from "#tests/support/fake-node.ts";
import type { ContractDriver, Inability } from "./drivers/driver.ts";

/** Shared by all cases of one network: its node, a fake in front of it, and adapters that use either. */
export interface Bench {
  readonly driver: ContractDriver;
  readonly fake: FakeNode;
  readonly adapter: NetworkAdapter;
  /** Opened again, so that it remembers nothing from before. */
  behindFake(): NetworkAdapter;
  /** A displayed address without payments. */
  newAddress(): string;
}

/** From a hash, one that no transaction has. */
export function unknownHash(driver: ContractDriver, txHash: string): string {
  return driver.unknownHash ?? `${txHash.slice(0, -8)}${"0".repeat(8)}`;
}

/** `needs`: the case is skipped where a network does not support one of them. */
export type Case = readonly [name: string, run: (bench: Bench) => Promise<void>, ...needs: Inability[]];

export const hashes = (transfers: readonly ChainTransfer[]) => transfers.map(({ txHash }) => txHash);

/** Our transfers in blocks from..to. */
export async function scan(adapter: NetworkAdapter, from: number, to: number, ...shown: readonly string[]) {
  return adapter.blocks.scan(
    { from, to },
    owning(...shown.map((address) => adapter.addresses.canonicalize(address)!)),
  );
}

export async function scanTip({ driver, adapter }: Bench, ...shown: readonly string[]) {
  const { height } = await driver.tip();
  return (await scan(adapter, height, height, ...shown)).transfers;
}
