import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countConfirmations,
  getFinalHeight,
  getRequiredConfirmations,
  isFinalBlock,
} from "#lib/chains/finality-rules.ts";
import { openNetworks } from "#lib/chains/registry.ts";

const tiers = { kind: "confirmations", tiers: [{ upToUsd: null, blocks: 12 }] } as const;
const finalized = { kind: "finalized" } as const;
const threeTiers = {
  kind: "confirmations",
  tiers: [
    { upToUsd: 100, blocks: 1 },
    { upToUsd: 10_000, blocks: 2 },
    { upToUsd: null, blocks: 6 },
  ],
} as const;

test("counts the block of the deposit as its first confirmation", () => {
  assert.equal(countConfirmations(tiers, 100, { height: 100, finalizedHeight: null }), 1);
  assert.equal(countConfirmations(tiers, 100, { height: 111, finalizedHeight: null }), 12);
  assert.equal(countConfirmations(tiers, 100, { height: 99, finalizedHeight: null }), 0);
});

test("counts one confirmation for a finalized block and none before, where the network finalizes", () => {
  assert.equal(countConfirmations(finalized, 100, { height: 150, finalizedHeight: 99 }), 0);
  assert.equal(countConfirmations(finalized, 100, { height: 150, finalizedHeight: 100 }), 1);
  assert.equal(countConfirmations(finalized, 100, { height: 150, finalizedHeight: null }), 0);
  assert.equal(countConfirmations(finalized, 100, { height: 99, finalizedHeight: 120 }), 0);
});

test("takes the final height from the node, or from the tier with the most blocks", () => {
  const deep = {
    kind: "confirmations",
    tiers: [
      { upToUsd: 9, blocks: 2 },
      { upToUsd: null, blocks: 6 },
    ],
  } as const;
  assert.equal(getFinalHeight(finalized, { height: 150, finalizedHeight: 99 }), 99);
  assert.equal(getFinalHeight(finalized, { height: 150, finalizedHeight: null }), -1);
  assert.equal(getFinalHeight(deep, { height: 150, finalizedHeight: null }), 145);
  assert.equal(countConfirmations(deep, 145, { height: 150, finalizedHeight: null }), 6);
  assert.equal(isFinalBlock(deep, 145, { height: 150, finalizedHeight: null }), true);
  assert.equal(isFinalBlock(deep, 146, { height: 150, finalizedHeight: null }), false);
});

test("requires confirmations by the value of the link, with the upper bound of a tier included", () => {
  const blocks = [1n, 10_000n, 10_001n, 1_000_000n, 1_000_001n].map((cents) =>
    getRequiredConfirmations(threeTiers, cents),
  );
  assert.deepEqual(blocks, [1, 1, 2, 2, 6]);
});

test("requires the most confirmations when the value of the link is unknown", () => {
  assert.equal(getRequiredConfirmations(threeTiers, null), 6);
});

test("requires one confirmation where the node reports what is final", () => {
  assert.equal(getRequiredConfirmations(finalized, null), 1);
});

test("requires the configured confirmations of a network", () => {
  const node = { network: "base", rpcUrls: ["http://127.0.0.1:1"], zmqUrl: null, chainId: null } as const;
  const xpub =
    "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";
  const networks = openNetworks([
    { ...node, env: "live", accountKey: xpub, contracts: {}, confirmations: threeTiers.tiers },
    { ...node, env: "test", accountKey: xpub, contracts: {} },
  ]);
  const required = (env: "live" | "test") => {
    const { finality } = networks.find(env, "base")!.data;
    return [10_000n, 10_001n, 1_000_001n, null].map((cents) => getRequiredConfirmations(finality, cents));
  };
  assert.deepEqual(
    [required("live"), required("test")],
    [
      [1, 2, 6, 6],
      [20, 20, 20, 20],
    ],
  );
});
