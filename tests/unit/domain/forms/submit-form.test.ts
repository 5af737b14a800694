import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eq, inArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { updateForm } from "#lib/domain/forms/manage-forms.ts";
import { getTaken } from "#lib/domain/forms/queries.ts";
import { isPaidSale } from "#lib/domain/forms/sell-form.ts";
import { forgetVisits, submitForm } from "#lib/domain/forms/submit-form.ts";
import { forms, formVisits } from "#lib/domain/forms/tables.ts";
import type { FormInput, SubmittedFields } from "#lib/domain/forms/types.ts";
import { customers } from "#lib/domain/merchants/tables.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { actOf } from "#tests/support/acts.ts";
import { minutes, START } from "../payment-links/facts.ts";
import { aForm, worldOfFile } from "../payment-links/world.ts";

const ADA: SubmittedFields = {
  amount: "",
  quantity: "1",
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "Obi",
  phone: "",
  note: "",
  fields: [],
};

const world = await worldOfFile();

describe("submitting a form", () => {
  const shirts = (terms: Partial<FormInput> = {}) =>
    aForm(world, { title: "T-shirt", amount: "160000", ...terms });
  let visits = 0;
  /** Each from a visitor of its own, unless `ip` is given. */
  const submit = (
    code: string,
    given: Partial<SubmittedFields> = {},
    { visit = `visit ${++visits}`, ip = `2001:db8:${visits}::1`, now = START, deps = world.deps } = {},
  ) => submitForm(deps, { code, given: { ...ADA, ...given }, visit, ip }, now);
  async function linkOf(result: Awaited<ReturnType<typeof submit>>) {
    assert.ok(result.ok, JSON.stringify(result));
    const [link] = await world.db.select().from(paymentLinks).where(eq(paymentLinks.refid, result.refid));
    return link!;
  }

  test("creates a link without an address, with the answers as its metadata", async () => {
    const addresses = await world.addressCount();
    const form = await shirts({ ask: ["email", "name", "note"], fields: ["Size"], maxQuantity: 5 });
    const link = await linkOf(await submit(form.code, { quantity: "3", note: "a\nb", fields: ["M"] }));
    assert.deepEqual([link.amount, link.currency, link.formQuantity], [480_000_00n, "ngn", 3]);
    assert.equal(link.paymentReference, form.code.slice(0, 20));
    assert.deepEqual([link.successUrl, link.cancelUrl], [`${form.url}?paid=${link.refid}`, form.url]);
    assert.deepEqual(JSON.parse(link.metadata ?? ""), {
      form: form.code,
      quantity: 3,
      email: "ada@example.com",
      first_name: "Ada",
      last_name: "Obi",
      note: "a\nb",
      fields: { Size: "M" },
    });
    assert.equal(await world.addressCount(), addresses);
  });

  test("says that a payment is complete only of a paid link of the form", async () => {
    const [form, other] = [await shirts(), await shirts()];
    const [link, others] = [await linkOf(await submit(form.code)), await linkOf(await submit(other.code))];
    const saysPaid = (refid: string) => isPaidSale(world.db, { id: link.formId! }, refid);
    for (const text of ["", "1", "toString", "x".repeat(22), link.refid])
      assert.ok(!(await saysPaid(text)), text);
    const links = inArray(paymentLinks.id, [link.id, others.id]);
    await world.db.update(paymentLinks).set({ state: "completed", completedAt: START }).where(links);
    assert.ok(await saysPaid(link.refid));
    assert.ok(!(await saysPaid(others.refid)), "it was paid for another form");
    // Nobody paid them: the totals of the day, which the world checks at its end, know of no sale.
    await world.db.update(paymentLinks).set({ state: "open", completedAt: null }).where(links);
  });

  test("gives one link to a submission that is repeated, also twenty at the same time", async () => {
    const { code } = await shirts();
    const ip = "203.0.113.1";
    const all = await Promise.all(Array.from({ length: 20 }, () => submit(code, {}, { visit: "same", ip })));
    assert.equal(new Set(all.map((one) => one.ok && one.refid)).size, 1);
    const changed = await linkOf(await submit(code, { firstName: "Eve" }, { visit: "same", ip }));
    assert.notEqual(changed.refid, all[0]?.ok && all[0].refid, "other answers are another link");
  });

  test("never sells more than the stock, and gives back what an expired link took", async () => {
    const form = await shirts({ stock: 3, maxQuantity: 2 });
    const all = await Promise.all(Array.from({ length: 20 }, () => submit(form.code)));
    assert.equal(all.filter(({ ok }) => ok).length, 3);
    assert.deepEqual(new Set(all.flatMap((one) => (one.ok ? [] : one.reason))), new Set(["sold_out"]));
    assert.deepEqual(await getTaken(world.db, form.id), { quantity: 3, amount: 480_000_00n });
    const later = minutes(START, 121);
    await sweepPaymentLinks(world.deps, later);
    assert.equal((await getTaken(world.db, form.id)).quantity, 0);
    await linkOf(await submit(form.code, { quantity: "2" }, { now: later }));
    assert.deepEqual(await submit(form.code, { quantity: "2" }, { now: later }), {
      ok: false,
      reason: "too_few_left",
    });
  });

  test("a flood of many visitors waits for the form in memory, and keeps three connections", async () => {
    const { code } = await shirts();
    const locks = sql`select from ${forms} where code = ${code} for update`;
    const { flood } = await world.whileHolding(locks, async () => {
      const flood = Array.from({ length: 40 }, () => submit(code));
      await world.untilWaiting(3);
      return { flood };
    });
    assert.ok((await Promise.all(flood)).every(({ ok }) => ok));
  });

  test("adds up the links of a form only if it has a limit", async () => {
    const said: string[] = [];
    const logger = { logQuery: (query: string) => void said.push(query) };
    const deps = { ...world.deps, db: drizzle(world.database.pool, { logger }) };
    const countSums = async (terms: Partial<FormInput>) => {
      const { code } = await shirts(terms);
      said.length = 0;
      await linkOf(await submit(code, {}, { deps }));
      return said.filter((query) => query.includes("sum(form_quantity)")).length;
    };
    assert.deepEqual([await countSums({ stock: 1 }), await countSums({ totalLimit: "200000" })], [1, 1]);
    assert.equal(await countSums({}), 0);
  });

  test("never takes more than the total limit", async () => {
    const form = await shirts({ amount: null, totalLimit: "5000" });
    await linkOf(await submit(form.code, { amount: "3000" }));
    assert.deepEqual(await submit(form.code, { amount: "2000.01" }), { ok: false, reason: "too_few_left" });
    await linkOf(await submit(form.code, { amount: "2000" }));
    assert.deepEqual(await submit(form.code, { amount: "2000" }), { ok: false, reason: "sold_out" });
  });

  test("a form with an expired link makes a new one for the same submission", async () => {
    const { code } = await shirts();
    const options = { visit: "again", ip: "203.0.113.2" };
    const first = await linkOf(await submit(code, {}, options));
    const later = minutes(START, 121);
    await sweepPaymentLinks(world.deps, later);
    const second = await linkOf(await submit(code, {}, { ...options, now: later }));
    assert.notEqual(second.refid, first.refid);
  });

  test("refuses an open amount outside its range or with too many digits", async () => {
    const form = await shirts({ amount: null, minimumAmount: "1000", maximumAmount: "2000" });
    const wrong = ["", "999.99", "2000.01", "-1500", "1500.001", "1e3x", "NaN", "Infinity", "0x5dc", "1,500"];
    for (const amount of [...wrong, "9".repeat(90)]) {
      assert.deepEqual(
        await submit(form.code, { amount }),
        { ok: false, reason: "amount_not_possible" },
        amount,
      );
    }
    assert.equal((await linkOf(await submit(form.code, { amount: "1500.50" }))).amount, 150_050n);
    const fixed = await shirts();
    assert.equal((await linkOf(await submit(fixed.code, { amount: "1" }))).amount, 160_000_00n, "not asked");
  });

  test("refuses answers that are missing or malformed, and leaves out what is not asked", async () => {
    const form = await shirts({ ask: ["email", "name", "phone"], fields: ["Size"], maxQuantity: 2 });
    const good = { phone: "+234 1", fields: ["M"] };
    for (const bad of [
      { email: "ada" },
      { firstName: " " },
      { lastName: "x".repeat(201) },
      { phone: "" },
      { fields: [] },
      { fields: ["a\nb"] },
      { firstName: "\0" },
      { firstName: "\ud800" },
      { firstName: "\u202eadA" },
      { quantity: "0" },
      { quantity: "3" },
      { quantity: "1.5" },
    ]) {
      assert.deepEqual(await submit(form.code, { ...good, ...bad }), {
        ok: false,
        reason: "answers_malformed",
      });
    }
    const nothing = await shirts({ ask: [] });
    const link = await linkOf(await submit(nothing.code, { email: "eve@example.com", note: "x" }));
    assert.equal(link.customerEmail, `guest@${nothing.code.toLowerCase()}.invalid`);
    assert.deepEqual(JSON.parse(link.metadata ?? ""), { form: nothing.code, quantity: 1 });
  });

  test("does not change what is stored of a customer whom the merchant knows", async () => {
    await world.create({
      customer: { email: "known@example.com", firstName: "Known", lastName: "One", phone: "+1" },
    });
    const form = await shirts();
    const link = await linkOf(await submit(form.code, { email: "KNOWN@example.com", firstName: "Eve" }));
    assert.deepEqual([link.customerFirstName, link.customerPhone], ["Known", "+1"]);
    const [row] = await world.db.select().from(customers).where(eq(customers.email, "known@example.com"));
    assert.deepEqual([row?.firstName, row?.phone], ["Known", "+1"]);
  });

  test("refuses an archived, an expired and an unknown form", async () => {
    const form = await shirts({ expiresAt: minutes(START, 1) });
    const late = await submit(form.code, {}, { now: minutes(START, 1) });
    assert.deepEqual(late, { ok: false, reason: "closed" });
    assert.deepEqual(await submit("1111111111111111111111"), { ok: false, reason: "not_found" });
  });

  test("limits what one address can submit, on all forms together, until the window has passed", async () => {
    const [one, two] = [await shirts(), await shirts()];
    const ip = "203.0.113.3";
    const results = [];
    for (let i = 0; i < 31; i++)
      results.push(await submit(i % 2 ? one.code : two.code, {}, { ip, visit: `v${i}` }));
    assert.deepEqual(results[30], { ok: false, reason: "too_many_submissions" });
    assert.ok(results.slice(0, 30).every(({ ok }) => ok));
    assert.deepEqual(
      await submit(one.code, {}, { ip, visit: "v1" }),
      results[1],
      "an earlier one still has its link",
    );
    await linkOf(await submit(one.code, {}, { ip, visit: "later", now: minutes(START, 11) }));
  });

  test("forgets the visitors after the window, and submissions after a day, a thousand with each statement", async () => {
    const count = async () => {
      const rows = await world.db.select().from(formVisits);
      return [rows.length, rows.filter(({ visitor }) => visitor !== null).length];
    };
    const [made = 0, known = 0] = await count();
    await world.db.execute(sql`insert into form_visits (form_id, visit, refid, visitor, created_at)
      select form_id, decode(lpad(to_hex(n), 64, '0'), 'hex'), refid, visitor, ${START.toISOString()}::timestamptz
      from (select * from form_visits where visitor is not null limit 1) one, generate_series(1, 1500) n`);
    assert.equal(await forgetVisits(world.db, minutes(START, 12 * 60), AbortSignal.abort()), false);
    assert.deepEqual(await count(), [made + 1_500, known + 500]);
    assert.equal(await forgetVisits(world.db, minutes(START, 48 * 60), AbortSignal.abort()), false);
    assert.deepEqual((await count())[0], made + 500);
    await forgetVisits(world.db, minutes(START, 12 * 60));
    assert.equal(
      (await world.db.select().from(formVisits)).filter(({ visitor }) => visitor !== null).length,
      0,
    );
    await forgetVisits(world.db, minutes(START, 48 * 60));
    assert.equal(await world.db.$count(formVisits), 0);
  });

  test("a change of the stock is waited for", async () => {
    const form = await shirts();
    const { merchant, env } = world.owner;
    const request = { settings: world.deps.settings, code: form.code, changes: { stock: 0 } };
    let submitted: ReturnType<typeof submit> | undefined;
    await world.db.transaction(async (tx) => {
      const changed = await updateForm(actOf(tx, merchant.id, { env, now: START }), request);
      assert.ok(changed.ok);
      submitted = submit(form.code);
    });
    assert.deepEqual(await submitted, { ok: false, reason: "sold_out" });
  });
});
