import { type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { VALUE_CHECKS } from "./value-checks.ts";

export interface LedgerCheckResult {
  readonly ok: boolean;
  /** One sentence each. */
  readonly problems: readonly string[];
  readonly figures: {
    readonly accounts: number;
    readonly transfers: number;
    readonly creditedDeposits: number;
    /** Confirmed and nobody's yet. */
    readonly heldDeposits: number;
    readonly custody: readonly {
      readonly env: Env;
      readonly network: NetworkCode;
      readonly token: TokenCode;
      /** Ledger units held for everyone: above zero when we hold coins. */
      readonly held: bigint;
    }[];
  };
}

/**
 * Live entries of deposits, posted for one and not taken back: `deposit:{id}:{round}` took it into the books, to its
 * merchant or to unmatched, `deposit:{id}:{round}:resolved` from there to a merchant.
 */
const LIVE_ENTRIES = sql`
  select t.*, split_part(t.cause, ':', 2)::bigint as deposit_id, t.cause like '%:resolved' as resolution,
    f.code as from_code, g.code as to_code
  from ledger_transfers t
  join ledger_accounts f on f.id = t.from_account_id
  join ledger_accounts g on g.id = t.to_account_id
  where t.cause ~ '^deposit:[0-9]+:[0-9]+(:resolved)?$'
    and not exists (select 1 from ledger_transfers r where r.reversal_of = t.id)`;

/** Which entries each deposit must have: credited, held, or neither. */
const WANTED_ENTRIES = sql`
  select d.*, resolution,
    case when resolution then 'unmatched:' else 'custody:' end || network as from_code,
    case when not resolution and unmatched_reason is not null then 'unmatched:' || network
      else 'merchant:' || merchant_id end as to_code
  from deposits d, (values (false), (true)) v(resolution)
  where case when resolution then status = 1 and unmatched_reason is not null else status in (1, 3) end`;

/** Each finds what must not be, as one row per problem with the sentence in `problem`. */
const CHECKS: readonly SQL[] = [
  sql`select format('%s %s sums to %s, not to zero', env, token, sum(balance)) as problem
    from ledger_accounts group by env, token having sum(balance) <> 0`,
  sql`select format('account %s (%s %s %s) says %s, its postings say %s', a.id, a.env, a.token, a.code, a.balance,
      coalesce(p.total, 0)) as problem
    from ledger_accounts a
    left join (select account_id, sum(amount) as total from ledger_postings group by account_id) p
      on p.account_id = a.id
    where a.balance <> coalesce(p.total, 0)`,
  sql`select format('posting %s of account %s starts at %s, the one before ended at %s', id, account_id,
      balance_before, ended) as problem
    from (select id, account_id, balance_before,
        coalesce(lag(balance_after) over (partition by account_id order by id), 0) as ended from ledger_postings) p
    where balance_before <> ended`,
  sql`select format('transfer %s (%s) has not exactly its two postings', t.id, t.cause) as problem
    from ledger_transfers t
    left join ledger_postings p on p.transfer_id = t.id
    group by t.id
    having count(*) filter (where p.account_id = t.from_account_id and p.amount = -t.amount) <> 1
      or count(*) filter (where p.account_id = t.to_account_id and p.amount = t.amount) <> 1 or count(*) <> 2`,
  sql`select format('reversal %s is not the mirror of transfer %s', r.id, t.id) as problem
    from ledger_transfers r join ledger_transfers t on t.id = r.reversal_of
    where (r.from_account_id, r.to_account_id, r.amount) is distinct from
      (t.to_account_id, t.from_account_id, t.amount)`,
  sql`select format('deposit %s with status %s has %s live %s', w.id, w.status, count(e.id),
      case when w.resolution then 'resolutions' else 'credits' end) as problem
    from (${WANTED_ENTRIES}) w
    left join (${LIVE_ENTRIES}) e on e.deposit_id = w.id and e.resolution = w.resolution
    group by w.id, w.status, w.resolution having count(e.id) <> 1`,
  sql`select format('deposit %s has status %s and a live entry (%s)', e.deposit_id, coalesce(d.status::text, 'none'),
      e.cause) as problem
    from (${LIVE_ENTRIES}) e
    left join (${WANTED_ENTRIES}) w on w.id = e.deposit_id and w.resolution = e.resolution
    left join deposits d on d.id = e.deposit_id
    where w.id is null`,
  sql`select format('entry %s of deposit %s moves %s from %s to %s', e.cause, w.id, e.amount, e.from_code, e.to_code)
      as problem
    from (${LIVE_ENTRIES}) e
    join (${WANTED_ENTRIES}) w on w.id = e.deposit_id and w.resolution = e.resolution
    where (e.env, e.token, e.amount, e.from_code, e.to_code) is distinct from
      (w.env, w.token, w.amount, w.from_code, w.to_code)`,
  sql`select format('%s unmatched of %s %s has %s, the held deposits are %s', env, network, token,
      coalesce(balance, 0), coalesce(held, 0)) as problem
    from (
      select env, token, substr(code, 11) as network, balance from ledger_accounts where code like 'unmatched:%') l
    full join (
      select env, token, network, sum(amount) as held from deposits where status = 3
      group by env, token, network) d using (env, token, network)
    where coalesce(balance, 0) <> coalesce(held, 0)`,
  sql`select format('%s custody of %s %s took %s from deposits, the deposits in the books are %s', env, network, token,
      coalesce(taken, 0), coalesce(credited, 0)) as problem
    from (
      select a.env, a.token, substr(a.code, 9) as network, -sum(p.amount) as taken
      from ledger_accounts a join ledger_postings p on p.account_id = a.id
        join ledger_transfers t on t.id = p.transfer_id and t.cause like 'deposit:%'
      where a.code like 'custody:%' group by a.env, a.token, a.code) l
    full join (
      select env, token, network, sum(amount) as credited from deposits where status in (1, 3)
      group by env, token, network) d using (env, token, network)
    where coalesce(taken, 0) <> coalesce(credited, 0)`,
  sql`select format('address %s is said to have received %s of %s, its credited deposits are %s', address_id,
      coalesce(total, 0), token, coalesce(credited, 0)) as problem
    from deposit_totals
    full join (
      select address_id, token, sum(amount) as credited from deposits where status = 1
      group by address_id, token) d using (address_id, token)
    where coalesce(total, 0) <> coalesce(credited, 0)`,
  ...VALUE_CHECKS,
  sql`select format('withdrawal %s with status %s has %s reserved, not %s', coalesce(w.id::text, l.withdrawal),
      coalesce(w.status::text, 'none'), coalesce(l.balance, 0), coalesce(w.wanted, 0)) as problem
    from (
      select env, token, substr(code, 10) as withdrawal, balance from ledger_accounts where code like 'reserved:%') l
    full join (
      select id, env, token, id::text as withdrawal, status,
        case when status in (0, 1, 5) then amount + fee else 0 end as wanted
      from withdrawals) w using (env, token, withdrawal)
    where coalesce(l.balance, 0) <> coalesce(w.wanted, 0)`,
  sql`select format('%s custody of %s %s gave %s for withdrawals, the completed ones are %s', env, network, token,
      coalesce(given, 0), coalesce(sent, 0)) as problem
    from (
      select a.env, a.token, substr(a.code, 9) as network, sum(p.amount) as given
      from ledger_accounts a join ledger_postings p on p.account_id = a.id
        join ledger_transfers t on t.id = p.transfer_id and t.cause like 'withdrawal:%'
      where a.code like 'custody:%' group by a.env, a.token, a.code) l
    full join (
      select env, token, network, sum(amount) as sent from withdrawals where status = 3
      group by env, token, network) w using (env, token, network)
    where coalesce(given, 0) <> coalesce(sent, 0)`,
  // With the two checks before: custody is deposits less sends, and what the operator moved, whole.
  sql`select format('transfer %s (%s) moves custody and is neither a deposit, a withdrawal nor the operator''s', t.id,
      t.cause) as problem
    from ledger_transfers t
    join ledger_accounts f on f.id = t.from_account_id
    join ledger_accounts g on g.id = t.to_account_id
    where (f.code like 'custody:%' or g.code like 'custody:%') and t.cause !~ '^(deposit|withdrawal|operator):'`,
];

/** Proves the books against themselves, the deposits, the buys and the statistics, all within one snapshot of the database. */
export async function checkLedger(db: Db): Promise<LedgerCheckResult> {
  return db.transaction(
    async (tx) => {
      const problems: string[] = [];
      for (const check of CHECKS) {
        const { rows } = await tx.execute<{ problem: string }>(sql`${check} limit 100`);
        problems.push(...rows.map(({ problem }) => problem));
      }
      const { rows: counts } = await tx.execute<
        Record<"accounts" | "transfers" | "credited" | "held", string>
      >(sql`
        select (select count(*) from ledger_accounts) as accounts, (select count(*) from ledger_transfers) as transfers,
          (select count(*) from deposits where status = 1) as credited,
          (select count(*) from deposits where status = 3) as held`);
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
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}
