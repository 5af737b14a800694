import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "@scure/base";
import { bip32Path, RawTx, Transaction } from "@scure/btc-signer";
import { OperatorError } from "#lib/platform/operator-error.ts";
import type { OwnKeys } from "./own-keys.ts";
import { SEQUENCE } from "./transaction.ts";
import type { Coin, Plan } from "./types.ts";

/** A file is not a PSBT that can be used. */
export class PsbtError extends OperatorError {}

const SIGHASH_ALL = 1;

/** A plan, and what a wallet needs to sign it. */
export interface Unsigned {
  readonly plan: Plan;
  /** The index of the change address, 1/n, where the plan has change. */
  readonly changeIndex: number;
  /** The transactions of the inputs, as hex, by id. */
  readonly previous: ReadonlyMap<string, string>;
  /** The path of the account: "m/84'/0'/0'". */
  readonly accountPath: string;
  /** The fingerprint of the wallet's master key, 4 bytes. 0: not known. */
  readonly fingerprint: number;
  /** 0: BIP 174. 2: BIP 370. */
  readonly version: 0 | 2;
}

/** Writes a PSBT: each input with its whole transaction and its key's path, the change with its key's path. */
export function formatPsbt(unsigned: Unsigned, keys: OwnKeys): Uint8Array {
  const { plan, changeIndex, previous, accountPath, fingerprint, version } = unsigned;
  const transaction = new Transaction({ PSBTVersion: version, allowUnknownOutputs: true });
  const derivation = (place: Pick<Coin, "branch" | "index">) => ({
    bip32Derivation: [
      [
        keys.child(place).publicKey,
        { fingerprint, path: bip32Path(`${accountPath}/${place.branch}/${place.index}`) },
      ] as [Uint8Array, { fingerprint: number; path: number[] }],
    ],
  });
  for (const coin of plan.inputs) {
    const [txid = "", position] = coin.outpoint.split(":");
    const witnessUtxo = { script: keys.child(coin).script, amount: coin.satoshis };
    transaction.addInput({
      txid,
      index: Number(position),
      sequence: SEQUENCE,
      // Wallets that distrust the amount read it from the whole transaction, whose id proves it.
      nonWitnessUtxo: previous.get(txid),
      ...(keys.form === "p2wpkh" && { witnessUtxo }),
      ...derivation(coin),
    });
  }
  const change = { branch: 1, index: changeIndex } as const;
  const changeScript = hex.encode(keys.child(change).script);
  for (const { script, satoshis: amount } of plan.outputs)
    transaction.addOutput({ script, amount, ...(hex.encode(script) === changeScript && derivation(change)) });
  return transaction.toPSBT(version);
}

/** Reads a PSBT that a wallet has signed, binary or as base64, of either version. Throws a PsbtError. */
export function readSignedPsbt(file: Uint8Array): {
  readonly hash: string;
  readonly raw: string;
  readonly virtualBytes: bigint;
} {
  const isBinary = Buffer.from(file.subarray(0, 5)).equals(Buffer.from("70736274ff", "hex"));
  const bytes = isBinary
    ? file
    : Uint8Array.from(Buffer.from(Buffer.from(file).toString("latin1").trim(), "base64"));
  try {
    const transaction = Transaction.fromPSBT(bytes, {
      allowUnknownOutputs: true,
      allowLegacyWitnessUtxo: true,
      allowMissingTxModifiable: true,
    });
    if (!transaction.isFinal) transaction.finalize();
    return { hash: transaction.id, raw: transaction.hex, virtualBytes: BigInt(transaction.vsize) };
  } catch (cause) {
    throw new PsbtError(`this is not a PSBT with all signatures: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Whether our keys have signed every input of a transaction, and each signature holds for all of it: otherwise it could never be in a block,
 * or others could change it. `inputs`: its coins, in its order.
 */
export function isFullySigned(raw: string, inputs: readonly Coin[], keys: OwnKeys): boolean {
  const { inputs: signed, witnesses = [] } = RawTx.decode(hex.decode(raw));
  const transaction = Transaction.fromRaw(hex.decode(raw), { allowUnknownOutputs: true });
  return inputs.every((coin, at) => {
    const { publicKey, script } = keys.child(coin);
    const isSegwit = keys.form === "p2wpkh";
    const parts = isSegwit ? witnesses[at] : readPushes(signed[at]?.finalScriptSig);
    const [signature, key] = parts ?? [];
    if (parts?.length !== 2 || !signature || !key || signature.at(-1) !== SIGHASH_ALL) return false;
    const hash = isSegwit
      ? transaction.preimageWitnessV0(at, keyHashScript(script), SIGHASH_ALL, coin.satoshis)
      : legacyHash(raw, at, script);
    const isOurs = hex.encode(key) === hex.encode(publicKey);
    return isOurs && verify(signature.subarray(0, -1), hash, publicKey);
  });
}

function verify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, hash, publicKey, { prehash: false, format: "der", lowS: true });
  } catch {
    return false;
  }
}

/** The script that a signature of P2WPKH commits to instead of its own (BIP 143). */
const keyHashScript = (script: Uint8Array) =>
  Uint8Array.of(0x76, 0xa9, 20, ...script.subarray(2), 0x88, 0xac);

/** Returns the hash that a signature without segwit commits to: the transaction with the script in the input's place. */
function legacyHash(raw: string, at: number, script: Uint8Array): Uint8Array {
  const { inputs, ...rest } = RawTx.decode(hex.decode(raw));
  const blank = inputs.map((one, place) => ({
    ...one,
    finalScriptSig: place === at ? script : new Uint8Array(),
  }));
  const bytes = RawTx.encode({ ...rest, inputs: blank, segwitFlag: false, witnesses: [] });
  return sha256(sha256(Uint8Array.of(...bytes, SIGHASH_ALL, 0, 0, 0)));
}

/** The two pushes of a script that spends P2PKH. Null if it has another form. */
function readPushes(script: Uint8Array | undefined): readonly Uint8Array[] | null {
  const first = script?.[0] ?? 0;
  const second = script?.[1 + first] ?? 0;
  if (!script || first > 75 || second > 75 || script.length !== 2 + first + second) return null;
  return [script.subarray(1, 1 + first), script.subarray(2 + first)];
}
