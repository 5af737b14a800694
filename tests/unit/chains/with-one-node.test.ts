import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { withOneNode } from "#lib/chains/with-one-node.ts";

const config: NetworkConfig = {
  env: "live",
  network: "trc20",
  rpcUrls: ["https://a.test/", "https://b.test/", "https://a.test/"],
  rpcHeaders: [{ key: "first" }, {}, { key: "third" }],
  walletUrls: ["https://wallet.test/1", "https://wallet.test/2", "https://wallet.test/3"],
  accountKey: "",
  zmqUrl: null,
  chainId: null,
  contracts: {},
};

test("keeps of each node its own headers and second URL, also where two have the same URL", () => {
  const kept = config.rpcUrls.map((_, place) => {
    const { rpcUrls, rpcHeaders, walletUrls } = withOneNode(config, place);
    return { rpcUrls, rpcHeaders, walletUrls };
  });
  assert.deepEqual(
    kept,
    config.rpcUrls.map((url, i) => ({
      rpcUrls: [url],
      rpcHeaders: [config.rpcHeaders?.[i]],
      walletUrls: [config.walletUrls?.[i]],
    })),
  );
});
