/** Parts of dogecoin and litecoin blocks and transactions that bitcoin does not have. */
import assert from "node:assert/strict";
import { hash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { parseUtxoBlock, parseUtxoTransaction } from "#lib/chains/utxo/block.ts";
import { createKeyHashEncoder, KEY_HASH_SCRIPTS } from "#lib/chains/utxo/key-hash-scripts.ts";
import { collectCandidates, matchCandidates } from "#lib/chains/utxo/match-outputs.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { DOGECOIN_BLOCK_371337 } from "./dogecoin-block-371337.ts";

const DOGECOIN = NETWORKS.dogecoin.utxo;
const MERGED = Buffer.from(DOGECOIN_BLOCK_371337, "hex");

const isMalformed = isNodeError("malformed");

const doubleHash = (bytes: Buffer) => hash("sha256", hash("sha256", bytes, "buffer"), "buffer");

test("parses a merge-mined block to its published values", async () => {
  const block = parseUtxoBlock(MERGED, "auxpow");
  assert.equal(block.hash, "60323982f9c5ff1b5a954eac9dc1269352835f47c2c5222691d80f0d50dcf053");
  assert.equal(block.time.toISOString(), "2014-09-11T19:42:57.000Z");
  assert.equal(block.transactions.length, 6);
  assert.deepEqual(
    block.transactions.map(({ coinbase }) => coinbase),
    [true, false, false, false, false, false],
  );
  const reader = {
    script: KEY_HASH_SCRIPTS.p2pkh,
    encode: createKeyHashEncoder("p2pkh", DOGECOIN.live),
    blockExtra: DOGECOIN.blockExtra,
    token: "doge" as const,
    decimals: 8,
    coinbaseMaturity: 240,
  };
  const found: Parameters<typeof collectCandidates>[2] = [];
  for (const transaction of block.transactions) {
    const inBlock = { height: 371_337, hash: block.hash, time: block.time };
    collectCandidates(reader, { raw: MERGED, transaction, block: inBlock }, found);
  }
  const paid = await matchCandidates(reader, found, async (asked) => new Set(asked));
  // The coinbase pays a bare public key, which is not one of our addresses. The rest are P2PKH.
  assert.deepEqual(
    paid.map(({ position, address, amount }) => [position, address.slice(0, 1), amount]),
    [
      [0, "D", 1_400_000_000n],
      [1, "D", 8_456_400_000_000n],
      [0, "D", 56_900_000_000n],
      [0, "D", 572_150_000n],
      [1, "D", 7_926_922_000_000n],
      [0, "D", 8_800_000_000n],
      [1, "D", 13_000_000_000n],
      [0, "D", 2_912_000_001n],
    ],
  );
});

test("rejects a merge-mined block that is cut, extended, or parsed as bitcoin's", () => {
  for (let length = 0; length < MERGED.length; length++) {
    assert.throws(() => parseUtxoBlock(MERGED.subarray(0, length), "auxpow"), isMalformed);
  }
  assert.throws(() => parseUtxoBlock(Buffer.concat([MERGED, Buffer.of(0)]), "auxpow"), isMalformed);
  assert.throws(() => parseUtxoBlock(MERGED), isMalformed);
});

test("parses an amount past a Number's precision exactly, and rejects an impossible one", () => {
  const paying = (amount: bigint) => {
    const value = Buffer.alloc(8);
    value.writeBigUInt64LE(amount);
    const before = Buffer.from(`0100000001${"ab".repeat(32)}0000000000ffffffff01`, "hex");
    return Buffer.concat([before, value, Buffer.from("0151", "hex"), Buffer.alloc(4)]);
  };
  for (const amount of [2n ** 53n + 1n, 10n ** 18n + 1n, 2n ** 63n - 1n]) {
    assert.equal(parseUtxoTransaction(paying(amount)).outputs[0]?.satoshis, amount);
  }
  assert.throws(() => parseUtxoTransaction(paying(2n ** 63n)), isMalformed);
});

/**
 * A transaction with one input and one output. `flags` and `extension` are as in LIP-0002 and Litecoin Core.
 */
function aTransaction({ flags = 0, extension = "" } = {}) {
  const version = Buffer.from("02000000", "hex");
  const body = Buffer.concat([
    Buffer.of(1),
    randomBytes(32),
    Buffer.from("0000000000ffffffff01e803000000000000160014", "hex"),
    randomBytes(20),
  ]);
  const witness = flags & 1 ? Buffer.concat([Buffer.of(1, 72), randomBytes(72)]) : Buffer.alloc(0);
  const marker = flags === 0 ? Buffer.alloc(0) : Buffer.of(0, flags);
  const lockTime = Buffer.alloc(4);
  const raw = Buffer.concat([version, marker, body, witness, Buffer.from(extension, "hex"), lockTime]);
  return { raw, id: doubleHash(Buffer.concat([version, body, lockTime])) };
}

type Made = ReturnType<typeof aTransaction>;

/** A block of two transactions, with bytes after them. */
function aBlock(first: Made, second: Made, behind: Buffer): Buffer {
  const header = Buffer.alloc(80);
  doubleHash(Buffer.concat([first.id, second.id])).copy(header, 36);
  return Buffer.concat([header, Buffer.of(2), first.raw, second.raw, behind]);
}

const shown = (id: Buffer) => Buffer.from(id).reverse().toString("hex");

test("skips an extension block after the transaction that binds it, and parses all transactions", () => {
  const [first, hogEx] = [aTransaction({ flags: 1 }), aTransaction({ flags: 8, extension: "00" })];
  for (const behind of [Buffer.of(0), Buffer.concat([Buffer.of(1), randomBytes(500)])]) {
    const { transactions } = parseUtxoBlock(aBlock(first, hogEx, behind), "mweb");
    assert.deepEqual(
      transactions.map(({ txid, hidden }) => [txid, hidden]),
      [
        [shown(first.id), false],
        [shown(hogEx.id), false],
      ],
    );
    assert.throws(() => parseUtxoBlock(aBlock(first, hogEx, behind)), isMalformed);
  }
});

test("rejects any other bytes after a block's transactions, and transactions with extension data in a block", () => {
  const [first, plain] = [aTransaction({ flags: 1 }), aTransaction()];
  const hogEx = aTransaction({ flags: 8, extension: "00" });
  const behind = Buffer.concat([Buffer.of(1), randomBytes(50)]);
  assert.equal(parseUtxoBlock(aBlock(first, plain, Buffer.alloc(0)), "mweb").transactions.length, 2);
  const refused = [
    aBlock(first, plain, behind),
    aBlock(hogEx, plain, behind),
    aBlock(first, hogEx, Buffer.alloc(0)),
    aBlock(first, hogEx, Buffer.of(0, 1)),
    aBlock(first, hogEx, Buffer.of(2)),
    aBlock(first, aTransaction({ flags: 8, extension: "01" }), behind),
    aBlock(first, aTransaction({ flags: 2 }), Buffer.alloc(0)),
    aBlock(first, aTransaction({ flags: 12, extension: "00" }), behind),
  ];
  for (const [i, block] of refused.entries()) {
    assert.throws(() => parseUtxoBlock(block, "mweb"), isMalformed, `block ${i}`);
  }
});

test("parses a waiting transaction without its extension data, and marks a pure extension transaction as hidden", () => {
  for (const flags of [8, 9]) {
    const { raw, id } = aTransaction({ flags, extension: `01${"ee".repeat(300)}` });
    const { txid, outputs, hidden } = parseUtxoTransaction(raw, "mweb");
    assert.deepEqual([txid, outputs.length, hidden], [shown(id), 1, false]);
    assert.throws(() => parseUtxoTransaction(raw), isMalformed);
  }
  const whole = Buffer.from(`0200000000080000${`01${"ee".repeat(300)}`}00000000`, "hex");
  const { hidden, outputs } = parseUtxoTransaction(whole, "mweb");
  assert.deepEqual([hidden, outputs.length], [true, 0]);
  assert.throws(() => parseUtxoTransaction(whole.subarray(0, 10), "mweb"), isMalformed);
});
