/** A node whose index of signatures does not answer, while it shows all blocks. LiteSVM behind our front. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import { USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { blocksOf, nextStep, type Reading } from "#lib/domain/deposits/watch/pass-rules.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { type Twist, UNANSWERED } from "#tests/support/fake-node.ts";
import { bookOf, solanaAddress, solanaWith } from "#tests/support/solana.ts";
import { SolanaWorld } from "#tests/support/solana-world.ts";

const world = new SolanaWorld();

/** Passes of 3 seconds, in each of which ten blocks come. Returns how many slots the watcher is behind at the end. */
async function follow(twist: Twist) {
  const ours = [solanaAddress(1)];
  const adapter = solanaWith({ usdt: USDT_MINT }, [world.fake.url]).find("test", "solana")!;
  adapter.addressWatch?.watch(bookOf(() => ours));
  world.fake.twist = twist;
  let cursor = world.newest();
  let reading: Reading = { scan: { kind: "whole" }, nodes: { kind: "usable" } };
  const most = 128;
  for (let pass = 0; pass < 80; pass++) {
    world.node.chain.mine(10);
    const { height } = await adapter.blocks.fetchHead();
    const range = { from: cursor + 1, to: Math.min(height, cursor + blocksOf(reading.scan, most)) };
    let end: "recorded" | "failed" = "recorded";
    try {
      await adapter.blocks.scan(range, owning(...ours));
      cursor = range.to;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      end = "failed";
    }
    reading = nextStep(reading, end, { most, now: new Date() }).reading;
  }
  world.fake.twist = null;
  return world.newest() - cursor;
}

const answer =
  (say: () => unknown): Twist =>
  ({ method }) =>
    method === "getSignaturesForAddress" ? say() : undefined;

test("a node that refuses lists is followed by its blocks", async () => {
  const behind = await follow(
    answer(() => {
      throw new Error("not in your plan");
    }),
  );
  assert.ok(behind <= 20, `${behind} slots behind`);
});

test("so is one that does not answer them", async () => {
  const behind = await follow(answer(() => UNANSWERED));
  assert.ok(behind <= 20, `${behind} slots behind after 800`);
});
