/** Files for wallets, with and without segwit: what another implementation signs is accepted, and nothing less. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hex } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { RawTx, Transaction } from "@scure/btc-signer";
import { openOwnKeys } from "#lib/signer/utxo/own-keys.ts";
import { formatPsbt, isFullySigned, PsbtError, readSignedPsbt } from "#lib/signer/utxo/psbt.ts";
import { readRaw, signPlan } from "#lib/signer/utxo/transaction.ts";
import type { Coin } from "#lib/signer/utxo/types.ts";

const account = HDKey.fromMasterSeed(mnemonicToSeedSync(`${"abandon ".repeat(23)}art`)).derive("m/44'/3'/0'");
const open = HDKey.fromExtendedKey(account.publicExtendedKey);
const RECEIVER = Uint8Array.of(0x76, 0xa9, 20, ...new Uint8Array(20).fill(7), 0x88, 0xac);

for (const form of ["p2pkh", "p2wpkh"] as const)
  for (const version of [0, 2] as const)
    test(`${form} in version ${version}: signed by a wallet, it is complete, and without a signature it is not`, () => {
      const keys = openOwnKeys(open, form);
      const places = [
        { branch: 0, index: 5 },
        { branch: 1, index: 2 },
      ] as const;
      const previous = places.map((place) => {
        const raw = RawTx.encode({
          version: 1,
          segwitFlag: false,
          inputs: [
            { txid: new Uint8Array(32).fill(9), index: 0, finalScriptSig: new Uint8Array(), sequence: 0 },
          ],
          outputs: [{ amount: 50_000n, script: keys.child(place).script }],
          witnesses: [],
          lockTime: place.index,
        });
        return { id: Transaction.fromRaw(raw).id, raw: hex.encode(raw) };
      });
      const inputs = places.map(
        (place, at): Coin => ({
          ...place,
          outpoint: `${previous[at]?.id}:0`,
          satoshis: 50_000n,
          isConfirmed: true,
        }),
      );
      const change = { script: keys.child({ branch: 1, index: 3 }).script, satoshis: 19_000n };
      const plan = { inputs, outputs: [{ script: RECEIVER, satoshis: 80_000n }, change], fee: 1_000n };
      const file = formatPsbt(
        {
          plan,
          version,
          changeIndex: 3,
          previous: new Map(previous.map(({ id, raw }) => [id, raw])),
          accountPath: "m/44'/3'/0'",
          fingerprint: 0,
        },
        keys,
      );
      assert.throws(() => readSignedPsbt(file), PsbtError);
      const wallet = Transaction.fromPSBT(file, { allowUnknownOutputs: true });
      const own = openOwnKeys(account, form);
      places.forEach((place, at) => {
        assert.equal(
          hex.encode(wallet.getInput(at).bip32Derivation?.[0]?.[0] ?? new Uint8Array()),
          hex.encode(own.child(place).publicKey),
        );
        wallet.signIdx(own.secret(place), at);
      });
      assert.deepEqual(wallet.getOutput(1).bip32Derivation?.[0]?.[1].path.slice(-2), [1, 3]);
      const signed = readSignedPsbt(wallet.toPSBT(version));
      assert.deepEqual(
        readSignedPsbt(Buffer.from(Buffer.from(wallet.toPSBT(version)).toString("base64"))),
        signed,
      );
      assert.ok(isFullySigned(signed.raw, inputs, keys));
      assert.equal(signPlan(plan, own).hash.length, 64);
      assert.deepEqual(readRaw(signed.raw).outputs, plan.outputs);
      // Other bytes than those that were signed: another amount, and the inputs' keys exchanged.
      const decoded = RawTx.decode(hex.decode(signed.raw));
      const [first, ...others] = decoded.outputs;
      assert.ok(first);
      const changed = RawTx.encode({ ...decoded, outputs: [{ ...first, amount: 80_001n }, ...others] });
      assert.ok(!isFullySigned(hex.encode(changed), inputs, keys));
      assert.ok(!isFullySigned(signed.raw, inputs.toReversed(), keys));
      const bare = decoded.inputs.map((one) => ({ ...one, finalScriptSig: new Uint8Array() }));
      const unsigned = RawTx.encode({ ...decoded, segwitFlag: false, inputs: bare, witnesses: [] });
      assert.ok(!isFullySigned(hex.encode(unsigned), inputs, keys));
    });
