import { type SQL, sql } from "drizzle-orm";
import { NETWORKS } from "#lib/chains/networks.ts";
import { depositLiteral, depositLiterals } from "#lib/domain/deposit-status.ts";
import { OPEN_STATUSES, statusLiteral, statusLiterals } from "#lib/domain/withdrawal-status.ts";

/**
 * The entries of deposits that are not reversed. `deposit:{id}:{round}` credits a deposit to its merchant or to
 * unmatched. `deposit:{id}:{round}:resolved` moves it from unmatched to a merchant.
 */
const ACTIVE_ENTRIES = sql`
  select t.*, split_part(t.cause, ':', 2)::bigint as deposit_id, t.cause like '%:resolved' as resolution,
    f.code as from_code, g.code as to_code
  from ledger_transfers t
  join ledger_accounts f on f.id = t.from_account_id
  join ledger_accounts g on g.id = t.to_account_id
  where t.cause ~ '^deposit:[0-9]+:[0-9]+(:resolved)?$'
    and not exists (select 1 from ledger_transfers r where r.reversal_of = t.id)`;

const IN_LEDGER = depositLiterals(["credited", "held"]);

/** The entries that each deposit must have, by its status. */
const EXPECTED_ENTRIES = sql`
  select d.*, resolution,
    case when resolution then 'unmatched:' else 'custody:' end || network as from_code,
    case when not resolution and unmatched_reason is not null then 'unmatched:' || network
      else 'merchant:' || merchant_id end as to_code
  from deposits d, (values (false), (true)) v(resolution)
  where case when resolution then status = ${depositLiteral("credited")} and unmatched_reason is not null
    else status in ${IN_LEDGER} end`;

/** The transfers that every buy must have. No other transfer may have such a cause. */
const EXPECTED_BUY_TRANSFERS = sql`
  select 'buy:' || id || ':cost' as cause, env, 'usdt' as token, 'merchant:' || merchant_id as from_code,
    'desk' as to_code, cost as amount from buys
  union all select 'buy:' || id || ':fee', env, 'usdt', 'merchant:' || merchant_id, 'fees', fee from buys where fee > 0
  union all select 'buy:' || id || ':token', env, token, 'desk', 'merchant:' || merchant_id, amount from buys`;

const COINS = sql.join(
  Object.values(NETWORKS).map(({ code, coin }) => sql`(${code}, ${coin})`),
  sql`, `,
);

/** The transfers that network fees of final transactions must have. A fee below 0 came back. */
const EXPECTED_COSTS = sql`
  select 'cost:' || env || ':' || network || ':' || hash as cause, env, coin as token,
    case when fee > 0 then 'costs:' else 'custody:' end || network as from_code,
    case when fee > 0 then 'custody:' else 'costs:' end || network as to_code, abs(fee) as amount
  from outgoing_transactions join (values ${COINS}) c(network, coin) using (network) where fee <> 0`;

/** Checks of the values of transfers and of buys. */
const VALUE_CHECKS: readonly SQL[] = [
  sql`select format('the totals of merchant %s (%s) are credit %s and debit %s, but its transfers add up to %s and %s',
      merchant_id, env, coalesce(t.credit, 0), coalesce(t.debit, 0), coalesce(v.credit, 0), coalesce(v.debit, 0))
      as problem
    from merchant_totals t
    full join (
      select env, merchant_id, coalesce(sum(usd) filter (where direction = 'credit'), 0) as credit,
        coalesce(sum(usd) filter (where direction = 'debit'), 0) as debit
      from transfer_values group by env, merchant_id) v using (env, merchant_id)
    where (coalesce(t.credit, 0), coalesce(t.debit, 0)) is distinct from (coalesce(v.credit, 0), coalesce(v.debit, 0))`,
  sql`select format('the value of transfer %s (%s) is wrongly counted as %s of merchant %s (%s)', t.id, t.cause, v.direction,
      v.merchant_id, v.env) as problem
    from transfer_values v
    join ledger_transfers t on t.id = v.transfer_id
    join ledger_accounts f on f.id = t.from_account_id
    join ledger_accounts g on g.id = t.to_account_id
    where v.env <> t.env or 'merchant:' || v.merchant_id <>
      case when (v.direction = 'credit') = (t.reversal_of is null) then g.code else f.code end`,
  sql`select format('reversal %s has value %s, but transfer %s has value %s', r.transfer_id, r.usd, v.transfer_id, v.usd)
      as problem
    from transfer_values v
    join ledger_transfers t on t.reversal_of = v.transfer_id
    left join transfer_values r on r.transfer_id = t.id
    where r.usd is distinct from -v.usd or v.usd is null`,
  sql`select format('transfer %s does not match its buy', cause) as problem
    from (${EXPECTED_BUY_TRANSFERS}) w
    full join (
      select t.cause, t.env, t.token, f.code as from_code, g.code as to_code, t.amount
      from ledger_transfers t
      join ledger_accounts f on f.id = t.from_account_id
      join ledger_accounts g on g.id = t.to_account_id
      where t.cause like 'buy:%' and t.reversal_of is null) t using (cause)
    where (w.env, w.token, w.from_code, w.to_code, w.amount) is distinct from
      (t.env, t.token, t.from_code, t.to_code, t.amount)`,
];

