import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eq, inArray } from "drizzle-orm";
import { customers } from "#lib/domain/merchants/tables.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import type { NewPaymentLink } from "#lib/domain/payment-links/types.ts";
import { composeRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import { addEndpoint, removeEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { performAs } from "#tests/support/acts.ts";
import { START } from "../facts.ts";
import { aPaymentLink, aWorld, worldOfFile } from "../world.ts";

const world = await worldOfFile();

describe("links created at the same time", () => {
  const create = (given: Partial<NewPaymentLink>, owner = world.owner) =>
    createPaymentLink(world.db, world.deps, { owner, input: aPaymentLink(given) }, START);
  const ada = { email: "new@example.com", firstName: "Ada", lastName: "Obi", phone: null };
  /** The transactions that wrote the links. */
  const writers = async () => {
    const { rows } = await world.db.execute<{ writer: string }>(
      "select xmin::text as writer from payment_links",
    );
    return new Set(rows.map(({ writer }) => writer));
  };

  test("share a statement, and each is stored and returned unchanged", async () => {
    const references = Array.from({ length: 20 }, (_, n) => `ORDER${n}`);
    const made = await Promise.all(
      references.map((paymentReference, n) =>
        create({ paymentReference, metadata: `{"n": ${n}.0, "text": "\\u0000'\\\\"}` }),
      ),
    );
    assert.ok((await writers()).size < references.length);
    for (const [n, one] of made.entries()) {
      assert.ok(one.ok);
      const [row] = await world.db.select().from(paymentLinks).where(eq(paymentLinks.refid, one.link.refid));
      assert.equal(row?.id, one.link.id);
      assert.equal(row?.paymentReference, references[n]);
      assert.equal(row?.metadata, `{"n": ${n}.0, "text": "\\u0000'\\\\"}`);
      const { selectablePairs, estimates, astray, ...view } = await world.view(one.link.refid, START);
      assert.deepEqual(view, composeRecord(one, world.deps, START), "the view says the same");
      assert.deepEqual([selectablePairs.length, estimates.length, astray], [1, 1, []]);
    }
  });

  test("create one customer for the same new address, with its newest details", async () => {
    const made = await Promise.all([
      create({ customer: ada }),
      create({ customer: { ...ada, phone: "+234" } }),
      create({ customer: { ...ada, lastName: "Eze" } }),
      create({ customer: { ...ada, email: "bola@example.com" } }),
    ]);
    assert.ok(made.every(({ ok }) => ok));
    const rows = await world.db.select().from(customers).where(eq(customers.email, ada.email));
    assert.deepEqual(
      rows.map(({ firstName, lastName, phone }) => [firstName, lastName, phone]),
      [["Ada", "Eze", "+234"]],
    );
    const links = await world.db.select().from(paymentLinks).where(eq(paymentLinks.customerEmail, ada.email));
    assert.deepEqual(links.map(({ customerLastName }) => customerLastName).sort(), ["Eze", "Obi", "Obi"]);
    assert.deepEqual(new Set(links.map(({ customerId }) => customerId)), new Set([rows[0]?.id]));
  });

  test("create one customer for addresses that differ in case, and each link keeps its own", async () => {
    const emails = [
      "Case@Example.net",
      "case@example.net",
      "CASE@example.NET",
      "c\u0130@example.net",
      "ci@example.net",
    ];
    const made = await Promise.all(emails.map((email) => create({ customer: { ...ada, email } })));
    const shown = made.map((one) => one.ok && one.link.customerEmail);
    assert.deepEqual(shown, emails);
    const links = await world.db
      .select()
      .from(paymentLinks)
      .where(inArray(paymentLinks.customerEmail, emails));
    assert.equal(links.length, emails.length);
    const cases = links.filter(({ customerEmail }) => /^case/i.test(customerEmail));
    assert.deepEqual([cases.length, new Set(cases.map(({ customerId }) => customerId)).size], [3, 1]);
  });

  test("are reported to the shops that hear of them, and to no other", async (t) => {
    const shopWorld = await aWorld();
    t.after(() => shopWorld.close());
    const { db, owner } = shopWorld;
    const createThere = (given: Partial<NewPaymentLink>) =>
      createPaymentLink(db, shopWorld.deps, { owner, input: aPaymentLink(given) }, START);
    const given = { sealer: { seal: (text: string) => Buffer.from(text) }, eventTypes: null };
    const shop = { ...given, url: "https://shop.example.com/hook", format: "btcpay" } as const;
    const eventsOf = async (made: Awaited<ReturnType<typeof createThere>>) => {
      assert.ok(made.ok);
      assert.equal(await db.$count(paymentLinks, eq(paymentLinks.refid, made.link.refid)), 1);
      const rows = await db.select().from(webhookEvents);
      return rows.filter(({ body }) => body.includes(made.link.refid)).map(({ type }) => type);
    };
    const before = await Promise.all([createThere({ customer: ada }), createThere({})]);
    for (const made of before) assert.deepEqual(await eventsOf(made), []);
    const added = await performAs(db, { merchantId: owner.merchant.id }, addEndpoint, shop);
    assert.ok(added.ok);
    const during = await Promise.all([
      createThere({ customer: { ...ada, email: "shop@example.com" } }),
      createThere({}),
    ]);
    for (const made of during) assert.deepEqual(await eventsOf(made), ["InvoiceCreated"]);
    const live = await createPaymentLink(
      db,
      shopWorld.deps,
      { owner: { ...owner, env: "live" }, input: aPaymentLink({}) },
      START,
    );
    assert.deepEqual(await eventsOf(live), [], "the endpoint is of the test environment");
    await performAs(db, { merchantId: owner.merchant.id }, removeEndpoint, { id: added.endpoint.id });
    assert.deepEqual(await eventsOf(await createThere({})), []);
  });

  test("do not fail when the database rejects one of them", async () => {
    const known = await world.db.$count(paymentLinks);
    const nobody = { ...world.owner, merchant: { ...world.owner.merchant, id: 999_999 } };
    const made = await Promise.allSettled([create({}), create({}, nobody), create({})]);
    assert.deepEqual(
      made.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal(await world.db.$count(paymentLinks), known + 2);
  });
});
