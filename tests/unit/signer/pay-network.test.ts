/** The signer's loop on a chain that is a fake: transactions wait, die and become final as the test says. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eq, inArray } from "drizzle-orm";
import { NodeError } from "#lib/chains/network.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { outgoingTransactions, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { ChainSigner, MoveDraft } from "#lib/signer/chain-signer.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { openPayer } from "#lib/signer/pay-network.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import type { HoldReason, JournalEntry, TransactionOutcome } from "#lib/signer/types.ts";
import { testDatabase } from "#tests/support/database.ts";
import { policyText } from "#tests/support/signer-world.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20, log } from "#tests/support/watched-chain.ts";
import { aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
const place = (n: number) => `0x${(2n ** 100n + BigInt(n)).toString(16).padStart(40, "0")}`;

/** A chain that is a fake. `expires`: as TRON and Solana, where nothing excludes a transaction. Otherwise each spends an input. */
function aChain({ mostPayouts = 1, expires = false } = {}) {
  const outcomes = new Map<string, TransactionOutcome | "in block">();
  const sent: string[] = [];
  const refused = new Map<string, HoldReason>();
  const moves: MoveDraft[] = [];
  const asked = { times: 0 };
  /** What the node says of its newest block instead of now. */
  const said: { headTime?: () => Date } = {};
  let count = 0;
  const signed = () => {
    count += 1;
    return { hash: `hash-${count}`, raw: `raw-${count}` };
  };
  const draft = (payouts: JournalEntry["payouts"], spends: readonly string[]) => ({
    payouts,
    spends,
    expires: expires ? 1 : null,
    cost: { fee: 1n, most: 1n },
    sign: async () => signed(),
  });
  const chain: ChainSigner = {
    account: place(0),
    mostPayouts,
    mostWaiting: 16,
    checkPayout: () => null,
    async observe(own) {
      asked.times += 1;
      const outcomeOf = ({ hash }: JournalEntry) => outcomes.get(hash);
      const settled = own.flatMap((entry) => {
        const outcome = outcomeOf(entry);
        return outcome === "final" || outcome === "dead" ? [{ entry, outcome }] : [];
      });
      const waiting = own.filter(
        (entry) =>
          outcomeOf(entry) === undefined &&
          !own.some(
            (later) =>
              later !== entry &&
              own.indexOf(later) > own.indexOf(entry) &&
              later.spends.some((one) => entry.spends.includes(one)),
          ),
      );
      return { settled, waiting, headTime: said.headTime?.() ?? new Date() };
    },
    async prepare(payouts) {
      const held = new Map(
        payouts.flatMap(({ refid }) => (refused.has(refid) ? [[refid, refused.get(refid)!] as const] : [])),
      );
      const paid = payouts.filter(({ refid }) => !held.has(refid));
      return { held, draft: paid.length === 0 ? null : draft(paid, expires ? [] : [`input-${count + 1}`]) };
    },
    ...(!expires && {
      prepareReplacement: async (entry, purpose) => (purpose === "cancel" ? draft([], entry.spends) : null),
    }),
    prepareMove: async () => moves.shift() ?? null,
    broadcast: async ({ hash }) => void sent.push(hash),
  };
  return { chain, outcomes, sent, refused, moves, asked, said };
}

