import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { getFamily, listTransactionHashForms } from "#lib/chains/families.ts";
import type { NetworkFamily } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { getConfiguredData } from "#lib/chains/registry.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";

const SMALL = "ab".repeat(32);
const LARGE = "AB".repeat(32);
const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

test("stores a transaction hash in one form for each family", () => {
  for (const text of [SMALL, LARGE, `0x${SMALL}`, `0x${LARGE}`, `0X${LARGE}`]) {
    assert.equal(getFamily({ family: "evm" }).canonicalizeTransactionHash(text), `0x${SMALL}`, text);
    assert.equal(getFamily({ family: "tron" }).canonicalizeTransactionHash(text), SMALL, text);
  }
  for (const text of [SMALL, LARGE]) {
    assert.equal(getFamily({ family: "utxo" }).canonicalizeTransactionHash(text), SMALL);
    assert.equal(getFamily({ family: "xrp" }).canonicalizeTransactionHash(text), LARGE);
  }
  assert.equal(getFamily({ family: "utxo" }).canonicalizeTransactionHash(`0x${SMALL}`), null);
  assert.equal(getFamily({ family: "xrp" }).canonicalizeTransactionHash(`0x${SMALL}`), null);
  assert.equal(getFamily({ family: "solana" }).canonicalizeTransactionHash(SIGNATURE), SIGNATURE);
});

test("rejects text that is not a transaction hash", () => {
  for (const text of [
    "",
    "0x",
    SMALL.slice(2),
    `${SMALL}ab`,
    ` ${SMALL}`,
    `${SMALL}\n`,
    "zz".repeat(32),
    "\0",
  ]) {
    for (const family of FAMILIES as NetworkFamily[]) {
      assert.equal(getFamily({ family }).canonicalizeTransactionHash(text), null, `${family} ${text}`);
    }
    assert.deepEqual(listTransactionHashForms(text), []);
  }
});

test("lists every form of a hash once when the network is unknown", () => {
  assert.deepEqual([...listTransactionHashForms(LARGE)].sort(), [LARGE, `0x${SMALL}`, SMALL].sort());
  assert.deepEqual([...listTransactionHashForms(`0x${LARGE}`)].sort(), [`0x${SMALL}`, SMALL].sort());
  assert.deepEqual(listTransactionHashForms(SIGNATURE), [SIGNATURE]);
});

/** The only files outside lib/chains/<family>/ that may name a family. */
const ALLOWED = new Set([
  "lib/chains/families.ts",
  "lib/chains/registry.ts",
  "lib/chains/network-data.ts",
  "lib/dev-chains/payers/open-payer.ts",
  // The signer has a folder for each family, and this registry.
  "lib/signer/families.ts",
  // The amounts that the demo gives on its own chains.
  "lib/demo/signer.ts",
  "lib/demo/fill-hot-accounts.ts",
]);
/** The families have a folder each. */
const FAMILIES = globSync("lib/chains/*/family.ts").map((path) => basename(dirname(path)));
/** Names that no network or token has, and the others, which are a family's only in some places. */
const [OWN, SHARED] = [false, true].map((shared) =>
  FAMILIES.filter((name) => (name in NETWORKS || name in TOKENS) === shared).join("|"),
);
/** `family === "utxo"`, `case "tron"`, `.family`, and tables such as `{ utxo: …, evm: … }`. */
const SWITCHES = new RegExp(
  `"(?:${OWN})"|family\\s*[!=]==\\s*"(?:${SHARED})"|case\\s+"(?:${SHARED})"|(?:data|\\])\\.family\\b|^\\s*(?:${OWN}): (?!")|Record<NetworkFamily`,
);
const FOLDERS = new RegExp(`^lib/(?:chains|signer)/(?:${FAMILIES.join("|")}|data)/`);

function findFamilySwitches(path: string, text: string): readonly string[] {
  if (ALLOWED.has(path) || FOLDERS.test(path)) return [];
  return text
    .split("\n")
    .flatMap((line, i) => (SWITCHES.test(line) ? `${path}:${i + 1} ${line.trim()}` : []));
}

test("finds code that switches on a family", () => {
  for (const line of [
    'if (data.family === "utxo") return 1;',
    '  case "tron":',
    "const { name } = FORMS[data.family];",
    "  evm: openEvm,",
    "const FORMS: Partial<Record<NetworkFamily, string>> = {};",
  ]) {
    assert.equal(findFamilySwitches("lib/domain/x.ts", line).length, 1, line);
    assert.deepEqual(findFamilySwitches("lib/chains/evm/x.ts", line), []);
  }
});

test("switches on a family only inside the family's folder and in the registry", () => {
  const files = globSync("{lib,app,components,packages/*/src}/**/*.{ts,tsx}");
  assert.ok(files.length > 300);
  assert.deepEqual(
    files.flatMap((path) => findFamilySwitches(path, readFileSync(path, "utf8"))),
    [],
  );
});

test("a test chain that is not set is the default one, with its tokens", () => {
  const solana = { env: "test", network: "solana", rpcUrls: ["http://127.0.0.1:9"], accountKey: "" } as const;
  const mintOn = (chain: { readonly chain?: string | null }) =>
    getConfiguredData({ ...solana, zmqUrl: null, chainId: null, contracts: {}, ...chain }).tokens.usdc
      ?.contract?.test;
  const mint = mintOn({ chain: "devnet" });
  assert.ok(mint);
  assert.deepEqual([mintOn({}), mintOn({ chain: null }), mintOn({ chain: "testnet" })], [mint, mint, null]);
});

test("a development chain is read every second, and another one as often as its data says", () => {
  const bep20 = { env: "test", network: "bep20", rpcUrls: ["http://127.0.0.1:9"], accountKey: "" } as const;
  const pollOf = (network: "trc20" | "bep20", chainId: number | null) =>
    getConfiguredData({ ...bep20, network, zmqUrl: null, chainId, contracts: {} }).pollMs;
  const { trc20 } = NETWORKS;
  assert.deepEqual([pollOf("trc20", 9), pollOf("trc20", null)], [1_000, trc20.pollMs]);
  assert.deepEqual(
    [pollOf("bep20", 97), pollOf("bep20", null)],
    [NETWORKS.bep20.pollMs, NETWORKS.bep20.pollMs],
  );
});

test("a public chain whose id is configured is no development chain", () => {
  const node = { env: "test", rpcUrls: ["http://127.0.0.1:9"], accountKey: "", zmqUrl: null } as const;
  const isDevelopment = (network: "trc20" | "erc20" | "xrp", chainId: number, contracts = {}) =>
    getConfiguredData({ ...node, network, chainId, contracts }).isDevelopment;
  const [nile, shasta, sepolia] = [NETWORKS.trc20.chainId.test, 0x94a9059e, NETWORKS.erc20.chainId.test];
  assert.deepEqual(
    [isDevelopment("trc20", nile), isDevelopment("trc20", shasta), isDevelopment("erc20", sepolia)],
    [false, false, false],
  );
  // Devnet, as docs/operate/nodes.md sets it.
  assert.equal(isDevelopment("xrp", 2), false);
  assert.equal(isDevelopment("xrp", 3), true);
  // A development chain often has the public one's id, and always contracts of its own.
  assert.equal(isDevelopment("trc20", nile, { usdt: "T" }), true);
});
