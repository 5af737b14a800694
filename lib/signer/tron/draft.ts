import { bytesToHex } from "@noble/hashes/utils.js";
import { sign } from "viem/accounts";
import { LIFETIME_MS, transferData } from "#lib/chains/tron/sending.ts";
import type { TronReference, TronTransfer } from "#lib/chains/tron/types.ts";
import type { Draft } from "../chain-signer.ts";
import type { Cost, JournalEntry } from "../types.ts";
import { bandwidthOf, encodeSigned, encodeTransaction, hashOf, type TronAction } from "./transaction.ts";

export const actionOf = ({ from: owner, to, value, contract }: TronTransfer): TronAction =>
  contract === null
    ? { type: "TransferContract", owner, to, amount: value }
    : { type: "TriggerSmartContract", owner, contract, data: transferData({ to, value }) };

const fieldsOf = ({ refBlockBytes, refBlockHash, headTime }: TronReference) => ({
  refBlockBytes,
  refBlockHash,
  expiration: headTime.getTime() + LIFETIME_MS,
  timestamp: headTime.getTime(),
});

/**
 * A transaction that no other one of this signer equals. On TRON two payments of one amount to one address in the same second would be the
 * same bytes, and so one transaction: the timestamp, which nodes do not check, makes them differ.
 */
export function draftOf(
  action: TronAction,
  {
    state,
    feeLimit,
    cost,
    own,
  }: {
    readonly state: TronReference;
    readonly feeLimit: bigint;
    readonly cost: Cost;
    readonly own: readonly JournalEntry[];
  },
  key: () => Uint8Array,
): Omit<Draft, "payouts"> {
  const fields = fieldsOf(state);
  const taken = new Set(own.filter(({ expires }) => expires === fields.expiration).map(({ hash }) => hash));
  const build = (timestamp: number) => encodeTransaction({ action, ...fields, timestamp, feeLimit });
  let timestamp = fields.timestamp;
  while (taken.has(hashOf(build(timestamp)))) timestamp += 1;
  const bytes = build(timestamp);
  return {
    spends: [],
    expires: fields.expiration,
    cost,
    async sign() {
      const hash = hashOf(bytes);
      const privateKey = `0x${bytesToHex(key())}` as const;
      const signature = await sign({ hash: `0x${hash}`, privateKey, to: "hex" });
      return { hash, raw: encodeSigned(bytes, signature.slice(2)) };
    },
  };
}

/** The bytes of bandwidth that an action uses. Its size hardly depends on the fee limit: it is counted with a high one. */
export const sizeOf = (action: TronAction, state: TronReference): bigint =>
  bandwidthOf(encodeTransaction({ action, ...fieldsOf(state), feeLimit: 15_000_000_000n }));
