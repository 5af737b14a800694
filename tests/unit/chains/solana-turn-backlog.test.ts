import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_UNREAD, openReading } from "#lib/chains/solana/turn-backlog.ts";

const named = (many: number, of: string) =>
  Array.from({ length: many }, (_, i) => ({ signature: `${of} ${i}`, slot: 1_000 - i, failed: false }));

/** Reads what waits for an address. Returns how many transactions that were. */
function readAll(reading: ReturnType<typeof openReading>, address: string): number {
  const seen = new Set<string>();
  for (;;) {
    const read = reading.choose(address, [], 0).map(({ signature }) => signature);
    if (read.length === 0) return seen.size;
    for (const signature of read) seen.add(signature);
    reading.end(address, 2_000, {
      read: read.map((signature) => ({ signature, isDone: true })),
      missing: [],
    });
  }
}

test("transactions that name thousands of addresses are remembered up to a bound, and each address keeps its oldest", () => {
  const leftOut = new Set<string>();
  const reading = openReading((address) => void leftOut.add(address));
  const addresses = Array.from({ length: 200 }, (_, n) => `address ${n}`);
  for (const address of addresses) reading.choose(address, named(1_000, "flood"), 0);
  const first = reading.choose("last", named(3, "honest"), 0);
  assert.deepEqual(
    first.map(({ signature }) => signature),
    ["honest 2", "honest 1", "honest 0"],
  );
  assert.ok(!leftOut.has("last"));
  assert.ok(leftOut.has(addresses[199]!), "what is left out is reported");
  const waiting = addresses.map((address) => readAll(reading, address));
  assert.equal(waiting[0], 1_000);
  const all = waiting.reduce((sum, one) => sum + one, 0);
  assert.ok(all <= MOST_UNREAD.ofAll + 200 * MOST_UNREAD.ofEach, `${all}`);
});
