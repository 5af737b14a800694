/**
 * Attacks of somebody who can write to the whole database, on each family: nothing leaves beyond the policy, and there is an alarm. In the same
 * worlds: nodes that do not answer.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { outgoingTransactions, payoutSignatures, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { KeyError } from "#lib/signer/account-key.ts";
import { createApprover, signPayout } from "#lib/signer/approvals.ts";
import { toPayout } from "#lib/signer/payout-rules.ts";
import { ATTACK_WORLDS, type AttackWorld } from "./attack-worlds.ts";

const DAY_MS = 86_400_000;
const FOREIGN_WORDS = "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong";
/** A withdrawal as it was before it was paid. */
const UNPAID = { status: "pending", txHash: null, transactions: [], processedAt: null } as const;

/** Writes many withdrawals that nobody asked for and that no balance covers. */
async function insertMany(w: AttackWorld, to: readonly string[], units = 1): Promise<void> {
  const { env, network } = w.adapter;
  for (let n = 0; n < 30; n++)
    await w.db.insert(withdrawals).values({
      ...{ env, network, merchantId: w.merchantId, token: w.token, amount: BigInt(units) * w.unit, fee: 0n },
      ...{
        refid: String(10 ** 15 + Math.floor(Math.random() * 10 ** 15)),
        toAddress: to[n % to.length] ?? "",
      },
    });
}

/** Removes what an attack has left, so that it is not paid later. */
async function clean(w: AttackWorld): Promise<void> {
  await w.db.delete(payoutSignatures);
  await w.db.execute(sql`delete from withdrawals where status = 0`);
  w.alarms.length = 0;
}

const signed = (row: Parameters<typeof toPayout>[0], secretKey: string) =>
  signPayout(toPayout(row), secretKey);

