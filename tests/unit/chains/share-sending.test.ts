import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { PLAIN_FORKS } from "#lib/chains/blocks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openNodePool } from "#lib/chains/node-pool.ts";
import { checkAnswer, shareSending } from "#lib/chains/share-sending.ts";
import { IDLE_CAPABILITIES } from "#tests/support/idle-capabilities.ts";

const refusal = (name: string) => new NodeError("refused", `${name} refuses`);

/** Sending through nodes n0, n1 …, of which some refuse a broadcast, and some never answer it. */
function open(count: number, refusing: readonly string[] = [], silent: readonly string[] = []) {
  const took: string[] = [];
  const pool = openNodePool({
    scope: { env: "test", network: "sending" },
    urls: Array.from({ length: count }, (_, at) => `http://n${at}.example`),
    read: ({ name }) => ({
      name,
      blocks: {
        checkIdentity: async () => {},
        fetchHead: async () => ({ height: 1, hash: "1", finalizedHeight: null }),
        fetchHash: async () => "1",
        scan: async () => ({ transfers: [], tipHash: "", parentHash: "" }),
        ...PLAIN_FORKS,
      },
      ...IDLE_CAPABILITIES,
    }),
    timeoutMs: 1_000,
    blockSeconds: 1,
  });
  const sending = shareSending(pool, ({ name }) => ({
    fetchName: (check?: (name: string) => void) => checkAnswer(Promise.resolve(name), check),
    async broadcast(raw: string) {
      if (refusing.includes(name)) throw refusal(name);
      if (silent.includes(name)) await new Promise(() => {});
      took.push(`${raw} ${name}`);
    },
  }));
  return { sending, took };
}

test("a broadcast goes to every node, and only a refusal of all of them is an error", async () => {
  const all = open(3, ["n0.example"]);
  await all.sending.broadcast("tx");
  assert.deepEqual(new Set(all.took), new Set(["tx n1.example", "tx n2.example"]));
  await assert.rejects(open(2, ["n0.example", "n1.example"]).sending.broadcast("tx"), {
    kind: "refused",
    message: "n0.example refuses; n1.example refuses",
  });
});

test("a node that never answers delays a broadcast that another node has accepted by a second at most", async () => {
  const { sending, took } = open(3, [], ["n1.example"]);
  const broadcast = sending.broadcast("tx").then(() => "done");
  assert.equal(await Promise.race([broadcast, setTimeout(3_000, "waits")]), "done");
  assert.deepEqual(took, ["tx n0.example", "tx n0.example", "tx n2.example"]);
});

test("after a node whose answer fails the check, the next one is asked", async () => {
  const { sending } = open(2);
  assert.equal(await sending.fetchName(), "n0.example");
  const check = (name: string) => {
    if (name === "n0.example") throw refusal(name);
  };
  assert.equal(await sending.fetchName(check), "n1.example");
});
