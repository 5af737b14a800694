import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "@scure/base";
import { RawTx, Transaction } from "@scure/btc-signer";
import type { OwnKeys } from "./own-keys.ts";
import type { Coin, Output, Plan } from "./types.ts";

/** Can be replaced by one that pays more (BIP 125). Lock times count, but the transaction has no lock time. */
export const SEQUENCE = 0xfffffffd;
/** 71 bytes in the form of a signature with its type, which no key made. */
const NO_SIGNATURE = hex.decode(`3044${`0220${"01".repeat(32)}`.repeat(2)}01`);

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const orderOf = ({ satoshis, script }: Output) => satoshis.toString().padStart(20, "0") + hex.encode(script);

/** In the order of BIP 69, so that it says nothing about which output is the change. */
export function sortPlan({ inputs, outputs, fee }: Plan): Plan {
  const place = ({ outpoint }: Coin) => {
    const [txid, position = ""] = outpoint.split(":");
    return `${txid} ${position.padStart(10, "0")}`;
  };
  return {
    inputs: inputs.toSorted((one, other) => byText(place(one), place(other))),
    outputs: outputs.toSorted((one, other) => byText(orderOf(one), orderOf(other))),
    fee,
  };
}

/** Signs a plan. Returns the transaction's id and its bytes as hex. */
export function signPlan(plan: Plan, keys: OwnKeys): { readonly hash: string; readonly raw: string } {
  const transaction = build(plan, keys);
  plan.inputs.forEach((coin, at) => {
    if (!transaction.signIdx(keys.secret(coin), at)) throw new Error(`input ${at} was not signed`);
  });
  transaction.finalize();
  return { hash: transaction.id, raw: transaction.hex };
}

/**
 * The same transaction with signatures that no key made, as hex: what a node is asked about before anything is signed. Nobody can broadcast it.
 */
export function formatUnsigned({ inputs, outputs }: Plan, keys: OwnKeys): string {
  const isSegwit = keys.form === "p2wpkh";
  const pushed = (key: Uint8Array) => Uint8Array.of(NO_SIGNATURE.length, ...NO_SIGNATURE, key.length, ...key);
  const open = inputs.map((coin) => keys.child(coin).publicKey);
  const raw = RawTx.encode({
    version: 2,
    segwitFlag: isSegwit,
    inputs: inputs.map(({ outpoint }, at) => {
      const [txid = "", position] = outpoint.split(":");
      const finalScriptSig = isSegwit ? new Uint8Array() : pushed(open[at] ?? new Uint8Array());
      return { txid: hex.decode(txid), index: Number(position), sequence: SEQUENCE, finalScriptSig };
    }),
    outputs: outputs.map(({ satoshis: amount, script }) => ({ amount, script })),
    witnesses: isSegwit ? open.map((key) => [NO_SIGNATURE, key]) : [],
    lockTime: 0,
  });
  return hex.encode(raw);
}

/** Reads the outpoints and outputs of a transaction in a journal. */
export function readRaw(raw: string): {
  readonly spends: readonly string[];
  readonly outputs: readonly Output[];
} {
  const { inputs, outputs } = RawTx.decode(hex.decode(raw));
  return {
    spends: inputs.map(({ txid, index }) => `${hex.encode(txid)}:${index}`),
    outputs: outputs.map(({ amount: satoshis, script }) => ({ satoshis, script })),
  };
}

/** Reads the amount of an output of a transaction without segwit, by the bytes whose hash is its id. Null if they are not these bytes. */
export function readAmount(raw: string, txid: string, position: number): bigint | null {
  if (!/^([0-9a-f]{2})+$/i.test(raw)) return null;
  const bytes = hex.decode(raw);
  if (hex.encode(sha256(sha256(bytes)).reverse()) !== txid) return null;
  return RawTx.decode(bytes).outputs[position]?.amount ?? null;
}

/** The virtual bytes of a signed transaction (BIP 141). */
export function countSignedBytes(raw: string): bigint {
  const decoded = RawTx.decode(hex.decode(raw));
  const whole = raw.length / 2;
  const stripped = decoded.segwitFlag
    ? RawTx.encode({ ...decoded, segwitFlag: false, witnesses: [] }).length
    : whole;
  return BigInt(Math.ceil((stripped * 3 + whole) / 4));
}

function build({ inputs, outputs }: Plan, keys: OwnKeys) {
  const transaction = new Transaction({
    // Without segwit no signature commits to the amounts. They are those of the database and the node.
    allowLegacyWitnessUtxo: keys.form === "p2pkh",
    allowUnknownOutputs: true,
    lowR: true,
  });
  for (const coin of inputs) {
    const [txid = "", position] = coin.outpoint.split(":");
    const witnessUtxo = { script: keys.child(coin).script, amount: coin.satoshis };
    transaction.addInput({ txid, index: Number(position), sequence: SEQUENCE, witnessUtxo });
  }
  for (const { script, satoshis: amount } of outputs) transaction.addOutput({ script, amount });
  return transaction;
}
