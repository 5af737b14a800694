import assert from "node:assert/strict";
import { test } from "node:test";
import { countFewLinks, countPaymentLinks, listLinkRows } from "#lib/domain/payment-links/queries.ts";
import { searchPaymentLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { minutes, START } from "./facts.ts";
import { worldOfFile } from "./world.ts";

const world = await worldOfFile();

test("links of a time are listed, counted and searched: its start belongs to it, its end does not", async () => {
  const refids: string[] = [];
  for (const at of [0, 10, 20]) refids.push((await world.create({}, minutes(START, at))).refid);
  const { merchantId, env } = world.owner;
  const page = { before: null, limit: 10 };
  const times = [
    [{ from: null, to: null }, [2, 1, 0]],
    [{ from: minutes(START, 10), to: null }, [2, 1]],
    [{ from: null, to: minutes(START, 10) }, [0]],
    [{ from: minutes(START, 1), to: minutes(START, 20) }, [1]],
    [{ from: minutes(START, 21), to: null }, []],
  ] as const;
  for (const [created, expected] of times) {
    const filter = { merchantId, env, state: null, paymentReference: null, created };
    const wanted = expected.map((nth) => refids[nth]);
    const listed = await listLinkRows(world.db, filter, page);
    assert.deepEqual(
      listed.map(({ link }) => link.refid),
      wanted,
    );
    assert.equal(await countPaymentLinks(world.db, filter), wanted.length);
    assert.equal(await countFewLinks(world.db, filter, wanted.length), wanted.length);
    assert.equal(await countFewLinks(world.db, filter, wanted.length - 1), null);
    const found = await searchPaymentLinks(world.deps, filter, "ada@example.com", page);
    assert.deepEqual(
      found.map(({ refid }) => refid),
      wanted,
    );
  }
});

test("links of a range of amounts in a currency are listed, counted and searched, with both ends", async () => {
  const { merchantId, env } = world.owner;
  const customer = { email: "range@example.com", firstName: "Ada", lastName: "Obi", phone: null };
  const refids: string[] = [];
  for (const [amount, currency] of [
    [100n, "usd"],
    [200n, "usd"],
    [200n, "eur"],
    [300n, "usd"],
  ] as const)
    refids.push((await world.create({ amount, currency, customer })).refid);
  const page = { before: null, limit: 10 };
  for (const [least, most, expected] of [
    [200n, null, [3, 1]],
    [null, 200n, [1, 0]],
    [200n, 200n, [1]],
    [201n, 299n, []],
    [null, null, [3, 1, 0]],
  ] as const) {
    const amount = { currency: "usd", least, most } as const;
    const of = { merchantId, env, state: null, paymentReference: null, amount };
    const filter = { ...of, customerEmail: customer.email };
    const wanted = expected.map((nth) => refids[nth]);
    const listed = await listLinkRows(world.db, filter, page);
    assert.deepEqual(
      listed.map(({ link }) => link.refid),
      wanted,
    );
    assert.equal(await countPaymentLinks(world.db, filter), wanted.length);
    const found = await searchPaymentLinks(world.deps, of, customer.email, page);
    assert.deepEqual(
      found.map(({ refid }) => refid),
      wanted,
    );
  }
});

test("links of a customer are listed, counted and searched, and no others", async () => {
  const { merchantId, env } = world.owner;
  const make = async (email: string) =>
    (await world.create({ customer: { email, firstName: "Zola", lastName: "Budd", phone: null } })).refid;
  const own = [await make("Zola@example.com"), await make("zola@example.com")];
  await make("other@example.com");
  const filter = { merchantId, env, state: null, paymentReference: null, customerEmail: "zola@example.com" };
  const page = { before: null, limit: 10 };
  const found = await searchPaymentLinks(world.deps, filter, { begins: "Zola" }, page);
  assert.deepEqual(found.map(({ refid }) => refid).sort(), own.sort());
  assert.equal(await countPaymentLinks(world.db, filter), 2);
});
