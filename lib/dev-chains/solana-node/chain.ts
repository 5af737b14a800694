import { createHash } from "node:crypto";
import { type Address, getBase58Decoder } from "@solana/kit";
import { type FailedTransactionMetadata, LiteSVM, type SlotHash, type TransactionMetadata } from "litesvm";
import { openJournal } from "../journal.ts";
import { setGenesis } from "./genesis.ts";
import {
  type Accounts,
  type BalanceSnapshot,
  type Decoded,
  decode,
  decodeUnsigned,
  listTransactionAccounts,
  priorityFeeOf,
  snapshot,
} from "./transaction.ts";

/** The state that the chain must restore after a kill. LiteSVM executes it again. Transactions are in base64. */
type JournalEntry =
  | { readonly kind: "waiting"; readonly transactions: readonly string[] }
  | {
      readonly kind: "block";
      readonly slot: number;
      readonly time: number;
      readonly transactions: readonly string[];
    };

/** A transaction in a block. */
export interface Executed {
  readonly decoded: Decoded;
  readonly accounts: Accounts;
  /** The error as in JSON. Null if the transaction has succeeded. */
  readonly error: unknown;
  readonly logs: readonly string[];
  readonly units: bigint;
  readonly fee: number;
  readonly before: BalanceSnapshot;
  readonly after: BalanceSnapshot;
}

export interface SolanaBlock {
  readonly slot: number;
  readonly parentSlot: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Number of blocks below it, without skipped slots. */
  readonly height: number;
  /** Seconds. */
  readonly time: number;
  readonly transactions: readonly Executed[];
}

/** As in JSON (docs.anza.xyz, simulateTransaction). */
interface Simulation {
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
  readonly accounts: null;
  readonly returnData: null;
}

/** The node refuses a transaction, with the node's message. */
export class NodeRefusal extends Error {}

export interface SolanaChain {
  readonly svm: LiteSVM;
  readonly genesis: string;
  blocks(): readonly SolanaBlock[];
  block(slot: number): SolanaBlock | null;
  /** The newest finalized block. */
  finalized(): SolanaBlock;
  find(signature: string): { readonly block: SolanaBlock; readonly executed: Executed } | null;
  /** Accepts a transaction for the next block and returns its signature. Throws Refused. */
  submit(bytes: Uint8Array, options?: { readonly skipPreflight?: boolean }): string;
  /** Creates blocks, each after the given number of skipped slots. */
  mine(blocks?: number, options?: { readonly skip?: number }): void;
  /** Drops a waiting transaction, as a cluster does when its blockhash expires. */
  forget(signature: string): void;
  /** Tries a transaction on the newest block. Its signatures may be missing. */
  simulate(
    bytes: Uint8Array,
    options: { readonly sigVerify: boolean; readonly replaceRecentBlockhash: boolean },
  ): Simulation;
  /** Removes blocks and transactions below a slot from the history, as a node does with old ones. */
  purge(below: number): void;
  /** Removes the blocks of these slots, and their transactions: the gap of a node that was off and started again from a snapshot. */
  lose(from: number, to: number): void;
  /** The first slot of the history. */
  firstKept(): number;
  /** Whether the history has what is in this slot. */
  keeps(slot: number): boolean;
}

/** How many blocks old the blockhash of a transaction may be. */
const BLOCKHASH_AGE = 150;
/** Lamports. */
export const SIGNATURE_FEE = 5_000;
const SEEN_BY_PROGRAMS = 64;

