/** A stranger sends one link thousands of payments of the smallest unit. It costs the stranger about a dollar. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { payUsdt, rpc, sendEvmUsdt } from "#tests/support/anvil.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

const TRANSFERS = 6_000;
const IN_A_TRANSACTION = 1_000;

test(`${TRANSFERS} payments to one link in one block delay no other link and do not block the process`, async (t) => {
  const chain = await openWatchedChain();
  t.after(chain.close);
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
    async () => (await chain.db.$count(deposits, eq(deposits.status, 1))) === TRANSFERS + 1,
  );
  const all = performance.now() - startedAt;
  const { longest } = stop();
  t.diagnostic(JSON.stringify({ took, all, longest }));
  // Alone on the machine: 3 s, 6 s and 40 ms.
  assert.ok(took < 20_000 && all < 40_000 && longest < 150, JSON.stringify({ took, all, longest }));
  const { rows } = await chain.db.execute<{ before: number }>(sql`
    select count(*)::integer as before from webhook_events where type = 'deposit_credited' and id <
      (select min(id) from webhook_events where type = 'deposit_credited' and body like ${`%${honest.refid}%`})`);
  assert.ok(rows[0]!.before <= 20, "the honest payment was credited with the first ones");
  assert.equal(await chain.linkState(dusted.refid), "awaiting");
  assert.equal(await chain.balance(), 10n * USDT + BigInt(TRANSFERS));
  await watcher.stop();
  assert.deepEqual((await chain.ledger()).problems, []);
});
