import { z } from "zod";
import { ENVS } from "#lib/chains/network-data.ts";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { ENTRY_KINDS, type JournalEntry, type TransactionOutcome } from "./types.ts";

const TOKEN = z.enum(Object.keys(TOKENS) as [TokenCode, ...TokenCode[]]);
const AMOUNT = z.string().regex(/^[0-9]+$/);
const PAYOUT = z.strictObject({
  refid: z.string(),
  merchantId: z.int(),
  token: TOKEN,
  amount: AMOUNT,
  to: z.string(),
});
const PLACE = { at: z.iso.datetime(), env: z.enum(ENVS), network: z.enum(NETWORK_CODES) };
const SIGNED = { hash: z.string(), raw: z.string() };

const ENTRY = z.strictObject({
  v: z.literal(2),
  kind: z.enum(ENTRY_KINDS),
  ...PLACE,
  payouts: z.array(PAYOUT),
  moves: z.array(z.strictObject({ token: TOKEN, amount: AMOUNT, from: z.string(), to: z.string() })),
  spends: z.array(z.string()),
  expires: z.int().nullable(),
  fee: AMOUNT.optional(),
  ...SIGNED,
});

const SETTLED = z.strictObject({
  v: z.literal(2),
  kind: z.literal("settled"),
  at: z.iso.datetime(),
  hash: z.string(),
  outcome: z.enum(["final", "failed", "dead"]),
});

/** The first form, of EVM networks only: one withdrawal in each transaction. */
const FIRST = z.strictObject({
  v: z.literal(1),
  kind: z.enum(["payout", "cancel"]),
  ...PLACE,
  ...PAYOUT.shape,
  sender: z.string(),
  nonce: z.int().min(0),
  ...SIGNED,
});

const LINE = z.union([ENTRY, SETTLED, FIRST]);

/** A line of the journal about a settled transaction. */
export interface SettledLine {
  readonly kind: "settled";
  readonly hash: string;
  readonly outcome: TransactionOutcome;
}

/** A line with its end. */
export function formatEntry({ at, payouts, moves, fee, ...rest }: JournalEntry): string {
  const line: z.infer<typeof ENTRY> = {
    v: 2,
    at: at.toISOString(),
    payouts: payouts.map(({ refid, merchantId, token, amount, to }) => ({
      refid,
      merchantId,
      token,
      amount: amount.toString(),
      to,
    })),
    moves: moves.map((move) => ({ ...move, amount: move.amount.toString() })),
    ...rest,
    ...(fee !== undefined && { fee: fee.toString() }),
    spends: [...rest.spends],
  };
  return `${JSON.stringify(line)}\n`;
}

/** A line with its end. */
export function formatSettled(hash: string, outcome: TransactionOutcome, at: Date): string {
  const line: z.infer<typeof SETTLED> = { v: 2, kind: "settled", at: at.toISOString(), hash, outcome };
  return `${JSON.stringify(line)}\n`;
}

/** Null if the line is damaged. */
export function parseLine(text: string): JournalEntry | SettledLine | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = LINE.safeParse(json);
  if (!parsed.success) return null;
  const line = parsed.data;
  if (line.kind === "settled") return line;
  return line.v === 1 ? readFirst(line) : readEntry(line);
}

function readEntry({ v: _version, at, payouts, moves, fee, ...rest }: z.infer<typeof ENTRY>): JournalEntry {
  const { env, network } = rest;
  return {
    ...rest,
    ...(fee !== undefined && { fee: BigInt(fee) }),
    at: new Date(at),
    payouts: payouts.map((payout) => ({ env, network, ...payout, amount: BigInt(payout.amount) })),
    moves: moves.map((move) => ({ ...move, amount: BigInt(move.amount) })),
  };
}

function readFirst({ kind, at, env, network, hash, raw, ...rest }: z.infer<typeof FIRST>): JournalEntry {
  const { refid, merchantId, token, amount, to, sender, nonce } = rest;
  const payout = { env, network, refid, merchantId, token, amount: BigInt(amount), to };
  const common = { at: new Date(at), kind, env, network, hash, raw, payouts: [payout], moves: [] };
  return { ...common, spends: [`${sender}:${nonce}`], expires: null };
}
