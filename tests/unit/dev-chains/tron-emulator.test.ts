import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { utils } from "tronweb";
import { readMessage } from "#lib/chains/tron/protobuf.ts";
import { openJournal } from "#lib/dev-chains/journal.ts";
import { makeBlockId, parseHeight } from "#lib/dev-chains/tron-emulator/block-id.ts";
import { TronChain } from "#lib/dev-chains/tron-emulator/chain.ts";
import { hex } from "#lib/dev-chains/tron-emulator/fields.ts";
import {
  LOG_LIMITS,
  parseHeightParameter,
  parseLogFilter,
  TronRpcError,
} from "#lib/dev-chains/tron-emulator/log-filter.ts";
import {
  decodeRaw,
  decodeSigned,
  encodeRaw,
  type RawTronTransaction,
  rawFromJson,
  transactionJson,
  txIdOf,
} from "#lib/dev-chains/tron-emulator/transaction.ts";
import { TransactionBook } from "#lib/dev-chains/tron-emulator/transaction-book.ts";

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => hex(value));
const address = hexOf(20).map((digits) => `0x${digits}`);
const money = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) });
const transactions: fc.Arbitrary<RawTronTransaction> = fc.record(
  {
    action: fc.oneof(
      fc.record(
        {
          type: fc.constant("TransferContract" as const),
          owner: address,
          to: address,
          amount: money,
        },
        { noNullPrototype: true },
      ),
      fc.record(
        {
          type: fc.constant("TransferAssetContract" as const),
          owner: address,
          to: address,
          asset: fc.integer({ min: 1_000_001, max: 9_999_999 }).map(String),
          amount: money,
        },
        { noNullPrototype: true },
      ),
      fc.record(
        {
          type: fc.constant("TriggerSmartContract" as const),
          owner: address,
          contract: address,
          data: hexOf(68),
          callValue: fc.oneof(fc.constant(0n), money),
        },
        { noNullPrototype: true },
      ),
    ),
    permissionId: fc.constantFrom(0, 2),
    refBlockBytes: hexOf(2),
    refBlockHash: hexOf(8),
    expiration: fc.integer({ min: 1, max: 2 ** 45 }),
    timestamp: fc.integer({ min: 1, max: 2 ** 45 }),
    feeLimit: fc.oneof(fc.constant(0n), money),
    memo: fc.constant(""),
  },
  { noNullPrototype: true },
);

test("gives a transaction the same bytes and id as tronweb", () => {
  fc.assert(
    fc.property(transactions, (raw) => {
      const rawHex = hex(encodeRaw(raw));
      const json = transactionJson(raw, rawHex, false);
      const pb = utils.transaction.txJsonToPb(json);
      assert.equal(rawHex, utils.transaction.txPbToRawDataHex(pb).toLowerCase());
      assert.equal(`0x${txIdOf(rawHex)}`, utils.transaction.txPbToTxID(pb));
      assert.ok(utils.transaction.txCheck(json as never));
    }),
    { numRuns: 50 },
  );
});

test("reads a transaction from its bytes and from its JSON, with both forms of addresses", () => {
  fc.assert(
    fc.property(transactions, (raw) => {
      const bytes = encodeRaw(raw);
      assert.deepEqual(decodeRaw(bytes), raw);
      for (const visible of [false, true]) {
        assert.deepEqual(rawFromJson(transactionJson(raw, hex(bytes), visible).raw_data), raw);
      }
    }),
    { numRuns: 50 },
  );
});

test("refuses any bytes that are not a transaction", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        readMessage(bytes);
        decodeSigned(bytes);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
    { numRuns: 500 },
  );
  for (const json of [null, "x", {}, { contract: [] }, { contract: [{ type: "VoteWitnessContract" }] }]) {
    assert.equal(rawFromJson(json), null);
  }
});

test("a block id starts with its height, and the genesis block's ends with the chain id", () => {
  const hash = `0x${"ab".repeat(32)}`;
  const id = makeBlockId(67_025_920, hash, 0xcd8690dc);
  assert.equal(id, `0000000003febc00${"ab".repeat(24)}`);
  assert.equal(parseHeight(id), 67_025_920);
  assert.equal(parseHeight(`0x${id}`), 67_025_920);
  assert.equal(parseHeight("12"), null);
  assert.equal(makeBlockId(0, hash, 0xcd8690dc), `${"0".repeat(16)}${"ab".repeat(20)}cd8690dc`);
});

