import type { Logger } from "pino";
import type { ChainReader } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { findOutage } from "#lib/platform/db/availability.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { listCauses } from "#lib/platform/error-causes.ts";
import { getSafeMessage } from "#lib/platform/log/serialize-error.ts";
import { attentionSubject, isFaultOfUnit, nextRetry } from "./rules.ts";
import { deleteAttention, lockAttempts, lockAttention, updateRetryTime, upsertAttention } from "./store.ts";
import type { AttentionKind, SetAside } from "./types.ts";

/** Characters of an error's message that are kept. */
const LONGEST_REASON = 300;

/** True if only the processed unit can be the cause. False for errors of nodes and of the database itself. */
export function isUnitFault(error: unknown): boolean {
  if (listCauses(error).some((cause) => cause instanceof NodeError)) return false;
  return findOutage(error) === null && isFaultOfUnit(listCauses(error));
}

/**
 * True if a node's error is about the processed unit only, so that others can continue without it: the network still answers
 * another question. False for errors that are not of nodes.
 */
export async function isNodeFaultOfUnit(
  error: unknown,
  network: Pick<ChainReader, "blocks">,
): Promise<boolean> {
  if (!(error instanceof NodeError) || error.kind === "rate_limited") return false;
  try {
    await network.blocks.fetchHead({ finality: false });
    return true;
  } catch (failure) {
    if (failure instanceof NodeError) return false;
    throw failure;
  }
}

/** Runs `work` of one unit, and once more after a node's error about it: only a failure that lasts is set aside. */
export async function repeatAfterNodeFault(
  network: Pick<ChainReader, "blocks">,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(await isNodeFaultOfUnit(error, network))) throw error;
    await work();
  }
}

/**
 * Runs `work` on all units together. If one of them makes it fail, runs it on halves, until each such unit is alone:
 * `setAside` is called for it, and the others are complete. `work` must write nothing when it throws: use a transaction
 * or a savepoint. The order of the units is kept. Throws errors that are not the fault of a unit.
 */
export async function isolateFaults<Unit>(
  units: readonly Unit[],
  work: (units: readonly Unit[]) => Promise<void>,
  setAside: (unit: Unit, error: unknown) => Promise<void>,
): Promise<void> {
  const [first] = units;
  if (first === undefined) return;
  try {
    await work(units);
  } catch (error) {
    if (!isUnitFault(error)) throw error;
    if (units.length === 1) return setAside(first, error);
    const half = units.length >> 1;
    await isolateFaults(units.slice(0, half), work, setAside);
    await isolateFaults(units.slice(half), work, setAside);
  }
}

interface FailedUnit {
  readonly subject: string;
  readonly height?: number | null;
  /** The longest pause before the next try, in milliseconds. Absent: an hour. */
  readonly longestRetryMs?: number;
}

/**
 * Marks a unit whose processing failed: the operator sees it, and it is retried later. Run it in a transaction that has
 * nothing of the unit. A lost connection fails here, so that an outage is never taken for a fault of the unit.
 */
export async function setAside(
  db: Db | Tx,
  { subject, height = null, longestRetryMs }: FailedUnit,
  error: unknown,
  now: Date,
): Promise<SetAside> {
  const attempts = (await lockAttempts(db, subject)) + 1;
  const retryAt = nextRetry(attempts, now, longestRetryMs);
  const cause = listCauses(error).at(-1) ?? new Error(String(error));
  const message = getSafeMessage({ ...cause, message: cause.message });
  const reason = `${cause.name}: ${message}`.slice(0, LONGEST_REASON);
  await upsertAttention(db, { subject, reason, attempts, retryAt, height }, now);
  return { subject, error, attempts, retryAt };
}

/** Whether a unit is set aside. Its mark is locked. */
export async function isSetAside(tx: Tx, subject: string): Promise<boolean> {
  return (await lockAttempts(tx, subject)) > 0;
}

/** Logs units that were set aside. Call it after the commit. */
export function logSetAside(log: Logger, units: readonly SetAside[]): void {
  for (const { subject, error, attempts, retryAt } of units)
    log.error({ err: error, subject, attempts, retryAt }, "set aside: it needs attention");
}

/** Removes the marks of units that were processed. `waiting`: only those of units that are in no block. */
export async function clearAttention(
  db: Db | Tx,
  subjects: readonly string[],
  { waiting = false }: { readonly waiting?: boolean } = {},
): Promise<void> {
  if (subjects.length > 0) await deleteAttention(db, subjects, waiting);
}

/** Lets a unit that was set aside be tried again at once. */
export const retryAttention = defineInstallationVerb(
  "attention.retry",
  async ({ tx, now }, { subject }: { readonly subject: string }) => {
    const row = await lockAttention(tx, subject);
    if (row === null) return refuse("not_set_aside");
    await updateRetryTime(tx, subject, now);
    return done({}, { subject, details: { reason: row.reason } });
  },
);

/** Units whose payments a person can see to. Others are tried for as long as they exist. */
const CLOSABLE: readonly AttentionKind[] = ["transaction", "blocks"];

/**
 * Gives up a transaction or blocks that were set aside: a person has seen to their payments. Nothing more is recorded of
 * them.
 */
export const closeAttention = defineInstallationVerb(
  "attention.close",
  async ({ tx }, { subject }: { readonly subject: string }) => {
    const row = await lockAttention(tx, subject);
    if (row === null) return refuse("not_set_aside");
    const isClosable = CLOSABLE.some((kind) => subject.startsWith(attentionSubject(kind, "")));
    if (!isClosable) return refuse("not_closable");
    await deleteAttention(tx, [subject]);
    return done({}, { subject, details: { reason: row.reason, height: row.height } });
  },
);