async function aWorld(t: TestContext, options?: Parameters<typeof aChain>[0]) {
  const database = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), "paylink-signer-"));
  t.after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  const { db } = database;
  const networks = bep20("http://127.0.0.1:1");
  const adapter = networks.find("test", "bep20")!;
  const deps = { db, networks };
  await fund(db, adapter, await aMerchant(db, EMAIL), 1_000n * USDT);
  const fake = aChain(options);
  const path = join(folder, "journal.jsonl");
  const file = JSON.parse(policyText());
  const { tokens, ...fees } = file.networks["test.bep20"];
  file.networks["test.erc20"] = { ...fees, tokens: { usdt: tokens.usdt } };
  const policy = parsePolicy(JSON.stringify(file), (_env, _network, address) => address.toLowerCase());
  const clock = { now: Date.now() };
  const payer = (journal = openJournal(path)) =>
    openPayer({
      db,
      adapter,
      chain: fake.chain,
      journal,
      policy: () => policy,
      log,
      now: () => new Date(clock.now),
    });
  let made = 0;
  return {
    ...{ db, deps, clock, payer, path, ...fake },
    ask(to?: string) {
      made += 1;
      return aWithdrawal(deps, EMAIL, { amount: USDT, to: to ?? place(100 + made) });
    },
    rows: async (ids: readonly number[]) =>
      (
        await db
          .select()
          .from(withdrawals)
          .where(inArray(withdrawals.id, [...ids]))
          .orderBy(withdrawals.id)
      ).map(({ status, transactions }) => [status, transactions.map(({ hash }) => hash)] as const),
    entries: () =>
      openJournal(path).entries.map(({ kind, hash, payouts }) => [kind, hash, payouts.length] as const),
    fail: (refid: string) =>
      failWithdrawal(deps, { env: "test", refid, reason: null, actor: "operator:ada" }, new Date()),
    /** A payer that is killed when the journal has its next line. */
    async dieAfterJournal() {
      const journal = openJournal(path);
      const append = journal.append;
      journal.append = (entry) => {
        append(entry);
        throw new Error("killed");
      };
      await assert.rejects(payer(journal).step(), /killed/);
    },
  };
}

test("one transaction pays as many as the chain allows, and no address twice", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const made = [
    await w.ask(place(1)),
    await w.ask(place(1)),
    await w.ask(place(2)),
    await w.ask(place(3)),
    await w.ask(place(4)),
  ];
  w.refused.set(made[2]!.refid, "would_fail");
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(w.entries(), [
    ["payout", "hash-1", 2],
    ["payout", "hash-2", 1],
  ]);
  assert.deepEqual([...payer.held], [[made[2]!.refid, "would_fail"]]);
  await payer.step();
  assert.deepEqual(
    (await w.rows(made.map(({ id }) => id))).map(([, hashes]) => hashes),
    [["hash-1"], ["hash-3"], [], ["hash-1"], ["hash-2"]],
  );
});

test("a transaction that has expired is followed by another, once, with the policy's limits", async (t) => {
  const w = await aWorld(t, { expires: true });
  const { id } = await w.ask();
  const payer = w.payer();
  await payer.step();
  await payer.step();
  assert.deepEqual(w.sent, ["hash-1", "hash-1"]);
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  await payer.step();
  assert.deepEqual(await w.rows([id]), [[1, ["hash-1", "hash-2"]]]);
  // Also for a signer that was started again between the two.
  w.outcomes.set("hash-2", "dead");
  w.clock.now += 60_000;
  await w.dieAfterJournal();
  assert.deepEqual(await w.rows([id]), [[1, ["hash-1", "hash-2"]]]);
  const next = w.payer();
  await next.step();
  assert.deepEqual(await w.rows([id]), [[1, ["hash-1", "hash-2", "hash-3"]]]);
  assert.deepEqual(w.sent.slice(-1), ["hash-3"]);
  w.outcomes.set("hash-3", "final");
  for (let again = 0; again < 3; again++) await w.payer().step();
  assert.equal(w.entries().length, 3);
});

test("a withdrawal that was moved to another network after its transaction expired is not paid here", async (t) => {
  const w = await aWorld(t, { expires: true });
  const { id, refid } = await w.ask();
  const payer = w.payer();
  await payer.step();
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  await w.db.update(withdrawals).set({ network: "erc20" }).where(eq(withdrawals.id, id));
  await payer.step();
  assert.deepEqual([...payer.held], [[refid, "not_in_policy"]]);
  assert.equal(w.entries().length, 1);
});

