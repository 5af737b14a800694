import type { JournalEntry } from "../types.ts";

/** The answer of one node about the hot account. */
export interface NonceLook {
  /** The heights of the newest block, and of the newest final one. */
  readonly height: number;
  readonly finalHeight: number;
  /** The lowest nonces that are not used in all blocks, and in the final ones. */
  readonly mined: number;
  readonly upTo: number;
}

/** A node said that nonces are used which this signer did not use. */
export interface Claim {
  readonly mined: number;
  /** The newest block when it said so first. */
  readonly height: number;
}

/** Nodes said that final blocks used more nonces than a gap may have. */
export interface Jump {
  readonly to: number;
  /** The time of the first of these answers. */
  readonly since: Date;
}

/** Nodes are apart by fewer blocks. */
const APART_BLOCKS = 20;

/** Each unused nonce costs a fee: a gap of more is not filled. */
export const MOST_GAP = 200;
/** No account that a signer shares has sent more. */
const MOST_JUMP = 1_000_000;
const JUMP_MS = 3_600_000;

type Own = readonly Pick<JournalEntry, "spends">[];

/** The nonce that a transaction uses: the only thing that it spends. */
export function nonceOf({ spends: [spent] }: Own[number]): number {
  return Number(spent?.split(":")[1]);
}

/** The account that signed a transaction, canonical. */
export const senderOf = ({ spends: [spent] }: Own[number]): string => spent?.split(":")[0] ?? "";

/** After every nonce that this signer has used. */
export const nextOwn = (own: Own): number =>
  own.reduce((next, entry) => Math.max(next, nonceOf(entry) + 1), 0);

/** After every nonce of a settled transaction of this signer. `open`: those that are not settled. */
function nextAfterSettled(own: Own, open: Own): number {
  const unsettled = new Set(open.map(nonceOf));
  return nextOwn(own.filter((entry) => !unsettled.has(nonceOf(entry))));
}

/**
 * The highest nonce that is believed at once: with it, at most MOST_GAP nonces below are neither own nor below an own transaction that
 * is settled. What waits behind a gap that is not filled waits for ever.
 */
export function mostProven(own: Own, open: Own): number {
  const base = nextAfterSettled(own, open);
  const after = new Set(own.map(nonceOf).filter((nonce) => nonce >= base));
  return base + after.size + MOST_GAP;
}

/**
 * The lowest nonce that no final block has used, as nodes say it. Null while it is above `most` (mostProven): nodes must say the same
 * for an hour. More than MOST_JUMP above it is never believed.
 */
export function boundProven(
  most: number,
  proven: number,
  before: Jump | null,
  now: Date,
): { readonly proven: number | null; readonly jump: Jump | null } {
  if (proven <= most) return { proven, jump: null };
  const isSame = before !== null && proven >= before.to && proven <= before.to + MOST_GAP;
  const jump = isSame ? before : { to: proven, since: now };
  const isLong = now.getTime() - jump.since.getTime() >= JUMP_MS;
  return { proven: isLong && proven <= most + MOST_JUMP ? proven : null, jump };
}

/**
 * The next nonce. Null while it is not known. Nonces that others used with the key count once they are final: a transaction beyond the next
 * nonce waits for ever, and one with a used nonce is never in a block. `proven`: the lowest nonce that is not used in the final blocks.
 */
export function chooseNonce(
  own: Own,
  { height, finalHeight, mined }: NonceLook,
  { proven, claim: before }: { readonly proven: number; readonly claim: Claim | null },
): { readonly nonce: number | null; readonly claim: Claim | null } {
  const least = Math.max(nextOwn(own), proven);
  if (mined <= least) return { nonce: least, claim: null };
  const claim = before !== null && before.mined > least ? before : { mined, height };
  // The blocks in which it was claimed are final now, and do not have it: the node errs.
  const isRefuted = finalHeight >= claim.height + APART_BLOCKS;
  return { nonce: isRefuted ? least : null, claim };
}

/**
 * Counts the nonces that an own transaction may wait behind because nothing has used them. A node that says a high `mined`, and then lower
 * ones, hides no part of a gap: what is after the last settled transaction counts, whatever it says.
 */
export function countUnused(own: Own, open: Own, mined: number): number {
  const from = Math.min(mined, nextAfterSettled(own, open));
  const used = new Set(own.map(nonceOf).filter((nonce) => nonce >= from));
  return nextOwn(own) - from - used.size;
}

/** The lowest nonce that no transaction has used, and that an own transaction waits behind. Null if none waits behind one. */
export function findGap(own: Own, mined: number): number | null {
  const used = new Set(own.map(nonceOf));
  const end = nextOwn(own);
  for (let nonce = mined; nonce < end; nonce++) if (!used.has(nonce)) return nonce;
  return null;
}
