/** The stories of Electrum servers over a real one, e-x. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { testOldEntry } from "#tests/support/electrum-old-entry.ts";
import { testElectrumStories } from "#tests/support/electrum-stories.ts";
import { openExWorld, openLitecoinWorld } from "./electrum-nodes/e-x-worlds.ts";

const { NODES_E_X: program } = process.env;

/** Two answers with old headers cost more: it closes the connection. With its defaults some 95 do. */
const LOW_LIMITS = { COST_SOFT_LIMIT: "100", COST_HARD_LIMIT: "200" };

if (program !== undefined) {
  test("an old entry whose headers cost more than e-x allows stops nothing, and is found", async (t) => {
    const world = await openLitecoinWorld(program, LOW_LIMITS);
    t.after(world.close);
    await testOldEntry(t, world.litecoin, { data: NETWORKS.litecoin, start: world.start });
    assert.ok(world.hasClosed());
  });
  testElectrumStories(async () => ({ ...(await openExWorld(program)), data: NETWORKS.bitcoin }));
}
