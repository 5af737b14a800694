import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { entropyToMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { Wallet } from "xrpl";
import { createEvmAddressDeriver } from "#lib/chains/evm/derive-address.ts";
import { parseAccountKey } from "#lib/chains/families.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { BIP32_INVALID, BIP32_VECTORS } from "./bip32-vectors.ts";

const JUNK = "test test test test test test test test test test test junk";
const ABANDON = `${"abandon ".repeat(11)}about`;
const EVM_ACCOUNT = "44'/60'/0'";

for (const [i, { seed, chains }] of BIP32_VECTORS.entries()) {
  test(`BIP32 test vector ${i + 1} derives every chain, public and private`, () => {
    const master = HDKey.fromMasterSeed(Buffer.from(seed, "hex"));
    for (const { path, xpub, xprv } of chains) {
      const key = master.derive(path);
      assert.equal(key.publicExtendedKey, xpub, path);
      assert.equal(key.privateExtendedKey, xprv, path);
      assert.equal(HDKey.fromExtendedKey(xpub).publicExtendedKey, xpub);
    }
  });
}

test("BIP32 public derivation gives the same children as private derivation", () => {
  const [vector] = BIP32_VECTORS;
  const parent = vector!.chains.find(({ path }) => path === "m/0'/1/2'")!;
  const child = vector!.chains.find(({ path }) => path === "m/0'/1/2'/2")!;
  assert.equal(HDKey.fromExtendedKey(parent.xpub).deriveChild(2).publicExtendedKey, child.xpub);
});

test("rejects the invalid keys of BIP32 test vector 5", () => {
  assert.equal(BIP32_INVALID.length, 16);
  for (const { key, why } of BIP32_INVALID) {
    assert.throws(() => HDKey.fromExtendedKey(key), why);
    for (const network of [NETWORKS.bep20, NETWORKS.bitcoin]) {
      assert.equal(parseAccountKey(key, "live", network).ok, false, why);
    }
  }
});

test("matches the official BIP39 vectors for words and seeds with the passphrase TREZOR", () => {
  const vectors = [
    [
      "00".repeat(16),
      ABANDON,
      "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04",
    ],
    [
      "7f".repeat(16),
      "legal winner thank year wave sausage worth useful legal winner thank yellow",
      "2e8905819b8723fe2c1d161860e5ee1830318dbf49a83bd451cfb8440c28bd6fa457fe1296106559a3c80937a1c1069be3a3a5bd381ee6260e8d9739fce1f607",
    ],
    [
      "80".repeat(16),
      "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
      "d71de856f81a8acc65e6fc851a38d4d7ec216fd0796d0a6827a3ad6ed5511a30fa280f12eb2e47ed2ac03b5c462a0358d18d69fe4f985ec81778c1b370b652a8",
    ],
    [
      "ff".repeat(16),
      "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
      "ac27495480225222079d7be181583751e86f571027b0497b5b5d11218e0a8a13332572917f0f8e5a589620c6f15b11c61dee327651a14c34e18231052e48c069",
    ],
  ] as const;
  for (const [entropy, words, seed] of vectors) {
    assert.equal(entropyToMnemonic(Buffer.from(entropy, "hex"), wordlist), words);
    assert.equal(Buffer.from(mnemonicToSeedSync(words, "TREZOR")).toString("hex"), seed);
  }
});

test("creates a wallet with 24 new valid words and the account keys of every network", () => {
  const { mnemonic, accounts } = createWallet();
  assert.equal(mnemonic.split(" ").length, 24);
  assert.ok(validateMnemonic(mnemonic, wordlist));
  assert.notEqual(createWallet().mnemonic, mnemonic);
  const keys = new Map<string, string>();
  for (const { xpub, env, network } of accounts) {
    const read = parseAccountKey(xpub, env, NETWORKS[network]);
    assert.ok(read.ok);
    // Networks can share a key (the coin type of test chains, an EVM address). Environments never do.
    assert.equal(keys.get(read.identity) ?? env, env, network);
    keys.set(read.identity, env);
  }
});

test("uses different live and test accounts, so that the environments never share an address", () => {
  const { accounts } = createWallet(JUNK);
  const paths = (code: string) =>
    accounts.filter(({ network }) => network === code).map(({ env, path }) => [env, path]);
  assert.deepEqual(paths("bep20"), [
    ["live", "m/44'/60'/0'"],
    ["test", "m/44'/60'/1'"],
  ]);
  assert.deepEqual(paths("bitcoin"), [
    ["live", "m/84'/0'/0'"],
    ["test", "m/84'/1'/0'"],
  ]);
  assert.deepEqual(paths("litecoin"), [
    ["live", "m/84'/2'/0'"],
    ["test", "m/84'/1'/0'"],
  ]);
  assert.deepEqual(paths("dogecoin"), [
    ["live", "m/44'/3'/0'"],
    ["test", "m/44'/1'/0'"],
  ]);
  const [live, testing] = accounts
    .filter(({ network }) => network === "bep20")
    .map(({ xpub }) => createEvmAddressDeriver(xpub, EVM_ACCOUNT)(0));
  assert.equal(live?.address, "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266".toLowerCase());
  assert.equal(testing?.path, "m/44'/60'/1'/0/0");
});

test("distinguishes private keys, other kinds of keys and other levels from an account public key", () => {
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(JUNK));
  const account = root.derive(`m/${EVM_ACCOUNT}`);
  const reason = (text: string) => {
    const read = parseAccountKey(text, "live", NETWORKS.bep20);
    return read.ok ? "ok" : read.reason;
  };
  assert.equal(reason(account.publicExtendedKey), "ok");
  assert.equal(reason(account.privateExtendedKey), "private_key");
  for (const form of ["zprv", "dgpv", "Ltpv", "Mtpv", "ttpv"]) {
    assert.equal(reason(`${form}AdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4Qg`), "private_key");
  }
  assert.equal(reason(root.publicExtendedKey), "wrong_level");
  assert.equal(reason(account.deriveChild(0).publicExtendedKey), "wrong_level");
  assert.equal(reason(root.derive("m/44'/60'/0").publicExtendedKey), "wrong_level");
  assert.equal(reason(JUNK), "malformed");
  assert.equal(reason(""), "malformed");
});

test("accepts an account address as the XRP key, and rejects secrets and other texts", () => {
  const { accounts } = createWallet(JUNK);
  const [live, testing] = accounts.filter(({ network }) => network === "xrp");
  assert.deepEqual([live?.path, testing?.path], ["m/44'/144'/0'/0/0", "m/44'/144'/1'/0/0"]);
  assert.equal(live?.xpub, Wallet.fromMnemonic(JUNK).classicAddress);
  const read = (text: string) => {
    const account = parseAccountKey(text, "live", NETWORKS.xrp);
    return account.ok ? account.identity : account.reason;
  };
  assert.match(read(live!.xpub), /^[0-9a-f]{40}$/);
  assert.equal(read(Wallet.generate().seed!), "private_key");
  assert.equal(read(Wallet.generate().privateKey), "private_key");
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(JUNK));
  assert.equal(read(root.derive("m/44'/144'/0'").privateExtendedKey), "private_key");
  for (const other of [
    "",
    root.publicExtendedKey,
    `${live!.xpub}x`,
    Wallet.fromMnemonic(JUNK).getXAddress(1),
  ]) {
    assert.equal(read(other), "malformed", other);
  }
});