/** Checks that each row has what it refers to. A backup, a replica or damage can bring in what the database refuses. */
const REFERENCE_CHECKS: readonly SQL[] = [
  sql`select format('posting %s is of transfer %s, which does not exist', p.id, p.transfer_id) as problem
    from ledger_postings p where not exists (select from ledger_transfers t where t.id = p.transfer_id)`,
  sql`select format('transfer %s (%s) is not between two accounts of %s %s', t.id, t.cause, t.env, t.token) as problem
    from ledger_transfers t
    left join ledger_accounts f on f.id = t.from_account_id and f.env = t.env and f.token = t.token
    left join ledger_accounts g on g.id = t.to_account_id and g.env = t.env and g.token = t.token
    where f.id is null or g.id is null`,
  sql`select format('reversal %s is of transfer %s, which does not exist', r.id, r.reversal_of) as problem
    from ledger_transfers r where r.reversal_of is not null
      and not exists (select from ledger_transfers t where t.id = r.reversal_of)`,
  sql`select format('a value is that of transfer %s, which does not exist', v.transfer_id) as problem
    from transfer_values v where not exists (select from ledger_transfers t where t.id = v.transfer_id)`,
  sql`select format('payment link %s has a merchant, customer, form or device that is not there, or of another merchant', l.refid) as problem
    from payment_links l
    left join merchants m on m.id = l.merchant_id
    left join customers c on c.id = l.customer_id and c.merchant_id = l.merchant_id and c.env = l.env
    left join forms f on f.id = l.form_id and f.merchant_id = l.merchant_id and f.env = l.env
    left join pos_devices d on d.id = l.pos_device_id and d.form_id = l.form_id
    where m.id is null or (l.customer_id is not null and c.id is null) or (l.form_id is not null and f.id is null)
      or (l.pos_device_id is not null and d.id is null)`,
];

