import { isDeepStrictEqual } from "node:util";
import type { AddressFilter, LateTransfers, ScanOptions, ScanResult } from "../blocks.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { ChainTransfer } from "../transfers.ts";
import { leaveOutOthers, parseEach, type ReportUnreadable, type UnreadableEntry } from "../unreadable.ts";
import {
  fetchBlockHeader,
  fetchFullTransactions,
  fetchNextHeader,
  fetchSlots,
  fetchSolanaBlock,
  LeftOutError,
  missingBlockError,
} from "./fetch-blocks.ts";
import { fetchTransactionBalances } from "./fetch-signatures.ts";
import type { NamedSlots } from "./late-slots.ts";
import { type BalanceGain, listDoubtfulOwners, listGains, type SolanaToken } from "./match-balances.ts";
import {
  listAccounts,
  readAccountsForm,
  readJsonForm,
  type SolanaBlockHeader,
  type TransactionBalances,
} from "./parse-block.ts";
import type { WatchedSlots } from "./watched-slots.ts";

/** Blocks requested at once. A block of the main network is several megabytes of JSON. */
const AT_ONCE = 4;
/** Blocks whose accounts are compared with our addresses in one query. */
const GROUP = 16;
/** Transactions of a block that are fetched again one by one. */
const MOST_ALONE = 4;

/** The node that is read, and the tokens of its network. */
export interface SolanaSource {
  readonly client: RpcClient;
  readonly tokens: readonly SolanaToken[];
  readonly reportUnreadable: ReportUnreadable;
  readonly watched: WatchedSlots;
  /** Asks the other nodes at once. Returns the answer of the best one that has any. */
  readonly askOthers: <T>(ask: (other: SolanaSource) => Promise<T>) => Promise<T | null>;
}

/** A transaction that the answer about its block may have in part. */
interface Doubted {
  readonly slot: number;
  readonly balances: TransactionBalances;
}

interface Found {
  readonly header: SolanaBlockHeader;
  readonly signature: string;
  readonly gain: BalanceGain;
}

/**
 * Payments to our addresses in slots from..to, all of one branch. Where it is known in which slots our addresses are named,
 * only the blocks of these are read, and the headers of the first and the last one. Otherwise all blocks are read: each names
 * the previous one, so that a block missing from the node is never mistaken for a skipped slot. Throws
 * NodeError("inconsistent") when a block is missing, or the chain has not reached `to`.
 */
export async function scanSolanaBlocks(
  source: SolanaSource,
  { from, to }: { readonly from: number; readonly to: number },
  ours: AddressFilter,
  { isIdle = false }: ScanOptions = {},
): Promise<ScanResult> {
  if (to < from) throw new RangeError("scan: an empty range");
  const { client, watched } = source;
  const slots = await fetchSlots(client, from, to);
  const wanted = await watched.find(client, { from, to }, isIdle);
  const listed = new Set(slots);
  for (const slot of wanted?.keys() ?? []) if (!listed.has(slot)) throw missingBlockError(slot);
  const read = wanted === null ? slots : slots.filter((slot) => wanted.has(slot));
  const headers = new Map<number, SolanaBlockHeader>();
  const transfers: ChainTransfer[] = [];
  for (let i = 0; i < read.length; i += GROUP) {
    transfers.push(...(await readGroup(source, read.slice(i, i + GROUP), { headers, ours, wanted })));
  }
  for (const slot of new Set([...slots.slice(0, 1), ...slots.slice(-1)])) {
    if (!headers.has(slot)) headers.set(slot, await readHeader(source, slot));
  }
  const next = slots.at(-1) === to ? null : await fetchNextHeader(client, to);
  if (wanted !== null) watched.addFound(wanted);
  return { transfers, ...proveBranch(slots, headers, next, { from, to }) };
}

