import { createHash } from "node:crypto";
import { canonicalizeTronAddress, tronAddressFromHex, tronAddressToHex } from "#lib/chains/tron/address.ts";
import { type Field, readMessage, writeMessage } from "./protobuf.ts";

/**
 * What a transaction does. Addresses are 20 bytes of lower-case hex (0x…), bytes are hex without 0x, money
 * is in sun.
 */
export type Action =
  | {
      readonly type: "TransferContract";
      readonly owner: string;
      readonly to: string;
      readonly amount: bigint;
    }
  | {
      /** The id of a TRC-10 token, which has no contract. */
      readonly type: "TransferAssetContract";
      readonly owner: string;
      readonly to: string;
      /** Seven digits. */
      readonly asset: string;
      readonly amount: bigint;
    }
  | {
      readonly type: "TriggerSmartContract";
      readonly owner: string;
      readonly contract: string;
      readonly data: string;
      readonly callValue: bigint;
    };

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

const TYPES = { TransferContract: 1n, TransferAssetContract: 2n, TriggerSmartContract: 31n } as const;
const ASSET = /^[0-9]{7}$/;
const HEX = /^(?:[0-9a-fA-F]{2})*$/;

export function encodeRaw(raw: RawTronTransaction): Uint8Array {
  const { action } = raw;
  const value = writeMessage(contractFields(action));
  const parameter = writeMessage([
    [1, Buffer.from(typeUrl(action.type))],
    [2, value],
  ]);
  const contract = writeMessage([
    [1, TYPES[action.type]],
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

function contractFields(action: Action): Parameters<typeof writeMessage>[0] {
  const owner = addressBytes(action.owner);
  if (action.type === "TriggerSmartContract") {
    const data = Buffer.from(action.data, "hex");
    return [
      [1, owner],
      [2, addressBytes(action.contract)],
      [3, action.callValue],
      [4, data],
    ];
  }
  const to = addressBytes(action.to);
  if (action.type === "TransferContract") {
    return [
      [1, owner],
      [2, to],
      [3, action.amount],
    ];
  }
  return [
    [1, Buffer.from(action.asset)],
    [2, owner],
    [3, to],
    [4, action.amount],
  ];
}

/**
 * null when the transaction is of a kind that is not emulated. Throws RangeError on bytes that are not a
 * transaction.
 */
export function decodeRaw(bytes: Uint8Array): RawTronTransaction | null {
  const raw = reader(bytes);
  const contract = reader(raw.bytes(11));
  const value = reader(reader(contract.bytes(2)).bytes(2));
  const type = contract.integer(1);
  let action: Action;
  if (type === TYPES.TransferContract) {
    const [owner, to] = [hexAddress(value.bytes(1)), hexAddress(value.bytes(2))];
    action = { type: "TransferContract", owner, to, amount: value.integer(3) };
  } else if (type === TYPES.TransferAssetContract) {
    const asset = assetField(hex(value.bytes(1)));
    if (asset === null) return null;
    const [owner, to] = [hexAddress(value.bytes(2)), hexAddress(value.bytes(3))];
    action = { type: "TransferAssetContract", owner, to, asset, amount: value.integer(4) };
  } else if (type === TYPES.TriggerSmartContract) {
    action = {
      type: "TriggerSmartContract",
      owner: hexAddress(value.bytes(1)),
      contract: hexAddress(value.bytes(2)),
      data: hex(value.bytes(4)),
      callValue: value.integer(3),
    };
  } else return null;
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
  const value = record(record(contract.parameter).value);
  const owner = addressField(value.owner_address);
  const to = addressField(value.to_address);
  const amount = integerField(value.amount);
  let action: Action | null = null;
  if (contract.type === "TransferContract") {
    if (owner && to && amount !== null) action = { type: "TransferContract", owner, to, amount };
  } else if (contract.type === "TransferAssetContract") {
    const asset = assetField(value.asset_name);
    if (owner && to && asset !== null && amount !== null)
      action = { type: "TransferAssetContract", owner, to, asset, amount };
  } else if (contract.type === "TriggerSmartContract") {
    const target = addressField(value.contract_address);
    const callValue = integerField(value.call_value);
    const data = hexField(value.data);
    if (owner && target && data !== null && callValue !== null)
      action = { type: "TriggerSmartContract", owner, contract: target, data, callValue };
  }
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
  const value = { ...contractValue(action, visible), owner_address: writeAddress(action.owner, visible) };
  return {
    txID: txIdOf(rawHex),
    raw_data: {
      contract: [
        {
          parameter: { value, type_url: typeUrl(action.type) },
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

function contractValue(action: Action, visible: boolean): Record<string, unknown> {
  if (action.type === "TriggerSmartContract") {
    return {
      data: action.data,
      contract_address: writeAddress(action.contract, visible),
      ...(action.callValue > 0n && { call_value: Number(action.callValue) }),
    };
  }
  return {
    amount: Number(action.amount),
    to_address: writeAddress(action.to, visible),
    ...(action.type === "TransferAssetContract" && {
      asset_name: visible ? action.asset : hex(Buffer.from(action.asset)),
    }),
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

/** 41… in hex, or T… when the caller asked for `visible`. */
export function writeAddress(address: string, visible: boolean): string {
  return visible ? tronAddressFromHex(address) : `41${address.slice(2)}`;
}

/** The receiver of the value, or the called contract. */
export function targetOf(action: Action): string {
  return action.type === "TriggerSmartContract" ? action.contract : action.to;
}

/** A TRC-10 token id, from text or from the hex of its text. null when it is not one. */
function assetField(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const asset = ASSET.test(value) ? value : Buffer.from(hexField(value) ?? "", "hex").toString();
  return ASSET.test(asset) ? asset : null;
}

/** Any form of an address as 20 bytes of hex. null when it is not an address. */
export function addressField(value: unknown): string | null {
  const canonical = typeof value === "string" ? canonicalizeTronAddress(value) : null;
  return canonical === null ? null : tronAddressToHex(canonical);
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

function addressBytes(address: string): Uint8Array {
  return Buffer.from(`41${address.slice(2)}`, "hex");
}

function hexAddress(bytes: Uint8Array): string {
  if (bytes.length !== 21 || bytes[0] !== 0x41) throw new RangeError("not an address of TRON");
  return `0x${hex(bytes.subarray(1))}`;
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Lower-case hex without 0x. Absent is empty. null when it is not hex. */
export function hexField(value: unknown): string | null {
  if (value === undefined) return "";
  if (typeof value !== "string") return null;
  const digits = value.replace(/^0x/, "");
  return HEX.test(digits) ? digits.toLowerCase() : null;
}

/** A whole number in JSON, 0 when absent. null when it is something else. */
export function integerField(value: unknown): bigint | null {
  if (value === undefined) return 0n;
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? BigInt(number) : null;
}
