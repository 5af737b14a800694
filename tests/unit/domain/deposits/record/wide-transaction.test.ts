/** A stranger's transaction with hundreds of inputs pays thousands of our addresses. It costs what its bytes cost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RawTx } from "@scure/btc-signer";
import { sql } from "drizzle-orm";
import { parseUtxoTransaction } from "#lib/chains/utxo/block.ts";
import { KEY_HASH_SCRIPTS } from "#lib/chains/utxo/key-hash-scripts.ts";
import { collectCandidates, matchCandidates, type OutputCandidate } from "#lib/chains/utxo/match-outputs.ts";
import { recordScan } from "#lib/domain/deposits/record/record-scan.ts";
import { listRecordedDeposits } from "#lib/domain/deposits/record/store.ts";
import { insertCursor } from "#lib/domain/deposits/watch/cursor-store.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";
import { log, openWatchedNetwork } from "#tests/support/watched-network.ts";

const INPUTS = 700;
const OUTPUTS = 1_500;

/** The transfers of a transaction whose outputs all pay us. `from` is the first outpoint's index. */
async function readWide(from: number, outputs: number) {
  const script = new Uint8Array(22).fill(7);
  script.set([0, 20]);
  const inputs = Array.from({ length: INPUTS }, (_, n) => ({
    txid: new Uint8Array(32).fill(9),
    index: from + n,
    finalScriptSig: new Uint8Array(),
    sequence: 0,
  }));
  const raw = Buffer.from(
    RawTx.encode({
      version: 2,
      lockTime: 0,
      segwitFlag: false,
      inputs,
      outputs: Array.from({ length: outputs }, () => ({ amount: 1_000n, script })),
    }),
  );
  const reader = {
    script: KEY_HASH_SCRIPTS.p2wpkh,
    encode: () => "ours",
    token: "btc",
    decimals: 8,
    coinbaseMaturity: 100,
  } as const;
  const candidates: OutputCandidate[] = [];
  collectCandidates(reader, { raw, transaction: parseUtxoTransaction(raw), block: null }, candidates);
  return matchCandidates(reader, candidates, async (all) => new Set(all));
}

test(`the inputs of a transaction of ${INPUTS} × ${OUTPUTS} are in memory and in the database once`, async (t) => {
  const transfers = await readWide(0, OUTPUTS);
  assert.equal(transfers.length, OUTPUTS);
  assert.equal(
    new Set(transfers.map(({ spends }) => spends)).size,
    1,
    "all outputs share one list of inputs",
  );

  const pair = { network: "bitcoin", token: "btc" } as const;
  const watched = await openWatchedNetwork(bitcoinNetwork("http://127.0.0.1:9"), pair, "btc/usd=100000");
  t.after(watched.close);
  const { db, adapter, merchantId } = watched;
  const scope = { env: "test", network: "bitcoin" } as const;
  const { id: addressId } = await watched.address();
  const at = { height: 1, hash: "a" };
  const now = new Date();
  const { paymentLinks, database } = watched;
  const watch = { ...scope, adapter, database: database.database, paymentLinks, log, now: () => now };
  await db.transaction((tx) => insertCursor(tx, scope, { ...at, gap: null }, now));
  const scanMempool = async (found: Awaited<ReturnType<typeof readWide>>, missing = new Set<number>()) => {
    const mempool = found.map(({ address: _, ...transfer }) => ({ ...transfer, addressId, merchantId }));
    const scan = { from: at, fork: null, to: at, blocks: [], nodeHeight: 1, observations: [], mempool };
    return recordScan(watch, scan, missing, now);
  };
  const stop = measureTurns();
  await scanMempool(transfers);
  t.diagnostic(JSON.stringify(stop()));
  const { rows } = await db.execute(sql`
    select count(*)::integer as deposits, sum(cardinality(spends))::integer as outpoints from deposits`);
  assert.deepEqual(rows, [{ deposits: OUTPUTS, outpoints: INPUTS }]);
  const size = await db.execute(sql`select pg_total_relation_size('deposits')::integer as bytes`);
  t.diagnostic(JSON.stringify({ ...size.rows[0], ...process.memoryUsage() }));

  // A transaction that spends one of the inputs drops all of them at once, not only the one that has the list.
  const missing = await scanMempool(await readWide(INPUTS - 1, 1));
  assert.deepEqual(missing, new Set());
  const options = { forkHeight: null, waiting: true };
  const waiting = await db.transaction((tx) => listRecordedDeposits(tx, scope, [], options));
  assert.equal(waiting.length, 1, "only the transaction that replaced it waits");
});
