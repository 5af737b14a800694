import assert from "node:assert/strict";
import { test } from "node:test";
import { hasTransactionExpired } from "#lib/chains/evm/fetch-payments.ts";
import { openLearnedSizes } from "#lib/chains/learned-sizes.ts";

const HOUR = 3_600_000;
const BLOCK_SECONDS = 3;
const NEWEST = 1_000_000;
const START = Date.parse("2026-03-01T00:00:00Z");

/** A chain with a block every three seconds since START. The node has the blocks from `oldest` on. */
function chain(oldest = 0) {
  const block = (height: number) =>
    height < oldest
      ? null
      : {
          number: `0x${height.toString(16)}`,
          hash: `0x${height.toString(16).padStart(64, "0")}`,
          parentHash: `0x${Math.max(0, height - 1)
            .toString(16)
            .padStart(64, "0")}`,
          timestamp: `0x${(START / 1_000 + height * BLOCK_SECONDS).toString(16)}`,
        };
  return {
    call: async () => null,
    sizes: openLearnedSizes(),
    batch: async (calls: readonly { params: readonly unknown[] }[]) =>
      calls.map(({ params }) => block(params[0] === "latest" ? NEWEST : Number(params[0]))),
  };
}

const at = (hours: number) => new Date(START + hours * HOUR);
const height = (hours: number) => (hours * 3_600) / BLOCK_SECONDS;
const expired = (since: Date, hours: number, oldest = 0, expiryMs: number | null = 24 * HOUR) =>
  hasTransactionExpired(chain(oldest), {
    expiryMs,
    blockSeconds: BLOCK_SECONDS,
    since,
    height: Math.ceil(height(hours)),
  });

test("reports a transaction as expired a day after its broadcast, by the chain's clock", async () => {
  assert.equal(await expired(at(10), 34), false);
  assert.equal(await expired(at(10), 34.001), true);
});

test("proves nothing with a node whose history begins later", async () => {
  assert.equal(await expired(at(10), 40, height(10) - 5), true);
  assert.equal(await expired(at(10), 40, height(10) + 1), false);
  assert.equal(await expired(new Date(START - 1), 40), false);
});

test("reports nothing as expired where transactions do not expire or no block is final", async () => {
  assert.equal(await expired(at(10), 100, 0, null), false);
  const check = { expiryMs: 24 * HOUR, blockSeconds: BLOCK_SECONDS, since: at(10), height: -1 };
  assert.equal(await hasTransactionExpired(chain(), check), false);
});
