import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type {
  AddressPurpose,
  DepositStatus,
  PendingDeposit,
  RecordedDeposit,
  TransferObservation,
  UnmatchedReason,
} from "./types.ts";

/** May it be credited, if its block is still the chain's? */
export function hasEnoughConfirmations(
  confirmations: number,
  { requiredConfirmations }: Pick<PendingDeposit, "requiredConfirmations">,
): boolean {
  return confirmations >= requiredConfirmations;
}

/** Is its money in the ledger, a merchant's or nobody's yet? */
export function isInLedger(status: DepositStatus): boolean {
  return status === 1 || status === 3;
}

/** Name of the ledger transfer that takes a deposit into the books, to its merchant or to unmatched. */
export function depositCause({ id, creditRound }: { id: number; creditRound: number }): string {
  return `deposit:${id}:${creditRound}`;
}

/** Name of the transfer from unmatched to the merchant whom a person found it to be for. */
export function resolutionCause(deposit: { id: number; creditRound: number }): string {
  return `${depositCause(deposit)}:resolved`;
}

/** More blocks than a chain with a block every `blockSeconds` can have made since then, clocks and luck allowed for. */
export function estimateBlocksSince(then: Date, now: Date, blockSeconds: number): number {
  const seconds = Math.max(0, now.getTime() - then.getTime()) / 1_000;
  return 100 + Math.ceil((3 * seconds) / blockSeconds);
}

/** The earlier of our sight and the block's time. */
export function firstSeenTime(now: Date, block: { readonly time: Date } | null): Date {
  return block !== null && block.time < now ? block.time : now;
}

/**
 * Why nothing may credit this by itself; null when it is what its address was given out for. `transfer` came on
 * `network`; `link` is the payment link that the address belongs to.
 */
export function unmatchedReasonFor(
  transfer: { readonly token: TokenCode; readonly unmatchedReason: string | null },
  network: NetworkCode,
  address: { readonly network: NetworkCode; readonly purpose: AddressPurpose },
  link: { readonly token: TokenCode } | null,
): UnmatchedReason | string | null {
  if (transfer.unmatchedReason !== null) return transfer.unmatchedReason;
  if (address.purpose === "skipped") return "skipped_address";
  if (address.network !== network) return "other_network";
  if (address.purpose !== "payment_link") return null;
  if (link === null) return "no_purpose";
  return link.token === transfer.token ? null : "other_token";
}

/** Rows kept of unknown tokens that nobody has resolved: of one contract at an address, and of all at it. */
const MAX_PER_CONTRACT = 5;
const MAX_PER_ADDRESS = 50;

/**
 * Splits transfers of unknown tokens, in their order, into those worth a row and the rest: whoever sends worthless
 * tokens to an address fills neither the database nor the list that a person reads. `counts`: open rows so far, by
 * address and then by contract.
 */
export function applyUnlistedLimits<T extends { readonly addressId: number; readonly contract: string }>(
  transfers: readonly T[],
  counts: ReadonlyMap<number, ReadonlyMap<string, number>>,
): { readonly kept: readonly T[]; readonly left: readonly T[] } {
  const kept: T[] = [];
  const left: T[] = [];
  const open = new Map([...counts].map(([addressId, contracts]) => [addressId, new Map(contracts)]));
  for (const transfer of transfers) {
    const contracts = open.get(transfer.addressId) ?? new Map<string, number>();
    open.set(transfer.addressId, contracts);
    const ofContract = contracts.get(transfer.contract) ?? 0;
    const ofAddress = [...contracts.values()].reduce((sum, count) => sum + count, 0);
    const room = ofContract < MAX_PER_CONTRACT && ofAddress < MAX_PER_ADDRESS;
    if (room) contracts.set(transfer.contract, ofContract + 1);
    (room ? kept : left).push(transfer);
  }
  return { kept, left };
}

/** Milliseconds to wait after this many failures in a row: doubling from `pollMs` to 30 s, with jitter from `random` 0..1. */
export function retryDelay(failures: number, pollMs: number, random: number): number {
  const longest = Math.min(30_000, pollMs * 2 ** Math.min(failures, 16));
  return Math.round(longest * (0.5 + random / 2));
}

