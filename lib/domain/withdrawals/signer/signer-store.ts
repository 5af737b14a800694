import { sql } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { signerAccounts } from "../tables.ts";
import type { SignerAccount } from "../types.ts";

/** Stores the accounts of the signer, and deletes the others. */
export function replaceAccounts(db: Db, accounts: readonly SignerAccount[]): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.delete(signerAccounts);
    if (accounts.length > 0) await tx.insert(signerAccounts).values([...accounts]);
  });
}

/** Stores that the last step of these networks ended well. */
export async function updateSteps(
  db: Db,
  networks: readonly Pick<SignerAccount, "env" | "network">[],
  now: Date,
): Promise<void> {
  const [envs, codes] = [networks.map(({ env }) => env), networks.map(({ network }) => network)];
  await db.execute(sql`
    update signer_accounts a set stepped_at = ${now}
    from unnest(${sql.param(envs)}::text[], ${sql.param(codes)}::text[]) as g (env, network)
    where a.env = g.env and a.network = g.network`);
}

/** Stores why withdrawals wait now, and deletes the reasons of those that no longer do, in one statement. By references. */
export async function replaceHolds(
  db: Db,
  {
    changed,
    ended,
  }: {
    readonly changed: readonly (readonly [refid: string, reason: string])[];
    readonly ended: readonly string[];
  },
  now: Date,
): Promise<void> {
  const [refids, reasons] = [changed.map(([refid]) => refid), changed.map(([, reason]) => reason)];
  await db.execute(sql`
    with ended as (
      delete from withdrawal_holds h using withdrawals w
      where w.id = h.withdrawal_id and w.refid = any(${sql.param(ended)}::text[])
    )
    insert into withdrawal_holds (withdrawal_id, reason, since)
    select w.id, g.reason, ${now}
    from unnest(${sql.param(refids)}::text[], ${sql.param(reasons)}::text[]) as g (refid, reason)
    join withdrawals w on w.refid = g.refid
    on conflict (withdrawal_id) do update set reason = excluded.reason, since = excluded.since`);
}
