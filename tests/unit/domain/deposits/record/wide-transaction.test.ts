/** A stranger's transaction with hundreds of inputs pays thousands of our addresses. It costs what its bytes cost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RawTx } from "@scure/btc-signer";
import { eq, sql } from "drizzle-orm";
import { parseUtxoTransaction } from "#lib/chains/utxo/block.ts";
import { KEY_HASH_SCRIPTS } from "#lib/chains/utxo/key-hash-scripts.ts";
import { collectCandidates, matchCandidates, type OutputCandidate } from "#lib/chains/utxo/match-outputs.ts";
import { insertCursor } from "#lib/domain/deposits/record/cursor-store.ts";
import { recordScan, type Scan } from "#lib/domain/deposits/record/record-scan.ts";
import { listRecordedDeposits } from "#lib/domain/deposits/record/store.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import type { TimedBlock } from "#lib/domain/deposits/types.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
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
    blockExtra: undefined,
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
  const watch = {
    ...scope,
    adapter,
    database: database.database,
    paymentLinks,
    log,
    ...openManualClock(now),
  };
  await db.transaction((tx) => insertCursor(tx, scope, { ...at, gap: null }, now));
  type Step = Pick<Scan, "from" | "fork" | "to">;
  /** Reads the transfers in this block, or without one in the mempool. */
  const scan = (
    found: Awaited<ReturnType<typeof readWide>>,
    step: Step = { from: at, fork: null, to: at },
    block: TimedBlock | null = null,
  ) => {
    const some = found.map(({ address: _, ...transfer }) => ({ ...transfer, addressId, merchantId, block }));
    const read =
      block === null
        ? { observations: [], mempool: { observations: some, gone: null } }
        : { observations: some, mempool: null };
    return recordScan(watch, { ...step, ...read, blocks: [], nodeHeight: step.to.height }, new Set(), now);
  };
  const stop = measureTurns();
  await scan(transfers.slice(1));
  t.diagnostic(JSON.stringify(stop()));
  const { rows } = await db.execute(sql`
    select count(*)::integer as deposits, sum(cardinality(spends))::integer as outpoints from deposits`);
  assert.deepEqual(rows, [{ deposits: OUTPUTS - 1, outpoints: INPUTS }]);
  const size = await db.execute(sql`select pg_total_relation_size('deposits')::integer as bytes`);
  t.diagnostic(JSON.stringify({ ...size.rows[0], ...process.memoryUsage() }));

  // An output that is found later is of the same transaction: what replaces it drops all of them.
  await scan(transfers);
  assert.equal(await db.$count(deposits), OUTPUTS);
  const missing = await scan(await readWide(INPUTS - 1, 1));
  assert.deepEqual(missing, new Set());
  assert.equal(await db.$count(deposits, eq(deposits.status, "dropped")), OUTPUTS);
  const options = { forkHeight: null, waiting: true };
  const waiting = await db.transaction((tx) => listRecordedDeposits(tx, scope, [], options));
  assert.equal(waiting.length, 1, "only the transaction that replaced it waits");

  // Mined and reorganized away, they are dropped again, by the list of the one deposit that has it.
  const [mined, other] = [
    { height: 2, hash: "b", time: now },
    { height: 2, hash: "c", time: now },
  ];
  await scan(transfers, { from: at, fork: null, to: mined }, mined);
  assert.equal(await db.$count(deposits, eq(deposits.blockHash, "b")), OUTPUTS);
  await scan(await readWide(INPUTS - 1, 1), { from: mined, fork: at, to: other }, other);
  assert.equal(await db.$count(deposits, eq(deposits.status, "dropped")), OUTPUTS);
});
