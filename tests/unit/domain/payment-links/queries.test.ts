import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { listUnwatchedNetworks } from "#lib/domain/payment-links/list-unseen.ts";
import { minutes, START } from "./facts.ts";
import { aWorld, type World } from "./world.ts";

let world: World;
before(async () => {
  world = await aWorld();
});
after(() => world.close());

test("a network cannot be seen before its first pass, a minute after its last, and ten seconds into an error", async () => {
  const unseen = (seconds: number) => listUnwatchedNetworks(world.deps, minutes(START, seconds / 60));
  assert.deepEqual(await unseen(0), ["test:bep20"]);
  await world.pass(START);
  assert.deepEqual(await unseen(30), []);
  assert.deepEqual(await unseen(70), ["test:bep20"]);
  await world.db.update(watchCursors).set({ error: "timeout" }).where(eq(watchCursors.network, "bep20"));
  assert.deepEqual(await unseen(5), []);
  assert.deepEqual(await unseen(30), ["test:bep20"]);
});
