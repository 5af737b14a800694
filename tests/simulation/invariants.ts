import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { LEDGER_CHECKS } from "#lib/domain/ledger/checks.ts";
import { payTermsOf } from "#lib/domain/payment-links/rules.ts";
import { evaluateTotal } from "#lib/domain/payment-links/valuation-rules.ts";
import { headOf } from "./model-chain.ts";
import { chainHash } from "./model-network.ts";
import type { World } from "./world.ts";

/** A rule that holds at the end of every history. Returns one sentence for each violation. */
type Invariant = (world: World) => Promise<readonly string[]>;

/** Runs a query that stays prepared. */
async function query<Row>(world: World, name: string, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await world.lane.admin.query({ name, text, values })).rows as Row[];
}

const LEDGER = new PgDialect().sqlToQuery(
  sql.join(
    LEDGER_CHECKS.map((check) => sql`(select problem from (${check}) found)`),
    sql` union all `,
  ),
);

/** The program's own checks of its books take as long as half a history, so that they run after some. */
const LEDGER_SHARE = 0.2;

/** The books balance, and the network's account holds what the chain holds. */
const checkBooks: Invariant = async (world) => {
  const { adapter } = world.network;
  const rows = await query<{ code: string; balance: string; posted: string }>(
    world,
    "books",
    `select code, balance::text, coalesce((
       select sum(amount) from ledger_postings p where p.account_id = a.id), 0)::text as posted from ledger_accounts a`,
  );
  const sum = rows.reduce((total, { balance }) => total + BigInt(balance), 0n);
  const custody = rows.find(({ code }) => code === `custody:${adapter.network}`)?.balance ?? "0";
  const paid = world.chain.held(new Set([world.network.destination]));
  const held = world.chain.held(world.ourAddresses()) - paid;
  return [
    ...rows
      .filter(({ balance, posted }) => balance !== posted)
      .map(({ code }) => `${code} is not what was posted`),
    ...(sum === 0n ? [] : [`the balances add up to ${sum}`]),
    ...(-BigInt(custody) === held ? [] : [`the books hold ${-BigInt(custody)}, the chain holds ${held}`]),
  ];
};

const checkLedger: Invariant = async (world) => {
  if (!world.random.chance(LEDGER_SHARE)) return [];
  const rows = await query<{ problem: string }>(world, "ledger", LEDGER.sql, LEDGER.params);
  return rows.map(({ problem }) => problem);
};

interface Credit {
  readonly hash: string;
  readonly address: string;
  readonly amount: string;
}

/** Every payment in the chain is credited or held exactly once, and nothing else is. */
const checkCredits: Invariant = async (world) => {
  const rows = await query<Credit>(
    world,
    "credits",
    `select tx_hash as hash, a.address, amount::text from deposits d join addresses a on a.id = d.address_id
     where d.status in (1, 3)`,
  );
  const ours = world.ourAddresses();
  const expected = world.chain.mined.flatMap(({ hash, outputs }) =>
    outputs
      .filter(({ address }) => ours.has(address))
      .map(({ address, amount }) => `${chainHash(world.network.adapter, hash)} ${address} ${amount}`),
  );
  const found = rows.map(({ hash, address, amount }) => `${hash} ${address} ${amount}`);
  return [
    ...subtract(expected, found).map((one) => `lost: ${one} is in the chain and not credited`),
    ...subtract(found, expected).map(
      (one) => `doubled: ${one} is credited and not in the chain, or credited twice`,
    ),
  ];
};

