import { createHash } from "node:crypto";
import { type Field, readMessage, writeMessage } from "#lib/chains/tron/protobuf.ts";
import {
  type Action,
  actionFromJson,
  actionJson,
  decodeAction,
  encodeAction,
  numberOf,
} from "./contracts.ts";
import { hex, hexField, integerField, record } from "./fields.ts";

export interface RawTronTransaction {
  readonly action: Action;
  readonly permissionId: number;
  /** The two low bytes of the height, and bytes 8..16 of the id, of the reference block. */
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  /** Milliseconds. */
  readonly expiration: number;
  readonly timestamp: number;
  readonly feeLimit: bigint;
  readonly memo: string;
}

export interface SignedTronTransaction {
  readonly txId: string;
  /** The bytes that were hashed and signed. */
  readonly rawHex: string;
  readonly raw: RawTronTransaction;
  readonly signatures: readonly string[];
}

export function encodeRaw(raw: RawTronTransaction): Uint8Array {
  const { action } = raw;
  const parameter = writeMessage([
    [1, Buffer.from(typeUrl(action.type))],
    [2, encodeAction(action)],
  ]);
  const contract = writeMessage([
    [1, numberOf(action.type)],
    [2, parameter],
    [5, BigInt(raw.permissionId)],
  ]);
  return writeMessage([
    [1, Buffer.from(raw.refBlockBytes, "hex")],
    [4, Buffer.from(raw.refBlockHash, "hex")],
    [8, BigInt(raw.expiration)],
    [10, Buffer.from(raw.memo, "hex")],
    [11, contract],
    [14, BigInt(raw.timestamp)],
    [18, raw.feeLimit],
  ]);
}

/**
 * Returns null if the transaction is of a kind that is not emulated. Throws RangeError on bytes that are not a
 * transaction.
 */
export function decodeRaw(bytes: Uint8Array): RawTronTransaction | null {
  const raw = reader(bytes);
  const contract = reader(raw.bytes(11));
  const action = decodeAction(contract.integer(1), reader(contract.bytes(2)).bytes(2));
  if (action === null) return null;
  return {
    action,
    permissionId: Number(contract.integer(5)),
    refBlockBytes: hex(raw.bytes(1)),
    refBlockHash: hex(raw.bytes(4)),
    expiration: Number(raw.integer(8)),
    timestamp: Number(raw.integer(14)),
    feeLimit: raw.integer(18),
    memo: hex(raw.bytes(10)),
  };
}

/** Reads the `raw_data` of the HTTP API. null when it is not one, or of a kind that is not emulated. */
export function rawFromJson(json: unknown): RawTronTransaction | null {
  const raw = record(json);
  const contract = record(Array.isArray(raw.contract) ? raw.contract[0] : null);
  const action = actionFromJson(contract.type, record(record(contract.parameter).value));
  const [refBlockBytes, refBlockHash, memo] = [raw.ref_block_bytes, raw.ref_block_hash, raw.data].map(
    hexField,
  );
  const numbers = [raw.expiration, raw.timestamp, contract.Permission_id].map(integerField);
  const feeLimit = integerField(raw.fee_limit);
  if (!action || refBlockBytes == null || refBlockHash == null || memo == null || feeLimit === null)
    return null;
  const [expiration, timestamp, permissionId] = numbers;
  if (expiration == null || timestamp == null || permissionId == null) return null;
  return {
    action,
    permissionId: Number(permissionId),
    refBlockBytes,
    refBlockHash,
    expiration: Number(expiration),
    timestamp: Number(timestamp),
    feeLimit,
    memo,
  };
}

/** A transaction as the HTTP API writes it, without its signatures. */
export function transactionJson(
  raw: RawTronTransaction,
  rawHex: string,
  visible: boolean,
): Record<string, unknown> {
  const { action } = raw;
  return {
    txID: txIdOf(rawHex),
    raw_data: {
      contract: [
        {
          parameter: { value: actionJson(action, visible), type_url: typeUrl(action.type) },
          type: action.type,
          ...(raw.permissionId > 0 && { Permission_id: raw.permissionId }),
        },
      ],
      ref_block_bytes: raw.refBlockBytes,
      ref_block_hash: raw.refBlockHash,
      expiration: raw.expiration,
      timestamp: raw.timestamp,
      ...(raw.feeLimit > 0n && { fee_limit: Number(raw.feeLimit) }),
      ...(raw.memo !== "" && { data: raw.memo }),
    },
    raw_data_hex: rawHex,
  };
}

/** A whole signed transaction in protobuf form, as /wallet/broadcasthex accepts it. null as for decodeRaw. */
export function decodeSigned(bytes: Uint8Array): SignedTronTransaction | null {
  const fields = readMessage(bytes);
  const rawBytes = reader(bytes).bytes(1);
  const raw = decodeRaw(rawBytes);
  const signatures = (fields.get(2) ?? []).map((field) => (typeof field === "bigint" ? "" : hex(field)));
  return raw && { txId: txIdOf(hex(rawBytes)), rawHex: hex(rawBytes), raw, signatures };
}

export function txIdOf(rawHex: string): string {
  return createHash("sha256").update(Buffer.from(rawHex, "hex")).digest("hex");
}

/** The receiver of the transfer, the called contract, or the account that something is done to. Null if the action has no other side. */
export function receiverOf(action: Action): string | null {
  if (action.type === "TriggerSmartContract") return action.contract;
  if (action.type === "AccountCreateContract") return action.account;
  if ("to" in action) return action.to;
  return "receiver" in action ? action.receiver : null;
}

function reader(bytes: Uint8Array) {
  const fields = readMessage(bytes);
  const last = (number: number): Field | undefined => fields.get(number)?.at(-1);
  return {
    bytes(number: number): Uint8Array {
      const value = last(number);
      return value === undefined || typeof value === "bigint" ? new Uint8Array() : value;
    },
    integer(number: number): bigint {
      const value = last(number);
      return typeof value === "bigint" ? value : 0n;
    },
  };
}

function typeUrl(type: Action["type"]): string {
  return `type.googleapis.com/protocol.${type}`;
}
