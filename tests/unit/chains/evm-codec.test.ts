import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checksumAddress } from "viem";
import {
  canonicalizeEvmAddress,
  parseEvmHeader,
  parseQuantity,
  parseTransferLogs,
  TRANSFER_TOPIC,
  toChecksumAddress,
} from "#lib/chains/evm/codec.ts";
import { NodeError } from "#lib/chains/node-error.ts";

const word = (hex: string) => `0x${hex.padStart(64, "0")}`;
const SENDER = "a".repeat(40);
const RECEIVER = "b".repeat(40);
const log = {
  address: `0x${"C".repeat(40)}`,
  topics: [TRANSFER_TOPIC, word(SENDER), word(RECEIVER)],
  data: word("ff"),
  transactionHash: word("1"),
  logIndex: "0x2",
  blockNumber: "0x10",
  blockHash: word("2"),
};

const malformed = (work: () => unknown) =>
  assert.throws(work, (e) => e instanceof NodeError && e.kind === "malformed");

test("writes addresses with the checksum that viem writes, and reads them back", () => {
  const digits = fc.stringMatching(/^[0-9a-f]{40}$/);
  fc.assert(
    fc.property(digits, (hex) => {
      const address = `0x${hex}` as const;
      assert.equal(toChecksumAddress(address), checksumAddress(address));
      assert.equal(toChecksumAddress(checksumAddress(address)), checksumAddress(address));
      assert.equal(canonicalizeEvmAddress(toChecksumAddress(address)), address);
    }),
  );
});

test("parses every field of a transfer log", () => {
  assert.deepEqual(parseTransferLogs([log]), [
    {
      contract: `0x${"c".repeat(40)}`,
      sender: `0x${SENDER}`,
      address: `0x${RECEIVER}`,
      amount: 255n,
      txHash: word("1"),
      logIndex: 2,
      blockHeight: 16,
      blockHash: word("2"),
    },
  ]);
});

test("parses the largest amount exactly", () => {
  assert.equal(parseTransferLogs([{ ...log, data: word("f".repeat(64)) }])[0]!.amount, 2n ** 256n - 1n);
});

test("skips transfers of 0 and removed logs", () => {
  assert.deepEqual(
    parseTransferLogs([
      { ...log, data: word("0") },
      { ...log, removed: true },
    ]),
    [],
  );
});

for (const [what, change] of Object.entries<Record<string, unknown>>({
  "an amount cut short": { data: "0x01" },
  "an amount too long": { data: `${log.data}00` },
  "an amount as a number": { data: 255 },
  "no amount": { data: undefined },
  "a receiver of 32 bytes": { topics: [TRANSFER_TOPIC, word(SENDER), word("f".repeat(64))] },
  "another event": { topics: [word("3"), word(SENDER), word(RECEIVER)] },
  "an NFT's topics": { topics: [...log.topics, word("4")] },
  "no topics": { topics: null },
  "an index that is not a number": { logIndex: null },
  "a negative index": { logIndex: "-0x1" },
  "a height beyond exact numbers": { blockNumber: "0xffffffffffffff" },
  "an invalid hash": { transactionHash: "0x12" },
  "an invalid block hash": { blockHash: null },
  "an invalid address": { address: "0x12" },
})) {
  test(`rejects a log with ${what}`, () => malformed(() => parseTransferLogs([{ ...log, ...change }])));
}

test("rejects logs that are not a list, and a log that is not an object", () => {
  for (const answer of [null, {}, "logs", [null], ["log"], [[]]]) malformed(() => parseTransferLogs(answer));
});

test("parses a header or null, and rejects anything else", () => {
  const block = { number: "0x10", hash: word("2"), parentHash: word("1"), timestamp: "0x64" };
  const read = { height: 16, hash: word("2"), parentHash: word("1"), time: new Date(100_000) };
  assert.deepEqual(parseEvmHeader(block), { ...read, bloom: null, hasNoCalls: false });
  const logsBloom = `0x${"0F".repeat(256)}`;
  const empty = { ...block, logsBloom, transactions: [], transactionsRoot: `0x${"0".repeat(64)}` };
  assert.deepEqual(parseEvmHeader(empty), { ...read, bloom: logsBloom.toLowerCase(), hasNoCalls: true });
  assert.equal(parseEvmHeader({ ...empty, transactionsRoot: word("3") })?.hasNoCalls, false);
  assert.equal(parseEvmHeader({ ...empty, logsBloom: "0x" })?.bloom, null);
  assert.equal(parseEvmHeader(null), null);
  for (const change of [{ number: null }, { hash: "0x" }, { parentHash: 1 }, { timestamp: "now" }]) {
    malformed(() => parseEvmHeader({ ...block, ...change }));
  }
  malformed(() => parseEvmHeader("block"));
  assert.equal(parseQuantity("a number", "0x1fffffffffffff"), Number.MAX_SAFE_INTEGER);
});

test("skips logs without a transfer's form among the logs of any contract, and parses the rest strictly", () => {
  const odd = [
    { ...log, data: "0x" },
    { ...log, topics: [...log.topics, word("4")] },
    { ...log, topics: [TRANSFER_TOPIC] },
    { ...log, topics: [TRANSFER_TOPIC, word(SENDER), word("f".repeat(64))] },
  ];
  assert.deepEqual(parseTransferLogs([...odd, log], { anyContract: true }), parseTransferLogs([log]));
  malformed(() => parseTransferLogs([{ ...log, blockNumber: null }], { anyContract: true }));
});
