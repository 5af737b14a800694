import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { postTransfer, postTransfers } from "#lib/domain/ledger/post-transfers.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import { lockAccounts, lockBuyAccounts } from "#lib/domain/ledger/store.ts";
import type { AccountCode, NewLedgerTransfer } from "#lib/domain/ledger/types.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { watchLockWaits } from "#tests/support/lock-waits.ts";

const database = await databaseOfFile();
let merchantIds: [number, number, number];
const now = new Date();
let causes = 0;

before(async () => {
  const rows = await database.db
    .insert(merchants)
    .values([1, 2, 3].map((n) => ({ email: `m${n}@example.com`, name: "M" })))
    .returning({ id: merchants.id });
  merchantIds = rows.map(({ id }) => id) as typeof merchantIds;
});

function transfer(changes: Partial<NewLedgerTransfer>): NewLedgerTransfer {
  causes += 1;
  return {
    env: "test",
    token: "usdt",
    from: "custody:bep20",
    to: `merchant:${merchantIds[0]}`,
    amount: 10n,
    cause: `operator:test:${causes}`,
    ...changes,
  };
}

async function balances(): Promise<Record<string, bigint>> {
  const accounts = await listLedgerAccounts(database.db, "test");
  return Object.fromEntries(accounts.map(({ code, balance }) => [code, balance]));
}

async function clean(): Promise<void> {
  const { problems } = await checkLedger(database.db);
  assert.deepEqual(problems, []);
}

const inTx = <T>(work: Parameters<typeof database.db.transaction<T>>[0]) => database.db.transaction(work);

test("locks no account while one of them does not exist", async () => {
  const there = { env: "test", token: "usdt", code: "custody:bep20" } as const;
  const missing = { ...there, code: "custody:erc20" } as const;
  await inTx((tx) => postTransfer(tx, transfer({}), now));
  await inTx(async (tx) => {
    assert.equal(await lockAccounts(tx, [there, missing]), null);
    assert.equal(await lockBuyAccounts(tx, [there, missing], 1), null);
    await database.db.execute("select from ledger_accounts for update nowait");
    assert.equal((await lockAccounts(tx, [there]))?.length, 1);
    await assert.rejects(database.db.execute("select from ledger_accounts for update nowait"));
  });
});

test("reserves the ids of buys with the locks, and sees the balances that others wrote while it waited", async () => {
  const refs = [
    { env: "test", token: "usdt", code: "custody:bep20" },
    { env: "test", token: "usdt", code: "desk" },
  ] as const;
  await inTx((tx) => postTransfer(tx, transfer({ to: "desk" }), now));
  const { db, pool, close } = openDatabase(database.url, { max: 2 });
  const waits = await watchLockWaits(pool);
  const posted = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<void>();
  const first = db.transaction(async (tx) => {
    await postTransfer(tx, transfer({ to: "desk", amount: 4n }), now);
    posted.resolve();
    await waiting.promise;
  });
  await posted.promise;
  const second = db.transaction((tx) => lockBuyAccounts(tx, refs, 3));
  await waits();
  waiting.resolve();
  await first;
  const locked = await second;
  const written = await balances();
  assert.deepEqual(
    locked?.accounts.map(({ code, balance }) => [code, balance]),
    refs.map(({ code }) => [code, written[code]]),
  );
  const { buyIds = [] } = locked ?? {};
  const again = await inTx((tx) => lockBuyAccounts(tx, refs, 2));
  assert.deepEqual([buyIds.length, new Set([...buyIds, ...(again?.buyIds ?? [])]).size], [3, 5]);
  await close();
});

test("posts a transfer once and ignores a repeated cause", async () => {
  const before = (await balances())["custody:bep20"] ?? 0n;
  const one = transfer({ amount: 7n });
  assert.ok((await inTx((tx) => postTransfer(tx, one, now))).posted);
  assert.deepEqual(await inTx((tx) => postTransfer(tx, one, now)), { posted: false, reason: "duplicate" });
  assert.equal((await balances())["custody:bep20"], before - 7n);
  await clean();
});

test("does not let a merchant spend its money twice", async () => {
  const from: AccountCode = `merchant:${merchantIds[1]}`;
  await inTx((tx) => postTransfer(tx, transfer({ to: from, amount: 5n }), now));
  const spend = () => inTx((tx) => postTransfer(tx, transfer({ from, to: "fees", amount: 4n }), now));
  assert.ok((await spend()).posted);
  assert.deepEqual(await spend(), { posted: false, reason: "insufficient_balance" });
  await clean();
});

test("posts a batch in order, skips posted causes, and posts nothing if one balance is insufficient", async () => {
  const to: AccountCode = "reserved:batch";
  const batch = [transfer({ to, amount: 3n }), transfer({ from: to, to: "fees", amount: 3n })];
  assert.deepEqual(
    [...(await inTx((tx) => postTransfers(tx, batch, now)))].sort(),
    batch.map((t) => t.cause).sort(),
  );
  assert.equal((await inTx((tx) => postTransfers(tx, batch, now))).size, 0);
  const before = await balances();
  const unpayable = [transfer({ to, amount: 1n }), transfer({ from: to, to: "fees", amount: 2n })];
  await assert.rejects(inTx((tx) => postTransfers(tx, unpayable, now)));
  assert.deepEqual(await balances(), before);
  await clean();
});

test("reverses a transfer once with the opposite transfer", async () => {
  const one = transfer({ amount: 9n });
  await inTx((tx) => postTransfer(tx, one, now));
  const before = await balances();
  const undo = () => inTx((tx) => reverseTransfer(tx, one.cause, `${one.cause}:reversal`, now));
  assert.equal(await undo(), true);
  assert.equal(await undo(), false);
  assert.equal((await balances())["custody:bep20"], before["custody:bep20"]! + 9n);
  assert.equal(await inTx((tx) => reverseTransfer(tx, "test:unknown", "test:unknown:reversal", now)), false);
  await clean();
});