const refuses = (request: Record<string, unknown>, code: number, message: string) =>
  assert.throws(
    () => parseLogFilter(request, 10_000, 9_982, LOG_LIMITS),
    (error) => error instanceof TronRpcError && error.code === code && error.message === message,
  );

test("eth_getLogs has java-tron's limits and messages", () => {
  const word = `0x${"1".repeat(64)}`;
  assert.deepEqual(LOG_LIMITS, {
    maxBlockRange: 5_000,
    maxSubTopics: 1_000,
    maxResults: 10_000,
  });
  const whole = parseLogFilter({ fromBlock: "0x1", toBlock: "0x1389" }, 10_000, 9_982, LOG_LIMITS);
  assert.deepEqual([whole.from, whole.to], [1, 5_001]);
  refuses({ fromBlock: "0x1", toBlock: "0x138a" }, -32602, "exceed max block range: 5000");
  refuses({ fromBlock: "0x1" }, -32602, "exceed max block range: 5000");
  refuses({ fromBlock: "0x2", toBlock: "0x1" }, -32602, "please verify: fromBlock <= toBlock");
  refuses({ fromBlock: "pending" }, -32602, "TAG pending not supported");
  refuses({ toBlock: "safe" }, -32602, "invalid block number");
  refuses({ toBlock: "0xzz" }, -32602, "invalid block number");
  refuses({ topics: [Array(1_001).fill(word)] }, -32602, "exceed max topics: 1000");
  refuses({ topics: Array(5).fill(null) }, -32602, "topics size should be <= 4");
  refuses({ topics: ["0x1"] }, -32602, "invalid topic(s): 0x1");
  refuses({ address: "41aa" }, -32602, "invalid address: 41aa");
  const noHex = "exception decoding Hex string: invalid characters encountered in Hex string";
  refuses({ address: "TR7N" }, -32001, noHex);
  refuses({ blockHash: "0x1" }, -32602, "invalid hash value");
  refuses(
    { blockHash: word, toBlock: "0x1" },
    -32602,
    "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other",
  );
});

test("reads tags as heights: finalized is the solidified block", () => {
  assert.deepEqual(
    ["latest", "earliest", "finalized", "0x10", "16", 16].map((tag) => parseHeightParameter(tag, 100, 82)),
    [100, 0, 82, 16, 16, 16],
  );
});

test("a journal with an incomplete last line keeps every whole line, and continues after them", () => {
  const path = join(mkdtempSync(join(tmpdir(), "journal-")), "chain.journal");
  const entries = ["a", "b"].map((txId) => ({ kind: "dropped" as const, txId }));
  const journal = openJournal(path);
  for (const entry of entries) journal.append(entry);
  appendFileSync(path, '{"kind":"dropped","txI');
  const second = openJournal(path);
  assert.deepEqual(second.entries, entries);
  second.append({ kind: "dropped", txId: "c" });
  assert.equal(openJournal(path).entries.length, 3);
  assert.ok(readFileSync(path, "utf8").endsWith('"c"}\n'));
});

test("mines many blocks in steps, and reports the step that fails", async () => {
  let mined = 0;
  let largest = 0;
  let broken = false;
  const engine = {
    async call(method: string, [blocks = "0x1"]: readonly unknown[] = []) {
      if (broken) throw new Error("the engine does not answer");
      const count = method === "anvil_mine" || method === "evm_mine" ? Number(blocks) : 0;
      mined += count;
      largest = Math.max(largest, count);
    },
  };
  const chain = new TronChain(engine as never, new TransactionBook(null), {
    chainId: 1,
    solidifiedLag: 2,
    resources: false,
  });
  await chain.mine(1);
  assert.equal(mined, 1);
  await chain.mine(20_000);
  assert.equal(mined, 20_001);
  assert.ok(largest < 1_000, `${largest} at once`);
  broken = true;
  await assert.rejects(chain.mine(1), /does not answer/);
});
