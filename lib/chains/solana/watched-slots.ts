import type { Logger } from "pino";
import type { AddressBook } from "../address-book.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { openTurns, type TurnReports } from "./ask-in-turn.ts";
import { MOST_ACCOUNTS } from "./fetch-address-balances.ts";
import { createLateSlots, type LateSlots, type NamedSlots } from "./late-slots.ts";
import {
  type AddressMemory,
  fetchHoldings,
  listAddress,
  NOTHING_SHOWN,
  openTransactionReads,
  type Range,
  type TransactionReads,
} from "./list-address.ts";
import type { SolanaBlockHeader } from "./parse-block.ts";
import { findChanged } from "./quiet-addresses.ts";

/** Asked at once. */
const AT_ONCE = 4;
/** With more addresses than this the blocks are read, however many they are. */
const MOST_ADDRESSES = 10_000;
/** A node that refused is asked again after this time. */
const REFUSED_MS = 3_600_000;
/** So many lists without a right answer, one after another, are a refusal too, for this time. */
const MOST_FAILURES = 3;
const FAILED_MS = 600_000;

/** Transactions of a slot in a log line. */
const MOST_LOGGED = 20;

const GIVEN_UP = "a payment that the node lists was not found in its block, and the slot is not read again";
const TOO_MANY =
  "more blocks wait to be read again for this address than are remembered: it is asked about again";
const TURN_FAILED =
  "the node did not answer about an address in its turn: it is asked again in the next round";
const LEFT_OUT = "more transactions name this account than its turns read: a payment to it may be found late";
const NOT_EXPLAINED =
  "the node's list of an address's transactions does not explain what it holds: every block is read";

/** The findings from one node. */
export interface WatchedSlots {
  /** The newest block that the node has shown. Null: none yet. */
  head: SolanaBlockHeader | null;
  /**
   * The slots of the range that can hold payments to us, with the transactions that name us. Null: its blocks are to be read,
   * because that takes fewer calls, or because the node refuses or its lists do not explain what the addresses hold. With `isIdle` only the
   * addresses are listed that hold something else than before, and the others in turn. Throws NodeError.
   */
  find(client: RpcClient, range: Range, isIdle: boolean): Promise<NamedSlots | null>;
  /**
   * Slots up to this one with transactions that the node listed only after their range was read. They are returned until they are
   * dropped.
   */
  listLate(slot: number): NamedSlots;
  dropLate(slots: readonly number[]): void;
  /** Lets the other late slots come first. A slot that its node refutes for good is given up, with an alarm. */
  postponeLate(slot: number, isRefuted: boolean, signatures: readonly string[]): void;
  /** Asks for no late slot for a while: the node did not answer. */
  pauseLate(): void;
  /** Remembers transactions that were found in their blocks. */
  addFound(slots: NamedSlots): void;
}

/** The addresses to look for, and the mints of which they may have tokens. */
export interface Watched {
  /** Null: they are not known, so all blocks are read. */
  book: AddressBook | null;
  readonly mints: ReadonlySet<string>;
  readonly log?: Logger | undefined;
  /** Counts late slots that are given up. */
  readonly countGivenUp?: () => void;
}

/**
 * Finds the slots to read by asking for the transactions of every address and of every token account of it, up to the
 * node's head, so that catching up asks once (list-address.ts).
 */
export function openWatchedSlots(watched: Watched): WatchedSlots {
  let memory: ReadonlyMap<string, AddressMemory> = new Map();
  const refusals = openRefusals();
  const late = createLateSlots((address) => watched.log?.warn({ address }, TOO_MANY));
  const turns = openTurns(late, reportTurns(watched));
  /** Addresses whose holdings one call returns. */
  const together = Math.floor(MOST_ACCOUNTS / (1 + watched.mints.size));

  async function ask(client: RpcClient, addresses: readonly string[], range: Range): Promise<void> {
    const next = new Map(memory);
    memory = next;
    await listEach(client, { addresses, range, memory: next, watched, late, together });
    late.forgetBelow(turns.lowest(range.from));
  }

  /** Compares what these addresses hold, and asks about the changed ones. Returns false where the blocks are to be read. */
  async function askChanged(client: RpcClient, addresses: readonly string[], range: Range): Promise<boolean> {
    const next = new Map(memory);
    memory = next;
    const { mints } = watched;
    const changed = await findChanged(client, { addresses, mints, together, range, memory: next });
    if (changed !== null && changed.length > 0) await ask(client, changed, range);
    return changed !== null;
  }

  const self: WatchedSlots = {
    head: null,
    ...withLateSlots(late, watched),
    async find(client, range, isIdle) {
      const { book, mints, log } = watched;
      // The head is written completely. Above it the node may not have listed everything yet.
      if (book === null || self.head === null || self.head.slot < range.to) return null;
      if (refusals.last()) return null;
      const { slot: to } = self.head;
      const askInTurn = (isSlow: boolean) => turns.ask({ client, book, mints, range, head: to, isSlow });
      const readWhole = () => askInTurn(isIdle).then(() => null);
      // One block is read whole: that is one call, and mostly one of the past.
      if (range.from === range.to) return readWhole();
      const gap = to - range.from + 1;
      const most = Math.min(isIdle ? gap * together : gap, MOST_ADDRESSES);
      // After the head was read: an address is listed before anybody can pay to it.
      const addresses = (await book.listBefore(null, most + 1)).map(({ address }) => address);
      if (addresses.length > most) return readWhole();
      if (isIdle && !turns.showsAccounts()) await askInTurn(true);
      // Nothing else would find what pays another token account.
      if (isIdle && addresses.length > 0 && !turns.showsAccounts()) return null;
      memory = new Map(addresses.map((address) => [address, memory.get(address) ?? NOTHING_SHOWN]));
      const isCovered = (address: string) => covers(memory.get(address)?.covered ?? null, range);
      const missing = addresses.filter((address) => !isCovered(address));
      const lists = missing.map((address) => memory.get(address)?.calls ?? 1 + mints.size);
      const calls = lists.reduce((sum, count) => sum + count, Math.ceil(missing.length / together));
      if (calls > gap && !isIdle) return readWhole();
      try {
        const upTo = { from: range.from, to };
        if (!isIdle) await ask(client, missing, upTo);
        else if (!(await askChanged(client, missing, upTo))) return await readWhole();
        refusals.end();
        await askInTurn(true);
      } catch (error) {
        if (!refusals.begin(error)) throw error;
        log?.warn(
          { err: error },
          "the node does not list the transactions of our addresses: every block is read",
        );
        return null;
      }
      return addresses.every(isCovered) ? pickNamed(memory.values(), range) : null;
    },
  };
  return self;
}

