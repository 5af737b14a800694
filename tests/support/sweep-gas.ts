import assert from "node:assert/strict";
import { type Hex, keccak256 } from "viem";
import type { JournalEntry } from "#lib/signer/types.ts";
import { FAUCET, mine, rpc, USDT_ADDRESS } from "./anvil.ts";
import { type PaidAddress, type SweeperWorld, sweepPolicy } from "./sweeper-world.ts";

/** Lets a signer sweep until it has nothing to do, and returns what it signed. */
export async function sweep(
  w: SweeperWorld,
  policy = sweepPolicy(),
  changes: Parameters<SweeperWorld["start"]>[1] = {},
): Promise<readonly JournalEntry[]> {
  const before = w.journal().length;
  const signer = w.start(policy, changes);
  for (let step = 0; step < 6; step++) {
    await w.step(signer);
    await mine(w.url, 3);
    w.pass(90_000);
  }
  return w.journal().slice(before);
}

/** Sends a transaction of the faucet and mines it. */
export async function send({ url }: SweeperWorld, transaction: object) {
  const hash = await rpc(url, "eth_sendTransaction", [{ from: FAUCET.address, ...transaction }]);
  await mine(url);
  return (await rpc(url, "eth_getTransactionReceipt", [hash])) as {
    readonly status: Hex;
    readonly gasUsed: Hex;
  };
}

/** The gas of a transaction that succeeded. */
export async function gasOf({ url }: SweeperWorld, hash: string | undefined): Promise<number> {
  const receipt = (await rpc(url, "eth_getTransactionReceipt", [hash])) as { gasUsed: Hex; status: Hex };
  assert.equal(receipt.status, "0x1");
  return Number(receipt.gasUsed);
}

/** The gas of the usual sweep of one USDT: coins to the address, then a transaction from it. */
export async function usualGas(w: SweeperWorld, { address, index }: PaidAddress): Promise<number> {
  const funding = await send(w, { to: address, value: "0x2386f26fc10000" });
  const nonce = Number(await rpc(w.url, "eth_getTransactionCount", [address, "latest"]));
  const amount = (10n ** 18n).toString(16).padStart(64, "0");
  const raw = await w.keyOf(index).signTransaction({
    chainId: 97,
    nonce,
    to: USDT_ADDRESS,
    gas: 100_000n,
    maxFeePerGas: 10n ** 10n,
    data: `0xa9059cbb${w.hot.slice(2).padStart(64, "0")}${amount}`,
  });
  await rpc(w.url, "eth_sendRawTransaction", [raw]);
  await mine(w.url);
  return Number(funding.gasUsed) + (await gasOf(w, keccak256(raw)));
}
