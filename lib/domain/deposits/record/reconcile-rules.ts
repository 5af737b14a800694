import { collectOutpoints } from "../rules.ts";
import type { RecordedDeposit, TransferObservation } from "../types.ts";

/** A recorded deposit and the observation of the same transfer. */
interface ReconciledPair {
  readonly recorded: RecordedDeposit;
  readonly observation: TransferObservation;
}

/** How observations change the recorded deposits. Each deposit and each observation is in at most one list. */
export interface Reconciliation {
  /** Observed for the first time. */
  readonly inserted: readonly TransferObservation[];
  /** The same transfer in another block or position, or a dropped one that is back. */
  readonly moved: readonly ReconciledPair[];
  /**
   * Recorded in a block above the fork or in the mempool, and no longer in either; or displaced. A transaction can have
   * another effect in another branch of the chain: then what it paid is lost, and what it pays now is inserted. A deposit
   * never becomes another transfer, because it belongs to its link with its price and its events.
   */
  readonly lost: readonly RecordedDeposit[];
  /**
   * As `lost`, but for the first time, on a network that shows its mempool. The transaction may be between the mempool
   * and a block.
   */
  readonly missing: readonly RecordedDeposit[];
  /** Not observed, and another transfer now has their position in the transaction. Deposits not dropped before are lost too. */
  readonly displaced: readonly RecordedDeposit[];
}

/** The coverage of a scan. It decides which deposits must be observed again. */
export interface ReconciliationScope {
  /** After a reorg: every deposit in a block above it must be observed again. null: no reorg. */
  readonly forkHeight: number | null;
  /**
   * Hashes of the transactions that waited and that a complete list of the mempool no longer names. The list was taken
   * before the head was read, and the blocks up to the head are observed. null: no new list. A transaction that is named but
   * not fetched yet is not among them, so what was read in part proves nothing.
   */
  readonly gone: ReadonlySet<string> | null;
  /** Ids of the deposits that were already missing at the last scan; null: the network shows no mempool. */
  readonly missing: ReadonlySet<number> | null;
}

/**
 * Compares observations with the recorded deposits of their transactions and with the deposits that the scan must have
 * observed again (ReconciliationScope).
 *
 * Matching: a transaction in another block can have other log positions. So a transfer is first matched by its position
 * and content, then by receiver, token and amount. The order of the two lists does not matter, except for which of two
 * equal transfers gets which row.
 *
 * Absent is a deposit that waited and is gone or spent by another transaction, and one in a block above the fork.
 *
 * Losing: the mempool and the chain are not read at the same time, and a reorg can move a transaction between the two
 * reads. So a deposit that is absent is `missing` once before it is `lost`. It is lost at once where no mempool is shown,
 * when an observed transaction spends the same outpoint, or when it is displaced.
 */
export function reconcile(
  recorded: readonly RecordedDeposit[],
  observations: readonly TransferObservation[],
  { forkHeight, gone, missing }: ReconciliationScope,
): Reconciliation {
  const { pairs, unobserved } = matchTransfers(recorded, observations);
  const spent = collectOutpoints(observations);
  // One deposit of a transaction has the outpoints of all (RecordedDeposit).
  const respent = new Set(
    recorded
      .filter(({ spends }) => spends.some((outpoint) => spent.has(outpoint)))
      .map(({ txHash }) => txHash),
  );
  const absent = unobserved.filter(({ txHash, status, blockHeight }) =>
    blockHeight === null
      ? status === "seen" && ((gone?.has(txHash) ?? false) || respent.has(txHash))
      : forkHeight !== null && blockHeight > forkHeight,
  );
  const isLost = ({ id, txHash }: RecordedDeposit) =>
    missing === null || (gone !== null && missing.has(id)) || respent.has(txHash);
  const occupied = new Set(observations.map(positionKey));
  const matched = new Set(pairs.map(({ observation }) => observation));
  const displaced = unobserved.filter((deposit) => occupied.has(positionKey(deposit)));
  const lost = new Set([...absent.filter(isLost), ...displaced.filter(({ status }) => status !== "dropped")]);
  return {
    inserted: observations.filter((observation) => !matched.has(observation)),
    moved: pairs.filter(hasMoved),
    lost: unobserved.filter((deposit) => lost.has(deposit)),
    missing: absent.filter((deposit) => !lost.has(deposit)),
    displaced,
  };
}