const reportTurns = ({ log }: Watched): TurnReports => ({
  leftOut: (account) => log?.warn({ account }, LEFT_OUT),
  failed: (address, err) => log?.warn({ address, err }, TURN_FAILED),
});

/** The members that are about late slots. */
function withLateSlots(late: LateSlots, { log, countGivenUp }: Watched) {
  return {
    listLate: late.list,
    dropLate: late.drop,
    postponeLate(slot: number, isRefuted: boolean, signatures: readonly string[]) {
      if (!late.postpone(slot, isRefuted)) return;
      log?.error({ slot, signatures: signatures.slice(0, MOST_LOGGED) }, GIVEN_UP);
      countGivenUp?.();
    },
    pauseLate: late.pause,
    addFound: late.addFound,
  };
}

interface Asked {
  readonly addresses: readonly string[];
  readonly range: Range;
  readonly memory: Map<string, AddressMemory>;
  readonly watched: Watched;
  readonly late: LateSlots;
  readonly together: number;
}

/** Asks about these addresses. Each is kept on its own: after a failure the next pass continues. */
async function listEach(
  client: RpcClient,
  { addresses, range, memory, watched, late, together }: Asked,
): Promise<void> {
  const { mints } = watched;
  const known = new Map([...memory.values()].flatMap(({ transactions }) => [...transactions]));
  // Together with the lists not many more calls than whole blocks would take: anybody can name many of our addresses.
  const reads = openTransactionReads(client, mints, { known, most: range.to - range.from + 1 });
  const keep = (address: string, after: AddressMemory) => {
    // The turns find what is left out.
    late.add(after.named, range.from, address);
    const isNew = after.doubt !== null && (memory.get(address) ?? NOTHING_SHOWN).doubt === null;
    if (isNew && !reads.isSpent()) watched.log?.warn({ address }, NOT_EXPLAINED);
    memory.set(address, after);
  };
  for (const group of split(addresses, together)) {
    await listGroup(client, { addresses: group, mints, range, memory, reads }, keep);
  }
}

interface Group {
  readonly addresses: readonly string[];
  readonly mints: ReadonlySet<string>;
  readonly range: Range;
  readonly memory: ReadonlyMap<string, AddressMemory>;
  readonly reads: TransactionReads;
}

/**
 * Asks about addresses whose holdings one call returns. After a failure those that were asked about are kept. What is known of a refused
 * one is forgotten: its blocks are read until it is asked about again, and a list that began at its last proof would be refused each time.
 */
async function listGroup(
  client: RpcClient,
  { addresses, mints, range, memory, reads }: Group,
  keep: (address: string, after: AddressMemory) => void,
): Promise<void> {
  const { slot, of } = await fetchHoldings(client, addresses, mints, range.to);
  for (const part of split(addresses, AT_ONCE)) {
    const asked = part.map(async (address) => {
      const held = { slot, holdings: of.get(address) ?? new Map() };
      const question = { address, mints, range, held, reads };
      try {
        keep(address, await listAddress(client, question, memory.get(address) ?? NOTHING_SHOWN));
      } catch (error) {
        if (isRefused(error)) keep(address, NOTHING_SHOWN);
        throw error;
      }
    });
    const failed = (await Promise.allSettled(asked)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
}

const isRefused = (error: unknown) => error instanceof NodeError && error.kind === "refused";
/** Remembers that a node lists nothing. It may also be gone: its blocks show that. */
function openRefusals() {
  let until = Number.NEGATIVE_INFINITY;
  let failures = 0;
  return {
    last: () => performance.now() < until,
    end() {
      failures = 0;
    },
    /** Returns whether this error, after those before it, is a refusal. */
    begin(error: unknown): boolean {
      const isFailure =
        error instanceof NodeError && (error.kind === "unreachable" || error.kind === "malformed");
      failures += isFailure ? 1 : 0;
      if (!isRefused(error) && !(isFailure && failures >= MOST_FAILURES)) return false;
      until = performance.now() + (isRefused(error) ? REFUSED_MS : FAILED_MS);
      return true;
    },
  };
}

function pickNamed(memories: Iterable<AddressMemory>, { from, to }: Range): NamedSlots {
  const slots = new Map<number, Set<string>>();
  for (const { slot, signature } of [...memories].flatMap(({ named }) => named)) {
    if (slot < from || slot > to) continue;
    slots.set(slot, (slots.get(slot) ?? new Set()).add(signature));
  }
  return slots;
}

function split<T>(all: readonly T[], size: number): readonly T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

function covers(coverage: Range | null, { from, to }: Range): boolean {
  return coverage !== null && coverage.from <= from && coverage.to >= to;
}
