/** What the signer learns from Solana's nodes before it signs. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { address, lamports } from "@solana/kit";
import { startSolanaNode } from "#lib/demo/solana-node/start-solana-node.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { solana, solanaAddress } from "#tests/support/solana.ts";

const STRANGER = solanaAddress(7);

function sendingOf(...urls: string[]) {
  const { sending } = solana(...urls).find("test", "solana") ?? {};
  assert.ok(sending?.kind === "solana");
  return sending;
}

async function openChain(t: TestContext) {
  const node = await startSolanaNode({ finalizedLag: 2 });
  t.after(() => node.stop());
  return node;
}

test("reads of a stranger's account what it needs, not the ten megabytes that it may have", async (t) => {
  const { url, chain } = await openChain(t);
  const fake = await startFakeNode(url);
  t.after(() => fake.close());
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
  const { accounts } = await sendingOf(fake.url).fetchState([STRANGER, solanaAddress(8)]);
  assert.ok(longest < 20_000, `an answer of ${longest} characters`);
  assert.equal(accounts[0]?.lamports, 100_000_000_000n);
  assert.equal(accounts[0]?.space, space);
  assert.equal(accounts[1], null);
});
