import { type Field, readMessage, writeMessage } from "#lib/chains/tron/protobuf.ts";
import {
  addressBytes,
  addressField,
  hex,
  hexAddress,
  hexField,
  integerField,
  writeAddress,
} from "./fields.ts";

/** The resources that TRX is frozen for. */
export type Resource = "BANDWIDTH" | "ENERGY";

/** Owner, receiver and amount (sun) of TRX that gives energy or bandwidth to another account. */
interface Delegation {
  readonly owner: string;
  readonly receiver: string;
  readonly amount: bigint;
  readonly resource: Resource;
}

/** TRX of an account that is frozen or unfrozen, in sun. */
interface Stake {
  readonly owner: string;
  readonly amount: bigint;
  readonly resource: Resource;
}

/**
 * The action of a transaction. Addresses are 20 bytes of lower-case hex (0x…), bytes are hex without 0x, money
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
    }
  | { readonly type: "AccountCreateContract"; readonly owner: string; readonly account: string }
  | ({ readonly type: "FreezeBalanceV2Contract" } & Stake)
  | ({ readonly type: "UnfreezeBalanceV2Contract" } & Stake)
  | ({ readonly type: "DelegateResourceContract" } & Delegation)
  | ({ readonly type: "UnDelegateResourceContract" } & Delegation);

type Value = string | bigint;

/** How a kind of value is written. */
interface Kind {
  toField(value: Value): Field;
  /** Null if it is another value. */
  fromField(field: Field | undefined): Value | null;
  toJson(value: Value, visible: boolean): unknown;
  fromJson(value: unknown): Value | null;
}

const ASSET = /^[0-9]{7}$/;
const RESOURCES: readonly Resource[] = ["BANDWIDTH", "ENERGY"];
const bytesOf = (field: Field | undefined) =>
  field === undefined || typeof field === "bigint" ? new Uint8Array() : field;

const ADDRESS: Kind = {
  toField: (value) => addressBytes(String(value)),
  fromField: (field) => hexAddress(bytesOf(field)),
  toJson: (value, visible) => writeAddress(String(value), visible),
  fromJson: addressField,
};
const SUN: Kind = {
  toField: (value) => BigInt(value),
  fromField: (field) => (typeof field === "bigint" ? field : 0n),
  toJson: Number,
  fromJson: integerField,
};
/** java-tron leaves zeros out. */
const OPTIONAL_SUN: Kind = { ...SUN, toJson: (value) => (value === 0n ? undefined : Number(value)) };
const DATA: Kind = {
  toField: (value) => Buffer.from(String(value), "hex"),
  fromField: (field) => hex(bytesOf(field)),
  toJson: String,
  fromJson: hexField,
};
const TOKEN_ID: Kind = {
  toField: (value) => Buffer.from(String(value)),
  fromField: (field) => assetField(hex(bytesOf(field))),
  toJson: (value, visible) => (visible ? value : hex(Buffer.from(String(value)))),
  fromJson: assetField,
};
const RESOURCE: Kind = {
  toField: (value) => BigInt(RESOURCES.indexOf(value as Resource)),
  fromField: (field) => RESOURCES[Number(field ?? 0n)] ?? null,
  toJson: (value) => (value === "BANDWIDTH" ? undefined : value),
  fromJson: (value = "BANDWIDTH") => RESOURCES.find((one) => one === value) ?? null,
};

/** A field of an action: its number in the message, its name in JSON, and its kind. */
type Layout = readonly [name: string, number: number, json: string, kind: Kind];

const OWNER: Layout = ["owner", 1, "owner_address", ADDRESS];

/** The number of each type in TRON's protocol, and its fields in the order of their numbers. */
const CONTRACTS: Readonly<
  Record<Action["type"], { readonly number: bigint; readonly fields: readonly Layout[] }>
> = {
  AccountCreateContract: { number: 0n, fields: [OWNER, ["account", 2, "account_address", ADDRESS]] },
  TransferContract: {
    number: 1n,
    fields: [OWNER, ["to", 2, "to_address", ADDRESS], ["amount", 3, "amount", SUN]],
  },
  TransferAssetContract: {
    number: 2n,
    fields: [
      ["asset", 1, "asset_name", TOKEN_ID],
      ["owner", 2, "owner_address", ADDRESS],
      ["to", 3, "to_address", ADDRESS],
      ["amount", 4, "amount", SUN],
    ],
  },
  TriggerSmartContract: {
    number: 31n,
    fields: [
      OWNER,
      ["contract", 2, "contract_address", ADDRESS],
      ["callValue", 3, "call_value", OPTIONAL_SUN],
      ["data", 4, "data", DATA],
    ],
  },
  FreezeBalanceV2Contract: {
    number: 54n,
    fields: [OWNER, ["amount", 2, "frozen_balance", SUN], ["resource", 3, "resource", RESOURCE]],
  },
  UnfreezeBalanceV2Contract: {
    number: 55n,
    fields: [OWNER, ["amount", 2, "unfreeze_balance", SUN], ["resource", 3, "resource", RESOURCE]],
  },
  DelegateResourceContract: { number: 57n, fields: delegationFields() },
  UnDelegateResourceContract: { number: 58n, fields: delegationFields() },
};

function delegationFields(): readonly Layout[] {
  return [
    OWNER,
    ["resource", 2, "resource", RESOURCE],
    ["amount", 3, "balance", SUN],
    ["receiver", 4, "receiver_address", ADDRESS],
  ];
}

export const numberOf = (type: Action["type"]): bigint => CONTRACTS[type].number;

export function encodeAction(action: Action): Uint8Array {
  const values = action as unknown as Readonly<Record<string, Value>>;
  return writeMessage(
    CONTRACTS[action.type].fields.map(([name, number, , kind]) => [number, kind.toField(values[name] ?? "")]),
  );
}

/** Null if a type or a value is not emulated. Throws RangeError on bytes that are not an action. */
export function decodeAction(number: bigint, bytes: Uint8Array): Action | null {
  const type = typeNames().find((one) => CONTRACTS[one].number === number);
  if (type === undefined) return null;
  const given = readMessage(bytes);
  return collect(type, ([, field, , kind]) => kind.fromField(given.get(field)?.at(-1)));
}

/** The `value` of a contract in the HTTP API. */
export function actionJson(action: Action, visible: boolean): Record<string, unknown> {
  const values = action as unknown as Readonly<Record<string, Value>>;
  const entries = CONTRACTS[action.type].fields.map(([name, , json, kind]): [string, unknown] => [
    json,
    kind.toJson(values[name] ?? "", visible),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Null if a type or a value is not emulated. */
export function actionFromJson(type: unknown, value: Readonly<Record<string, unknown>>): Action | null {
  const known = typeNames().find((one) => one === type);
  return known === undefined ? null : collect(known, ([, , json, kind]) => kind.fromJson(value[json]));
}

const typeNames = () => Object.keys(CONTRACTS) as Action["type"][];

function collect(type: Action["type"], read: (field: Layout) => Value | null): Action | null {
  const entries = CONTRACTS[type].fields.map((field): [string, Value | null] => [field[0], read(field)]);
  if (entries.some(([, value]) => value === null)) return null;
  return { type, ...Object.fromEntries(entries) } as unknown as Action;
}

/** A TRC-10 token id, from text or from the hex of its text. null when it is not one. */
function assetField(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const asset = ASSET.test(value) ? value : Buffer.from(hexField(value) ?? "", "hex").toString();
  return ASSET.test(asset) ? asset : null;
}
