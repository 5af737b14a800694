import type { Db } from "#lib/platform/db/connection.ts";
import type { SignerAccount } from "../types.ts";
import { listHoldReasons } from "./signer-queries.ts";
import { replaceAccounts, replaceHolds, updateSteps } from "./signer-store.ts";

/** How often it is written that the signer still works. */
const STEP_NOTE_MS = 30_000;

/**
 * Writes what people want to know about a signer: its accounts, that it works, and why withdrawals wait. Nothing decides by it about money.
 */
export interface SignerPublisher {
  /**
   * Writes what has changed. `held`: why each withdrawal waits, by its reference. `stepped`: the networks whose last step ended well.
   */
  publish(
    held: ReadonlyMap<string, string>,
    stepped: readonly Pick<SignerAccount, "env" | "network">[],
    now: Date,
  ): Promise<void>;
}

/** Writes the accounts of a signer that starts. */
export async function openSignerPublisher(
  db: Db,
  accounts: readonly Pick<SignerAccount, "env" | "network" | "address">[],
  version: string,
  now: Date,
): Promise<SignerPublisher> {
  await replaceAccounts(
    db,
    accounts.map((account) => ({ ...account, version, startedAt: now, steppedAt: now })),
  );
  let published = await listHoldReasons(db);
  const notedAt = new Map<string, number>();
  return {
    async publish(held, stepped, at) {
      const changed = [...held].filter(([refid, reason]) => published.get(refid) !== reason);
      const ended = [...published.keys()].filter((refid) => !held.has(refid));
      if (changed.length + ended.length > 0) await replaceHolds(db, { changed, ended }, at);
      published = new Map(held);
      const due = stepped.filter(({ env, network }) => isDue(notedAt.get(`${env}.${network}`), at));
      if (due.length === 0) return;
      await updateSteps(db, due, at);
      for (const { env, network } of due) notedAt.set(`${env}.${network}`, at.getTime());
    },
  };
}

const isDue = (notedAt: number | undefined, now: Date): boolean =>
  notedAt === undefined || now.getTime() - notedAt >= STEP_NOTE_MS;
