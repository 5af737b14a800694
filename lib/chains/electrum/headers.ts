import { hash, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { NodeError } from "../node-error.ts";

const HEADER_BYTES = 80;
/** Blocks between two changes of the difficulty. Bitcoin and litecoin. */
const PERIOD = 2016;
/** The difficulty changes at most by this factor. */
const LARGEST_STEP = 4n;
/**
 * A block's time may be this far ahead of our clock: two hours (Core, MAX_FUTURE_BLOCK_TIME), which testnet4 uses up, and
 * one for a slow clock here.
 */
const MAX_AHEAD_S = 10_800;

/** How the headers of a chain are checked. */
export interface HeaderRules {
  readonly work: "sha256d" | "scrypt";
  /** Bits of the easiest target that is believed. Null on test chains: their blocks cost nothing. */
  readonly easiestBits: number | null;
}

export interface Header {
  readonly hash: string;
  readonly parentHash: string;
  /** In hash order. */
  readonly merkleRoot: Buffer;
  readonly time: Date;
  readonly bits: number;
  /** Expected hashes to find this block. */
  readonly work: bigint;
}

/** Splits serialized headers. Throws NodeError("malformed"). */
export function parseHeaders(raw: Buffer): Header[] {
  if (raw.length === 0 || raw.length % HEADER_BYTES !== 0) throw malformed("headers of a wrong length");
  return Array.from({ length: raw.length / HEADER_BYTES }, (_, i) => {
    const bytes = raw.subarray(i * HEADER_BYTES, (i + 1) * HEADER_BYTES);
    const bits = bytes.readUInt32LE(72);
    return {
      hash: displayHash(doubleSha256(bytes)),
      parentHash: displayHash(bytes.subarray(4, 36)),
      merkleRoot: Buffer.from(bytes.subarray(36, 68)),
      time: new Date(bytes.readUInt32LE(68) * 1_000),
      bits,
      work: (1n << 256n) / (toTarget(bits) + 1n),
    };
  });
}

/**
 * Checks that headers follow `parent`, the block at `height - 1` (null: not known), and each other, and that each meets
 * its proof of work. Throws NodeError("malformed"): a server that sends anything else is wrong or lies.
 */
export async function checkHeaders(
  raw: Buffer,
  at: { readonly height: number; readonly parent: Header | null },
  rules: HeaderRules,
  now: Date,
): Promise<Header[]> {
  const headers = parseHeaders(raw);
  let before = at.parent;
  for (const [i, header] of headers.entries()) {
    const height = at.height + i;
    if (before !== null && header.parentHash !== before.hash) {
      throw malformed(`block ${height} does not follow block ${height - 1}`);
    }
    checkDifficulty(header, before, height, rules);
    if (header.time.getTime() > now.getTime() + MAX_AHEAD_S * 1_000) {
      throw malformed(`block ${height} is of the future`);
    }
    before = header;
  }
  const works = await Promise.all(
    headers.map((header, i) =>
      meetsTarget(header, raw.subarray(i * HEADER_BYTES, (i + 1) * HEADER_BYTES), rules),
    ),
  );
  const failed = works.indexOf(false);
  if (failed >= 0) throw malformed(`block ${at.height + failed} has no proof of work`);
  return headers;
}

/** On the live chain the target is the same for a period, and changes little after it. */
function checkDifficulty(header: Header, before: Header | null, height: number, rules: HeaderRules): void {
  if (rules.easiestBits === null) return;
  const target = toTarget(header.bits);
  if (target > toTarget(rules.easiestBits)) throw malformed(`block ${height} has too easy a proof of work`);
  if (before === null) return;
  const old = toTarget(before.bits);
  const wrong = height % PERIOD === 0 ? target > old * LARGEST_STEP : header.bits !== before.bits;
  if (wrong) throw malformed(`block ${height} has another difficulty than its chain`);
}

const scryptAsync = promisify<Uint8Array, Uint8Array, number, { N: number; r: number; p: number }, Buffer>(
  scrypt,
);

async function meetsTarget(
  { hash: shown, bits }: Header,
  bytes: Buffer,
  { work }: HeaderRules,
): Promise<boolean> {
  const proof =
    work === "sha256d" ? shown : displayHash(await scryptAsync(bytes, bytes, 32, { N: 1024, r: 1, p: 1 }));
  return BigInt(`0x${proof}`) <= toTarget(bits);
}

/** The largest hash that meets these bits: a float of base 256. */
function toTarget(bits: number): bigint {
  const mantissa = BigInt(bits & 0x7fffff);
  const exponent = BigInt(bits >>> 24);
  if ((bits & 0x800000) !== 0 || mantissa === 0n || exponent > 32n)
    throw malformed("an impossible difficulty");
  return exponent >= 3n ? mantissa << (8n * (exponent - 3n)) : mantissa >> (8n * (3n - exponent));
}

export function doubleSha256(bytes: Uint8Array): Buffer {
  return hash("sha256", hash("sha256", bytes, "buffer"), "buffer");
}

/** Hashes are shown in reverse byte order. */
export function displayHash(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString("hex");
}

function malformed(what: string): NodeError {
  return new NodeError("malformed", `the server sent ${what}`);
}
