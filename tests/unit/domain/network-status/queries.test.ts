import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { listNetworkTroubles } from "#lib/domain/network-status/queries.ts";
import { minutes, START } from "../payment-links/facts.ts";
import { worldOfFile } from "../payment-links/world.ts";

const world = await worldOfFile();

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
