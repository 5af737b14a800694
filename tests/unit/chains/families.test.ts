import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { getFamily, listTransactionHashForms } from "#lib/chains/families.ts";
import { getConfiguredData } from "#lib/chains/registry.ts";

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
    for (const family of ["utxo", "evm", "tron", "solana", "xrp"] as const) {
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
/** `family === "utxo"`, `case "tron"`, `.family`, and tables such as `{ utxo: …, evm: … }`. */
const SWITCHES =
  /"(?:utxo|evm|tron)"|family\s*[!=]==\s*"(?:solana|xrp)"|case\s+"(?:solana|xrp)"|(?:data|\])\.family\b|^\s*(?:utxo|evm|tron): (?!")|Record<NetworkFamily/;

function findFamilySwitches(path: string, text: string): readonly string[] {
  if (ALLOWED.has(path) || /^lib\/(?:chains|signer)\/(?:utxo|evm|tron|solana|xrp|data)\//.test(path))
    return [];
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
  const files = globSync("{lib,app,components}/**/*.{ts,tsx}");
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
