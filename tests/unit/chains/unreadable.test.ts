import assert from "node:assert/strict";
import { test } from "node:test";
import { listLogAddresses, parseTransferLogs, TRANSFER_TOPIC } from "#lib/chains/evm/codec.ts";
import { listAccounts, readAccountsForm } from "#lib/chains/solana/parse-block.ts";
import { listTronAddresses, parseTrxTransfer } from "#lib/chains/tron/block.ts";
import { leaveOutOthers, parseEach, type UnreadableEntry } from "#lib/chains/unreadable.ts";
import { isNodeError } from "#tests/support/node-errors.ts";

const OURS = "0b".repeat(20);
const OTHER = "0c".repeat(20);
const word = (hex: string) => `0x${hex.padStart(64, "0")}`;
const isMalformed = isNodeError("malformed");

/** How many of these entries are left out. Rejects when one may be ours. */
async function countLeftOut(
  entries: readonly unknown[],
  parse: (entry: unknown) => unknown,
  listNames: (entry: unknown) => readonly string[] | null,
  ours: string,
): Promise<number> {
  const unreadable: UnreadableEntry[] = [];
  parseEach(entries, parse, unreadable);
  assert.equal(unreadable.length, entries.length, "none of them can be parsed");
  let left = 0;
  const filter = async (names: readonly string[]) => new Set(names.filter((name) => name === ours));
  await leaveOutOthers(unreadable, listNames, filter, () => {
    left += 1;
  });
  return left;
}

test("a log of a listed token that is no transfer is left out unless it names one of our addresses", async () => {
  const log = (receiver: string) => ({
    topics: [TRANSFER_TOPIC, word(OTHER), word(receiver), word("1")],
    data: "0x",
  });
  const inData = (receiver: string) => ({
    topics: [TRANSFER_TOPIC],
    data: `0x${OTHER.padStart(64, "0")}${receiver.padStart(64, "0")}${"1".padStart(64, "0")}`,
  });
  const count = (...logs: unknown[]) =>
    countLeftOut(logs, (entry) => parseTransferLogs([entry]), listLogAddresses, `0x${OURS}`);
  assert.equal(await count(log(OTHER), inData(OTHER)), 2);
  await assert.rejects(count(log(OTHER), log(OURS)), isMalformed);
  await assert.rejects(count(inData(OURS)), isMalformed);
  const withoutReceiver = { topics: [TRANSFER_TOPIC, word(OTHER)], data: word("1") };
  await assert.rejects(count(withoutReceiver), isMalformed, "its receiver may be missing");
  for (const odd of [null, {}, { topics: [], data: 7 }, { ...log(OTHER), data: "0xzz" }])
    await assert.rejects(count(odd), isMalformed, JSON.stringify(odd));
});

test("a TRX transfer that cannot be parsed is left out unless its bytes name one of our addresses", async () => {
  const transfer = (receiver: string, bytes = `0a02${`41${OTHER}`}1215${`41${receiver}`}18c0843d`) => ({
    txID: "a1".repeat(32),
    raw_data: {
      contract: [{ type: "TransferContract", parameter: { value: { to_address: "?", amount: "1" } } }],
    },
    raw_data_hex: bytes,
  });
  const count = (...transactions: unknown[]) =>
    countLeftOut(transactions, parseTrxTransfer, listTronAddresses, `0x${OURS}`);
  assert.equal(await count(transfer(OTHER)), 1);
  await assert.rejects(count(transfer(OURS)), isMalformed);
  await assert.rejects(count(transfer(OTHER, "0a02")), isMalformed, "its bytes are missing");
});

test("a Solana transaction that cannot be parsed is left out unless it names one of our accounts", async () => {
  const transaction = (account: string, owner: string, changes: object = {}) => ({
    transaction: { accountKeys: [{ pubkey: account }], signatures: [] },
    meta: { err: null, preTokenBalances: [], postTokenBalances: [{ owner }], ...changes },
  });
  const count = (...transactions: unknown[]) =>
    countLeftOut(transactions, (entry) => readAccountsForm(entry, new Set()), listAccounts, "ours");
  assert.equal(await count(transaction("other", "other")), 1);
  await assert.rejects(count(transaction("ours", "other")), isMalformed);
  await assert.rejects(count(transaction("other", "ours")), isMalformed);
  await assert.rejects(count(transaction("other", "other", { postTokenBalances: null })), isMalformed);
});
