/** TRX for a link that asks for USDT, on our emulator of a TRON node. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_POSITION } from "#lib/chains/transfers.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { actOf } from "#tests/support/acts.ts";
import { payTrc10, payTrx, payUsdt, startTestTron, trc20 } from "#tests/support/tron.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";

const PAIR = { network: "trc20", token: "usdt" } as const;

test("holds TRX for a link that asks for USDT as another token, resolves it once, and completes the link with USDT", async (t) => {
  const emulator = await startTestTron({});
  const watched = await openWatchedNetwork(polledOften(trc20(emulator)), PAIR, "usdt/usd=1,trx/usd=0.25");
  t.after(async () => {
    await watched.close();
    await emulator.stop();
  });
  const { db, networks, merchantId } = watched;
  const balances = async () =>
    (await listLedgerAccounts(db, "test"))
      .filter(({ balance }) => balance !== 0n)
      .map(({ code, token, balance }) => `${code} ${token} ${balance}`)
      .sort();
  watched.watch();
  await until("the watcher's start", () => watched.cursor());
  const link = await watched.link(10);
  const txHash = await payTrx(emulator, link.address, 40_000_000);
  await payTrc10(emulator, link.address, 10_000_000);
  await emulator.mine(3);
  const [held] = await watched.depositsAre(["held"]);
  assert.deepEqual(
    [held!.txHash, held!.token, held!.position, held!.amount, held!.unmatchedReason],
    [txHash, "trx", NO_POSITION, 40_000_000n, "other_token"],
  );
  assert.equal(await watched.linkState(link.refid), "awaiting");
  assert.deepEqual(await watched.events(), []);
  assert.deepEqual(await balances(), ["custody:trc20 trx -40000000", "unmatched:trc20 trx 40000000"]);
  const [row, ...others] = await listUnmatchedDeposits(db, "test", merchantId, { before: null, limit: 10 });
  assert.deepEqual(others, []);
  assert.equal(row!.id, held!.id);

  await payUsdt(emulator, link.address, Number(link.due / 10n ** 12n));
  await emulator.mine(3);
  await watched.depositsAre(["held", "credited"]);
  assert.equal(await watched.linkState(link.refid), "completed");

  const resolve = () =>
    db.transaction((tx) => resolveDeposit(actOf(tx, merchantId), { networks, id: held!.id }));
  assert.equal((await resolve()).ok, true);
  assert.equal((await resolve()).ok, false);
  assert.ok((await balances()).includes(`merchant:${merchantId} trx 40000000`));
  assert.deepEqual((await watched.ledger()).problems, []);
});
