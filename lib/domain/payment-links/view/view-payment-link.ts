import type { Env } from "#lib/chains/network-data.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { readStamp, readVersions } from "../link-versions.ts";
import { needsQuotes, renewQuotes } from "../settle/renew-quotes.ts";
import type { PaymentLinkDeps, PaymentLinkView } from "../types.ts";
import { composeView } from "./compose-view.ts";
import { findSnapshot, type LinkSnapshot } from "./snapshot.ts";

/**
 * A link as a reader may see it, out of one moment of the database; null when there is none, or none of this owner.
 * Where the quote of a picked network has lapsed on a link still to be paid, a new one is made first.
 */
export async function viewPaymentLink(
  deps: PaymentLinkDeps,
  refid: string,
  now: Date,
  owner?: { readonly merchantId: number; readonly env: Env },
): Promise<PaymentLinkView | null> {
  const read = (): Promise<LinkSnapshot | null> =>
    deps.db.transaction((tx) => findSnapshot(tx, refid, owner), {
      isolationLevel: "repeatable read",
      accessMode: "read only",
    });
  let snapshot = await read();
  if (snapshot && needsQuotes(snapshot, deps, now)) {
    await renewQuotes(deps, refid, now);
    snapshot = await read();
  }
  return snapshot && composeView(snapshot, deps, now);
}

/** The versions of many links at once, by refid; links that do not exist are left out. */
export async function listLinkVersions(
  db: Db | Tx,
  refids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return new Map((await readVersions(db, refids)).map(({ refid, version }) => [refid, version]));
}

/** Thousands of pages ask at once when they come back: those that ask together share a query. */
const versionOf = oncePerDatabase((db) =>
  createBatcher({ maxSize: 1_000, concurrency: 2 }, async (refids: readonly string[]) => {
    const versions = await listLinkVersions(db, refids);
    return refids.map((refid) => versions.get(refid) ?? null);
  }),
);

/** The version that readers compare theirs with; null: no such link. It is read after it was asked for. */
export async function findLinkVersion(db: Db, refid: string): Promise<number | null> {
  return versionOf(db)(refid);
}

/**
 * A text that changes whenever a picture of the link would: with the link, with its merchant's face, and at its
 * deadline. null: no such link.
 */
export async function findLinkStamp(db: Db, refid: string, now: Date): Promise<string | null> {
  const stamp = await readStamp(db, refid);
  if (stamp === null) return null;
  const { version, expiresAt, merchantUpdatedAt } = stamp;
  return `${version}-${merchantUpdatedAt.getTime()}-${now < expiresAt ? "open" : "over"}`;
}
