import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { ENVS } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
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
import type { SetAside } from "#lib/domain/attention/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { withLogContext } from "#lib/platform/log/log-context.ts";
import { completeWithdrawal, releaseWithdrawal } from "../end/end-withdrawal.ts";
import { describeFinding } from "../observe/finding-rules.ts";
import {
  addObservations,
  observeTransactions,
  toSubmittedTransaction,
} from "../observe/observe-transactions.ts";
import { evaluateOutcome } from "../observe/outcome-rules.ts";
import { listOpenWithdrawals } from "../queries.ts";
import { lockWithdrawal, updateFinding } from "../store.ts";
import type { TransactionObservation, WithdrawalDeps, WithdrawalQueue, WithdrawalRow } from "../types.ts";

const BATCH_SIZE = 100;
/** Nodes that answer errors usually recover together, and one withdrawal is one question: it need not wait for an hour then. */
const LONGEST_NODE_RETRY_MS = 5 * 60_000;

export interface FollowDeps extends WithdrawalDeps {
  readonly log: Logger;
  readonly now?: () => Date;
  /** Aborted when this process ends. The rest is left to another worker. */
  readonly stopping?: AbortSignal;
}

/**
 * Checks every open withdrawal of a network once, and completes those that the chain has paid. Each is one transaction with its
 * row locked, so any number of workers can run at the same time and can be killed at any time. A withdrawal that fails with an
 * error of its own is set aside and retried later, after other errors in the next run.
 */
export async function followWithdrawals(deps: FollowDeps, adapter: TransactionNetwork): Promise<void> {
  const { env, network } = adapter;
  await followEach(deps, { env, network, adapter }, "processing", (row) => follow(deps, adapter, row));
}

/** Returns the reservations of the withdrawals of all networks that were given up, like followWithdrawals. It asks no node. */
export async function releaseWithdrawals(deps: FollowDeps): Promise<void> {
  for (const env of ENVS)
    for (const network of Object.keys(NETWORKS) as NetworkCode[])
      await followEach(deps, { env, network }, "refund_queued", (row) => release(deps, row));
}

const subjectOf = ({ refid }: WithdrawalRow) => attentionSubject("withdrawal", refid);

/**
 * Runs `work` for each withdrawal, oldest first, in batches. When no node answers, the rest of the queue waits. An error of
 * nodes about one withdrawal, while they answer about the head, is set aside: the others continue.
 */
async function followEach(
  deps: FollowDeps,
  { adapter, ...queue }: WithdrawalQueue & { readonly adapter?: TransactionNetwork },
  status: "processing" | "refund_queued",
  work: (row: WithdrawalRow) => Promise<void>,
): Promise<void> {
  const { db, log, stopping } = deps;
  const { env, network } = queue;
  for (let after = 0; ; ) {
    const part = await listOpenWithdrawals(db, queue, status, { after, limit: BATCH_SIZE });
    const retryTimes = await listRetryTimes(db, part.map(subjectOf));
    for (const row of part) {
      if (stopping?.aborted) return;
      const now = deps.now?.() ?? new Date();
      const subject = subjectOf(row);
      const retryAt = retryTimes.get(subject);
      if (retryAt !== undefined && retryAt > now) continue;
      const attempt = () => withLogContext({ refid: row.refid, merchantId: row.merchantId }, () => work(row));
      try {
        await (adapter === undefined ? attempt() : repeatAfterNodeFault(adapter, attempt));
        if (retryAt !== undefined) await clearAttention(db, [subject]);
      } catch (error) {
        const isOfUnit =
          isUnitFault(error) || (adapter !== undefined && (await isNodeFaultOfUnit(error, adapter)));
        if (error instanceof NodeError && !isOfUnit)
          return log.warn({ env, network, err: error }, "withdrawals not checked: no node is usable");
        if (isOfUnit) logSetAside(log, await setOpenAside(db, row, error, now));
        else log.error({ err: error }, "withdrawal not checked");
      }
    }
    if (part.length < BATCH_SIZE) return;
    after = part.at(-1)?.id ?? after;
  }
}

/** Marks the withdrawal, unless it has meanwhile moved on: then nothing may be tried again that would remove the mark. */
function setOpenAside(db: Db, row: WithdrawalRow, error: unknown, now: Date): Promise<SetAside[]> {
  return db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, row.id);
    if (locked?.status !== row.status) return [];
    const limit = error instanceof NodeError ? { longestRetryMs: LONGEST_NODE_RETRY_MS } : {};
    return [await setAside(tx, { subject: subjectOf(row), ...limit }, error, now)];
  });
}

async function follow(deps: FollowDeps, adapter: TransactionNetwork, row: WithdrawalRow): Promise<void> {
  const observation = await observeTransactions(adapter, row.transactions);
  const outcome = evaluateOutcome(row, observation);
  const now = deps.now?.() ?? new Date();
  if (outcome.kind === "paid") {
    const { hash } = outcome;
    const completed = await completeWithdrawal(deps, row.id, hash, now);
    if (completed) deps.log.info({ txHash: hash }, "withdrawal completed");
    return;
  }
  const { transactions } = observation;
  await storeFinding(deps, row, transactions, describeFinding(outcome, transactions, now));
}

/** Stores what was observed, unless another transaction was submitted meanwhile. A person must check a finding. */
async function storeFinding(
  { db, log }: FollowDeps,
  row: WithdrawalRow,
  observed: readonly TransactionObservation[],
  described: ReturnType<typeof describeFinding>,
): Promise<void> {
  const found = { finding: described?.finding ?? null, failureReason: described?.reason ?? null };
  const isSame = ({ finding, failureReason }: WithdrawalRow) =>
    isDeepStrictEqual(found, { finding, failureReason });
  if (isDeepStrictEqual(observed.map(toSubmittedTransaction), row.transactions) && isSame(row)) return;
  await db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, row.id);
    const transactions = locked && addObservations(locked.transactions, observed);
    if (locked?.status !== "processing" || !transactions) return;
    await updateFinding(tx, row.id, { ...found, transactions });
    // Workers that run at the same time find the same. The lock lets only the first of them log it.
    if (isSame(locked)) return;
    if (described !== null) log.error(described, "withdrawal needs manual review");
    else log.info("withdrawal no longer needs manual review");
  });
}

async function release(deps: FollowDeps, { id }: WithdrawalRow): Promise<void> {
  const released = await releaseWithdrawal(deps, id, deps.now?.() ?? new Date());
  if (released) deps.log.info("withdrawal failed");
}
