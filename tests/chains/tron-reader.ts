import type { TestContext } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";
import type { TronEmulatorOptions } from "#lib/dev-chains/tron-emulator/start-tron-emulator.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { openTestTron, trc20Adapter } from "#tests/support/tron.ts";

export async function openReader(t: TestContext, options?: TronEmulatorOptions) {
  const emulator = await openTestTron(t, options);
  return { emulator, adapter: trc20Adapter(emulator) };
}

/** The adapter asks through a front that can change answers. */
export async function openBehindFake(t: TestContext) {
  const emulator = await openTestTron(t);
  const fake = await openFakeNode(t, `${emulator.url}/jsonrpc`);
  const adapter = trc20Adapter({ url: fake.url, usdt: emulator.usdt });
  return { emulator, fake, adapter, address: adapter.addresses.derive(0).address };
}

/** Returns the payments of the whole chain to these addresses. */
export async function scanAll(adapter: NetworkAdapter, ...mine: string[]): Promise<readonly ChainTransfer[]> {
  const { height } = await adapter.blocks.fetchHead();
  return (await adapter.blocks.scan({ from: 1, to: height }, owning(...mine))).transfers;
}
