/**
 * Dumps of twenty times of a day with payouts and refunds, each restored with the journal of the day's end, following docs/operate/backup.md:
 * nothing is paid twice, and nothing that was paid is missing afterwards.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { refundDeposit } from "#lib/domain/deposits/unmatched/refund-deposit.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { actOf } from "#tests/support/acts.ts";
import { mine } from "#tests/support/anvil.ts";
import { policyText, type SignerWorld, signerWorld } from "#tests/support/signer-world.ts";
import { anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { aWithdrawal, USDT } from "#tests/support/withdrawals.ts";
import { openDumps } from "./dumps.ts";

const EMAIL = "shop@example.com";
const TIMES = 20;
const place = (n: number) => `0x${(2n ** 110n + BigInt(n)).toString(16).padStart(40, "0")}`;

const { dump, restore: restoreFrom } = openDumps();

const dumpAt = (w: SignerWorld, time: number) => join(w.folder, `paylink-${time}.dump`);
const backUp = (w: SignerWorld, time: number) => dump(w.database.url, dumpAt(w, time));
const restore = (w: SignerWorld, time: number) => restoreFrom(w.database.url, dumpAt(w, time));

interface Asked {
  readonly to: string;
  /** As the API sends it. Null: a person asked. */
  readonly key: string | null;
  /** The transaction of the unmatched deposit that is refunded. Null: it is a withdrawal. */
  readonly deposit: string | null;
}

const ask = (w: SignerWorld, { to, key, deposit }: Asked) =>
  deposit === null
    ? aWithdrawal(w, EMAIL, { amount: USDT, to, idempotencyKey: key })
    : refund(w, { to, txHash: deposit });

/** Refunds 1 USDT of an unmatched deposit. After a restore the watcher finds it again, and it has another number. */
async function refund(w: SignerWorld, { to, txHash }: { readonly to: string; readonly txHash: string }) {
  const [known] = await w.db.select().from(deposits).where(eq(deposits.txHash, txHash));
  const id = known?.id ?? (await receive(w, txHash));
  const amount = { token: "usdt", units: USDT } as const;
  const made = await w.db.transaction((tx) =>
    refundDeposit(actOf(tx, w.merchantId), { networks: w.networks, id, to, amount }),
  );
  assert.ok(made.ok, made.ok ? "" : JSON.stringify(made));
}

async function receive(w: SignerWorld, txHash: string): Promise<number> {
  const { id: addressId } = await anAddress(w.db, w.adapter, w.merchantId);
  const { id } = await anUnmatchedDeposit(w.db, { addressId });
  await w.db.update(deposits).set({ txHash }).where(eq(deposits.id, id));
  return id;
}

const has = async (w: SignerWorld, to: string): Promise<boolean> => {
  const text = "select from withdrawals where to_address = $1";
  return ((await w.database.database.pool.query(text, [to])).rowCount ?? 0) > 0;
};

/** The day: each time something is asked for, paid or completed. Returns what was asked for. */
async function live(w: SignerWorld): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (let time = 0; time < TIMES; time++) {
    await backUp(w, time);
    const deposit = time % 3 === 2 ? `0x${"d".repeat(62)}${10 + time}` : null;
    const next = { to: place(time), key: time % 2 === 0 ? `api:order-${time}` : null, deposit };
    asked.push(next);
    await ask(w, next);
    if (time % 4 !== 1) await w.step(w.start());
    if (time % 3 !== 1) await w.settle();
  }
  for (let rest = 0; rest < 3; rest++) {
    await w.step(w.start());
    await w.settle();
  }
  return asked;
}

test(`a database that is restored from any of ${TIMES} times of a day pays nothing twice and forgets nothing`, async (t) => {
  const w = await signerWorld(t);
  const asked = await live(w);
  const balances = () => Promise.all(asked.map(({ to }) => w.balance(to)));
  const paid = await balances();
  assert.deepEqual(
    paid,
    asked.map(() => USDT),
  );
  const journal = w.journal();
  for (let time = 0; time < TIMES; time++) {
    await restore(w, time);
    const named: Record<string, string>[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void named.push(JSON.parse(line)) });
    // Before the manual's steps are done programs send their requests again, and people what they miss.
    await w.db.execute(
      sql`select setval(pg_get_serial_sequence('deposits', 'id'), ${1_000_000 * (time + 1)})`,
    );
    for (const one of asked) if (one.key !== null || !(await has(w, one.to))) await ask(w, one);
    const signer = w.start(policyText(), { log });
    await w.step(signer);
    const forgotten = named.filter(({ reason }) => reason === "withdrawal_missing");
    for (const { refid = "", to = "", txHash = "" } of forgotten) {
      const one = asked.find((other) => other.to.toLowerCase() === to.toLowerCase());
      assert.ok(one?.key === null && one.deposit === null, `time ${time}: ${to} got another reference`);
      if ((await findWithdrawalByRefid(w.db, { env: "test", refid, merchantId: null })) !== null) continue;
      const entered = await aWithdrawal(w, EMAIL, { amount: USDT, to });
      const sent = await w.sent(entered.refid, txHash);
      assert.ok(sent.ok, sent.ok ? "" : `time ${time}: ${sent.reason}`);
    }
    for (let steps = 0; steps < 3; steps++) {
      await w.step(signer);
      await mine(w.url, 4);
      await w.follow();
    }
    assert.deepEqual(await balances(), paid, `restored from time ${time}: paid twice`);
    assert.equal(openJournal(w.journalPath).entries.length, journal.length, `time ${time}`);
    const { rows } = await w.database.database.pool.query(
      "select to_address as to, count(*)::int as n from withdrawals where status = 3 group by to_address",
    );
    const completed = new Map(rows.map(({ to, n }) => [to, n]));
    for (const { to } of asked)
      assert.equal(completed.get(to), 1, `time ${time}: ${to} is not in the books once`);
  }
});