test("what a person has settled otherwise is not sent again: it is canceled, or expires, and the others are paid", async (t) => {
  const w = await aWorld(t, { mostPayouts: 2 });
  const made = [await w.ask(), await w.ask()];
  const payer = w.payer();
  await payer.step();
  await w.db.update(withdrawals).set({ status: 3, txHash: "by-hand" }).where(eq(withdrawals.id, made[0]!.id));
  await payer.step();
  assert.deepEqual(w.sent, ["hash-1", "hash-2"]);
  w.outcomes.set("hash-1", "dead").set("hash-2", "final");
  w.clock.now += 60_000;
  await payer.step();
  assert.deepEqual(w.entries(), [
    ["payout", "hash-1", 2],
    ["cancel", "hash-2", 2],
    ["payout", "hash-3", 1],
  ]);
  const expiring = await aWorld(t, { expires: true });
  const { id } = await expiring.ask();
  await expiring.payer().step();
  await expiring.db.update(withdrawals).set({ status: 3, txHash: "by-hand" }).where(eq(withdrawals.id, id));
  await expiring.payer().step();
  assert.deepEqual(expiring.sent, ["hash-1"]);
});

test("a withdrawal that somebody reads under a lock after a kill is not taken for one that was ended", async (t) => {
  const w = await aWorld(t);
  const { id } = await w.ask();
  await w.payer().step();
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  await w.dieAfterJournal();
  await w.db.transaction(async (tx) => {
    await tx.select().from(withdrawals).where(eq(withdrawals.id, id)).for("update");
    await w.payer().step();
  });
  assert.deepEqual(w.sent, ["hash-1"]);
  await w.payer().step();
  assert.deepEqual(w.sent, ["hash-1", "hash-2"]);
  assert.deepEqual(await w.rows([id]), [[1, ["hash-1", "hash-2"]]]);
});

test("a reference that the database has twice gets one payment, and counts as much as it pays", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const made = [await w.ask(), await w.ask(), await w.ask()];
  await w.db.execute("alter table withdrawals drop constraint withdrawals_refid_unique");
  await w.db.update(withdrawals).set({ refid: made[0]!.refid });
  for (let again = 0; again < 2; again++) await w.payer().step();
  assert.deepEqual(w.entries(), [["payout", "hash-1", 1]]);
});

test("an expired transaction whose withdrawal was ended is not followed by another", async (t) => {
  const w = await aWorld(t, { expires: true });
  const { refid } = await w.ask();
  await w.dieAfterJournal();
  assert.ok((await w.fail(refid)).ok);
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(w.sent, [], "it was never stored, so it is never broadcast");
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  for (let again = 0; again < 2; again++) await payer.step();
  assert.equal(w.entries().length, 1);
});

test("of a transaction for several, of which one was canceled before it was stored, the others are paid by another", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const made = [await w.ask(), await w.ask(), await w.ask()];
  const ids = made.map(({ id }) => id);
  await w.dieAfterJournal();
  assert.ok((await w.fail(made[1]!.refid)).ok);
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(w.sent, ["hash-2"], "the canceling one");
  assert.deepEqual([...payer.held], [], "that is no alarm");
  await payer.step();
  assert.deepEqual(
    (await w.rows(ids)).map(([status]) => status),
    [0, 5, 0],
  );
  w.outcomes.set("hash-1", "dead").set("hash-2", "final");
  await payer.step();
  assert.deepEqual(w.entries().slice(1), [
    ["cancel", "hash-2", 3],
    ["payout", "hash-3", 2],
  ]);
  assert.deepEqual(await w.rows(ids), [
    [1, ["hash-3"]],
    [5, []],
    [1, ["hash-3"]],
  ]);
});