/** The blocks so far, and the transactions for the next one. */
function openBook(svm: LiteSVM, genesis: string) {
  const common = { slot: 0, parentSlot: 0, hash: genesis, parentHash: "1".repeat(32), height: 0, time: 0 };
  const first: SolanaBlock = { ...common, transactions: [] };
  const blocks: SolanaBlock[] = [first];
  const bySlot = new Map([[0, first]]);
  const found = new Map<string, { block: SolanaBlock; executed: Executed }>();
  const waiting = new Map<string, Decoded>();
  const newest = (): SolanaBlock => blocks.at(-1) ?? first;
  return {
    first,
    blocks,
    bySlot,
    found,
    waiting,
    newest,
    /** Executes these transactions in a new block. */
    add(slot: number, time: number, transactions: readonly Decoded[]): void {
      const parent = newest();
      setTime(svm, slot, time);
      // Programs see the newest block hashes (a lookup table's address depends on one). An empty block runs
      // no program.
      if (transactions.length > 0) {
        svm.setSlotHashes(blocks.slice(-SEEN_BY_PROGRAMS).reverse().map(slotHash));
      }
      const executed = transactions.flatMap((decoded) => execute(svm, decoded) ?? []);
      const names = executed.map(({ decoded }) => decoded.signatures[0]).join();
      const hash = hashOf(`${parent.hash} ${slot} ${time} ${names}`);
      const place = { slot, parentSlot: parent.slot, hash, parentHash: parent.hash };
      const block: SolanaBlock = { ...place, height: parent.height + 1, time, transactions: executed };
      blocks.push(block);
      bySlot.set(slot, block);
      for (const one of executed) found.set(one.decoded.signatures[0] ?? "", { block, executed: one });
      for (const { signatures } of transactions) waiting.delete(signatures[0] ?? "");
    },
  };
}

/** Which slots a node still has. */
function openHistory(): Pick<SolanaChain, "purge" | "lose" | "firstKept" | "keeps"> {
  let firstKept = 0;
  const gaps: { readonly from: number; readonly to: number }[] = [];
  return {
    purge(below) {
      firstKept = below;
    },
    lose: (from, to) => void gaps.push({ from, to }),
    firstKept: () => firstKept,
    keeps: (slot) => slot >= firstKept && !gaps.some(({ from, to }) => slot >= from && slot <= to),
  };
}

/**
 * Opens a chain over a LiteSVM, which executes transactions but has no blocks and no history.
 * `finalizedLag`: slots between the newest block and the finalized one. `statePath`: a file from which the
 * chain is rebuilt after a kill.
 */
export function openSolanaChain({
  finalizedLag,
  statePath,
}: {
  readonly finalizedLag: number;
  readonly statePath: string | null;
}): SolanaChain {
  // We check the blockhash: LiteSVM knows only one.
  const svm = new LiteSVM().withNativeMints().withBlockhashCheck(false).withTransactionHistory(0n);
  setGenesis(svm);
  const genesis = hashOf("genesis");
  const { first, blocks, bySlot, found, waiting, newest, add } = openBook(svm, genesis);
  const isRecent = (hash: string) => blocks.slice(-BLOCKHASH_AGE).some((block) => block.hash === hash);
  const history = openHistory();
  const journal = openJournal<JournalEntry>(statePath);
  for (const entry of journal.entries) {
    const transactions = entry.transactions.map((text) => decode(Buffer.from(text, "base64")));
    if (entry.kind === "block") add(entry.slot, entry.time, transactions);
    else for (const decoded of transactions) waiting.set(decoded.signatures[0] ?? "", decoded);
  }
  return {
    svm,
    genesis,
    blocks: () => blocks,
    block: (slot) => bySlot.get(slot) ?? null,
    finalized() {
      const at = newest().slot - finalizedLag;
      return blocks.findLast(({ slot }) => slot <= at) ?? first;
    },
    find(signature) {
      const one = found.get(signature) ?? null;
      return one === null || !history.keeps(one.block.slot) ? null : one;
    },
    submit(bytes, { skipPreflight = false } = {}) {
      const decoded = decode(bytes);
      const signature = decoded.signatures[0] ?? "";
      if (waiting.has(signature)) return signature;
      if (found.has(signature)) throw new NodeRefusal("This transaction has already been processed");
      if (!isRecent(decoded.message.lifetimeToken)) throw new NodeRefusal("Blockhash not found");
      const outcome = skipPreflight ? null : svm.simulateTransaction(decoded.transaction);
      if (outcome !== null && "err" in outcome) throw new NodeRefusal(errorText(outcome));
      journal.append({ kind: "waiting", transactions: [base64(decoded)] });
      waiting.set(signature, decoded);
      return signature;
    },
    mine(count = 1, { skip = 0 } = {}) {
      for (let i = 0; i < count; i++) {
        const transactions = [...waiting.values()];
        const slot = newest().slot + 1 + skip;
        const time = Math.max(newest().time, Math.floor(Date.now() / 1_000));
        journal.append({ kind: "block", slot, time, transactions: transactions.map(base64) });
        add(slot, time, transactions);
      }
    },
    forget: (signature) => void waiting.delete(signature),
    simulate(bytes, { sigVerify, replaceRecentBlockhash }) {
      const { transaction, message } = decodeUnsigned(bytes);
      if (!replaceRecentBlockhash && !isRecent(message.lifetimeToken)) {
        return { err: "BlockhashNotFound", logs: [], unitsConsumed: 0, accounts: null, returnData: null };
      }
      return simulateOn(svm, transaction, sigVerify);
    },
    ...history,
  };
}