const ATTACKS: Readonly<Record<string, (w: AttackWorld) => Promise<void>>> = {
  async "withdrawals written into the database get no more than the day's limit, whatever the clock says"(w) {
    const to = await w.receivers(6);
    await insertMany(w, to);
    const limits = { perDay: w.signed() + 5 };
    const signer = w.start(limits);
    await w.run(signer, 4);
    assert.equal(await w.gained(...to), 5);
    assert.deepEqual([signer.held.size, ...new Set(signer.held.values())], [25, "above_per_day"]);
    for (const aheadMs of [DAY_MS, 30 * DAY_MS, -DAY_MS, -30 * DAY_MS])
      await w.run(w.start({ ...limits, aheadMs }), 2);
    assert.equal(await w.gained(...to), 5);
    await assert.rejects(w.booksAgree(), /reserved/, "the check of the books finds what nobody had reserved");
  },

  async "what was changed after its approval, or approved by others or for another, is not paid"(w) {
    const [ada, ben, eve] = [createApprover(), createApprover(), createApprover()];
    const [payee, thief] = await w.receivers(2);
    assert.ok(payee && thief);
    const from = { ada: [ada.publicKey], ben: ben.publicKey };
    const signer = w.start({ autoUpTo: 1, approvals: { needed: 2, from } });
    const { id, refid } = await w.create(3, payee);
    const [row, other] = [await w.row(id), await w.row((await w.create(4, thief)).id)];
    const before = w.journal().length;
    const tries = async (
      why: string,
      given: Readonly<Record<string, string>>,
      changes: Partial<typeof withdrawals.$inferInsert> = {},
    ) => {
      await w.db.delete(payoutSignatures);
      for (const [approver, signature] of Object.entries(given))
        await w.db.insert(payoutSignatures).values({ withdrawalId: id, approver, signature });
      await w.change(id, {
        toAddress: row.toAddress,
        amount: row.amount,
        merchantId: row.merchantId,
        ...changes,
      });
      const alarms = signer.alarms.get("approval_invalid") ?? 0;
      await w.step(signer);
      assert.equal(signer.held.get(refid), "approvals_missing", why);
      assert.equal(w.journal().length, before, why);
      return (signer.alarms.get("approval_invalid") ?? 0) > alarms;
    };
    const [byAda, byBen] = [signed(row, ada.secretKey), signed(row, ben.secretKey)];
    assert.equal(await tries("one of two", { ada: byAda }), false);
    assert.equal(await tries("one under both names", { ada: byAda, ben: byAda }), true);
    assert.equal(
      await tries("a stranger under a name of the policy", { ada: byAda, ben: signed(row, eve.secretKey) }),
      true,
    );
    assert.equal(
      await tries("a stranger under his own", { ada: byAda, eve: signed(row, eve.secretKey) }),
      false,
    );
    assert.equal(
      await tries("those of another one", {
        ada: signed(other, ada.secretKey),
        ben: signed(other, ben.secretKey),
      }),
      true,
    );
    const both = { ada: byAda, ben: byBen };
    assert.equal(await tries("another destination", both, { toAddress: thief }), true);
    assert.equal(await tries("another amount", both, { amount: 4n * w.unit }), true);
    assert.ok(w.alarms.includes("an approval is not of what it is stored for"));
    await w.change(id, { toAddress: row.toAddress, amount: row.amount });
    await w.run(signer, 2);
    assert.deepEqual(
      [await w.gained(payee), await w.gained(thief)],
      [3, 0],
      "the approvals themselves were good",
    );
    assert.equal(w.journal().length, before + 1);
  },

  async "what is no address of the network is paid nothing, and stops no other withdrawal"(w) {
    const [payee, other] = await w.receivers(2);
    assert.ok(payee && other);
    const signer = w.start();
    const before = w.journal().length;
    const turned = [...other].map((one) =>
      one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
    );
    for (const text of ["", "x", "0xzz", `${other}00`, ` ${other}`, turned.join(""), other.slice(0, -1)]) {
      const { id, refid } = await w.create(1, payee);
      await w.change(id, { toAddress: text });
      await w.step(signer);
      assert.equal(signer.held.get(refid), "destination_unsafe", text);
    }
    assert.equal(w.journal().length, before);
    const { id } = await w.create(1, payee);
    await w.run(signer, 2);
    await w.follow();
    assert.equal((await w.row(id)).status, "completed");
    assert.deepEqual([await w.gained(payee), await w.gained(other)], [1, 0]);
  },

  async "a payment that the database forgets is not made twice, and still counts for the day"(w) {
    const [payee, thief] = await w.receivers(2);
    assert.ok(payee && thief);
    const { id, refid } = await w.create(2, payee);
    await w.run(w.start(), 2);
    await w.follow();
    assert.equal((await w.row(id)).status, "completed");
    const before = w.journal().length;
    const long = new Date(Date.now() - 40 * DAY_MS);
    await w.db.delete(outgoingTransactions);
    await w.db.update(withdrawals).set({ createdAt: long, updatedAt: long, processedAt: null });
    await w.change(id, { ...UNPAID, toAddress: thief });
    const next = await w.create(1, thief);
    const signer = w.start({ perDay: w.signed() });
    await w.run(signer);
    assert.equal(signer.held.get(refid), "signed_otherwise");
    assert.equal(signer.held.get(next.refid), "above_per_day");
    await w.change(id, { ...UNPAID, toAddress: payee });
    await w.run(signer);
    assert.equal((await w.row(id)).txHash, w.journal()[before - 1]?.hash);
    assert.ok(signer.alarms.get("transaction_missing"));
    assert.ok(w.alarms.includes("the database lacks a signed transaction: it is stored again"));
    assert.deepEqual([await w.gained(payee), await w.gained(thief), w.journal().length], [2, 0, before]);
  },

  async "other bytes in the place of a signed transaction are never broadcast"(w) {
    const [payee, thief] = await w.receivers(2);
    assert.ok(payee && thief);
    const away = ["broadcast"];
    const { id } = await w.create(2, payee);
    await w.step(w.start({ down: away }));
    const [first, entry] = [w.journal()[0], w.journal().at(-1)];
    assert.equal((await w.row(id)).status, "processing");
    for (const raw of [first?.raw ?? "", "00"]) {
      await w.db.update(outgoingTransactions).set({ raw });
      const signer = w.start({ down: away });
      await w.step(signer);
      assert.ok((signer.alarms.get("transaction_changed") ?? 0) > 0);
    }
    assert.ok(w.alarms.includes("the database has other bytes of a signed transaction"));
    w.broadcast.length = 0;
    await w.run(w.start());
    await w.follow();
    assert.deepEqual([...new Set(w.broadcast)], [entry?.raw]);
    assert.deepEqual([await w.gained(payee), await w.gained(thief)], [2, 0]);
    assert.equal((await w.row(id)).status, "completed");
  },

  async "other words than those of the configured key, or addresses that they do not derive, move nothing"(
    w,
  ) {
    const before = w.journal().length;
    // On Solana no key is configured: the words decide alone, and what they do not derive is not swept.
    if (w.adapter.network !== "solana") assert.throws(() => w.start({ mnemonic: FOREIGN_WORDS }), KeyError);
    if (w.forge === null) return;
    await w.db.execute(`insert into token_prices (token, price, source, at) values ('usdt', '1', 'test', now()),
      ('bnb', '600', 'test', now()), ('trx', '0.3', 'test', now()) on conflict do nothing`);
    const [payee, thief] = await w.receivers(2);
    assert.ok(payee && thief);
    await w.forge(thief);
    const had = await w.gained(thief);
    await w.create(1, payee);
    await w.run(w.start({ sweeps: w.adapter.data.family !== "utxo" }));
    assert.equal(w.journal().length, before + 1, "the withdrawal alone");
    assert.deepEqual([await w.gained(payee), await w.gained(thief)], [1, had]);
    assert.ok(
      w.alarms.some((message) => /^not (swept|spent): the .* not derive this/.test(message)),
      w.alarms.join(),
    );
  },
};

/** No attack, but in the same worlds. */
const FAULTS: typeof ATTACKS = {
  async "without a node nothing is signed, and what is signed before waits for one and is paid once"(w) {
    const [payee] = await w.receivers(1);
    assert.ok(payee);
    const made: number[] = [];
    const before = w.journal().length;
    const ask = async () => made.push((await w.create(1, payee)).id);
    await ask();
    await w.step(w.start({ down: w.questions }));
    assert.equal(w.journal().length, before, "no node answers");
    for (const question of w.questions) {
      await ask();
      await w.run(w.start({ down: [question] }), 2);
      await w.run(w.start(), 2);
      assert.equal(await w.gained(payee), made.length, question);
    }
    await ask();
    await w.step(w.start());
    const signed = w.journal().length;
    await w.run(w.start({ down: w.questions }), 2);
    assert.equal(w.journal().length, signed, "no node answers about what waits");
    await w.run(w.start());
    await w.follow();
    assert.equal(await w.gained(payee), made.length);
    for (const id of made) assert.equal((await w.row(id)).status, "completed");
    const payouts = w
      .journal()
      .slice(before)
      .flatMap((entry) => entry.payouts);
    assert.equal(payouts.length, made.length, "each was signed once");
  },
};

for (const [network, open] of Object.entries(ATTACK_WORLDS))
  test(`with full write access to the database, and without nodes, on ${network}`, async (t) => {
    const w = await open(t);
    for (const [name, attack] of Object.entries({ ...ATTACKS, ...FAULTS }))
      await t.test(name, async () => {
        await attack(w);
        await clean(w);
      });
  });
