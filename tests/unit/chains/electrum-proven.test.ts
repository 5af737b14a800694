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

test("keeps of old payments only those that are set aside, and knows that the others were proven", async () => {
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
  const context = { proven, reader, lookedFor: { book, live: null, hashOf: () => "" } };
  await forgetOld(context, 1_000, async () => ours);
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

test("forgets the first payment that was left out when there are too many", () => {
  const proven = createProvenPayments();
  const at = (n: number) =>
    ({ transaction: { txid: `t${n}` }, block: BLOCK, scriptHash: null }) as unknown as ProvenTransaction;
  const all = Array.from({ length: MOST_LEFT_OUT + 1 }, (_, n) => at(n));
  for (const one of all) proven.add(one);
  proven.leaveOut(all);
  assert.deepEqual(proven.list(0, 20), []);
  assert.deepEqual(
    [0, 1, MOST_LEFT_OUT].map((n) => proven.has(`t${n}`, BLOCK.hash)),
    [false, true, true],
  );
});
