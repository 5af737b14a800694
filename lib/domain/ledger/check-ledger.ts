import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral } from "#lib/domain/deposit-status.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { LEDGER_CHECKS } from "./checks.ts";

export interface LedgerCheckResult {
  readonly ok: boolean;
  /** One sentence per problem, at most 100 of each kind. */
  readonly problems: readonly string[];
  readonly figures: {
    readonly accounts: number;
    readonly transfers: number;
    readonly creditedDeposits: number;
    /** Confirmed deposits without a merchant. */
    readonly heldDeposits: number;
    readonly custody: readonly {
      readonly env: Env;
      readonly network: NetworkCode;
      readonly token: TokenCode;
      /** The coins that we hold, in ledger units. */
      readonly held: bigint;
    }[];
  };
}

/**
 * Checks the ledger against itself, the deposits, the withdrawals, the buys and the statistics. Reads one snapshot of
 * the database, so it can run while the service works.
 */
export async function checkLedger(db: Db): Promise<LedgerCheckResult> {
  return db.transaction((tx) => checkLedgerOf(tx), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

/** The same in the caller's transaction, which must read one snapshot. Changes how its later queries are planned. */
export async function checkLedgerOf(tx: Tx): Promise<LedgerCheckResult> {
  // Every check compares whole tables. On a table that has just grown, PostgreSQL's estimates are too low, and a nested
  // loop over 20,000 deposits takes minutes.
  await tx.execute(sql`set local enable_nestloop = off`);
  const problems: string[] = [];
  for (const check of LEDGER_CHECKS) {
    const { rows } = await tx.execute<{ problem: string }>(sql`${check} limit 100`);
    problems.push(...rows.map(({ problem }) => problem));
  }
  const { rows: counts } = await tx.execute<
    Record<"accounts" | "transfers" | "credited" | "held", string>
  >(sql`
    select (select count(*) from ledger_accounts) as accounts, (select count(*) from ledger_transfers) as transfers,
      (select count(*) from deposits where status = ${depositLiteral("credited")}) as credited,
      (select count(*) from deposits where status = ${depositLiteral("held")}) as held`);
  const { rows: custody } = await tx.execute<{
    env: Env;
    token: TokenCode;
    network: NetworkCode;
    held: string;
  }>(sql`
    select env, token, substr(code, 9) as network, (-balance)::text as held from ledger_accounts
    where code like 'custody:%' order by env, network, token`);
  return {
    ok: problems.length === 0,
    problems,
    figures: {
      accounts: Number(counts[0]?.accounts),
      transfers: Number(counts[0]?.transfers),
      creditedDeposits: Number(counts[0]?.credited),
      heldDeposits: Number(counts[0]?.held),
      custody: custody.map((row) => ({ ...row, held: BigInt(row.held) })),
    },
  };
}
