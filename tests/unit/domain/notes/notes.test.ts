/** Notes on payments and customers: who sees and removes them, how many there can be, and how they are found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { desc, eq, sql } from "drizzle-orm";
import { openNetworks } from "#lib/chains/registry.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import type { Actor } from "#lib/domain/authority/types.ts";
import { listNotes } from "#lib/domain/notes/queries.ts";
import { MAX_NOTE_TEXT, MAX_NOTES, readNoteText } from "#lib/domain/notes/rules.ts";
import { notes } from "#lib/domain/notes/tables.ts";
import { addCustomerNote, addPaymentNote, removePaymentNote } from "#lib/domain/notes/write-notes.ts";
import { createLink } from "#lib/domain/payment-links/create/create-link.ts";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { actOf, performAs, personOf } from "#tests/support/acts.ts";
import { countOk, NOW, numbers, openCrowd } from "#tests/support/at-once.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";

const { db, database } = await databaseOfFile({ isNew: true });
const { aMember, atOnce, newMerchant } = await openCrowd(db);

const services = {
  networks: openNetworks([]),
  rates: { current: () => null, refresh: async () => {}, start() {}, stop() {} },
  settings: { paymentUrl: "https://pay.example.com/pay", quoteMinutes: 20, confirmGraceHours: 24 },
};

/** A payment of a new merchant, and two people there. */
async function aShop() {
  const merchantId = await newMerchant();
  const refid = newRefid();
  const customer = { email: "ada@example.com", firstName: "Ada", lastName: "Obi", phone: null };
  const link = { amount: 10_000n, currency: "usd", customer, paymentReference: "A1", refid, expiresAt: null };
  await db.transaction((tx) => createLink(actOf(tx, merchantId, { now: NOW }), { services, link } as never));
  const [row] = await db.select().from(paymentLinks).where(eq(paymentLinks.refid, refid));
  assert.ok(row?.customerId);
  const cashier = personOf(await aMember(merchantId, "cashier"), "cashier", NOW);
  const manager = personOf(await aMember(merchantId, "manager"), "manager", NOW);
  const owner = personOf(await aMember(merchantId, "owner"), "owner", NOW);
  const by = (actor: Actor, now = NOW) => ({ merchantId, actor, now });
  return { merchantId, refid, link: { ...row, customerId: row.customerId }, cashier, manager, owner, by };
}

test("a text is plain lines, trimmed, of at most 2,000 characters", () => {
  assert.equal(
    readNoteText(" \r\n Called back.  \r\nWill pay\ton Monday\n\n"),
    "Called back.\nWill pay on Monday",
  );
  assert.equal(readNoteText("é".repeat(MAX_NOTE_TEXT))?.length, MAX_NOTE_TEXT);
  assert.equal(readNoteText("😀".repeat(MAX_NOTE_TEXT))?.length, 2 * MAX_NOTE_TEXT);
  for (const bad of ["", " \n\t", "a".repeat(MAX_NOTE_TEXT + 1), "a\u202eb", "a\u0000b", "a\ud800"])
    assert.equal(readNoteText(bad), null, JSON.stringify(bad));
});

test("notes are listed newest first, with author and time; the payment's are not the customer's", async () => {
  const { refid, link, cashier, manager, by } = await aShop();
  const later = new Date(NOW.getTime() + 1_000);
  await performAs(db, by(cashier), addPaymentNote, { refid, text: "first" });
  await performAs(db, by(manager, later), addPaymentNote, { refid, text: "second" });
  await performAs(db, by(manager), addCustomerNote, { customer: link.customerId, text: "pays late" });
  const onPayment = await listNotes(db, { paymentLinkId: link.id });
  assert.deepEqual(
    onPayment.map(({ id: _, ...note }) => note),
    [
      { author: `user:${manager.userId}`, text: "second", createdAt: later },
      { author: `user:${cashier.userId}`, text: "first", createdAt: NOW },
    ],
  );
  const onCustomer = await listNotes(db, { customerId: link.customerId });
  assert.deepEqual(
    onCustomer.map(({ text }) => text),
    ["pays late"],
  );
});

