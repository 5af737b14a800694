import { hashes } from "xrpl";
import { applyTransaction, malformation } from "./apply-transaction.ts";
import { type History, type Ledger, openHistory } from "./history.ts";
import {
  ALL_DROPS,
  affectedNodes,
  BASE_FEE,
  copyState,
  OPEN_FEE,
  openState,
  RESERVE,
  type State,
} from "./state.ts";
import { type SignedXrpTransaction, sha512Half } from "./transaction.ts";

/**
 * The chain of validated ledgers and the transactions for the next one. No ledger is ever reverted, as on
 * the real network.
 */
export interface Ledgers {
  readonly state: State;
  readonly history: History;
  /** The newest ledger. Throws when there is none. */
  tip(): Ledger;
  waiting(hash: string): SignedXrpTransaction | undefined;
  /** Preliminary result, as `submit` answers. With tes and tec the transaction waits for the next ledger. */
  submit(transaction: SignedXrpTransaction): string;
  /**
   * Closes a ledger with all waiting transactions, at this time or one second after the last one, whichever
   * is later.
   */
  close(time: number): Ledger;
  /** The sequence of an account's next transaction. */
  nextSequence(account: string): number | null;
  /** The fee to be in the next ledger. A transaction with less waits in the queue. */
  openFee: bigint;
}

const NO_HASH = "0".repeat(64);

/** A chain without a ledger, in which one account holds everything. */
export function openLedgers(holder: string): Ledgers {
  const state = openState(holder);
  const history = openHistory();
  const pool = new Map<string, SignedXrpTransaction>();
  const waitingOf = (account: string) => [...pool.values()].filter((one) => one.account === account);
  const nextSequence = (account: string) => {
    const known = state.accounts.get(account);
    if (known === undefined) return null;
    return Math.max(known.sequence, ...waitingOf(account).map(({ sequence }) => sequence + 1));
  };
  return {
    state,
    history,
    nextSequence,
    openFee: OPEN_FEE,
    tip() {
      const last = history.newest();
      if (last === undefined) throw new Error("there is no ledger");
      return last;
    },
    waiting: (hash) => pool.get(hash),
    submit(transaction) {
      const { account, sequence } = transaction;
      const known = waitingOf(account).find((one) => one.sequence === sequence);
      const height = history.newest()?.index ?? 0;
      const refused = refusal(transaction, {
        state,
        height,
        next: nextSequence(account),
        known,
        openFee: this.openFee,
      });
      if (refused !== null) return refused;
      if (known) pool.delete(known.hash);
      pool.set(transaction.hash, transaction);
      if (transaction.fee < this.openFee) return "terQUEUED";
      return applyTransaction(copyState(state), transaction).result;
    },
    close(time) {
      const next = (history.newest()?.index ?? 0) + 1;
      const inTime = [...pool.values()].filter(({ lastLedger }) => lastLedger === null || lastLedger >= next);
      const paying = inTime.filter(({ fee }) => fee >= this.openFee);
      const ledger = closeLedger({ state, history }, paying, time);
      pool.clear();
      for (const left of inTime) {
        const { sequence } = state.accounts.get(left.account) ?? { sequence: Number.POSITIVE_INFINITY };
        if (left.sequence >= sequence) pool.set(left.hash, left);
      }
      return ledger;
    },
  };
}

/** Builds a ledger on top of the newest: each account's transactions by sequence. */
function closeLedger(
  { state, history }: Pick<Ledgers, "state" | "history">,
  waiting: readonly SignedXrpTransaction[],
  time: number,
): Ledger {
  const parent = history.newest();
  const index = (parent?.index ?? 0) + 1;
  const expected = new Map([...state.accounts].map(([account, { sequence }]) => [account, sequence]));
  const ready = waiting
    .toSorted((a, b) => (a.account === b.account ? a.sequence - b.sequence : 0))
    .filter(({ account, sequence }) => {
      if (expected.get(account) !== sequence) return false;
      expected.set(account, sequence + 1);
      return true;
    });
  const header = {
    index,
    parentHash: parent?.hash ?? NO_HASH,
    parentCloseTime: parent?.closeTime ?? 0,
    closeTime: Math.max(time, (parent?.closeTime ?? 0) + 1),
    totalCoins: ready.reduce((left, { fee }) => left - fee, parent?.totalCoins ?? ALL_DROPS),
    contentHash: sha512Half(ready.map(({ hash }) => hash).join()),
  };
  const ledger: Ledger = { ...header, hash: hashOf(header), transactions: [] };
  history.addLedger(ledger);
  for (const transaction of ready) {
    const sender = state.accounts.get(transaction.account);
    if (sender?.sequence !== transaction.sequence) continue;
    const before = copyState(state);
    sender.balance -= transaction.fee;
    sender.sequence += 1;
    const outcome = applyTransaction(state, transaction);
    const nodes = affectedNodes(before, state).map((node) => history.linked(node));
    history.addTransaction({ ...outcome, transaction, ledger, index: ledger.transactions.length, nodes });
  }
  return ledger;
}

function refusal(
  transaction: SignedXrpTransaction,
  chain: {
    readonly state: State;
    readonly height: number;
    readonly next: number | null;
    readonly known: SignedXrpTransaction | undefined;
    readonly openFee: bigint;
  },
): string | null {
  const { account, sequence, fee, lastLedger, hash } = transaction;
  const malformed = malformation(transaction);
  if (malformed !== null) return malformed;
  const sender = chain.state.accounts.get(account);
  if (sender === undefined) return "terNO_ACCOUNT";
  if (fee < BASE_FEE) return "telINSUF_FEE_P";
  if (sender.balance < fee + RESERVE) return "terINSUF_FEE_B";
  if (lastLedger !== null && lastLedger <= chain.height) return "tefMAX_LEDGER";
  if (sequence < sender.sequence) return "tefPAST_SEQ";
  // A waiting transaction is replaced by another with the same sequence that pays a quarter more (xrpl.org,
  // Transaction Queue).
  if (chain.known?.hash === hash && fee >= chain.openFee) return "tefPAST_SEQ";
  if (chain.known) return fee * 4n >= chain.known.fee * 5n ? null : "telCAN_NOT_QUEUE_FEE";
  return sequence === chain.next ? null : "terPRE_SEQ";
}

/** Follows the rules of a real ledger header, over this fake's own content hashes. */
function hashOf(header: Omit<Ledger, "hash" | "transactions">): string {
  return hashes.hashLedgerHeader({
    ledger_index: String(header.index),
    total_coins: String(header.totalCoins),
    parent_hash: header.parentHash,
    transaction_hash: header.contentHash,
    account_hash: header.contentHash,
    parent_close_time: header.parentCloseTime,
    close_time: header.closeTime,
    close_time_resolution: 10,
    close_flags: 0,
  } as never);
}