test("a database from before the payouts gets all of a transaction's withdrawals back, also when it is final", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const made = [await w.ask(), await w.ask()];
  const ids = made.map(({ id }) => id);
  await w.payer().step();
  w.outcomes.set("hash-1", "final");
  await w.payer().step();
  await w.db.update(withdrawals).set({ status: 0, txHash: null, transactions: [] });
  await w.db.delete(outgoingTransactions);
  await w.payer().step();
  assert.deepEqual(await w.rows(ids), [
    [1, ["hash-1"]],
    [1, ["hash-1"]],
  ]);
  // One of them set back and changed: nothing is paid, and it is an alarm.
  await w.db
    .update(withdrawals)
    .set({ status: 0, transactions: [], toAddress: place(9) })
    .where(eq(withdrawals.id, ids[0]!));
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([...payer.held], [[made[0]!.refid, "signed_otherwise"]]);
  assert.equal(w.entries().length, 1);
});

test("moves between own accounts are journaled and stored before they are sent, about every 30 seconds", async (t) => {
  const w = await aWorld(t);
  const aMove = (): MoveDraft => ({
    kind: "sweep",
    moves: [{ token: "usdt", amount: 5n, from: place(1), to: place(0) }],
    spends: ["input-x"],
    expires: null,
    cost: { fee: 1n, most: 1n },
    sign: async () => ({ hash: "swept", raw: "raw" }),
  });
  w.moves.push(aMove());
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(w.entries(), [["sweep", "swept", 0]]);
  assert.equal((await w.db.select().from(outgoingTransactions)).length, 1);
  assert.deepEqual(w.sent, ["swept"]);
  await payer.step();
  assert.deepEqual(w.sent, ["swept", "swept"], "it is in no block");
  w.outcomes.set("swept", "final");
  w.moves.push({ ...aMove(), sign: async () => ({ hash: "swept-2", raw: "raw" }) });
  await payer.step();
  assert.equal(w.entries().length, 1);
  w.clock.now += 30_000;
  await payer.step();
  assert.equal(w.entries().length, 2);
});

test("a sweep whose fee may not be spent keeps no other move from its turn", async (t) => {
  const w = await aWorld(t);
  const reasons: string[] = [];
  const draft = (kind: "sweep" | "cold", fee: bigint): MoveDraft => ({
    kind,
    moves: [{ token: "usdt", amount: 5n, from: place(1), to: place(0) }],
    spends: [`input-${kind}`],
    expires: null,
    cost: { fee, most: 1n },
    sign: async () => ({ hash: kind, raw: "raw" }),
  });
  const refused = (reason: string) => void reasons.push(reason);
  w.moves.push({ ...draft("sweep", 2n), refused }, draft("cold", 1n));
  await w.payer().step();
  assert.deepEqual([w.entries(), reasons], [[["cold", "cold", 0]], ["network_fee_too_high"]]);
});

test("a database from before a move gets its transaction back, also when it is final, so that its fee is in the books", async (t) => {
  const w = await aWorld(t);
  const swept = { token: "usdt", amount: 5n, from: place(1), to: place(0) } as const;
  const sign = async () => ({ hash: "swept", raw: "raw" });
  const cost = { fee: 1n, most: 1n };
  w.moves.push({ kind: "sweep", moves: [swept], spends: ["input-x"], expires: null, cost, sign });
  await w.payer().step();
  w.outcomes.set("swept", "final");
  w.clock.now += 30_000;
  await w.payer().step();
  const stored = () => w.db.select({ hash: outgoingTransactions.hash }).from(outgoingTransactions);
  await w.db.delete(outgoingTransactions);
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(await stored(), [{ hash: "swept" }]);
  assert.equal(payer.alarms.get("transaction_missing"), 1);
  await payer.step();
  assert.equal(payer.alarms.get("transaction_missing"), 1);
  assert.deepEqual(w.sent, ["swept"], "it is not sent again");
});

