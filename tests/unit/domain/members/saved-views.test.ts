/** Saved views of the list of payments: each is of one person, merchant and environment, and there are few of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { changeMember } from "#lib/domain/members/change-member.ts";
import { saveView } from "#lib/domain/members/save-view.ts";
import { insertMember } from "#lib/domain/members/store.ts";
import { savedViews } from "#lib/domain/members/tables.ts";
import type { SignedIn } from "#lib/domain/members/types.ts";
import { listViews } from "#lib/domain/members/view-queries.ts";
import { MAX_VIEW_NAME, MAX_VIEW_QUERY, MAX_VIEWS, readViewName } from "#lib/domain/members/view-rules.ts";
import { ownActOf, performAs } from "#tests/support/acts.ts";
import { countOk, NOW, numbers, openCrowd } from "#tests/support/at-once.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { until } from "#tests/support/until.ts";

const { db, database } = await databaseOfFile({ isNew: true });
const { aSignedIn, atOnce, newMerchant } = await openCrowd(db);

/** A person at a new merchant. */
async function aDesk() {
  const [merchantId, signedIn] = [await newMerchant(), await aSignedIn()];
  await db.transaction((tx) => insertMember(tx, { merchantId, userId: signedIn.userId, role: "cashier" }));
  return { merchantId, signedIn };
}

const view = (merchantId: number, name: string, query = "state=failed") =>
  ({ merchantId, env: "test", name, query }) as const;
const save = (signedIn: SignedIn, given: Parameters<typeof saveView>[1]) =>
  db.transaction((tx) => saveView(ownActOf(tx, signedIn, NOW), given));
const listed = async (merchantId: number, { userId }: SignedIn) =>
  (await listViews(db, { merchantId, userId })).map(({ id: _, ...rest }) => rest);

test("a name is one line of at most 40 characters", () => {
  assert.equal(readViewName("  Failed this week "), "Failed this week");
  assert.equal(readViewName("😀".repeat(MAX_VIEW_NAME))?.length, 2 * MAX_VIEW_NAME);
  for (const bad of ["", "  ", "a".repeat(MAX_VIEW_NAME + 1), "a\nb", "a\u202eb"])
    assert.equal(readViewName(bad), null, JSON.stringify(bad));
});

test("a view is of one person, merchant and environment; its name saved again gets the new filter", async () => {
  const { merchantId, signedIn } = await aDesk();
  const colleague = await aSignedIn();
  await db.transaction((tx) => insertMember(tx, { merchantId, userId: colleague.userId, role: "owner" }));
  for (const given of [
    view(merchantId, "Failed"),
    { ...view(merchantId, "Failed", "state=expired"), env: "live" as const },
    view(merchantId, "Failed", "search=ORD"),
  ])
    assert.equal((await save(signedIn, given)).ok, true);
  assert.deepEqual(await listed(merchantId, signedIn), [
    { env: "test", name: "Failed", query: "search=ORD" },
    { env: "live", name: "Failed", query: "state=expired" },
  ]);
  assert.deepEqual(await listed(merchantId, colleague), []);
});

test("another merchant's payments, no filter, and a text that is too long are refused", async () => {
  const { merchantId, signedIn } = await aDesk();
  const refusalOf = async (given: Parameters<typeof saveView>[1]) => {
    const saved = await save(signedIn, given);
    return "reason" in saved ? saved.reason : null;
  };
  assert.equal(await refusalOf(view(await newMerchant(), "Failed")), "not_a_member");
  assert.equal(await refusalOf(view(merchantId, "Failed", "")), "view_empty");
  const tooLong = view(merchantId, "Failed", "a".repeat(MAX_VIEW_QUERY + 1));
  assert.equal(await refusalOf(tooLong), "view_too_long");
  assert.equal(await refusalOf(view(merchantId, " ")), "view_name_malformed");
  assert.deepEqual(await listed(merchantId, signedIn), []);
});

test("views end with the membership, also one that is saved while the person is removed", async () => {
  const { merchantId, signedIn } = await aDesk();
  assert.equal((await save(signedIn, view(merchantId, "Before"))).ok, true);
  const removal = { memberId: signedIn.userId, role: null };
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const owner = await aSignedIn();
  await db.transaction((tx) => insertMember(tx, { merchantId, userId: owner.userId, role: "owner" }));
  const { removing } = await db.transaction(async (tx) => {
    assert.equal((await saveView(ownActOf(tx, signedIn, NOW), view(merchantId, "Meanwhile"))).ok, true);
    const removing = performAs(db, { merchantId, now: NOW }, changeMember, removal);
    await until("the removal waits", async () => (await db.execute(waiting)).rows.length > 0);
    return { removing };
  });
  assert.equal((await removing).ok, true);
  assert.deepEqual(await listed(merchantId, signedIn), []);
  const after = await save(signedIn, view(merchantId, "After"));
  assert.deepEqual(after, { ok: false, reason: "not_a_member" });
});

test("the twentieth view is the last when 20 are saved at once, in live and test together", async () => {
  const { merchantId, signedIn } = await aDesk();
  const { userId } = signedIn;
  const live = numbers(MAX_VIEWS - 5).map((i) => ({
    ...view(merchantId, `live ${i}`),
    env: "live" as const,
    userId,
  }));
  await db.insert(savedViews).values(live);
  const saved = await atOnce((tx, i) => saveView(ownActOf(tx, signedIn, NOW), view(merchantId, `test ${i}`)));
  assert.equal(countOk(saved as { ok: boolean }[]), 5);
  assert.equal((await listed(merchantId, signedIn)).length, MAX_VIEWS);
  assert.equal((await save(signedIn, { ...view(merchantId, "live 0"), env: "live" })).ok, true);
});

test("a person's views are found by an index", async () => {
  const { merchantId, signedIn } = await aDesk();
  await db.execute(sql`
    with people as (
      insert into users (handle, email, name)
      select gen_random_uuid(), 'view' || n || '@example.com', 'A' from generate_series(1, 500) as n returning id
    ), staff as (
      insert into members (merchant_id, user_id, role) select ${merchantId}, id, 'cashier' from people returning user_id
    )
    insert into saved_views (merchant_id, user_id, env, name, query)
    select ${merchantId}, user_id, 'test', 'n' || n, 'state=failed' from staff, generate_series(1, 20) as n`);
  await db.execute("analyze saved_views");
  const plan = await planOf({ database }, (logged) =>
    listViews(logged, { merchantId, userId: signedIn.userId }),
  );
  assert.match(plan, /saved_views_name/);
  assert.doesNotMatch(plan, /Seq Scan|Filter/);
});
