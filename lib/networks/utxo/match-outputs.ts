import { rescale } from "#lib/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/money/tokens.ts";
import type { AddressFilter, ChainTransfer } from "../network.ts";
import type { RawTransaction } from "./block.ts";

/** What turns outputs into transfers. */
export interface OutputReader {
  /** The address of a P2WPKH script, from its 20 bytes of hash at `at`. */
  readonly encode: (bytes: Uint8Array, at: number) => string;
  readonly token: TokenCode;
  readonly decimals: number;
  readonly coinbaseMaturity: number;
}

export interface Candidate {
  readonly address: string;
  readonly position: number;
  readonly satoshis: number;
  readonly transaction: RawTransaction;
  readonly block: ChainTransfer["block"];
}

/**
 * Collects the outputs of a transaction that could be ours. All our addresses are P2WPKH, so no other script is
 * looked at. Outputs of nothing move nothing and are left out.
 */
export function collectCandidates(
  reader: OutputReader,
  raw: Buffer,
  transaction: RawTransaction,
  block: ChainTransfer["block"],
  into: Candidate[],
): void {
  const { outputs } = transaction;
  for (let position = 0; position < outputs.length; position++) {
    const output = outputs[position];
    if (!output || output.satoshis === 0 || !isKeyHashScript(raw, output)) continue;
    const address = reader.encode(raw, output.scriptAt + 2);
    into.push({ address, position, satoshis: output.satoshis, transaction, block });
  }
}

/** OP_0 and a push of 20 bytes (BIP141). */
function isKeyHashScript(
  raw: Buffer,
  { scriptAt, scriptLength }: RawTransaction["outputs"][number],
): boolean {
  return scriptLength === 22 && raw[scriptAt] === 0x00 && raw[scriptAt + 1] === 0x14;
}

/** The candidates that are ours, as transfers. Asks `ours` once, or not at all when there is nothing to ask. */
export async function matchCandidates(
  reader: OutputReader,
  candidates: readonly Candidate[],
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
      amount: rescale(BigInt(satoshis), reader.decimals, TOKENS[reader.token].ledgerDecimals),
      block,
      spends: transaction.spends(),
      unmatchedReason: null,
      ...(transaction.coinbase ? { minConfirmations: reader.coinbaseMaturity } : {}),
    }));
}