test("ledger check reports a balance that differs from its postings", async () => {
  await database.db.execute("update ledger_accounts set balance = balance + 1 where code = 'fees'");
  const { ok, problems } = await checkLedger(database.db);
  assert.equal(ok, false);
  assert.equal(problems.length, 2);
  await database.db.execute("update ledger_accounts set balance = balance - 1 where code = 'fees'");
  await clean();
});

test("posts fifty concurrent transfers between the same accounts without a deadlock or a loss", async () => {
  const { db, close } = openDatabase(database.url, { max: 50 });
  const codes: AccountCode[] = ["fees", "desk", "custody:bep20", `receivable:${merchantIds[2]}`];
  const start = await balances();
  const work = Array.from({ length: 50 }, (_, i) =>
    transfer({ from: codes[i % 4]!, to: codes[(i + 1 + (i % 3)) % 4]!, amount: BigInt(i + 1) }),
  );
  await Promise.all(work.map((one) => db.transaction((tx) => postTransfer(tx, one, now))));
  const end = await balances();
  for (const code of codes) {
    const moved = work.reduce(
      (sum, t) => sum + (t.to === code ? t.amount : 0n) - (t.from === code ? t.amount : 0n),
      0n,
    );
    assert.equal(end[code], (start[code] ?? 0n) + moved, code);
  }
  await close();
  await clean();
});

test("posts fifty concurrent credits to new accounts without a deadlock or a loss", async () => {
  const [a, b, c] = merchantIds;
  const work = Array.from({ length: 50 }, (_, i) => ({
    env: "test" as const,
    token: "btc" as const,
    network: "bep20" as const,
    merchantId: [a, b, c][i % 3]!,
    amount: 1n,
    cause: `operator:test:parallel-${i}`,
  }));
  await Promise.all(work.map((credit) => inTx((tx) => creditMerchants(tx, [credit], now))));
  const accounts = await listLedgerAccounts(database.db, "test");
  const custody = accounts.find(({ code, token }) => code === "custody:bep20" && token === "btc");
  assert.equal(custody?.balance, -50n);
  await clean();
});

type Step =
  | { kind: "credit"; merchant: number; amount: bigint }
  | { kind: "spend"; merchant: number; amount: bigint }
  | { kind: "reverse"; credit: number };

test("agrees with a model for credits, spending and reversals in any order", async () => {
  const amount = fc.bigInt({ min: 1n, max: 20n });
  const merchant = fc.nat(1);
  const step = fc.oneof(
    fc.record({ kind: fc.constant("credit" as const), merchant, amount }),
    fc.record({ kind: fc.constant("spend" as const), merchant, amount }),
    fc.record({ kind: fc.constant("reverse" as const), credit: fc.nat(5) }),
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps: Step[]) => {
      run += 1;
      const ids = [0, 1].map((n) => 1_000_000 + run * 10 + n);
      await database.db
        .insert(merchants)
        .overridingSystemValue()
        .values(ids.map((id) => ({ id, email: `p${id}@example.com`, name: "P" })));
      const model = { own: [0n, 0n], owed: [0n, 0n] };
      const credits: { cause: string; merchant: number; amount: bigint; live: boolean }[] = [];
      for (const [n, s] of steps.entries()) {
        const cause = `operator:test:property-${run}-${n}`;
        if (s.kind === "credit") {
          const merchantId = ids[s.merchant]!;
          const credit = {
            env: "test",
            token: "usdt",
            network: "bep20",
            merchantId,
            amount: s.amount,
            cause,
          } as const;
          await inTx((tx) => creditMerchants(tx, [credit], now));
          credits.push({ cause, merchant: s.merchant, amount: s.amount, live: true });
          const owed = model.owed[s.merchant]!;
          const repaid = owed < s.amount ? owed : s.amount;
          model.owed[s.merchant] = owed - repaid;
          model.own[s.merchant] = model.own[s.merchant]! + s.amount - repaid;
        } else if (s.kind === "spend") {
          const from: AccountCode = `merchant:${ids[s.merchant]!}`;
          const { posted } = await inTx((tx) =>
            postTransfer(tx, transfer({ from, to: "fees", amount: s.amount, cause }), now),
          );
          assert.equal(posted, model.own[s.merchant]! >= s.amount);
          if (posted) model.own[s.merchant] = model.own[s.merchant]! - s.amount;
        } else {
          const credit = credits[s.credit];
          if (!credit) continue;
          const done = await inTx((tx) => reverseTransfer(tx, credit.cause, `${credit.cause}:reversal`, now));
          assert.equal(done, credit.live);
          if (!credit.live) continue;
          credit.live = false;
          const own = model.own[credit.merchant]!;
          const paid = own < credit.amount ? own : credit.amount;
          model.own[credit.merchant] = own - paid;
          model.owed[credit.merchant] = model.owed[credit.merchant]! + credit.amount - paid;
        }
      }
      const found = await balances();
      for (const n of [0, 1]) {
        assert.equal(found[`merchant:${ids[n]}`] ?? 0n, model.own[n]);
        assert.equal(found[`receivable:${ids[n]}`] ?? 0n, -model.owed[n]!);
      }
    }),
    { numRuns: 60 },
  );
  await clean();
});

/** Must be the last test, because its transfer stays posted. */
test("ledger check reports a custody transfer that is not a deposit, a withdrawal or an operator movement", async () => {
  await inTx((tx) => postTransfer(tx, transfer({ cause: "gift:1" }), now));
  const { problems } = await checkLedger(database.db);
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /^transfer \d+ \(gift:1\) moves custody/);
});
