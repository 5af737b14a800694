import { setTimeout as delay } from "node:timers/promises";
import type { AddressFilter } from "#lib/chains/blocks.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";

/** A transaction that waits nowhere. While one is wanted, every look takes a new list. */
const NOWHERE = "0".repeat(64);

/** Reads the whole mempool as it is now, step by step. Empty where waiting transactions are not visible. */
export async function waitingTransfers(
  { mempool }: NetworkAdapter,
  ours: AddressFilter,
): Promise<readonly ChainTransfer[]> {
  if (!mempool) return [];
  for (let looked = false; ; await delay(1)) {
    const view = await mempool.readStep({ ours, wanted: async () => [NOWHERE], block: null, lookEveryMs: 0 });
    if (view.failure) throw view.failure;
    looked ||= view.looked;
    if (looked && view.arrivals + view.backlog === 0) return view.transfers;
  }
}