/** What is in the first list more often than in the second. */
function subtract(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(one, (left.get(one) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

/** Every credit and every reversal has exactly one event. */
const checkDepositEvents: Invariant = async (world) => {
  const rows = await query<{ problem: string }>(
    world,
    "deposit_events",
    `select format('deposit %s, status %s, was credited %s times and has %s credited and %s reversed events',
       d.id, d.status, d.credit_round, credited, reversed) as problem
     from deposits d left join payments p on p.deposit_id = d.id cross join lateral (
       select count(*) filter (where type = 'deposit_credited') as credited,
         count(*) filter (where type = 'deposit_reversed') as reversed
       from webhook_events e
       where d.tx_hash = any(e.tx_hashes) and e.body::jsonb -> 'data' ->> 'ref' = d.id::text) reported
     where d.unmatched_reason is null and coalesce(d.amount >= p.minimum_receive, true)
       and (credited <> d.credit_round or reversed <> d.credit_round - (d.status = 1)::int)`,
  );
  return rows.map(({ problem }) => problem);
};

interface LinkEvents {
  readonly refid: string;
  readonly state: string;
  readonly seq: number;
  readonly types: string[];
  readonly seqs: number[];
}

/** The events of a link count from 1 without a gap, and the last transition is the one to its state. */
const checkLinkEvents: Invariant = async (world) => {
  const rows = await query<LinkEvents>(
    world,
    "link_events",
    `select l.id as refid, l.state, l.seq, coalesce(types, '{}') as types, coalesce(seqs, '{}') as seqs
     from payment_links l left join lateral (
       select array_agg(type order by id) as types, array_agg((body::jsonb -> 'data' ->> 'seq')::int order by id) as seqs
       from webhook_events e
       where e.type like 'payment_link_%' and e.body::jsonb -> 'data' ->> 'refid' = l.refid) e on true`,
  );
  return rows.flatMap(({ refid, state, seq, types, seqs }) => {
    const problems: string[] = [];
    const expected = Array.from({ length: seq }, (_, i) => i + 1);
    if (seqs.join() !== expected.join())
      problems.push(`link ${refid} has the events ${seqs.join()} instead of 1 to ${seq}`);
    const isPaid = state === "completed" || state === "overpaid";
    const count = (pattern: RegExp) => types.filter((type) => pattern.test(type)).length;
    const completions = count(/_completed/) - count(/_reverted/);
    if (completions !== Number(isPaid)) problems.push(`link ${refid} is ${state} after ${types.join()}`);
    const hasFailed = state === "failed" || state === "expired";
    if (hasFailed && count(/_failed/) === 0) problems.push(`link ${refid} is ${state} without an event`);
    return problems;
  });
};

interface LinkFacts {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly expires_at: Date;
  readonly amount: string;
  readonly merchant: Parameters<typeof payTermsOf>[0]["merchant"];
  readonly completed_at: Date | null;
  /** Refunds, also those that were given up. */
  readonly refunds: readonly { readonly amount: string; readonly at: string; readonly kept: boolean }[];
  readonly payments: readonly {
    readonly hash: string;
    readonly amount: string;
    readonly full: string | null;
    readonly seen: string;
    readonly small: boolean;
    readonly late: boolean;
  }[];
}

/** The state of every link follows from what the chain has paid to it, less what was given back. */
const checkLinkStates: Invariant = async (world) => {
  const rows = await query<LinkFacts>(
    world,
    "link_facts",
    `select l.id, l.state, l.reason, l.expires_at, l.completed_at, l.amount::text, coalesce((
       select json_agg(json_build_object('amount', w.amount::text, 'at', w.created_at, 'kept', w.status in (2, 5)))
       from withdrawals w where w.payment_link_id = l.id), '[]') as refunds, json_build_object(
       'toleranceUnderBps', m.tolerance_under_bps, 'toleranceUnderMax', m.tolerance_under_max,
       'toleranceOverBps', m.tolerance_over_bps, 'roundStablecoins', m.round_stablecoins) as merchant, coalesce((
       select json_agg(json_build_object('hash', d.tx_hash, 'amount', d.amount::text, 'full', q.amount::text,
         'seen', d.first_seen_at, 'small', d.amount < p.minimum_receive, 'late', p.late))
       from payment_link_wallets w join deposits d on d.address_id = w.address_id and d.status = 1
         join payments p on p.deposit_id = d.id left join quotes q on q.id = p.quote_id
       where w.payment_link_id = l.id), '[]') as payments
     from payment_links l join merchants m on m.id = l.merchant_id`,
  );
  return rows.flatMap((link) => checkLinkState(world, link) ?? []);
};

/** A payment in a block for this long before the deadline was seen in time, whatever happened. */
const SEEN_BEFORE_MS = 60_000;

function checkLinkState(world: World, link: LinkFacts): string | null {
  const { token, adapter } = world.network;
  const end = link.expires_at.getTime() + 1_000;
  const isPaidBy = (payments: LinkFacts["payments"], refunds: LinkFacts["refunds"]) =>
    evaluateTotal(
      lessRefunds(payments, refunds).flatMap(({ amount, full }) =>
        full === null || amount === 0n ? [] : [{ amount, fullAmount: BigInt(full), token }],
      ),
      payTermsOf({ link: { amount: BigInt(link.amount), currency: "usd" }, merchant: link.merchant }),
    ).paid;
  const inTime = link.payments.filter(({ seen, late }) => new Date(seen).getTime() < end && !late);
  const minedAt = new Map([...world.chain.minedAt].map(([hash, at]) => [chainHash(adapter, hash), at]));
  const certain = link.payments.filter(({ hash }) => (minedAt.get(hash) ?? end) < end - SEEN_BEFORE_MS);
  const says = `link ${link.id} is ${link.state}${link.reason === null ? "" : ` (${link.reason})`}`;
  const { state } = link;
  const given = link.refunds.filter(({ kept }) => !kept);
  if (state === "completed" || state === "overpaid") {
    // A link that is paid stays paid, also when its money is given back later.
    const before = given.filter(({ at }) => new Date(at) < (link.completed_at ?? 0));
    return isPaidBy(link.payments, before) ? null : `${says}, but what is credited and kept does not pay it`;
  }
  if (link.payments.some(({ full }) => full === null)) return `${says}, and a payment has no value`;
  if (isPaidBy(inTime, given) && state !== "failed" && state !== "expired")
    return `${says}, but was paid in time`;
  // A link can be canceled before the watcher has read the block that pays it.
  const hasReason = link.reason === "unconfirmed" || link.reason === "canceled";
  // A refund may have been given up after the link's end.
  if (isPaidBy(certain, link.refunds) && !hasReason) return `${says}, but was paid long before its end`;
  if (state === "failed" || state === "expired") return null;
  if (link.reason === null && world.now > end + SEEN_BEFORE_MS) return `${says} after its end`;
  const isBegun = inTime.some(({ small }) => !small);
  if (state === "detected") return `${says}, but all payments are confirmed`;
  // Which payments a refund takes from is not the model's business.
  if (link.refunds.length > 0) return null;
  return isBegun === (state === "partial") ? null : `${says}, with ${inTime.length} payments`;
}

/** The payments less the refunds, from the first payment on. All of a history have one price, so that the order has no effect. */
function lessRefunds(payments: LinkFacts["payments"], refunds: LinkFacts["refunds"]) {
  let open = refunds.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  return payments.map(({ amount: paid, full }) => {
    const amount = BigInt(paid) > open ? BigInt(paid) - open : 0n;
    open -= BigInt(paid) - amount;
    return { amount, full };
  });
}

interface WithdrawalFacts {
  readonly id: string;
  readonly refid: string;
  readonly status: number;
  readonly reserved: string;
  readonly events: string[];
}

/** A withdrawal has ended once, as the chain says, and only an open one has a reservation. */
const checkWithdrawals: Invariant = async (world) => {
  const rows = await query<WithdrawalFacts>(
    world,
    "withdrawal_facts",
    `select w.id, w.refid, w.status, coalesce(a.balance, 0)::text as reserved, array(
       select type from webhook_events e where e.type in ('withdrawal_completed', 'withdrawal_failed')
         and e.body::jsonb -> 'data' ->> 'refid' = w.refid) as events
     from withdrawals w left join ledger_accounts a on a.code = 'reserved:' || w.id`,
  );
  const mined = new Set(world.chain.mined);
  return rows.flatMap(({ id, refid, status, reserved, events }) => {
    const says = `withdrawal ${id} has status ${status}`;
    const sent = world.sent.get(refid) ?? [];
    const isPaid = sent.some(
      (one) => mined.has(one) && one.outputs.some(({ address }) => address === world.network.destination),
    );
    const expected = { 2: "withdrawal_failed", 3: "withdrawal_completed" }[status] ?? "";
    return [
      ...(events.join() === expected ? [] : [`${says} and the events ${events.join()}`]),
      ...(isPaid === (status === 3) ? [] : [`${says}, and the chain has ${isPaid ? "" : "not "}paid it`]),
      ...((reserved !== "0") === status < 2 ? [] : [`${says} and ${reserved} reserved`]),
    ];
  });
};

/** Every request has made at most one withdrawal. */
const checkRequests: Invariant = async (world) => {
  const known = world.withdrawals.length;
  return known <= world.requests.length
    ? []
    : [`${world.requests.length} requests made ${known} withdrawals`];
};

/** Every event has reached its receiver, always with the same body under the same id. */
const checkDeliveries: Invariant = async (world) => {
  const rows = await query<{ id: string; body: string; open: string }>(
    world,
    "events",
    `select e.id, e.body, count(d.id) filter (where d.status <> 'delivered') as open
     from webhook_events e left join webhook_deliveries d on d.event_id = e.id group by e.id`,
  );
  const { received } = world.receiver;
  return rows.flatMap(({ id, body, open }) => {
    const requests = received.filter((one) => one.id === `evt_${id}`);
    if (Number(open) > 0) return [`event ${id} has deliveries that are not delivered`];
    if (!requests.some(({ status }) => status === 200)) return [`event ${id} never reached the receiver`];
    return requests.every((one) => one.body === body) ? [] : [`event ${id} was sent with another body`];
  });
};

/** The cursor is at the head, and its block is remembered. Older ones are hints: the first may be of several branches. */
const checkCursor: Invariant = async (world) => {
  const head = headOf(world.chain.state);
  const rows = await query<{ height: string; hash: string; remembered: string | null }>(
    world,
    "cursor",
    `select height, hash, (select hash from watched_blocks b where b.height = c.height) as remembered
     from watch_cursors c`,
  );
  return rows
    .filter(({ hash, remembered }) => hash !== head.hash || remembered !== hash)
    .map(({ height, hash }) => `the cursor is at ${height} (${hash}), the head is ${head.height}`);
};

/** Nothing waits for a person: no fault of the environment is one of a row. */
const checkAttention: Invariant = async (world) => {
  const rows = await query<{ subject: string; reason: string }>(
    world,
    "attention",
    "select subject, reason from attention",
  );
  return rows.map(({ subject, reason }) => `${subject} is set aside: ${reason}`);
};

const INVARIANTS: readonly Invariant[] = [
  checkCredits,
  checkBooks,
  checkLedger,
  checkDepositEvents,
  checkLinkEvents,
  checkLinkStates,
  checkWithdrawals,
  checkRequests,
  checkDeliveries,
  checkCursor,
  checkAttention,
];

export async function checkInvariants(world: World): Promise<readonly string[]> {
  await world.learn();
  const problems: string[] = [];
  for (const check of INVARIANTS) problems.push(...(await check(world)));
  return problems;
}