/** Each query returns one row per problem, with a sentence in `problem`. */
export const LEDGER_CHECKS: readonly SQL[] = [
  ...REFERENCE_CHECKS,
  sql`select format('the balances of %s %s add up to %s instead of 0', env, token, sum(balance)) as problem
    from ledger_accounts group by env, token having sum(balance) <> 0`,
  sql`select format('account %s (%s %s %s) has balance %s, but its postings add up to %s', a.id, a.env, a.token,
      a.code, a.balance, coalesce(p.total, 0)) as problem
    from ledger_accounts a
    left join (select account_id, sum(amount) as total from ledger_postings group by account_id) p
      on p.account_id = a.id
    where a.balance <> coalesce(p.total, 0)`,
  sql`select format('posting %s of account %s starts at balance %s, but the previous posting ended at %s', id, account_id,
      balance_before, ended) as problem
    from (select id, account_id, balance_before,
        coalesce(lag(balance_after) over (partition by account_id order by id), 0) as ended from ledger_postings) p
    where balance_before <> ended`,
  sql`select format('transfer %s (%s) does not have exactly two matching postings', t.id, t.cause) as problem
    from ledger_transfers t
    left join ledger_postings p on p.transfer_id = t.id
    group by t.id
    having count(*) filter (where p.account_id = t.from_account_id and p.amount = -t.amount) <> 1
      or count(*) filter (where p.account_id = t.to_account_id and p.amount = t.amount) <> 1 or count(*) <> 2`,
  sql`select format('reversal %s is not the opposite of transfer %s', r.id, t.id) as problem
    from ledger_transfers r join ledger_transfers t on t.id = r.reversal_of
    where (r.from_account_id, r.to_account_id, r.amount) is distinct from
      (t.to_account_id, t.from_account_id, t.amount)`,
  sql`select format('deposit %s with status %s has %s active %s instead of 1', w.id, w.status, count(e.id),
      case when w.resolution then 'resolutions' else 'credits' end) as problem
    from (${EXPECTED_ENTRIES}) w
    left join (${ACTIVE_ENTRIES}) e on e.deposit_id = w.id and e.resolution = w.resolution
    group by w.id, w.status, w.resolution having count(e.id) <> 1`,
  sql`select format('deposit %s has status %s, but also an active entry (%s)', e.deposit_id,
      coalesce(d.status::text, 'none'), e.cause) as problem
    from (${ACTIVE_ENTRIES}) e
    left join (${EXPECTED_ENTRIES}) w on w.id = e.deposit_id and w.resolution = e.resolution
    left join deposits d on d.id = e.deposit_id
    where w.id is null`,
  sql`select format('entry %s moves %s from %s to %s, which does not match deposit %s', e.cause, e.amount, e.from_code,
      e.to_code, w.id) as problem
    from (${ACTIVE_ENTRIES}) e
    join (${EXPECTED_ENTRIES}) w on w.id = e.deposit_id and w.resolution = e.resolution
    where (e.env, e.token, e.amount, e.from_code, e.to_code) is distinct from
      (w.env, w.token, w.amount, w.from_code, w.to_code)`,
  sql`select format('the unmatched account of %s %s %s has %s, but the held deposits add up to %s', env, network, token,
      coalesce(balance, 0), coalesce(held, 0)) as problem
    from (
      select env, token, substr(code, 11) as network, balance from ledger_accounts where code like 'unmatched:%') l
    full join (
      select env, token, network, sum(amount) as held from deposits where status = ${depositLiteral("held")}
      group by env, token, network) d using (env, token, network)
    where coalesce(balance, 0) <> coalesce(held, 0)`,
  sql`select format('custody of %s %s %s received %s from deposits, but the deposits add up to %s', env, network, token,
      coalesce(taken, 0), coalesce(credited, 0)) as problem
    from (
      select a.env, a.token, substr(a.code, 9) as network, -sum(p.amount) as taken
      from ledger_accounts a join ledger_postings p on p.account_id = a.id
        join ledger_transfers t on t.id = p.transfer_id and t.cause like 'deposit:%'
      where a.code like 'custody:%' group by a.env, a.token, a.code) l
    full join (
      select env, token, network, sum(amount) as credited from deposits where status in ${IN_LEDGER}
      group by env, token, network) d using (env, token, network)
    where coalesce(taken, 0) <> coalesce(credited, 0)`,
  sql`select format('address %s has a total of %s %s, but its credited deposits add up to %s', address_id,
      coalesce(total, 0), token, coalesce(credited, 0)) as problem
    from deposit_totals
    full join (
      select address_id, token, sum(amount) as credited from deposits
      where status = ${depositLiteral("credited")}
      group by address_id, token) d using (address_id, token)
    where coalesce(total, 0) <> coalesce(credited, 0)`,
  ...VALUE_CHECKS,
  sql`select format('withdrawal %s with status %s has %s reserved instead of %s', coalesce(w.id::text, l.withdrawal),
      coalesce(w.status::text, 'none'), coalesce(l.balance, 0), coalesce(w.expected, 0)) as problem
    from (
      select env, token, substr(code, 10) as withdrawal, balance from ledger_accounts where code like 'reserved:%') l
    full join (
      select id, env, token, id::text as withdrawal, status,
        case when status in ${statusLiterals(OPEN_STATUSES)} then amount + fee else 0 end as expected
      from withdrawals) w using (env, token, withdrawal)
    where coalesce(l.balance, 0) <> coalesce(w.expected, 0)`,
  sql`select format('custody of %s %s %s paid %s for withdrawals, but the completed withdrawals add up to %s', env, network,
      token, coalesce(given, 0), coalesce(sent, 0)) as problem
    from (
      select a.env, a.token, substr(a.code, 9) as network, sum(p.amount) as given
      from ledger_accounts a join ledger_postings p on p.account_id = a.id
        join ledger_transfers t on t.id = p.transfer_id and t.cause like 'withdrawal:%'
      where a.code like 'custody:%' group by a.env, a.token, a.code) l
    full join (
      select env, token, network, sum(amount) as sent from withdrawals where status = ${statusLiteral("completed")}
      group by env, token, network) w using (env, token, network)
    where coalesce(given, 0) <> coalesce(sent, 0)`,
  sql`select format('transfer %s does not match the network fee of its transaction', cause) as problem
    from (${EXPECTED_COSTS}) w
    full join (
      select t.cause, t.env, t.token, f.code as from_code, g.code as to_code, t.amount
      from ledger_transfers t
      join ledger_accounts f on f.id = t.from_account_id
      join ledger_accounts g on g.id = t.to_account_id
      where t.cause like 'cost:%'
        or ((f.code like 'costs:%' or g.code like 'costs:%') and t.cause !~ '^withdrawal:[0-9]+:excess$')) t using (cause)
    where (w.env, w.token, w.from_code, w.to_code, w.amount) is distinct from
      (t.env, t.token, t.from_code, t.to_code, t.amount)`,
  // Together with the checks of custody above: custody is deposits minus withdrawals and network fees plus operator movements.
  sql`select format('transfer %s (%s) moves custody, but is not a deposit, a withdrawal, a network fee or an operator movement', t.id,
      t.cause) as problem
    from ledger_transfers t
    join ledger_accounts f on f.id = t.from_account_id
    join ledger_accounts g on g.id = t.to_account_id
    where (f.code like 'custody:%' or g.code like 'custody:%') and t.cause !~ '^(deposit|withdrawal|cost|operator):'`,
];
