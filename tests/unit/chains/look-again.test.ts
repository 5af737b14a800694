/** How many blocks of an hour of bep20 are looked through again, with nodes that take few blocks in one request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AddressBook } from "#lib/chains/address-book.ts";
import { openSecondLook } from "#lib/chains/evm/look-again.ts";
import type { TransferSource } from "#lib/chains/evm/scan-transfers.ts";
import { NodeError } from "#lib/chains/node-error.ts";

const BLOCK_SECONDS = 0.45;
const HOUR = Math.round(3_600 / BLOCK_SECONDS);
/** Blocks between two passes. */
const PASS = 2;

const ADDRESS = "0x71c7656ec7ab88b098defb751b7401b5f6d8976f";
const BOOK = { listBefore: async () => [{ id: 1, address: ADDRESS }] } as unknown as AddressBook;

/** The requests that a node which takes `most` blocks in one has answered after an hour, and how often each block was in one. */
async function lookForAnHour(most: number): Promise<{ readonly asked: number; readonly share: number }> {
  const times = new Array<number>(HOUR).fill(0);
  let asked = 0;
  const call = async (_: string, [{ fromBlock, toBlock }]: [{ fromBlock: string; toBlock: string }]) => {
    asked += 1;
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    if (to - from + 1 > most) throw new NodeError("refused", "block range is too large");
    for (let height = from; height <= to; height++) times[height]! += 1;
    return [];
  };
  const source = {
    tokens: { contracts: [{ contract: "0x55d398326f99059ff775485246999027b3197955" }] },
    dialect: { toHex: (address: string) => address, fromRpcHash: (hash: string) => hash },
    node: { client: { call } },
  } as unknown as TransferSource;
  const look = openSecondLook({ blockSeconds: BLOCK_SECONDS });
  look.watch(BOOK);
  for (let height = 0; height < HOUR; height += PASS)
    await look.list(source, height, async () => new Set<string>());
  // The window of the last blocks is not over yet.
  const ended = times.slice(0, HOUR - 2_000);
  return { asked, share: ended.filter((count) => count > 0).length / ended.length };
}

test("every block is looked through again where a node takes as many blocks as come in ten seconds or more", async () => {
  for (const most of [5_000, 2_000, 200, 100, 50])
    assert.ok((await lookForAnHour(most)).share > 0.97, `${most} blocks`);
});

test("a node that takes very few blocks is asked every ten seconds, as often as before", async () => {
  const { share, asked } = await lookForAnHour(10);
  assert.ok(share > 0.35, `${share}`);
  assert.ok(asked < 400, `${asked}`);
});

test("a node that takes the whole window is asked every two minutes", async () => {
  const { asked } = await lookForAnHour(5_000);
  assert.ok(asked >= 28 && asked <= 31, `${asked}`);
});
