import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { AddressFilter } from "../blocks.ts";
import type { UtxoData } from "../network-data.ts";
import type { ChainTransfer } from "../transfers.ts";
import { toLedgerUnits } from "../units.ts";
import type { UtxoTransaction } from "./block.ts";
import type { KeyHashEncoder, KeyHashScript } from "./key-hash-scripts.ts";

/** Turns outputs into transfers. */
export interface OutputReader {
  /** All our addresses have this form of script. */
  readonly script: KeyHashScript;
  readonly encode: KeyHashEncoder;
  readonly blockExtra: UtxoData["blockExtra"];
  readonly token: TokenCode;
  readonly decimals: number;
  readonly coinbaseMaturity: number;
}

export interface OutputCandidate {
  readonly address: string;
  readonly position: number;
  readonly satoshis: bigint;
  readonly transaction: UtxoTransaction;
  readonly block: ChainTransfer["block"];
}

export interface RawTransaction {
  /** The bytes that `transaction` was parsed from: its offsets point into them. */
  readonly raw: Buffer;
  readonly transaction: UtxoTransaction;
  /** Null: not in a block yet. */
  readonly block: ChainTransfer["block"];
}

/**
 * Collects the outputs of a transaction that could be ours. Scripts of another form and outputs of 0 are
 * skipped.
 */
export function collectCandidates(
  reader: OutputReader,
  { raw, transaction, block }: RawTransaction,
  into: OutputCandidate[],
): void {
  const { outputs } = transaction;
  const { length, hashAt, matches } = reader.script;
  for (let position = 0; position < outputs.length; position++) {
    const output = outputs[position];
    if (output?.scriptLength !== length || output.satoshis === 0n) continue;
    if (!matches(raw, output.scriptAt)) continue;
    const address = reader.encode(raw, output.scriptAt + hashAt);
    into.push({ address, position, satoshis: output.satoshis, transaction, block });
  }
}

/** Returns the candidates that are ours, as transfers. Calls `ours` at most once. */
export async function matchCandidates(
  reader: OutputReader,
  candidates: readonly OutputCandidate[],
  ours: AddressFilter,
): Promise<ChainTransfer[]> {
  if (candidates.length === 0) return [];
  const known = await ours([...new Set(candidates.map(({ address }) => address))]);
  return candidates
    .filter(({ address }) => known.has(address))
    .map(({ address, position, satoshis, transaction, block }) => ({
      txHash: transaction.txid,
      position,
      token: reader.token,
      address,
      sender: null,
      amount: toLedgerUnits(satoshis, reader),
      block,
      spends: transaction.spends(),
      unmatchedReason: null,
      ...(transaction.coinbase ? { minConfirmations: reader.coinbaseMaturity } : {}),
    }));
}
