import type { Pool } from "pg";
import type { AddressFilter } from "#lib/chains/blocks.ts";
import { listKnownAddresses } from "#lib/domain/wallets/queries.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { startEmbedded } from "#lib/platform/db/embedded.ts";
import { migrate } from "#lib/platform/db/migrate.ts";
import { bitcoinAdapter } from "../support/bitcoin-adapter.ts";
import { mineBigBlock } from "../support/bitcoin-big-block.ts";
import { openBitcoin, startBitcoind } from "../support/bitcoind.ts";
import { temporaryFolder } from "../support/database.ts";
import { percentile, report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const TRANSACTIONS = sized(4_000, 1_000);
const OUTPUTS = sized(10_000, 2_000);
const OURS = 100;
const WATCHED = sized([1_000, 100_000, 1_000_000], [1_000, 2_000]);
const RUNS = sized(15, 2);

/** Reads and matches a block of main chain size while the number of watched addresses grows. */
export async function benchBigBlock(): Promise<void> {
  const folder = temporaryFolder();
  const postgres = await startEmbedded(folder);
  await migrate(postgres.url);
  const { db, pool, close } = openDatabase(postgres.url);
  const node = await startBitcoind();
  try {
    const bitcoin = openBitcoin(node.url);
    const adapter = bitcoinAdapter(node.url);
    const paid = Array.from({ length: 2_000 }, (_, i) => adapter.addresses.derive(i).address);
    await mineBigBlock(
      bitcoin,
      TRANSACTIONS,
      Array.from({ length: OUTPUTS }, (_, i) => paid[i % paid.length] ?? ""),
    );
    const height = await bitcoin.height();
    const scan = async (ours: AddressFilter) => {
      const times: number[] = [];
      let found = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const started = performance.now();
        found = (await adapter.blocks.scan({ from: height, to: height }, ours)).transfers.length;
        times.push(performance.now() - started);
      }
      return { ms: percentile(times, 0.5), found };
    };
    const nobody: AddressFilter = async () => new Set();
    const stored: AddressFilter = async (candidates) =>
      new Set((await listKnownAddresses(db, "test", "bitcoin", candidates)).map(({ address }) => address));
    await watchAddresses(pool, paid.slice(0, OURS));
    await scan(nobody);
    const alone = await scan(nobody);
    report(
      `block of ${TRANSACTIONS} transactions, ${OUTPUTS} outputs: fetched and parsed alone`,
      `${alone.ms.toFixed(1)} ms`,
    );
    const times: number[] = [];
    for (const watched of WATCHED) {
      await fillAddresses(pool, watched);
      await scan(stored);
      const { ms, found } = await scan(stored);
      if (found !== (OURS * OUTPUTS) / paid.length) throw new Error(`${found} payments found in the block`);
      times.push(ms);
      const ratio = ms / alone.ms;
      report(`matched with ${watched.toLocaleString("en")} addresses watched`, `${ms.toFixed(1)} ms`, {
        text: `<= 1.5 x alone (${ratio.toFixed(2)})`,
        met: ratio <= 1.5,
      });
    }
    const flat = Math.max(...times) / Math.min(...times);
    reportRatio("a block matched with the most addresses, to the fewest", flat, {
      text: "<= 1.5",
      met: flat <= 1.5,
    });
    await explain(pool, paid);
  } finally {
    await node.stop();
    await close();
    await postgres.stop();
  }
}

async function watchAddresses(pool: Pool, addresses: readonly string[]): Promise<void> {
  await pool.query("insert into merchants (email, name) values ('bench@example.com', 'Bench')");
  await pool.query("insert into account_keys (env, key) values ('test', 'bench')");
  await pool.query(
    `insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
     select 'test', 'bitcoin', a, 1, n, 'm', 1, 'merchant' from unnest($1::text[]) with ordinality as t (a, n)`,
    [addresses],
  );
}

/** Adds other addresses until there are `total`. */
async function fillAddresses(pool: Pool, total: number): Promise<void> {
  await pool.query(
    `insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
     select 'test', 'bitcoin', 'bcrt1q' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 38), 1, n, 'm', 1, 'merchant'
     from generate_series((select max(index) + 1 from addresses), $1::int) as n`,
    [total],
  );
  await pool.query("analyze addresses");
}

/** The plan of the matching query at the largest size. */
async function explain(pool: Pool, candidates: readonly string[]): Promise<void> {
  const { rows } = await pool.query(
    `explain (analyze, costs off, timing off, summary off)
     select id from addresses where env = 'test' and network = 'bitcoin' and address = any($1)`,
    [candidates],
  );
  for (const row of rows) console.log(`    ${String(row["QUERY PLAN"]).slice(0, 110)}`);
}