/** How observations change what is recorded. Every known deposit stands in at most one list, every observation likewise. */
export interface Reconciliation {
  readonly inserted: readonly TransferObservation[];
  /** The same movement in another block (or position), or one that had been dropped. */
  readonly moved: readonly {
    readonly recorded: RecordedDeposit;
    readonly observation: TransferObservation;
  }[];
  /** Another movement in its place: the same transaction had another effect in this branch. */
  readonly rewritten: readonly {
    readonly recorded: RecordedDeposit;
    readonly observation: TransferObservation;
  }[];
  /** Recorded in a block above the fork or in the mempool, and no longer in either. */
  readonly lost: readonly RecordedDeposit[];
  /** The same for the first time, on a network that shows its mempool: it may be on its way from one to the other. */
  readonly missing: readonly RecordedDeposit[];
  /** Not observed, and their position in the transaction is now another deposit's. */
  readonly displaced: readonly RecordedDeposit[];
}

/**
 * Compares observations with the known deposits of their transactions and with those that must be observed again or are
 * lost: after a reorganisation everything above `forkHeight`, after a look at the mempool everything that waited.
 * A transaction that stands elsewhere in its new block has new log positions, so a
 * movement is first looked for at its position and then by receiver, token and amount. The order of either list
 * changes nothing but which of two equal movements is called which.
 *
 * `missing` are the ids of what was missing at the last look already; null where no mempool is shown. The mempool and
 * the chain are not read in one moment: what a reorganisation puts back between the two is seen in neither. What
 * another payment spends the coins of is lost at once.
 */
export function reconcile(
  known: readonly RecordedDeposit[],
  observations: readonly TransferObservation[],
  {
    forkHeight,
    mempoolRead,
    missing,
  }: {
    readonly forkHeight: number | null;
    readonly mempoolRead: boolean;
    readonly missing: ReadonlySet<number> | null;
  },
): Reconciliation {
  const movement = (d: RecordedDeposit | TransferObservation) =>
    `${d.txHash} ${d.token} ${d.addressId} ${d.amount}`;
  const place = (d: RecordedDeposit | TransferObservation) => `${d.txHash} ${d.position}`;
  const byPosition = [...observations].sort((a, b) => a.position - b.position);
  const open = new Set([...known].sort((a, b) => a.position - b.position));
  const rounds = [
    (d: RecordedDeposit | TransferObservation) => `${movement(d)} ${d.position}`,
    movement,
    place,
  ];
  const pairs = new Map<TransferObservation, RecordedDeposit>();
  for (const key of rounds) {
    const candidates = Map.groupBy(open, key);
    for (const observation of byPosition) {
      const match = pairs.has(observation) ? undefined : candidates.get(key(observation))?.shift();
      if (!match) continue;
      pairs.set(observation, match);
      open.delete(match);
    }
  }
  const matched = [...pairs].map(([observation, match]) => ({ observation, recorded: match }));
  const taken = new Set(observations.map(place));
  const absent = [...open].filter(({ status, blockHeight }) =>
    blockHeight === null ? mempoolRead && status === 0 : forkHeight !== null && blockHeight > forkHeight,
  );
  const spent = new Set(observations.flatMap(({ spends }) => spends));
  const isLost = ({ id, spends }: RecordedDeposit) =>
    missing === null || (mempoolRead && missing.has(id)) || spends.some((outpoint) => spent.has(outpoint));
  return {
    inserted: observations.filter((observation) => !pairs.has(observation)),
    moved: matched.filter(
      (m) => movement(m.recorded) === movement(m.observation) && hasMoved(m.recorded, m.observation),
    ),
    rewritten: matched.filter((m) => movement(m.recorded) !== movement(m.observation)),
    lost: absent.filter(isLost),
    missing: absent.filter((deposit) => !isLost(deposit)),
    displaced: [...open].filter((deposit) => taken.has(place(deposit))),
  };
}

function hasMoved(known: RecordedDeposit, { block, position }: TransferObservation): boolean {
  return known.status === 2 || known.blockHash !== (block?.hash ?? null) || known.position !== position;
}

/**
 * Observations in the mempool that say something new: not those of transactions that stand in a block, read now or
 * before. Nodes behind one URL may still show them.
 */
export function dropMined(
  unconfirmed: readonly TransferObservation[],
  inBlocks: readonly TransferObservation[],
  known: readonly RecordedDeposit[],
  forkHeight: number | null,
): readonly TransferObservation[] {
  const mined = new Set(inBlocks.map(({ txHash }) => txHash));
  for (const { txHash, blockHeight } of known) {
    if (blockHeight !== null && (forkHeight === null || blockHeight <= forkHeight)) mined.add(txHash);
  }
  return unconfirmed.filter(({ txHash }) => !mined.has(txHash));
}
