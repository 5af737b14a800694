/** A stranger sends one link thousands of payments of the smallest unit. It costs the stranger about a dollar. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { reportSmallDeposits } from "#lib/domain/deposits/small/report-small-deposits.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { payUsdt, rpc, sendEvmUsdt } from "#tests/support/anvil.ts";
import { checkEventData } from "#tests/support/check-event-data.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

const TRANSFERS = 6_000;
const IN_A_TRANSACTION = 1_000;

test(`${TRANSFERS} payments to one link in one block delay no other link and do not block the process`, async (t) => {
  const chain = await openWatchedChain(t);
  const [dusted, honest] = [await chain.link(100), await chain.link(10)];
  const watcher = chain.watch();
  await chain.caughtUp();
  await rpc(chain.url, "evm_setBlockGasLimit", ["0x7fffffff"]);
  for (let sent = 0; sent < TRANSFERS; sent += IN_A_TRANSACTION) {
    const dust = Array.from({ length: IN_A_TRANSACTION }, () => ({ to: dusted.address, amount: 1n }));
    await payUsdt(chain.url, dust);
  }
  await sendEvmUsdt(chain.url, honest.address, 10n * USDT);
  const stop = measureTurns();
  const startedAt = performance.now();
  await chain.mine(3);
  await until(
    "the honest link to complete",
    async () => (await chain.linkState(honest.refid)) === "completed",
  );
  const took = performance.now() - startedAt;
  await until(
    "all of it to be credited",
    async () => (await chain.db.$count(deposits, eq(deposits.status, "credited"))) === TRANSFERS + 1,
  );
  const all = performance.now() - startedAt;
  const figures = { took, all, ...stop() };
  t.diagnostic(JSON.stringify(figures));
  // Shares of the whole, and processor time: by the clock, all takes 6 s alone and 34 s on a busy machine. The honest payment takes half
  // of it, and the longest turn a twenty-fifth of the work.
  const isQuick = took < 0.75 * all && figures.longest < figures.total / 10;
  assert.ok(isQuick && figures.total < 10_000, JSON.stringify(figures));
  const { rows } = await chain.db.execute<{ before: number }>(sql`
    select count(*)::integer as before from ledger_transfers where id < (
      select t.id from ledger_transfers t join deposits d on t.cause = 'deposit:' || d.id || ':1' where d.amount > 1)`);
  assert.ok(rows[0]!.before <= 20, "the honest payment was credited with the first ones");
  const types = await chain.db.execute(sql`
    select type, count(*)::integer, sum(length(body))::integer as bytes from webhook_events group by type order by type`);
  t.diagnostic(JSON.stringify(types.rows));
  const events = await chain.db.$count(webhookEvents);
  assert.equal(events, 2, "the honest link's completion and its deposit");
  // A minute by the watcher's clock, which is ahead by a second for each turn.
  const now = new Date(Date.now() + 3_600_000);
  assert.equal(await reportSmallDeposits({ db: chain.db, networks: chain.networks }, now), 1);
  const [event] = await chain.db.select().from(webhookEvents).where(eq(webhookEvents.type, "small_deposits"));
  assert.equal(checkEventData("small_deposits", event!.body).credited_count, TRANSFERS);
  assert.ok(event!.body.length < 20_000, `${event!.body.length} bytes`);
  assert.equal(await chain.linkState(dusted.refid), "awaiting");
  assert.equal(await chain.balance(), 10n * USDT + BigInt(TRANSFERS));
  await watcher.stop();
  assert.deepEqual((await chain.ledger()).problems, []);
});
