import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError, type NodeErrorKind } from "#lib/chains/node-error.ts";
import type { RpcClient } from "#lib/chains/rpc-client.ts";
import { createLateSlots } from "#lib/chains/solana/late-slots.ts";
import { listLatePayments, type SolanaSource } from "#lib/chains/solana/scan-blocks.ts";

/** Late slots that a node fails to show, and the number of those that it was asked for until they were given up. */
async function countTries(kind: NodeErrorKind): Promise<number> {
  const late = createLateSlots();
  late.add([{ slot: 5, signature: "one", failed: false }], 10);
  const fail = () => Promise.reject(new NodeError(kind, "for a test"));
  const source = {
    client: { call: fail, batch: fail } as unknown as RpcClient,
    tokens: [],
    reportUnreadable: () => {},
    watched: {
      listLate: late.list,
      dropLate: late.drop,
      postponeLate: late.postpone,
    },
  } as unknown as SolanaSource;
  let tries = 0;
  while (tries < 300 && late.list(10).size > 0) {
    await listLatePayments(source, 10, async () => new Set());
    tries += 1;
  }
  return tries;
}

test("a late slot is given up for what its node says of it, never because the node does not answer", async () => {
  for (const kind of ["inconsistent", "malformed"] as const) assert.equal(await countTries(kind), 100, kind);
  for (const kind of ["unreachable", "rate_limited", "refused", "behind", "stale"] as const)
    assert.equal(await countTries(kind), 300, kind);
});
