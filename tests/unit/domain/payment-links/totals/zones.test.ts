/** Totals of days in a merchant's time zone, which follow it when it changes. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setConsole } from "#lib/domain/payment-links/totals/change-console.ts";
import { foldDayChanges } from "#lib/domain/payment-links/totals/fold-changes.ts";
import { listDayMetrics, listPartMetrics } from "#lib/domain/payment-links/totals/queries.ts";
import { partOfDay } from "#lib/domain/payment-links/totals/rules.ts";
import { actOf, personOf } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const database = await databaseOfFile();
let merchantId: number;
before(async () => {
  merchantId = await aMerchant(database.db, "shop@example.com");
});

const insert = (at: string, count: number, cents = 0) =>
  database.database.pool.query(
    `insert into link_day_changes (merchant_id, env, quarter, metric, count, usd_cents)
      values ($1, 'test', $2, $3, $4, $5)`,
    [merchantId, at, cents === 0 ? "created" : "volume:bep20", count, cents],
  );
const daysIn = async (timeZone: string) => {
  const owner = { merchantId, env: "test", timeZone, since: "2030-03-01" } as const;
  const metrics = await listDayMetrics(database.db, owner);
  return metrics.map(({ day, metric, count, usdCents }) => `${day} ${metric} ${count} ${usdCents}`).sort();
};
const setZone = (timeZone: string) =>
  database.db.transaction((tx) =>
    setConsole(actOf(tx, merchantId, { actor: personOf(1, "owner", new Date()) }), {
      timeZone,
      displayCurrency: "usd",
    }),
  );

test("the days of each zone are its own, before and after the changes are added, and after the zone has changed", async () => {
  await insert("2030-03-01T18:00:00Z", 1);
  await insert("2030-03-01T18:15:00Z", 2);
  await insert("2030-03-01T18:15:00Z", 1, 500);
  const expected = {
    UTC: ["2030-03-01 created 3 0", "2030-03-01 volume:bep20 1 500"],
    "Asia/Kathmandu": ["2030-03-01 created 1 0", "2030-03-02 created 2 0", "2030-03-02 volume:bep20 1 500"],
  };
  assert.deepEqual(await daysIn("UTC"), expected.UTC);
  assert.deepEqual(await daysIn("Asia/Kathmandu"), expected["Asia/Kathmandu"], "not added yet");
  assert.equal(await foldDayChanges(database.db), 3);
  assert.deepEqual(await daysIn("UTC"), expected.UTC);
  for (const zone of ["Asia/Kathmandu", "UTC", "Asia/Kathmandu"] as const) {
    assert.ok((await setZone(zone)).ok);
    assert.deepEqual(await daysIn(zone), expected[zone], zone);
  }
  await insert("2030-03-01T18:15:00Z", -2);
  assert.deepEqual(await daysIn("Asia/Kathmandu"), expected["Asia/Kathmandu"].toSpliced(1, 1));
  await foldDayChanges(database.db);
  assert.deepEqual(await daysIn("Asia/Kathmandu"), expected["Asia/Kathmandu"].toSpliced(1, 1));
});

test("a part of a day counts its own quarters alone, added or not", async () => {
  await insert("2030-03-04T10:00:00Z", 1);
  await insert("2030-03-04T10:15:00Z", 1);
  await foldDayChanges(database.db);
  await insert("2030-03-04T10:30:00Z", 1);
  await insert("2030-03-04T10:45:00Z", 1);
  const countUntil = async (time: string) => {
    const part = partOfDay("UTC", { day: "2030-03-04", now: new Date(`2030-03-05T${time}Z`) });
    return (await listPartMetrics(database.db, { merchantId, env: "test" }, part))[0]?.count ?? 0;
  };
  assert.deepEqual(
    [await countUntil("10:10:00"), await countUntil("10:29:59"), await countUntil("10:45:00")],
    [0, 1, 3],
  );
});

test("a change of a former version counts in the quarter of an hour in which it was written", async () => {
  await database.database.pool.query(
    `insert into link_day_changes (merchant_id, env, day, metric, count, usd_cents)
      values ($1, 'live', '2030-03-01', 'created', 1, 0)`,
    [merchantId],
  );
  const { rows } = await database.database.pool.query(
    "select quarter <= now() and quarter > now() - interval '16 minutes' as is_now from link_day_changes where env = 'live'",
  );
  assert.deepEqual(rows, [{ is_now: true }]);
});
