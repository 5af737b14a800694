import { isDeepStrictEqual } from "node:util";
import { getFinalHeight } from "#lib/chains/finality-rules.ts";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { listRetryTimes } from "#lib/domain/attention/queries.ts";
import { attentionSubject } from "#lib/domain/attention/rules.ts";
import {
  clearAttention,
  isNodeFaultOfUnit,
  isUnitFault,
  logSetAside,
  repeatAfterNodeFault,
  setAside,
} from "#lib/domain/attention/set-aside.ts";
import { postTransfers } from "#lib/domain/ledger/post-transfers.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { findSpentAmounts } from "../signer/outgoing-queries.ts";
import {
  hasUnsettled,
  isSpentByFinal,
  listUnsettled,
  lockUnsettled,
  updateUnsettled,
} from "../signer/outgoing-store.ts";
import type { CostObservation, OutgoingDecision, OutgoingRow } from "../types.ts";
import { costTransfer, decideOutgoing, nextAskAt } from "./cost-rules.ts";
import type { FollowDeps } from "./follow-withdrawals.ts";

const BATCH_SIZE = 100;

/**
 * Asks the chain about each of our transactions of a network that is not settled, and posts the network fee of those in final
 * blocks. Each is one transaction with its row locked, so any number of workers can run at the same time and can be killed at any
 * time. A transaction that fails with an error of its own is set aside and retried later. Nodes are asked only if there is one.
 */
export async function settleCosts(deps: FollowDeps, adapter: TransactionNetwork): Promise<void> {
  if (!(await hasUnsettled(deps.db, adapter))) return;
  try {
    await settleNetwork(deps, adapter);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const { env, network } = adapter;
    deps.log.warn({ env, network, err: error }, "network fees not recorded: no node is usable");
  }
}

const subjectOf = ({ env, network, hash }: OutgoingRow) =>
  attentionSubject("outgoing", `${env}:${network}:${hash}`);

async function settleNetwork(deps: FollowDeps, adapter: TransactionNetwork): Promise<void> {
  const upTo = getFinalHeight(adapter.data.finality, await adapter.blocks.fetchHead());
  for (let after: OutgoingRow | null = null; ; ) {
    const now = deps.now?.() ?? new Date();
    const part: OutgoingRow[] = await listUnsettled(deps.db, adapter, {
      after,
      upTo,
      limit: BATCH_SIZE,
      now,
    });
    const retryTimes = await listRetryTimes(deps.db, part.map(subjectOf));
    for (const row of part) {
      if (deps.stopping?.aborted) return;
      const retryAt = retryTimes.get(subjectOf(row));
      if (retryAt !== undefined && retryAt > now) continue;
      await settleOrSetAside(deps, adapter, { row, wasSetAside: retryAt !== undefined });
    }
    if (part.length < BATCH_SIZE) return;
    after = part.at(-1) ?? null;
  }
}

/** Throws errors that the next transaction would meet, too. */
async function settleOrSetAside(
  deps: FollowDeps,
  adapter: TransactionNetwork,
  { row, wasSetAside }: { readonly row: OutgoingRow; readonly wasSetAside: boolean },
): Promise<void> {
  const { db, log, now = () => new Date() } = deps;
  const subject = subjectOf(row);
  try {
    await repeatAfterNodeFault(adapter, () => settle(deps, adapter, row));
    if (wasSetAside) await clearAttention(db, [subject]);
  } catch (error) {
    if (!isUnitFault(error) && !(await isNodeFaultOfUnit(error, adapter))) throw error;
    // Another worker may have settled it meanwhile. Then nothing is tried again that would remove the mark.
    const aside = await db.transaction(async (tx) =>
      (await lockUnsettled(tx, row)) ? [await setAside(tx, { subject }, error, now())] : [],
    );
    logSetAside(log, aside);
  }
}

async function settle(deps: FollowDeps, adapter: TransactionNetwork, row: OutgoingRow): Promise<void> {
  const { db, log, now = () => new Date() } = deps;
  const observed = await observeCost(deps, adapter, row);
  const decision = decideOutgoing(observed);
  const spends = observed.cost?.spends.length ? [...observed.cost.spends] : row.spends;
  if (decision.kind === "open") {
    const { block } = decision;
    const { nextAt: _next, ...stored } = row;
    const seen = { spends, block: block?.hash ?? row.block, blockHeight: block?.height ?? null };
    const nextAt = block === null ? nextAskAt(row.createdAt, now()) : null;
    if (nextAt !== null || !isDeepStrictEqual({ ...stored, ...seen }, stored))
      await updateUnsettled(db, row, { ...seen, nextAt });
    return;
  }
  const settled = await store(deps, adapter.data.coin, { ...row, spends }, decision);
  if (settled) log.info({ txHash: row.hash, outcome: decision.kind }, "outgoing transaction settled");
}

/** Asks one node. The head is read first, so that the transaction is never older than the head. */
async function observeCost(
  { db }: FollowDeps,
  adapter: TransactionNetwork,
  row: OutgoingRow,
): Promise<CostObservation> {
  const { finality } = adapter.data;
  const spent = await findSpentAmounts(db, adapter, row.spends);
  const observed = await adapter.nodes.withOne({ lastBlock: null }, async (node) => {
    const head = await node.blocks.fetchHead();
    const cost = await node.transactions.fetchCost(row.hash, { block: row.block, spent });
    const final = getFinalHeight(finality, head);
    const isExpired =
      cost === null && final >= 0 && (await node.transactions.hasExpired(row.createdAt, final));
    return { head, cost, isExpired, finality };
  });
  const isInBlock = observed.cost !== null && observed.cost.block !== null;
  return { ...observed, isExcluded: !isInBlock && (await isSpentByFinal(db, row, row.spends)) };
}

/** The decision about a transaction that the chain has settled. */
type Settlement = Exclude<OutgoingDecision, { kind: "open" }>;

function store(
  { db, now = () => new Date() }: FollowDeps,
  coin: TokenCode,
  row: OutgoingRow,
  decision: Settlement,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { spends } = row;
    const inBlock =
      decision.kind === "final"
        ? { block: decision.block.hash, blockHeight: decision.block.height, fee: decision.fee }
        : { blockHeight: null };
    const settled = { ...inBlock, spends, settledAt: now(), outcome: decision.kind };
    if (!(await updateUnsettled(tx, row, settled))) return false;
    const transfer = decision.kind === "final" ? costTransfer(row, coin, decision.fee) : null;
    if (transfer !== null) await postTransfers(tx, [transfer], now());
    await clearAttention(tx, [subjectOf(row)]);
    return true;
  });
}