function base64({ bytes }: Decoded): string {
  return Buffer.from(bytes).toString("base64");
}

function hashOf(text: string): string {
  return getBase58Decoder().decode(createHash("sha256").update(`paylink development chain ${text}`).digest());
}

function slotHash({ slot, hash }: SolanaBlock): SlotHash {
  return { slot: BigInt(slot), hash };
}

function setTime(svm: LiteSVM, slot: number, time: number): void {
  const clock = svm.getClock();
  clock.slot = BigInt(slot);
  clock.unixTimestamp = BigInt(time);
  svm.setClock(clock);
}

function simulateOn(svm: LiteSVM, transaction: Decoded["transaction"], sigVerify: boolean): Simulation {
  svm.withSigverify(sigVerify);
  const outcome = svm.simulateTransaction(transaction);
  svm.withSigverify(true);
  const meta = outcome.meta();
  return {
    err: "err" in outcome ? errorOf(outcome) : null,
    logs: meta.logs(),
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    accounts: null,
    returnData: null,
  };
}

/** Returns null for a transaction that cannot pay its fee: no block includes it. */
function execute(svm: LiteSVM, decoded: Decoded): Executed | null {
  let accounts: Accounts;
  try {
    accounts = listTransactionAccounts(svm, decoded);
  } catch {
    return null;
  }
  const payer = accounts.all[0] as Address;
  const before = snapshot(svm, accounts.all);
  const result = svm.sendTransaction(decoded.transaction);
  const failed = isFailure(result);
  if (failed && svm.getBalance(payer) === BigInt(before.lamports[0] ?? 0)) return null;
  const meta = failed ? result.meta() : result;
  const fee = SIGNATURE_FEE * decoded.signatures.length + Number(priorityFeeOf(decoded));
  const error = failed ? errorOf(result) : null;
  const after = snapshot(svm, accounts.all);
  return {
    decoded,
    accounts,
    error,
    logs: meta.logs(),
    units: meta.computeUnitsConsumed(),
    fee,
    before,
    after,
  };
}

function isFailure(
  result: TransactionMetadata | FailedTransactionMetadata,
): result is FailedTransactionMetadata {
  return "err" in result;
}

/** "InstructionError(0, Custom(1))", as LiteSVM writes it. */
function errorText(result: FailedTransactionMetadata): string {
  return /err: (.*?), meta: /.exec(result.toString())?.[1] ?? "unknown";
}

function errorOf(result: FailedTransactionMetadata): unknown {
  const text = errorText(result);
  const [, index, name, code] =
    /^InstructionError\(([0-9]+), ([A-Za-z]+)(?:\(([0-9]+)\))?\)$/.exec(text) ?? [];
  if (index === undefined) return text;
  return { InstructionError: [Number(index), code === undefined ? name : { [name ?? ""]: Number(code) }] };
}
