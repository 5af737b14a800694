import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { refused } from "#tests/support/withdrawal-steps.ts";
import { payment, type ScriptedNode, waiting } from "#tests/unit/domain/withdrawals/scripted-nodes.ts";
import { fundScripted, openScripted } from "#tests/unit/domain/withdrawals/scripted-withdrawals.ts";

const t = await databaseOfFile();
await fundScripted(t.db);

/** A withdrawal whose transaction failed in a final block, as the node reports that is asked first. */
async function openFailed() {
  const w = openScripted(t.db);
  const { id, refid } = await w.create();
  const hash = w.known(waiting());
  assert.ok((await w.sent(refid, hash)).ok);
  w.node.known.set(hash, payment({ failed: true }));
  return { ...w, id, refid, hash, status: async () => (await w.row(id)).status };
}

test("does not fail while another node does not answer, because it may know that the transaction pays", async () => {
  const w = await openFailed();
  w.second.failing = true;
  assert.deepEqual(await w.fail(w.refid), refused("nodes_incomplete"));
  w.second.failing = false;
  w.second.unreadable.add(w.hash);
  assert.deepEqual(await w.fail(w.refid), refused("nodes_incomplete"));
  assert.equal(await w.status(), "processing");
  w.second.unreadable.clear();
  assert.equal((await w.fail(w.refid)).ok, true);
  await w.follow();
  assert.equal(await w.status(), "failed");
  await w.booksAgree();
});

test("fails without asking the nodes while nothing was sent", async () => {
  const w = openScripted(t.db);
  const { refid } = await w.create();
  const down = (node: ScriptedNode) => {
    node.failing = true;
  };
  [w.node, w.second].forEach(down);
  assert.equal((await w.fail(refid)).ok, true);
});
