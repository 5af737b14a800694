/** Which transactions a block has is proven by the root in its header. The blocks are those of real nodes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseEvmBlock } from "#lib/chains/evm/codec.ts";
import { areAllTransactions } from "#lib/chains/evm/transactions-root.ts";
import { isNodeError } from "#tests/support/node-errors.ts";

interface Block {
  readonly transactionsRoot: string;
  readonly transactions: readonly { readonly type: string }[];
}

const RECORDED = new URL("../../chains/recorded/evm-own-nodes.json", import.meta.url);

/** Every whole block in the recordings. */
function listBlocks(value: unknown): Block[] {
  if (typeof value !== "object" || value === null) return [];
  const { transactions, transactionsRoot } = value as Partial<Block>;
  const isWhole = Array.isArray(transactions) && typeof transactions[0] === "object" && transactionsRoot;
  return [...(isWhole ? [value as Block] : []), ...Object.values(value).flatMap(listBlocks)];
}

const BLOCKS = listBlocks(JSON.parse(readFileSync(RECORDED, "utf8")));

test("proves the blocks of real nodes, with transactions of several types", () => {
  const types = new Set(BLOCKS.flatMap(({ transactions }) => transactions.map(({ type }) => type)));
  assert.deepEqual([...types].sort(), ["0x0", "0x2", "0x7e"]);
  for (const { transactions, transactionsRoot } of BLOCKS)
    assert.equal(areAllTransactions(transactions, transactionsRoot), true);
});

test("refuses a block that lacks its last transactions", async () => {
  for (const block of BLOCKS.filter(({ transactions }) => transactions.length > 1)) {
    const cut = { ...block, transactions: block.transactions.slice(0, -1) };
    assert.equal(areAllTransactions(cut.transactions, cut.transactionsRoot), false);
    assert.throws(() => parseEvmBlock(cut, []), isNodeError("inconsistent"));
    assert.notEqual(parseEvmBlock(block, []), null);
  }
});

test("proves nothing about transactions of an unknown type, or with other fields than their hash has", () => {
  const [{ transactions, transactionsRoot }] = BLOCKS as [Block];
  const changed = (change: object) => [...transactions.slice(0, -1), { ...transactions.at(-1), ...change }];
  assert.equal(areAllTransactions(changed({ type: "0x77" }), transactionsRoot), null);
  assert.equal(areAllTransactions(changed({ gas: "0x1" }), transactionsRoot), null);
  assert.equal(areAllTransactions(changed({ input: 7 }), transactionsRoot), null);
});