test("no node is asked while nothing can be paid, and about one that waits for the chain every 30 seconds", async (t) => {
  const w = await aWorld(t);
  const above = await aWithdrawal(w.deps, EMAIL, { amount: 900n * USDT, to: place(1) });
  await w.db
    .update(withdrawals)
    .set({ amount: 2_000n * USDT })
    .where(eq(withdrawals.id, above.id));
  const payer = w.payer();
  for (let steps = 0; steps < 5; steps++) await payer.step();
  assert.deepEqual([...payer.held], [[above.refid, "above_per_transfer"]]);
  assert.equal(w.asked.times, 0);
  w.refused.set((await w.ask()).refid, "hot_balance_too_low");
  for (let steps = 0; steps < 5; steps++) await payer.step();
  assert.equal(w.asked.times, 1);
  w.clock.now += 30_000;
  await payer.step();
  assert.equal(w.asked.times, 2);
});

test("limits of a day hold when clocks jump", async (t) => {
  const w = await aWorld(t);
  const { refid } = await w.ask();
  w.clock.now = Date.now() - 400 * 86_400_000;
  await assert.rejects(w.payer().step(), /clock is wrong/);
  for (const minutes of [-9, 400 * 1_440]) {
    w.clock.now = Date.now() + minutes * 60_000;
    await w.payer().step();
  }
  const [entry] = openJournal(w.path).entries;
  assert.equal(entry?.payouts[0]?.refid, refid);
  assert.ok(
    Math.abs((entry?.at.getTime() ?? 0) - Date.now()) < 60_000,
    "the later of the clock and the newest block",
  );
});

test("a node that says a time of next century uses up no limit, and leaves a journal that can be read", async (t) => {
  const w = await aWorld(t);
  const { refid } = await w.ask();
  const payer = w.payer();
  for (const time of ["2100-01-01T00:00:00Z", "+012345-01-01T00:00:00Z", "not a time"]) {
    w.said.headTime = () => new Date(time);
    await assert.rejects(payer.step(), NodeError);
    assert.deepEqual(w.entries(), []);
  }
  delete w.said.headTime;
  await payer.step();
  assert.deepEqual([w.entries().length, payer.held.get(refid)], [1, undefined]);
  assert.ok(openJournal(w.path).entries[0]!.at.getTime() <= Date.now());
});

test("what a restored database has forgotten is an alarm, and the same payment again waits for approvers", async (t) => {
  const w = await aWorld(t);
  const first = await w.ask(place(7));
  await w.payer().step();
  w.outcomes.set("hash-1", "final");
  w.clock.now += 60_000;
  await w.payer().step();
  // The backup is older than the withdrawal, and its payee is paid again by a person who does not know.
  await w.db.delete(withdrawals).where(eq(withdrawals.id, first.id));
  const [again, other] = [await w.ask(place(7)), await w.ask(place(8))];
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([...payer.held], [[again.refid, "paid_before"]]);
  assert.equal(payer.alarms.get("withdrawal_missing"), 1);
  assert.deepEqual(
    w.entries().map(([kind, hash]) => [kind, hash]),
    [
      ["payout", "hash-1"],
      ["payout", "hash-2"],
    ],
  );
  assert.equal((await w.rows([other.id]))[0]?.[0], 1);
});

test("a request with its idempotency key is the same withdrawal after a restore, and gets its payment back", async (t) => {
  const w = await aWorld(t);
  const request = { amount: USDT, to: place(9), idempotencyKey: "api:order-7" };
  const first = await aWithdrawal(w.deps, EMAIL, request);
  await w.payer().step();
  await w.db.delete(withdrawals).where(eq(withdrawals.id, first.id));
  const again = await aWithdrawal(w.deps, EMAIL, request);
  assert.equal(again.refid, first.refid);
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([...payer.held], []);
  assert.deepEqual([w.entries().length, await w.rows([again.id])], [1, [[1, ["hash-1"]]]]);
  const next = await aWithdrawal(w.deps, EMAIL, { ...request, idempotencyKey: "api:order-8" });
  assert.notEqual(next.refid, first.refid);
});
