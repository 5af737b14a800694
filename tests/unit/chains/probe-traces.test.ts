/** How far back a node traces, as `node probe` says it. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { HDKey } from "@scure/bip32";
import { openNetworks } from "#lib/chains/registry.ts";
import { type FakeCall, openFakeNode } from "#tests/support/fake-node.ts";
import { log } from "#tests/support/watched-chain.ts";

const HEAD = 20_000;
const word = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;

/** A node that has the old states of `kept` blocks below its head. Returns what the probe says of older traces. */
async function probe(t: TestContext, kept: number) {
  const node = await openFakeNode(t, "http://127.0.0.1:9");
  const seed = new Uint8Array(32).fill(1);
  const accountKey = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey;
  const scope = { env: "test", network: "bep20", rpcUrls: [node.url], accountKey, traces: true } as const;
  const [adapter] = openNetworks([{ ...scope, zmqUrl: null, chainId: null, contracts: {} }], { log }).all();
  node.twist = ({ method, params }: FakeCall) => {
    if (method === "eth_getBlockByNumber") {
      const height = String(params[0]).startsWith("0x") ? Number(params[0]) : HEAD;
      return {
        number: `0x${height.toString(16)}`,
        hash: word(height),
        parentHash: word(Math.max(0, height - 1)),
        timestamp: "0x1",
      };
    }
    if (method === "debug_traceBlockByHash" && Number(params[0]) >= HEAD - kept) return [];
    throw new Error("required historical state unavailable");
  };
  const [{ checks } = { checks: [] }] = await adapter!.nodes.probe({ all: true });
  return checks.find(({ what }) => what === "debug_traceBlockByHash of older blocks");
}

test("a node that keeps the states of 128 blocks traces no older ones, and may be used", async (t) => {
  const check = await probe(t, 128);
  assert.match(check?.answer ?? "", /^100; at 1000: .*required historical state unavailable/);
  assert.deepEqual([check?.ok, check?.required], [true, false]);
});

test("an archive traces blocks of any age", async (t) => {
  assert.equal((await probe(t, HEAD))?.answer, "100000 or more");
});
