import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { createLink } from "#lib/domain/payment-links/create/create-link.ts";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { actOf, personOf } from "#tests/support/acts.ts";
import { minutes, START } from "../facts.ts";
import { aPaymentLink, worldOfFile } from "../world.ts";

const world = await worldOfFile();
const { merchantId } = world.owner;

const aForm = () => {
  const { amount, currency, customer, paymentReference } = aPaymentLink();
  return { amount, currency, customer, paymentReference, refid: newRefid(), expiresAt: minutes(START, 60) };
};
const send = (link: ReturnType<typeof aForm>, env: "test" | "live" = "test") =>
  world.db.transaction((tx) => {
    const actor = personOf(1, "cashier", START);
    return createLink(actOf(tx, merchantId, { env, now: START, actor }), { services: world.deps, link });
  });
const entriesOf = (refid: string) =>
  world.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `link:${refid}`));

test("the same form again, also twice at the same time, is one link with one entry", async () => {
  const form = aForm();
  const made = { ok: true, refid: form.refid };
  assert.deepEqual(await Promise.all([send(form), send(form)]), [made, made]);
  assert.deepEqual(await send(form), made);
  const entries = await entriesOf(form.refid);
  assert.equal(entries.length, 1);
  assert.partialDeepStrictEqual(entries[0], {
    ...{ actor: "user:1", action: "link.create", merchantId },
    details: { env: "test", reference: form.paymentReference },
  });
});

test("a form that asks for something else, or whose reference another link has, makes another link", async () => {
  const form = aForm();
  await send(form);
  for (const again of [send({ ...form, amount: 20_000n }), send(form, "live")]) {
    const made = await again;
    assert.ok(made.ok);
    assert.notEqual(made.refid, form.refid);
    assert.equal((await entriesOf(made.refid)).length, 1);
  }
  const [first] = await world.db.select().from(paymentLinks).where(eq(paymentLinks.refid, form.refid));
  assert.deepEqual([first?.amount, first?.env], [form.amount, "test"]);
});

test("a disabled merchant gets no link", async () => {
  const own = eq(merchants.id, merchantId);
  await world.db.update(merchants).set({ status: "disabled" }).where(own);
  const form = aForm();
  assert.deepEqual(await send(form), { ok: false, reason: "link_refused" });
  assert.deepEqual(await entriesOf(form.refid), []);
});
