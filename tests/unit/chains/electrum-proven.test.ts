/** The memory of what Electrum servers proved does not grow with what strangers pay. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AddressBook } from "#lib/chains/address-book.ts";
import { forgetOld } from "#lib/chains/electrum/forget-old.ts";
import {
  createProvenPayments,
  MOST_LEFT_OUT,
  type ProvenTransaction,
} from "#lib/chains/electrum/proven-payments.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { parseUtxoTransaction } from "#lib/chains/utxo/block.ts";
import { getUtxoChain, getUtxoData } from "#lib/chains/utxo/chains.ts";
import { createKeyHashEncoder, KEY_HASH_SCRIPTS } from "#lib/chains/utxo/key-hash-scripts.ts";
import { payment } from "./fake-mempool.ts";

const BLOCK = { height: 10, hash: "h10", time: new Date(0) };

function prove(n: number): ProvenTransaction {
  const raw = Buffer.from(payment(n).hex, "hex");
  return { transaction: parseUtxoTransaction(raw), raw, block: BLOCK, scriptHash: `s${n}` };
}

/** Four old payments and what the tables say of them. */
function openOld() {
  const proven = createProvenPayments();
  const [recorded, setAside, dust, foreign] = [prove(1), prove(2), prove(3), prove(4)] as const;
  const all = [recorded, setAside, dust, foreign];
  for (const one of all) proven.add(one);
  proven.markRecorded(all);
  const book = {
    findRecordedBlocks: async () => new Map([[recorded.transaction.txid, BLOCK.hash]]),
    findSetAside: async () => new Set([setAside.transaction.txid]),
  } as unknown as AddressBook;
  const data = getUtxoData(NETWORKS.bitcoin);
  const reader = {
    script: KEY_HASH_SCRIPTS.p2wpkh,
    encode: createKeyHashEncoder("p2wpkh", getUtxoChain(data, "test", "regtest")),
    ...{ blockExtra: data.blockExtra, token: "btc" as const, decimals: 8, coinbaseMaturity: 100 },
  } as const;
  const ours = new Set([1, 2, 3].map((n) => payment(n).address));
  const forget = (changes: Partial<AddressBook> | null) => {
    const lookedFor = { book: changes && { ...book, ...changes }, live: null, hashOf: () => "" };
    return forgetOld({ proven, reader, lookedFor }, 1_000, async () => ours);
  };
  return { proven, recorded, setAside, dust, foreign, all, forget };
}

test("keeps of old payments only those that are set aside, and knows that the others were proven", async () => {
  const { proven, setAside, dust, foreign, forget } = openOld();
  await forget({});
  assert.deepEqual(proven.list(0, 20), [setAside]);
  const { txid } = dust.transaction;
  assert.ok(proven.has(txid, BLOCK.hash) && proven.hasAt(txid, BLOCK.height));
  assert.ok(!proven.has(txid, "h11") && !proven.hasAt(txid, 11));
  assert.ok(!proven.lists(txid, BLOCK.hash));
  // It was asked for by its id.
  proven.add(dust);
  assert.ok(proven.lists(txid, BLOCK.hash));
  assert.deepEqual(proven.listUnrecorded(20), [dust]);
  assert.ok(!proven.has(foreign.transaction.txid, BLOCK.hash));
});

test("forgets old payments later when the addresses are not named yet, or the database fails", async () => {
  const { proven, setAside, all, forget } = openOld();
  const fail = () => Promise.reject(new Error("the database does not answer"));
  await forget(null);
  for (const failing of [{ findRecordedBlocks: fail }, { findSetAside: fail }]) {
    await assert.rejects(forget(failing), /the database does not answer/);
    assert.deepEqual(proven.list(0, 20), all);
  }
  await forget({});
  assert.deepEqual(proven.list(0, 20), [setAside]);
  assert.deepEqual(proven.listOld(1_000), [], "a payment that is set aside is not looked at again");
});

/** Leaves out so many payments to an address. Returns the number of those that are still known to be proven. */
function openLeftOut() {
  const proven = createProvenPayments();
  const txid = (address: string, n: number) => `${address} ${n}`;
  const leaveOut = (address: string, count: number) => {
    const all = Array.from(
      { length: count },
      (_, n) =>
        ({
          ...{ transaction: { txid: txid(address, n) }, block: BLOCK },
          scriptHash: address,
        }) as unknown as ProvenTransaction,
    );
    for (const one of all) proven.add(one);
    proven.leaveOut(all);
  };
  const known = (address: string, count: number) =>
    Array.from({ length: count }, (_, n) => proven.has(txid(address, n), BLOCK.hash)).filter(Boolean).length;
  return { proven, leaveOut, known };
}

test("keeps the payments that others left out when a stranger sends too many to an address", () => {
  const { proven, leaveOut, known } = openLeftOut();
  leaveOut("ours", 3);
  leaveOut("stranger's", MOST_LEFT_OUT + 1);
  leaveOut("another", 3);
  assert.deepEqual(proven.list(0, 20), []);
  assert.deepEqual([known("ours", 3), known("another", 3)], [3, 3]);
  assert.equal(known("stranger's", MOST_LEFT_OUT + 1), MOST_LEFT_OUT - 6);
  assert.ok(proven.has("stranger's 0", BLOCK.hash), "the newest payments are forgotten first");
});

test("keeps as many left out payments of each of two addresses", () => {
  const { leaveOut, known } = openLeftOut();
  leaveOut("ours", 3);
  leaveOut("a", MOST_LEFT_OUT);
  leaveOut("b", MOST_LEFT_OUT);
  const [a, b] = [known("a", MOST_LEFT_OUT), known("b", MOST_LEFT_OUT)];
  assert.ok(Math.abs(a - b) <= 1 && a + b <= MOST_LEFT_OUT - 3, `${a} and ${b}`);
  assert.ok(a + b >= MOST_LEFT_OUT - 5, `${a} and ${b}`);
  assert.equal(known("ours", 3), 3);
});

test("never knows more left out payments than it may, of however many addresses", () => {
  const { leaveOut, known } = openLeftOut();
  let sum = 0;
  for (let n = 0; n < MOST_LEFT_OUT + 10; n++) leaveOut(`address ${n}`, 1);
  for (let n = 0; n < MOST_LEFT_OUT + 10; n++) sum += known(`address ${n}`, 1);
  assert.equal(sum, MOST_LEFT_OUT);
});