/** Payments in slots that the node listed late. See LateReports.list. */
export async function listLatePayments(
  source: SolanaSource,
  slot: number,
  ours: AddressFilter,
): Promise<LateTransfers> {
  const late = source.watched.listLate(slot);
  const transfers: ChainTransfer[] = [];
  const read: number[] = [];
  for (const one of late.keys()) {
    const readOne = async (node: SolanaSource) => {
      const headers = new Map<number, SolanaBlockHeader>();
      const found = await readGroup(node, [one], { headers, ours, wanted: late });
      return { found, hash: headers.get(one)?.hash };
    };
    const keep = ({ found }: { readonly found: readonly ChainTransfer[] }) => {
      transfers.push(...found);
      read.push(one);
    };
    try {
      keep(await readOne(source));
    } catch (error) {
      // One slot holds back neither other payments nor credits. It is asked for again, after the others.
      if (!(error instanceof NodeError) || error.kind === "wrong_chain") throw error;
      const isAway = error.kind === "unreachable" || error.kind === "rate_limited";
      const other = isAway ? null : await source.askOthers(readOne);
      if (other !== null && !(await hasAnotherBlock(source, one, other.hash))) {
        keep(other);
        continue;
      }
      // Other errors do not show the block: the node may do so tomorrow.
      source.watched.postponeLate(one, error instanceof LeftOutError, [...(late.get(one) ?? [])]);
      if (!isAway) continue;
      source.watched.pauseLate();
      break;
    }
  }
  return { transfers, done: () => source.watched.dropLate(read) };
}

/** Returns whether the node shows another block in this slot. What is recorded of a block that it refutes would never be credited nor read again. */
async function hasAnotherBlock({ client }: SolanaSource, slot: number, hash: string | undefined) {
  try {
    const header = await fetchBlockHeader(client, slot);
    return header !== null && header !== "skipped" && header.hash !== hash;
  } catch (error) {
    if (error instanceof NodeError) return false;
    throw error;
  }
}

async function readHeader({ client, watched }: SolanaSource, slot: number): Promise<SolanaBlockHeader> {
  if (watched.head?.slot === slot) return watched.head;
  const header = await fetchBlockHeader(client, slot);
  if (header === null || header === "skipped") throw missingBlockError(slot);
  return header;
}

