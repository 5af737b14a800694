import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { tronAddressFromHex, tronAddressToHex } from "#lib/chains/tron/address.ts";
import { type Field, readMessage, writeMessage } from "#lib/chains/tron/protobuf.ts";

/** The action of a transaction. Addresses are canonical, amounts in sun, `data` hex without 0x. Delegations are of energy. */
export type TronAction =
  | {
      readonly type: "TransferContract";
      readonly owner: string;
      readonly to: string;
      readonly amount: bigint;
    }
  | {
      readonly type: "TriggerSmartContract";
      readonly owner: string;
      readonly contract: string;
      readonly data: string;
    }
  | { readonly type: "AccountCreateContract"; readonly owner: string; readonly account: string }
  | {
      readonly type: "DelegateResourceContract" | "UnDelegateResourceContract";
      readonly owner: string;
      readonly receiver: string;
      readonly amount: bigint;
    };

export interface TronTransaction {
  readonly action: TronAction;
  /** See TronReference. */
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  /** Milliseconds. */
  readonly expiration: number;
  readonly timestamp: number;
  /** The most that the energy of a call may cost, in sun, also where stakes pay for it. */
  readonly feeLimit: bigint;
}

/** Numbers of Transaction.Contract.ContractType (tronprotocol/protocol, core/Tron.proto). */
const TYPES: Readonly<Record<TronAction["type"], bigint>> = {
  AccountCreateContract: 0n,
  TransferContract: 1n,
  TriggerSmartContract: 31n,
  DelegateResourceContract: 57n,
  UnDelegateResourceContract: 58n,
};
const ENERGY = 1n;
const SIGNATURE_BYTES = 65;
/** The bytes that nodes count for the result of a transaction. */
const RESULT_BYTES = 64;
/** Fields of raw_data that are read back. */
const CONTRACT = 11;
const FEE_LIMIT = 18;

const addressBytes = (address: string): Uint8Array => hexToBytes(`41${tronAddressToHex(address).slice(2)}`);

/** The bytes that are signed (Transaction.raw). */
export function encodeTransaction(transaction: TronTransaction): Uint8Array {
  const { action } = transaction;
  const parameter = writeMessage([
    [1, utf8ToBytes(`type.googleapis.com/protocol.${action.type}`)],
    [2, encodeAction(action)],
  ]);
  const contract = writeMessage([
    [1, TYPES[action.type]],
    [2, parameter],
  ]);
  return writeMessage([
    [1, hexToBytes(transaction.refBlockBytes)],
    [4, hexToBytes(transaction.refBlockHash)],
    [8, BigInt(transaction.expiration)],
    [CONTRACT, contract],
    [14, BigInt(transaction.timestamp)],
    [FEE_LIMIT, transaction.feeLimit],
  ]);
}

function encodeAction(action: TronAction): Uint8Array {
  const owner = [1, addressBytes(action.owner)] as const;
  switch (action.type) {
    case "TransferContract":
      return writeMessage([owner, [2, addressBytes(action.to)], [3, action.amount]]);
    case "TriggerSmartContract":
      return writeMessage([owner, [2, addressBytes(action.contract)], [4, hexToBytes(action.data)]]);
    case "AccountCreateContract":
      return writeMessage([owner, [2, addressBytes(action.account)]]);
    default:
      return writeMessage([owner, [2, ENERGY], [3, action.amount], [4, addressBytes(action.receiver)]]);
  }
}

/** The canonical hash (txID) of the bytes that are signed. */
export const hashOf = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

/** A signed transaction as /wallet/broadcasthex accepts it. `signature`: 65 bytes of hex. */
export function encodeSigned(bytes: Uint8Array, signature: string): string {
  return bytesToHex(
    writeMessage([
      [1, bytes],
      [2, hexToBytes(signature)],
    ]),
  );
}

/** The bandwidth that a transaction uses with one signature, in bytes. */
export function bandwidthOf(bytes: Uint8Array): bigint {
  const signed = encodeSigned(bytes, "00".repeat(SIGNATURE_BYTES));
  return BigInt(signed.length / 2 + RESULT_BYTES);
}

/**
 * Reads the signed bytes of the journal. `receiver`: of a delegation, or the account that is created, canonical. Throws RangeError on other
 * bytes.
 */
export function readSigned(raw: string): {
  readonly feeLimit: bigint;
  readonly bandwidth: bigint;
  readonly type: TronAction["type"] | null;
  /** The account that signed it, canonical. */
  readonly owner: string;
  readonly receiver: string | null;
} {
  const bytes = bytesOf(readMessage(hexToBytes(raw)).get(1));
  const fields = readMessage(bytes);
  const contract = readMessage(bytesOf(fields.get(CONTRACT)));
  const number = integerOf(contract.get(1));
  const type = (Object.keys(TYPES) as TronAction["type"][]).find((one) => TYPES[one] === number) ?? null;
  const place = type === "AccountCreateContract" ? 2 : 4;
  const hasReceiver = type !== "TransferContract" && type !== "TriggerSmartContract" && type !== null;
  const value = readMessage(bytesOf(readMessage(bytesOf(contract.get(2))).get(2)));
  return {
    feeLimit: integerOf(fields.get(FEE_LIMIT)),
    bandwidth: bandwidthOf(bytes),
    type,
    owner: addressOf(value.get(1)),
    receiver: hasReceiver ? addressOf(value.get(place)) : null,
  };
}

const addressOf = (fields: readonly Field[] | undefined): string =>
  tronAddressFromHex(`0x${bytesToHex(bytesOf(fields)).slice(2)}`);

function bytesOf(fields: readonly Field[] = []): Uint8Array {
  const last = fields.at(-1);
  return last === undefined || typeof last === "bigint" ? concatBytes() : last;
}

function integerOf(fields: readonly Field[] = []): bigint {
  const last = fields.at(-1);
  return typeof last === "bigint" ? last : 0n;
}
