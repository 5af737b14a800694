import { keccak_256 } from "@noble/hashes/sha3.js";

const DYNAMIC = [
  "nonce",
  "maxPriorityFeePerGas",
  "maxFeePerGas",
  "gas",
  "to",
  "value",
  "input",
  "accessList",
];
const SIGNATURE = ["yParity", "r", "s"];

/** The fields of each type of transaction, in the order of its bytes (EIP-155, 2930, 1559, 4844, 7702; the OP stack's deposits). */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "0x0": ["nonce", "gasPrice", "gas", "to", "value", "input", "v", "r", "s"],
  "0x1": ["chainId", "nonce", "gasPrice", "gas", "to", "value", "input", "accessList", ...SIGNATURE],
  "0x2": ["chainId", ...DYNAMIC, ...SIGNATURE],
  "0x3": ["chainId", ...DYNAMIC, "maxFeePerBlobGas", "blobVersionedHashes", ...SIGNATURE],
  "0x4": ["chainId", ...DYNAMIC, "authorizationList", ...SIGNATURE],
  "0x7e": ["sourceHash", "from", "to", "mint", "value", "gas", "isSystemTx", "input"],
};
const AUTHORIZATION = ["chainId", "address", "nonce", ...SIGNATURE];
/** Their leading zeros count. */
const WHOLE = new Set(["to", "from", "input", "sourceHash", "address"]);

/**
 * Returns whether these are all transactions of a block, by the root in its header. Null: that is not known, because one has a type or a field
 * that is unknown here, so that its own hash cannot be checked either.
 */
export function areAllTransactions(transactions: readonly unknown[], root: string): boolean | null {
  const encoded: Uint8Array[] = [];
  for (const transaction of transactions) {
    const bytes = encodeTransaction(transaction);
    if (bytes === null || toHex(keccak_256(bytes)) !== Object(transaction).hash) return null;
    encoded.push(bytes);
  }
  return computeListRoot(encoded) === root;
}

function encodeTransaction(transaction: unknown): Uint8Array | null {
  const { type = "0x0", ...fields } = Object(transaction) as Record<string, unknown>;
  const names = FIELDS[String(type)];
  try {
    const content = names && encodeRlp(names.map((name) => readField(fields, name)));
    if (!content) return null;
    return type === "0x0" ? content : Buffer.concat([Buffer.from([Number(type)]), content]);
  } catch {
    return null;
  }
}

/** Throws on a value of another form. */
function readField(fields: Readonly<Record<string, unknown>>, name: string): Rlp {
  const value = name === "yParity" ? (fields.yParity ?? fields.v) : fields[name];
  if (name === "accessList")
    return list(value).map((one) => [hexBytes(one.address), list(one.storageKeys).map(hexBytes)]);
  if (name === "authorizationList")
    return list(value).map((one) => AUTHORIZATION.map((part) => readField(one, part)));
  if (name === "blobVersionedHashes") return list(value).map(hexBytes);
  if (value === undefined || value === null) return new Uint8Array();
  return WHOLE.has(name) ? hexBytes(value) : toBytes(BigInt(value as string | boolean));
}

// biome-ignore lint/suspicious/noExplicitAny: entries are read by readField and hexBytes, which check them
const list = (value: unknown): any[] => (Array.isArray(value) ? value : []);

function hexBytes(value: unknown): Uint8Array {
  if (typeof value !== "string" || !/^0x([0-9a-f]{2})*$/i.test(value))
    throw new TypeError("not bytes in hex");
  return Buffer.from(value.slice(2), "hex");
}

const toHex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`;

interface Entry {
  /** Half bytes of the key. */
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

/** The root of a list in Ethereum's trie, where the key of each entry is its place (yellow paper, appendix D). */
function computeListRoot(values: readonly Uint8Array[]): string {
  const entries = values.map((value, place) => {
    const key = encodeRlp(toBytes(BigInt(place)));
    return { path: [...key].flatMap((byte) => [byte >> 4, byte & 15]), value };
  });
  return toHex(keccak_256(encodeRlp(toNode(entries, 0))));
}

function toNode(entries: readonly Entry[], depth: number): Rlp {
  const [first] = entries;
  if (first === undefined) return new Uint8Array();
  if (entries.length === 1) return [toPath(first.path.slice(depth), true), first.value];
  let shared = depth;
  while (entries.every(({ path }) => path[shared] !== undefined && path[shared] === first.path[shared]))
    shared += 1;
  if (shared > depth) return [toPath(first.path.slice(depth, shared), false), toReference(entries, shared)];
  const branches = Array.from({ length: 16 }, (_, half) =>
    toReference(
      entries.filter(({ path }) => path[depth] === half),
      depth + 1,
    ),
  );
  const ending = entries.find(({ path }) => path.length === depth);
  return [...branches, ending?.value ?? new Uint8Array()];
}

/** A short node is in its parent, a longer one is named by its hash. */
function toReference(entries: readonly Entry[], depth: number): Rlp {
  const node = toNode(entries, depth);
  const bytes = encodeRlp(node);
  return entries.length === 0 || bytes.length < 32 ? node : keccak_256(bytes);
}

/** Half bytes after a mark of their kind and number. */
function toPath(path: readonly number[], isLeaf: boolean): Uint8Array {
  const mark = isLeaf ? 2 : 0;
  const halves = path.length % 2 === 0 ? [mark, 0, ...path] : [mark + 1, ...path];
  return Uint8Array.from(
    { length: halves.length / 2 },
    (_, i) => ((halves[2 * i] ?? 0) << 4) | (halves[2 * i + 1] ?? 0),
  );
}

/** A value of Ethereum's encoding RLP: bytes, or a list of values (Ethereum yellow paper, appendix B). */
type Rlp = Uint8Array | readonly Rlp[];

function encodeRlp(value: Rlp): Uint8Array {
  if (value instanceof Uint8Array) {
    const [first = 0x80] = value;
    return value.length === 1 && first < 0x80 ? value : Buffer.concat([lengthOf(value.length, 0x80), value]);
  }
  const content = Buffer.concat(value.map(encodeRlp));
  return Buffer.concat([lengthOf(content.length, 0xc0), content]);
}

function lengthOf(length: number, offset: number): Uint8Array {
  if (length < 56) return Uint8Array.of(offset + length);
  const bytes = toBytes(BigInt(length));
  return Uint8Array.of(offset + 55 + bytes.length, ...bytes);
}

/** A number without leading zeros: 0 has no bytes. */
function toBytes(number: bigint): Uint8Array {
  const hex = number === 0n ? "" : number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
}
