/** Withdrawals that a wallet of the operator signs as a file: Bitcoin Core's own wallet here. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { Transaction } from "@scure/btc-signer";
import { eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { type Bitcoin, openBitcoin } from "#tests/support/bitcoind.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { WORDS } from "#tests/support/signer-world.ts";
import { aReceiver, utxoWorld } from "#tests/support/utxo-world.ts";

const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf };

/** A wallet of the node with the private key of our account. */
async function openWallet(t: TestContext, { url }: { readonly url: string }): Promise<Bitcoin> {
  const node = openBitcoin(url);
  await node.call("createwallet", "keys", false, true);
  // Other tests name no wallet.
  t.after(() => node.call("unloadwallet", "keys"));
  const wallet = openBitcoin(`${url}wallet/keys`);
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS), TEST_VERSIONS);
  const key = root.derive("m/84'/1'/0'").privateExtendedKey;
  const requests = [];
  for (const branch of [0, 1]) {
    const open = `wpkh(${key}/${branch}/*)`;
    const { checksum } = await node.call<{ checksum: string }>("getdescriptorinfo", open);
    requests.push({ desc: `${open}#${checksum}`, timestamp: 0, range: [0, 100] });
  }
  const done = await wallet.call<{ success: boolean }[]>("importdescriptors", requests);
  assert.ok(done.every(({ success }) => success));
  return wallet;
}

async function open(t: TestContext) {
  const w = await utxoWorld(t);
  const paidBy = await w.deposit([30, 20, 10]);
  const env = {
    DATABASE_URL: w.database.url,
    TEST_BITCOIN_RPC_URL: w.node.url,
    TEST_BITCOIN_XPUB: w.account.publicExtendedKey,
    TEST_BITCOIN_CHAIN: "regtest",
  };
  const file = (name: string) => join(w.folder, name);
  const psbt = (name: string) => readFileSync(file(name), "utf8");
  const options = ["--network", "bitcoin", "--env", "test", "--max-fee", "50"];
  const run = (...words: string[]) => runCli(env, "withdrawal", "psbt", ...words, ...options);
  return {
    ...{ ...w, psbt, paidBy },
    export: (name: string, ...more: string[]) => run("export", ...more, "--out", file(name)),
    async import(name: string, text: string) {
      writeFileSync(file(name), text);
      return run("import", file(name), "--yes");
    },
    /** Signs what was exported with the keys of the account. */
    sign(name: string, { version, sighash }: { readonly version?: 2; readonly sighash?: number }): string {
      const signing = Transaction.fromPSBT(Buffer.from(psbt(name), "base64"), { allowUnknownOutputs: true });
      for (let at = 0; at < signing.inputsLength; at++) {
        const path = signing.getInput(at).bip32Derivation?.[0]?.[1].path ?? [];
        const key = path.slice(3).reduce((parent, index) => parent.deriveChild(index), w.account);
        if (sighash !== undefined) signing.updateInput(at, { sighashType: sighash }, true);
        signing.signIdx(key.privateKey!, at, sighash === undefined ? undefined : [sighash]);
      }
      return Buffer.from(signing.toPSBT(version)).toString("base64");
    },
  };
}