/** Payments to our addresses in some blocks. Payments to others are forgotten with the group. */
async function readGroup(
  { client, tokens, reportUnreadable }: SolanaSource,
  slots: readonly number[],
  into: {
    readonly headers: Map<number, SolanaBlockHeader>;
    readonly ours: AddressFilter;
    readonly wanted: NamedSlots | null;
  },
): Promise<readonly ChainTransfer[]> {
  const mints = new Set(tokens.flatMap(({ mint }) => mint ?? []));
  const found: Found[] = [];
  const doubtful: Doubted[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (let i = 0; i < slots.length; i += AT_ONCE) {
    const parts = slots
      .slice(i, i + AT_ONCE)
      .map((slot) => readGains(client, slot, { tokens, mints, unreadable, named: into.wanted?.get(slot) }));
    for (const { header, gains, doubted } of await Promise.all(parts)) {
      into.headers.set(header.slot, header);
      for (const gain of gains) found.push(gain);
      for (const balances of doubted) doubtful.push({ slot: header.slot, balances });
    }
  }
  await leaveOutOthers(unreadable, listAccounts, into.ours, reportUnreadable);
  await checkDoubtful(client, mints, doubtful, into.ours);
  const known = await into.ours([...new Set(found.map(({ gain }) => gain.address))]);
  return found.filter(({ gain }) => known.has(gain.address)).map(toTransfer);
}

async function readGains(
  client: RpcClient,
  slot: number,
  {
    tokens,
    mints,
    unreadable,
    named,
  }: {
    readonly tokens: readonly SolanaToken[];
    readonly mints: ReadonlySet<string>;
    readonly unreadable: UnreadableEntry[];
    /** Transactions that must be in the block. */
    readonly named: ReadonlySet<string> | undefined;
  },
) {
  const { header, transactions } = await fetchSolanaBlock(client, slot);
  const missing = new Set(named);
  for (const entry of transactions) missing.delete(signatureOf(entry));
  if (missing.size > 0) throw new LeftOutError(slot);
  const readable = parseEach(transactions, (transaction) => readAccountsForm(transaction, mints), unreadable);
  const gains = readable.flatMap((balances) =>
    listGains(balances, tokens).map((gain) => ({ header, signature: balances.signature, gain })),
  );
  return { header, gains, doubted: readable.filter((one) => listDoubtfulOwners(one).length > 0) };
}

/**
 * Checks transactions that a block's answer may have in part, where they name our addresses: a second answer must say the same. Without a balance
 * before, all that an account holds would count as paid.
 */
async function checkDoubtful(
  client: RpcClient,
  mints: ReadonlySet<string>,
  doubtful: readonly Doubted[],
  ours: AddressFilter,
): Promise<void> {
  if (doubtful.length === 0) return;
  const known = await ours([...new Set(doubtful.flatMap(({ balances }) => listDoubtfulOwners(balances)))]);
  const mine = doubtful.filter(({ balances }) =>
    listDoubtfulOwners(balances).some((owner) => known.has(owner)),
  );
  for (const [slot, some] of Map.groupBy(mine, (one) => one.slot)) {
    const again = await fetchAgain(
      client,
      slot,
      mints,
      some.map(({ balances }) => balances.signature),
    );
    for (const { balances } of some) {
      const { signature, tokensBefore, tokensAfter } = balances;
      const second = again.get(signature);
      if (isDeepStrictEqual([second?.tokensBefore, second?.tokensAfter], [tokensBefore, tokensAfter]))
        continue;
      throw new NodeError("inconsistent", `the node sent ${signature} with other balances before`);
    }
  }
}

/**
 * Fetches some transactions of a block in another form. Anybody can put many that name our addresses into a block, for a fee each: with more
 * than MOST_ALONE the block is one call. So it is where the node finds one of them only in its block: that one would stop the network.
 */
async function fetchAgain(
  client: RpcClient,
  slot: number,
  mints: ReadonlySet<string>,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, TransactionBalances>> {
  const found = new Map<string, TransactionBalances>();
  for (const one of signatures.length <= MOST_ALONE ? signatures : []) {
    const balances = await fetchAlone(client, one, mints);
    if (balances === null) break;
    found.set(one, balances);
  }
  if (found.size === signatures.length) return found;
  const wanted = new Set(signatures.filter((one) => !found.has(one)));
  for (const entry of await fetchFullTransactions(client, slot)) {
    const signature = signatureOf(entry);
    if (wanted.has(signature)) found.set(signature, readJsonForm(entry, mints));
  }
  return found;
}

/** Null: the node does not have the transaction, or refuses to show it. */
async function fetchAlone(
  client: RpcClient,
  signature: string,
  mints: ReadonlySet<string>,
): Promise<TransactionBalances | null> {
  try {
    return await fetchTransactionBalances(client, signature, mints);
  } catch (error) {
    if (error instanceof NodeError && error.kind === "refused") return null;
    throw error;
  }
}

/** The signature of a transaction that may be unreadable. Empty: it shows none. */
function signatureOf(entry: unknown): string {
  const { signatures } = Object(Object(entry).transaction) as { readonly signatures?: unknown };
  return Array.isArray(signatures) ? String(signatures[0]) : "";
}

/**
 * `slots` have a block. `headers` are those that were read, the first and the last one among them. `next` is the first block
 * above `to`, where `to` itself has none.
 */
function proveBranch(
  slots: readonly number[],
  headers: ReadonlyMap<number, SolanaBlockHeader>,
  next: SolanaBlockHeader | null,
  { from, to }: { readonly from: number; readonly to: number },
): Pick<ScanResult, "tipHash" | "parentHash"> {
  const first = headers.get(slots[0] ?? -1) ?? next;
  const last = headers.get(slots.at(-1) ?? -1);
  if (first === null || (next === null && last?.slot !== to)) throw missingBlockError(to);
  if (from > 0 && first.parentSlot >= from) throw missingBlockError(first.parentSlot);
  for (const [i, slot] of [...slots, ...(next === null ? [] : [next.slot])].entries()) {
    const header = slot === next?.slot ? next : headers.get(slot);
    if (i === 0 || header === undefined) continue;
    const parent = headers.get(slots[i - 1] ?? -1);
    const { parentSlot, parentHash } = header;
    if (parentSlot !== slots[i - 1] || (parent && parentHash !== parent.hash)) {
      throw missingBlockError(parentSlot);
    }
  }
  return { tipHash: last?.hash ?? first.parentHash, parentHash: first.parentHash };
}

function toTransfer({ header, signature, gain }: Found): ChainTransfer {
  const { slot, hash, time } = header;
  if (time === null) throw new NodeError("malformed", `the node sent no time of block ${slot}`);
  const { position, token, address, sender } = gain;
  const block = { height: slot, hash, time };
  const amount = gain.amount();
  return {
    txHash: signature,
    position,
    token,
    address,
    sender,
    amount,
    block,
    spends: [],
    unmatchedReason: null,
  };
}
