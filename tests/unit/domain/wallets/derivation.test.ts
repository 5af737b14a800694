import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { Wallet } from "xrpl";
import { createEvmAddressDeriver } from "#lib/chains/evm/derive-address.ts";
import { parseAccountKey } from "#lib/chains/families.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { BIP32_INVALID } from "./bip32-vectors.ts";

const JUNK = "test test test test test test test test test test test junk";
const _ABANDON = `${"abandon ".repeat(11)}about`;
const EVM_ACCOUNT = "44'/60'/0'";

test("rejects the invalid keys of BIP32 test vector 5", () => {
  assert.equal(BIP32_INVALID.length, 16);
  for (const { key, why } of BIP32_INVALID) {
    assert.throws(() => HDKey.fromExtendedKey(key), why);
    for (const network of [NETWORKS.bep20, NETWORKS.bitcoin]) {
      assert.equal(parseAccountKey(key, "live", network).ok, false, why);
    }
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
