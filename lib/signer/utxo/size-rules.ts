import type { NetworkData } from "#lib/chains/network-data.ts";
import { divCeil } from "#lib/platform/money/amount.ts";

type UtxoData = NonNullable<NetworkData["utxo"]>;

/** Weight units of a signed input: a signature of up to 72 bytes with its type, a public key of 33, and 41 bytes that count four times. */
const INPUT_WEIGHT = { p2wpkh: 41 * 4 + 108, p2pkh: (41 + 107) * 4 } as const;
/** Version, lock time, and the marker and flag of segwit. */
const FRAME_WEIGHT = { p2wpkh: 8 * 4 + 2, p2pkh: 8 * 4 } as const;

const compactSize = (count: number) => (count < 0xfd ? 1 : count <= 0xffff ? 3 : 5);
const outputBytes = (script: Uint8Array) => 8 + compactSize(script.length) + script.length;

/** The virtual bytes of a transaction that spends so many of our coins: at most a quarter for each input more than it has when it is signed. */
export function countVirtualBytes(
  form: UtxoData["script"],
  inputs: number,
  scripts: readonly Uint8Array[],
): bigint {
  const body =
    compactSize(inputs) +
    compactSize(scripts.length) +
    scripts.reduce((sum, one) => sum + outputBytes(one), 0);
  return BigInt(Math.ceil((FRAME_WEIGHT[form] + inputs * INPUT_WEIGHT[form] + body * 4) / 4));
}

/** Returns the fee of so many virtual bytes at a rate for 1,000 of them, rounded up. */
export const feeOf = (virtualBytes: bigint, rate: bigint): bigint => divCeil(virtualBytes * rate, 1_000n);

/** Returns the fee of spending one more of our coins. */
export const inputFee = (form: UtxoData["script"], rate: bigint): bigint =>
  divCeil(BigInt(INPUT_WEIGHT[form]) * rate, 4_000n);

/** Returns the fee of one more output. */
export const outputFee = (script: Uint8Array, rate: bigint): bigint =>
  feeOf(BigInt(outputBytes(script)), rate);

/** The smallest amount that nodes relay in an output (Core, GetDustThreshold). */
export function dustLimit({ dust }: Pick<UtxoData, "dust">, script: Uint8Array): bigint {
  if ("fixed" in dust) return BigInt(dust.fixed);
  // A witness program begins with its version: 0, or 1 to 16 as OP_1 to OP_16.
  const version = script[0] ?? 0xff;
  const isWitness =
    script.length >= 4 && script.length <= 42 && (version === 0 || (version > 0x50 && version <= 0x60));
  const spent = isWitness ? 67 : 148;
  return feeOf(BigInt(outputBytes(script) + spent), BigInt(dust.per1000));
}
