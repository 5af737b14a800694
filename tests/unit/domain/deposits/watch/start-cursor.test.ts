import assert from "node:assert/strict";
import { test } from "node:test";
import { findStart } from "#lib/domain/deposits/watch/start-cursor.ts";

const HEAD = { height: 1_000_000, hash: "head" };
/** A node that has the blocks from `first` on. */
function node(first: number) {
  const asked: number[] = [];
  const readHash = async (height: number) => {
    asked.push(height);
    return height + 1 >= first ? `hash ${height}` : null;
  };
  return { asked, readHash };
}

test("starts at the wanted height when the node has the block after it", async () => {
  const { asked, readHash } = node(10);
  assert.deepEqual(await findStart(readHash, 9, HEAD), { height: 9, hash: "hash 9" });
  assert.deepEqual(asked, [9]);
  assert.deepEqual(await findStart(readHash, HEAD.height, HEAD), HEAD, "nothing to read");
  assert.deepEqual(asked, [9]);
});

test("finds the first block of any node with few requests", async () => {
  for (const first of [11, 12, 345_678, HEAD.height - 1, HEAD.height]) {
    const { asked, readHash } = node(first);
    const found = await findStart(readHash, 9, HEAD);
    assert.deepEqual(found, { height: first - 1, hash: `hash ${first - 1}` }, `from ${first}`);
    assert.ok(asked.length <= 24, `${asked.length} requests`);
  }
});

test("skips nothing when the node cannot read its newest block either", async () => {
  await assert.rejects(
    findStart(async () => null, 9, HEAD),
    { kind: "inconsistent" },
  );
  await assert.rejects(
    findStart(async () => null, HEAD.height - 1, HEAD),
    { kind: "inconsistent" },
  );
});

test("skips nothing when the node has a block that it refused before", async () => {
  const { readHash } = node(0);
  const refused = new Set<number>();
  const flaky = async (height: number) => {
    const first = !refused.has(height) && height !== HEAD.height - 1;
    refused.add(height);
    return first ? null : readHash(height);
  };
  await assert.rejects(findStart(flaky, 9, HEAD), { kind: "inconsistent" });
});