const transferKey = (transfer: RecordedDeposit | TransferObservation) =>
  `${transfer.txHash} ${transfer.token} ${transfer.addressId} ${transfer.amount}`;
const positionKey = (transfer: RecordedDeposit | TransferObservation) =>
  `${transfer.txHash} ${transfer.position}`;

/** Pairs each observation with at most one recorded deposit, in two rounds: the strict key first. */
function matchTransfers(
  recorded: readonly RecordedDeposit[],
  observations: readonly TransferObservation[],
): { readonly pairs: readonly ReconciledPair[]; readonly unobserved: readonly RecordedDeposit[] } {
  const byPosition = [...observations].sort((a, b) => a.position - b.position);
  const unobserved = new Set([...recorded].sort((a, b) => a.position - b.position));
  const exactKey = (transfer: RecordedDeposit | TransferObservation) =>
    `${transferKey(transfer)} ${transfer.position}`;
  const pairs = new Map<TransferObservation, RecordedDeposit>();
  for (const key of [exactKey, transferKey]) {
    const candidates = Map.groupBy(unobserved, key);
    for (const observation of byPosition) {
      const match = pairs.has(observation) ? undefined : candidates.get(key(observation))?.shift();
      if (!match) continue;
      pairs.set(observation, match);
      unobserved.delete(match);
    }
  }
  return {
    pairs: [...pairs].map(([observation, deposit]) => ({ observation, recorded: deposit })),
    unobserved: [...unobserved],
  };
}

function hasMoved(pair: ReconciledPair): boolean {
  return !isOfSameBlock(pair) || pair.recorded.position !== pair.observation.position;
}

function isOfSameBlock({ recorded: { status, blockHash }, observation: { block } }: ReconciledPair): boolean {
  return status !== "dropped" && blockHash === (block?.hash ?? null);
}

/**
 * Removes mempool observations of transactions that are in a block, read in this scan or before. Other nodes behind the
 * same URL may still show them in their mempools.
 */
export function dropMined(
  unconfirmed: readonly TransferObservation[],
  inBlocks: readonly TransferObservation[],
  recorded: readonly RecordedDeposit[],
  forkHeight: number | null,
): readonly TransferObservation[] {
  const mined = new Set(inBlocks.map(({ txHash }) => txHash));
  for (const { txHash, blockHeight } of recorded) {
    if (blockHeight !== null && (forkHeight === null || blockHeight <= forkHeight)) mined.add(txHash);
  }
  return unconfirmed.filter(({ txHash }) => !mined.has(txHash));
}

/**
 * Removes observations of transfers that the same block is recorded with at another of our addresses. A block always pays
 * the same, so our own tables have changed: a destination tag was allocated since, or an address of another network. The
 * money stays with the address that it was recorded for.
 */
export function dropReassigned(
  recorded: readonly RecordedDeposit[],
  observations: readonly TransferObservation[],
): readonly TransferObservation[] {
  const key = (transfer: RecordedDeposit | TransferObservation, blockHash: string) =>
    `${positionKey(transfer)} ${transfer.token} ${transfer.amount} ${blockHash}`;
  const receivers = new Map(
    recorded.flatMap((one) =>
      one.blockHash === null ? [] : [[key(one, one.blockHash), one.addressId] as const],
    ),
  );
  return observations.filter((one) => {
    const receiver = one.block === null ? undefined : receivers.get(key(one, one.block.hash));
    return receiver === undefined || receiver === one.addressId;
  });
}

/**
 * Finds the transactions of which an observation has the place of a recorded deposit that is not observed: their answer may lack a part of what
 * they pay. Nodes number the movements of a transaction differently, so all of its places are in doubt, and what was left out must not be lost.
 * `kept`: the observations of other transactions. `inDoubt`: those of these transactions. `unrecorded`: those of them that are not recorded from
 * the same block.
 */
