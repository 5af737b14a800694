import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { countPaymentLinks, listLinkRows } from "#lib/domain/payment-links/queries.ts";
import { searchPaymentLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { minutes, START } from "./facts.ts";
import { aWorld, type World } from "./world.ts";

let world: World;

before(async () => {
  world = await aWorld();
});
after(() => world.close());

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
    const found = await searchPaymentLinks(world.deps, filter, "ada@example.com", page);
    assert.deepEqual(
      found.map(({ refid }) => refid),
      wanted,
    );
  }
});
