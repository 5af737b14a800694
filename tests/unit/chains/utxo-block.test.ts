import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { RawTx } from "@scure/btc-signer";
import fc from "fast-check";
import { parseUtxoBlock, parseUtxoTransaction } from "#lib/chains/utxo/block.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { assembleBlock } from "./assemble-block.ts";

/** Block 0 of the main chain, as every node includes it. */
const GENESIS =
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3" +
  "888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c0101000000010000000000000000000000000000000000000000000000000000" +
  "000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e2062" +
  "72696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe554827" +
  "1967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f" +
  "ac00000000";

const isMalformed = isNodeError("malformed");

test("parses block 0 to its published values", () => {
  const block = parseUtxoBlock(Buffer.from(GENESIS, "hex"));
  assert.equal(block.hash, "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f");
  assert.equal(block.parentHash, "0".repeat(64));
  assert.equal(block.time.toISOString(), "2009-01-03T18:15:05.000Z");
  const [coinbase, ...others] = block.transactions;
  assert.deepEqual(others, []);
  assert.equal(coinbase?.txid, "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b");
  assert.equal(coinbase?.coinbase, true);
  assert.deepEqual(coinbase?.spends(), []);
  assert.deepEqual(
    coinbase?.outputs.map(({ satoshis, scriptLength }) => [satoshis, scriptLength]),
    [[5_000_000_000n, 67]],
  );
});

test("rejects a block that is cut or extended anywhere", () => {
  const raw = Buffer.from(GENESIS, "hex");
  for (let length = 0; length < raw.length; length++) {
    assert.throws(() => parseUtxoBlock(raw.subarray(0, length)), isMalformed);
  }
  assert.throws(() => parseUtxoBlock(Buffer.concat([raw, Buffer.of(0)])), isMalformed);
});

test("detects every changed bit of a block: it is rejected or has another hash", () => {
  const raw = Buffer.from(GENESIS, "hex");
  const { hash: known } = parseUtxoBlock(raw);
  for (let bit = 0; bit < raw.length * 8; bit++) {
    const changed = Buffer.from(raw);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    try {
      assert.notEqual(parseUtxoBlock(changed).hash, known);
    } catch (error) {
      assert.ok(isMalformed(error), String(error));
    }
  }
});

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyBytes = fc.uint8Array({ maxLength: 300 });
const transactions = fc
  .record({
    version: fc.constantFrom(1, 2),
    lockTime: fc.nat(2 ** 31 - 1),
    segwitFlag: fc.boolean(),
    inputs: fc.array(
      fc.record({
        txid: bytes(32),
        index: fc.nat(2 ** 31 - 1),
        finalScriptSig: anyBytes,
        sequence: fc.nat(2 ** 31 - 1),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    outputs: fc.array(
      fc.record(
        { amount: fc.bigInt(0n, 2_100_000_000_000_000n), script: anyBytes },
        { noNullPrototype: true },
      ),
      {
        maxLength: 300,
      },
    ),
    witness: fc.array(anyBytes, { minLength: 1, maxLength: 3 }),
  })
  .map(({ witness, ...transaction }) => ({
    ...transaction,
    witnesses: transaction.segwitFlag ? transaction.inputs.map(() => witness) : undefined,
  }));

test("parses any transaction as the library does, with and without a witness", () => {
  fc.assert(
    fc.property(transactions, (transaction) => {
      const raw = Buffer.from(RawTx.encode(transaction));
      const parsed = parseUtxoTransaction(raw);
      const id = Buffer.from(parsed.txid, "hex").reverse();
      const stripped = RawTx.encode({ ...transaction, segwitFlag: false, witnesses: undefined });
      assert.deepEqual(id, hash("sha256", hash("sha256", stripped, "buffer"), "buffer"));
      assert.deepEqual(
        parsed.outputs.map(({ satoshis, scriptAt, scriptLength }) => ({
          amount: satoshis,
          script: new Uint8Array(raw.subarray(scriptAt, scriptAt + scriptLength)),
        })),
        transaction.outputs,
      );
      assert.deepEqual(
        parsed.spends(),
        transaction.inputs.map(({ txid, index }) => `${Buffer.from(txid).toString("hex")}:${index}`),
      );
    }),
  );
});

test("parses a block of the main chain's size in tens of milliseconds", (t) => {
  const raw = assembleBlock({ transactions: 4_000, outputs: 10_000 });
  const times = Array.from({ length: 7 }, () => {
    const measured = measureTurns();
    const { transactions } = parseUtxoBlock(raw);
    const outputs = transactions.reduce((sum, transaction) => sum + transaction.outputs.length, 0);
    assert.equal(outputs, 10_000);
    return measured().total;
  });
  const median = times.sort((a, b) => a - b)[3] ?? 0;
  t.diagnostic(`4,000 transactions, 10,000 outputs, ${raw.length} bytes: ${median.toFixed(1)} ms`);
  assert.ok(median < 300, `${median} ms`);
});

test("rejects a block whose transactions do not match its header", () => {
  const raw = assembleBlock({ transactions: 10, outputs: 20 });
  assert.equal(parseUtxoBlock(raw).transactions.length, 10);
  const replaced = Buffer.from(raw);
  // The lock time of the last transaction. A witness is not part of a transaction's id.
  replaced.writeUInt32LE(7, raw.length - 4);
  assert.throws(() => parseUtxoBlock(replaced), isMalformed);
});
