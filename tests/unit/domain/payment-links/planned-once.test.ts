import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { findSnapshot } from "#lib/domain/payment-links/view/snapshot.ts";
import { listKept, TIMES } from "#tests/support/kept-plans.ts";
import { START } from "./facts.ts";
import { aPaymentLink, BEP20, worldOfFile } from "./world.ts";

const world = await worldOfFile();
const { owner, deps } = world;

describe("planned once per connection", () => {
  test("is the statement that inserts links", async () => {
    for (let i = 0; i < TIMES; i++)
      assert.ok((await createPaymentLink(world.db, deps, { owner, input: aPaymentLink({}) }, START)).ok);
    assert.equal((await listKept(world.db)).get("insert_payment_links"), true);
  });

  test("are the statements of a page, also where PostgreSQL knows that links have many quotes", async () => {
    for (let i = 0; i < 20; i++) await world.create({ wallets: [BEP20] });
    // Each link has many quotes, and PostgreSQL knows it: reading those of ten links costs more than those of one.
    await world.db.execute(`insert into quotes (payment_link_id, network, token, amount, asked, rate, rate_source, rate_at, valid_from, valid_until)
      select payment_link_id, network, token, amount, asked, rate, rate_source, rate_at, valid_from, valid_until
      from quotes, generate_series(1, 100)`);
    await world.db.execute("analyze");
    const kept = await world.db.transaction(async (tx) => {
      for (let i = 0; i < TIMES; i++) {
        const input = aPaymentLink({ wallets: [BEP20] });
        const made = await createPaymentLink(tx, deps, { owner, input }, START);
        assert.ok(made.ok);
        assert.ok(await findSnapshot(tx, made.link.refid));
      }
      return listKept(tx);
    });
    for (const name of ["link_by_refid", "newest_quotes", "newest_payments", "refunds_of_links"])
      assert.equal(kept.get(name), true, name);
    assert.ok([...kept.values()].every(Boolean), "all others, too");
  });
});