test("a wallet with the keys signs what was exported, and the import stores and sends it", async (t) => {
  const w = await open(t);
  const made = [await w.create(12), await w.create(15), await w.create(9)];
  const exported = await w.export("one.psbt", "--fingerprint", "a1b2c3d4");
  assert.equal(exported.status, 0, exported.stderr);
  const decoded = await w.bitcoin.call<{
    tx: { vout: unknown[] };
    fee: number;
    inputs: {
      bip32_derivs: { path: string; master_fingerprint: string }[];
      non_witness_utxo: object;
      witness_utxo: object;
    }[];
    outputs: { bip32_derivs?: { path: string }[] }[];
  }>("decodepsbt", w.psbt("one.psbt"));
  assert.equal(decoded.tx.vout.length, 4);
  assert.match(decoded.inputs[0]?.bip32_derivs[0]?.path ?? "", /^m\/84['h]\/1['h]\/0['h]\/0\/0$/);
  assert.equal(decoded.inputs[0]?.bip32_derivs[0]?.master_fingerprint, "a1b2c3d4");
  assert.ok(decoded.inputs.every((one) => one.non_witness_utxo && one.witness_utxo));
  const change = decoded.outputs.flatMap(({ bip32_derivs: paths }) => paths ?? []);
  assert.match(change[0]?.path ?? "", /\/1\/0$/);
  const { next } = await w.bitcoin.call<{ next: string }>("analyzepsbt", w.psbt("one.psbt"));
  assert.equal(next, "signer");

  const wallet = await openWallet(t, w.node);
  const sign = async (psbt: string, sighash = "ALL") =>
    (await wallet.call<{ psbt: string }>("walletprocesspsbt", psbt, true, sighash, true, false)).psbt;
  const refused = async (text: string, message: RegExp) => {
    const run = await w.import("bad.psbt", text);
    assert.equal(run.status, 1);
    assert.match(run.stderr, message);
    assert.deepEqual(await w.mempool(), []);
    for (const { id } of made) assert.equal((await w.row(id)).status, "pending");
  };
  await refused(w.psbt("one.psbt"), /not a PSBT with all signatures/);
  await refused("not a file", /not a PSBT with all signatures/);
  // Anybody could change the outputs of what is signed so.
  await refused(w.sign("one.psbt", { sighash: 2 }), /does not hold for the whole transaction/);
  // The wallet is made to pay somebody else.
  const coins = await wallet.call<{ txid: string; vout: number }[]>("listunspent");
  const swapped = await wallet.call<string>(
    "createpsbt",
    coins.filter(({ txid }) => txid === w.paidBy).map(({ txid, vout }) => ({ txid, vout })),
    [{ [aReceiver(w.setup.chain)]: "0.012" }, { [aReceiver(w.setup.chain)]: "0.04798" }],
  );
  await refused(await sign(await wallet.call("utxoupdatepsbt", swapped)), /pays something else/);

  const signed = await sign(w.psbt("one.psbt"));
  const { complete } = await w.bitcoin.call<{ complete: boolean }>("finalizepsbt", signed);
  assert.equal(complete, true);
  const sent = await w.import("signed.psbt", signed);
  assert.equal(sent.status, 0, sent.stderr);
  const { tx_hash: hash } = sent.json() as { tx_hash: string };
  assert.deepEqual(await w.mempool(), [hash]);
  const again = await w.import("signed.psbt", signed);
  assert.equal(again.status, 0, "a file that was imported is sent again");
  // The next one spends the change, and none of what was spent.
  const next1 = await w.create(7);
  await w.bitcoin.mine();
  assert.equal((await w.export("two.psbt")).status, 0);
  const second = await w.import("two.signed", await sign(w.psbt("two.psbt")));
  assert.equal(second.status, 0, second.stderr);
  await w.settle();
  for (const { id, toAddress, amount } of [...made, next1])
    assert.deepEqual([(await w.row(id)).status, await w.balance(toAddress)], ["completed", amount]);
  await w.booksAgree();
});

test("a file for withdrawals that were ended or paid meanwhile is refused, and a version 2 file is accepted", async (t) => {
  const w = await open(t);
  const one = await w.create(12);
  const two = await w.create(11);
  assert.equal((await w.export("one.psbt", "--v2")).status, 0);
  const signed = w.sign("one.psbt", { version: 2 });
  assert.ok((await w.fail(two.refid)).ok);
  const refused = await w.import("signed.psbt", signed);
  assert.match(refused.stderr, /pays something else than pending withdrawals/);
  assert.deepEqual([refused.status, await w.mempool()], [1, []]);

  const three = await w.create(5);
  assert.equal((await w.export("only.psbt", one.refid, "--v2")).status, 0);
  const sent = await w.import("only.signed", w.sign("only.psbt", { version: 2 }));
  assert.equal(sent.status, 0, sent.stderr);
  await w.settle();
  assert.deepEqual([(await w.row(one.id)).status, (await w.row(three.id)).status], ["completed", "pending"]);
});

test("a destination that is no address is left out with its reason, and the others are paid", async (t) => {
  const w = await open(t);
  const broken = [];
  for (const to of ["bcrt1qnonsense", "not an address", ""]) {
    const { id, refid } = await w.create(3);
    await w.db.update(withdrawals).set({ toAddress: to }).where(eq(withdrawals.id, id));
    broken.push(refid);
  }
  const one = await w.create(12);
  const exported = await w.export("one.psbt", "--v2");
  assert.equal(exported.status, 0, exported.stderr);
  const { waiting } = exported.json() as { waiting: object };
  assert.deepEqual(waiting, Object.fromEntries(broken.map((refid) => [refid, "destination_unsafe"])));
  const sent = await w.import("one.signed", w.sign("one.psbt", { version: 2 }));
  assert.equal(sent.status, 0, sent.stderr);
  await w.settle();
  assert.deepEqual([(await w.row(one.id)).status, await w.balance(one.toAddress)], ["completed", one.amount]);
});

test("no file is made or taken for a disabled merchant, until it is enabled", async (t) => {
  const w = await open(t);
  const { id, refid } = await w.create(12);
  const disable = (isDisabled: boolean) =>
    w.db.update(merchants).set({ status: isDisabled ? "disabled" : "active" });
  assert.equal((await w.export("one.psbt", "--v2")).status, 0);
  const signed = w.sign("one.psbt", { version: 2 });
  await disable(true);
  const refusals = [
    [await w.import("one.signed", signed), /pays something else than pending withdrawals/],
    [await w.export("two.psbt"), /nothing can be paid now/],
    [await w.export("three.psbt", refid), /the merchant is disabled/],
  ] as const;
  for (const [{ status, stderr }, message] of refusals) {
    assert.equal(status, 1);
    assert.match(stderr, message);
  }
  assert.deepEqual([(await w.row(id)).status, await w.mempool()], ["pending", []]);
  await disable(false);
  const sent = await w.import("one.signed", signed);
  assert.equal(sent.status, 0, sent.stderr);
});
