/** The answers of Solana's nodes to the signer: the state before it signs, and whether a payment can still be in a block. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { base58 } from "@scure/base";
import { address, lamports } from "@solana/kit";
import { startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { solanaAddress, solanaSending } from "#tests/support/solana.ts";

const LIFETIME = 150;
const STRANGER = solanaAddress(7);
/** The hash of a transaction that no node has. */
const UNKNOWN = base58.encode(new Uint8Array(64).fill(7));

async function openChain(t: TestContext) {
  const node = await startSolanaNode({ finalizedLag: 2 });
  t.after(() => node.stop());
  return node;
}

test("reads of a stranger's account what it needs, not the ten megabytes that it may have", async (t) => {
  const { url, chain } = await openChain(t);
  const fake = await openFakeNode(t, url);
  const space = 10 * 1_024 * 1_024;
  chain.mine(3);
  chain.svm.setAccount({
    address: address(STRANGER),
    data: new Uint8Array(space),
    executable: false,
    lamports: lamports(100_000_000_000n),
    programAddress: address("11111111111111111111111111111111"),
    space: BigInt(space),
  });
  let longest = 0;
  fake.twist = async (_, pass) => {
    const answer = await pass();
    longest = Math.max(longest, JSON.stringify(answer).length);
    return answer;
  };
  const { accounts } = await solanaSending(fake.url).fetchState([STRANGER, solanaAddress(8)]);
  assert.ok(longest < 20_000, `an answer of ${longest} characters`);
  assert.equal(accounts[0]?.lamports, 100_000_000_000n);
  assert.equal(accounts[0]?.space, space);
  assert.equal(accounts[1], null);
});

/** A chain with skipped slots, and the last height at which a blockhash of block 100 is valid. */
async function openOldChain(t: TestContext) {
  const { url, chain } = await openChain(t);
  const lastValid = 100 + LIFETIME;
  chain.mine(80);
  // So many slots are skipped that heights say little about slots.
  for (let i = 0; i < 60; i++) chain.mine(1, { skip: i % 5 });
  chain.mine(1, { skip: 400 });
  chain.mine(150);
  for (let i = 0; i < 20; i++) chain.mine(1, { skip: 4 });
  const slotAt = (height: number) => chain.blocks().find((block) => block.height === height)?.slot ?? 0;
  return { url, chain, lastValid, slotAt };
}

test("a payment is dead if a node has every block that could contain it, and knows it not", async (t) => {
  const { url, chain, lastValid } = await openOldChain(t);
  const fake = await openFakeNode(t, url);
  for (const later of [0, 1_000]) {
    chain.mine(later);
    fake.calls.length = 0;
    assert.equal(await solanaSending(fake.url).fetchFate(UNKNOWN, { lastValid }), "dead");
    assert.ok(fake.calls.length < 50, `${fake.calls.length} calls after ${later} blocks`);
  }
});

test("a node that lacks one of the blocks, because it was off, proves nothing", async (t) => {
  // A block has it until the blockhash is 150 blocks old, which is one more than lastValidBlockHeight says.
  const windows = [
    [101, 101],
    [180, 180],
    [251, 251],
    [150, 220],
    [90, 110],
    [240, 270],
    [90, 270],
  ] as const;
  for (const [first, last] of windows) {
    const { url, chain, lastValid, slotAt } = await openOldChain(t);
    chain.lose(slotAt(first), slotAt(last));
    const fate = await solanaSending(url).fetchFate(UNKNOWN, { lastValid });
    assert.equal(fate, "open", `without the blocks ${first} to ${last}`);
  }
  const { url, chain, lastValid, slotAt } = await openOldChain(t);
  chain.lose(slotAt(50), slotAt(100));
  chain.lose(slotAt(252), slotAt(255));
  assert.equal(
    await solanaSending(url).fetchFate(UNKNOWN, { lastValid }),
    "dead",
    "no other block could contain it",
  );
});

test("every node must answer and be past its last block, and one must have the blocks", async (t) => {
  const whole = await openOldChain(t);
  const { lastValid } = whole;
  const purged = await openOldChain(t);
  purged.chain.purge(purged.slotAt(200));
  const behind = await openChain(t);
  behind.chain.mine(lastValid);
  const off = await startSolanaNode({ finalizedLag: 2 });
  await off.stop();
  const fateOf = async (...urls: string[]) => solanaSending(...urls).fetchFate(UNKNOWN, { lastValid });
  assert.equal(await fateOf(purged.url, whole.url), "dead", "one with the blocks is enough");
  assert.equal(await fateOf(purged.url), "open", "none has the blocks");
  assert.equal(await fateOf(whole.url, behind.url), "open", "a node is behind");
  assert.equal(await fateOf(whole.url, off.url), "open", "a node does not answer");
  await assert.rejects(fateOf(off.url), /no node answered/);
});

test("a node that stores what a block did after the block itself proves nothing before that", async (t) => {
  const { url, lastValid, slotAt } = await openOldChain(t);
  const fake = await openFakeNode(t, url);
  const stored = { slot: slotAt(120), confirmations: null, err: null, confirmationStatus: "finalized" };
  let hasBlocks = false;
  fake.twist = async ({ method }, pass) => {
    hasBlocks ||= method === "getBlock";
    const answer = await pass();
    return method === "getSignatureStatuses" && hasBlocks ? { ...Object(answer), value: [stored] } : answer;
  };
  const sending = solanaSending(fake.url);
  assert.equal(await sending.fetchFate(UNKNOWN, { lastValid }), "open");
  assert.equal(await sending.fetchFate(UNKNOWN, { lastValid }), "final");
});
