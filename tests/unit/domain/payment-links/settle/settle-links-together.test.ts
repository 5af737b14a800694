import assert from "node:assert/strict";
import { test } from "node:test";
import { inArray } from "drizzle-orm";
import pg from "pg";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { minutes, START } from "../facts.ts";
import { usdt, worldOfFile } from "../world.ts";

/** One block may complete many links. */

const world = await worldOfFile();

/**
 * Pays `count` new links and completes them in one transaction. Returns their refids and the number of
 * queries.
 */
async function completeTogether(count: number) {
  const refids: string[] = [];
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const { refid } = await world.createPicked({ metadata: `{"n": ${n}}` });
    refids.push(refid);
    ids.push(await world.pay(refid, { amount: usdt("100") }));
  }
  const { query } = pg.Client.prototype;
  let queries = 0;
  await world.db.transaction(async (tx) => {
    const now = minutes(START, 1);
    const confirmed = { status: "credited", confirmations: 1, confirmedAt: now } as const;
    await tx.update(deposits).set(confirmed).where(inArray(deposits.id, ids));
    pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
      queries += 1;
      return Reflect.apply(query, this, args);
    } as typeof query;
    await settlePayments(tx, world.deps, ids, now);
    pg.Client.prototype.query = query;
  });
  return { refids, queries };
}

test("links that complete together take as many queries as one, and each has its own event", async () => {
  const one = await completeTogether(1);
  const many = await completeTogether(10);
  assert.ok(one.queries > 3);
  assert.equal(many.queries, one.queries);
  const completed = (await world.events()).filter(({ type }) => type === "payment_link_completed");
  assert.deepEqual(
    completed.map(({ data }) => [data.refid, data.state, (data.metadata as { n: number }).n]),
    [...one.refids, ...many.refids].map((refid, n) => [refid, "completed", Math.max(0, n - 1)]),
  );
});