export function divideDisplacing(
  recorded: readonly RecordedDeposit[],
  observations: readonly TransferObservation[],
): {
  readonly kept: readonly TransferObservation[];
  readonly inDoubt: readonly TransferObservation[];
  readonly unrecorded: readonly TransferObservation[];
  readonly txHashes: ReadonlySet<string>;
} {
  const { pairs, unobserved } = matchTransfers(recorded, observations);
  const occupied = new Set(observations.map(positionKey));
  const displaced = unobserved.filter((one) => one.status !== "dropped" && occupied.has(positionKey(one)));
  const txHashes = new Set(displaced.map(({ txHash }) => txHash));
  const known = new Set(pairs.filter(isOfSameBlock).map(({ observation }) => observation));
  const inDoubt = observations.filter(({ txHash }) => txHashes.has(txHash));
  return {
    kept: observations.filter(({ txHash }) => !txHashes.has(txHash)),
    inDoubt,
    unrecorded: inDoubt.filter((one) => !known.has(one)),
    txHashes,
  };
}

/**
 * Divides observations where an address gets each token at most once in a transaction. `contradicting`: the same block is recorded with another
 * amount of the token for the address. A block always pays the same, so one of the two answers has the transaction in part, maybe at another position:
 * recording both would count a payment twice. What is recorded stays, and a person must look at it. `undoubted`: what is recorded, without what
 * such a transaction does not show again: its answer may lack that, too.
 */
export function divideContradicting(
  recorded: readonly RecordedDeposit[],
  observations: readonly TransferObservation[],
): {
  readonly agreeing: readonly TransferObservation[];
  readonly contradicting: readonly TransferObservation[];
  readonly undoubted: readonly RecordedDeposit[];
} {
  const key = (transfer: RecordedDeposit | TransferObservation, blockHash: string) =>
    `${transfer.txHash} ${transfer.token} ${transfer.addressId} ${blockHash}`;
  const amounts = new Map(
    recorded.flatMap((one) =>
      one.blockHash === null ? [] : [[key(one, one.blockHash), one.amount] as const],
    ),
  );
  const shown = new Set<string>();
  const doubted = new Set<string>();
  const { agreeing = [], contradicting = [] } = Object.groupBy(observations, (one) => {
    const own = one.block === null ? null : key(one, one.block.hash);
    const amount = own === null ? undefined : amounts.get(own);
    const agrees = amount === undefined || amount === one.amount;
    if (own !== null && agrees) shown.add(own);
    if (!agrees) doubted.add(`${one.txHash} ${one.block?.hash}`);
    return agrees ? "agreeing" : "contradicting";
  });
  const undoubted = recorded.filter(
    (one) =>
      one.blockHash === null ||
      !doubted.has(`${one.txHash} ${one.blockHash}`) ||
      shown.has(key(one, one.blockHash)),
  );
  return { agreeing, contradicting, undoubted };
}

/** The part of a reconciliation that is about these transactions. */
export function pickTransactions(all: Reconciliation, txHashes: ReadonlySet<string>): Reconciliation {
  const isPicked = ({ txHash }: { readonly txHash: string }) => txHashes.has(txHash);
  const isPair = ({ recorded }: ReconciledPair) => isPicked(recorded);
  return {
    inserted: all.inserted.filter(isPicked),
    moved: all.moved.filter(isPair),
    lost: all.lost.filter(isPicked),
    missing: all.missing.filter(isPicked),
    displaced: all.displaced.filter(isPicked),
  };
}

/** The transactions of a reconciliation. */
export function listTransactions(all: Reconciliation): string[] {
  const recorded = all.moved.map((pair) => pair.recorded);
  const transfers = [...all.inserted, ...recorded, ...all.lost, ...all.missing, ...all.displaced];
  return [...new Set(transfers.map(({ txHash }) => txHash))];
}
