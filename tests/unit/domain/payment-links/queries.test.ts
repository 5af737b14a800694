import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { findFramingOrigins, listNetworkTroubles } from "#lib/domain/payment-links/queries.ts";
import { minutes, START } from "./facts.ts";
import { aWorld, type World } from "./world.ts";

let world: World;
before(async () => {
  world = await aWorld({ allowOrigins: ["https://app.example"] });
});
after(() => world.close());

test("finds the origins of a link's URLs and of its merchant, and null for an unknown link", async () => {
  const link = await world.create({
    successUrl: "https://shop.example/thanks",
    cancelUrl: "https://www.shop.example/cart",
  });
  assert.deepEqual(await findFramingOrigins(world.db, link.refid), [
    "https://shop.example",
    "https://www.shop.example",
    "https://app.example",
  ]);
  assert.equal(await findFramingOrigins(world.db, "1111111111111111111111"), null);
});

test("a network is unwatched before its first pass, a minute after its last pass, and ten seconds into an error", async () => {
  const troubles = (seconds: number) => listNetworkTroubles(world.deps, minutes(START, seconds / 60));
  const unwatched = async (seconds: number) => (await troubles(seconds)).unwatched;
  assert.deepEqual(await unwatched(0), ["test:bep20"]);
  await world.pass(START);
  assert.deepEqual(await unwatched(30), []);
  assert.deepEqual(await unwatched(70), ["test:bep20"]);
  await world.db.update(watchCursors).set({ error: "timeout" }).where(eq(watchCursors.network, "bep20"));
  assert.deepEqual(await unwatched(5), []);
  assert.deepEqual(await unwatched(30), ["test:bep20"]);
  assert.deepEqual((await troubles(30)).late, []);
  await world.db.update(watchCursors).set({ finalityLate: true }).where(eq(watchCursors.network, "bep20"));
  assert.deepEqual((await troubles(30)).late, ["test:bep20:late"]);
});