test("a note is removed by its author or an owner, and the log has no word of it", async () => {
  const { refid, link, cashier, manager, owner, by } = await aShop();
  const add = async (actor: Actor) => {
    const added = await performAs(db, by(actor), addPaymentNote, { refid, text: "secret words" });
    assert.ok(added.ok);
    return added.id;
  };
  const [ofCashier, ofManager] = [await add(cashier), await add(manager)];
  const remove = async (actor: Actor, id: number) => {
    const removed = await performAs(db, by(actor), removePaymentNote, { refid, id });
    return removed.ok ? "removed" : removed.reason;
  };
  assert.equal(await remove(manager, ofCashier), "note_of_another");
  assert.equal(await remove(cashier, ofManager), "note_of_another");
  assert.equal((await listNotes(db, { paymentLinkId: link.id })).length, 2);
  assert.equal(await remove(cashier, ofCashier), "removed");
  assert.equal(await remove(owner, ofManager), "removed");
  assert.equal(await remove(owner, ofManager), "note_not_found");
  const entries = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `link:${refid}`))
    .orderBy(desc(auditLog.id));
  assert.deepEqual(entries[0]?.details, { env: "test", note: ofManager, author: `user:${manager.userId}` });
  assert.deepEqual(
    entries.map(({ action }) => action).filter((action) => action.startsWith("payment_note")),
    ["payment_note.remove", "payment_note.remove", "payment_note.add", "payment_note.add"],
  );
  assert.doesNotMatch(JSON.stringify(entries), /secret words/);
});

test("the hundredth note is the last when 20 write at once, on each payment and customer", async () => {
  const { merchantId, refid, link, manager } = await aShop();
  const rows = (subject: object) =>
    numbers(MAX_NOTES - 5).map(() => ({ ...subject, author: "user:1", text: "n", createdAt: NOW }));
  await db
    .insert(notes)
    .values([...rows({ paymentLinkId: link.id }), ...rows({ customerId: link.customerId })]);
  const act = { actor: manager, now: NOW };
  const added = await atOnce((tx, i) =>
    addPaymentNote(actOf(tx, merchantId, act), { refid, text: `note ${i}` }),
  );
  const ofCustomer = await atOnce((tx, i) =>
    addCustomerNote(actOf(tx, merchantId, act), { customer: link.customerId, text: `note ${i}` }),
  );
  assert.deepEqual([countOk(added), countOk(ofCustomer)], [5, 5]);
  assert.equal((await listNotes(db, { paymentLinkId: link.id })).length, MAX_NOTES);
});

test("the notes of one subject are found by an index", async () => {
  const { merchantId, link } = await aShop();
  // 20,000 notes on 400 other customers, and 90 on each of the shop's own payment and customer.
  await db.execute(sql`insert into customers (merchant_id, env, email, first_name, last_name)
    select ${merchantId}, 'test', n || '@example.com', 'A', 'B' from generate_series(1, 400) as n`);
  await db.execute(sql`insert into notes (customer_id, author, text)
    select id, 'user:1', 'n' from customers, generate_series(1, 50) where email ~ '^[0-9]'`);
  for (const column of ["payment_link_id", "customer_id"]) {
    const id = column === "customer_id" ? link.customerId : link.id;
    await db.execute(sql`insert into notes (${sql.raw(column)}, author, text)
      select ${id}, 'user:1', 'n' from generate_series(1, 90)`);
  }
  await db.execute("analyze notes");
  for (const [index, about] of [
    ["notes_payment_link", { paymentLinkId: link.id }],
    ["notes_customer", { customerId: link.customerId }],
  ] as const) {
    const plan = await planOf({ database }, (logged) => listNotes(logged, about));
    assert.match(plan, new RegExp(`Index Scan .*${index} `));
    assert.doesNotMatch(plan, /Seq Scan|Filter/);
  }
});
