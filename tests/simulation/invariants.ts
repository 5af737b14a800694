import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { LEDGER_CHECKS } from "#lib/domain/ledger/checks.ts";
import { type Invariant, query } from "./invariant.ts";
import { checkLinkStates } from "./invariants-links.ts";
import { checkPrices } from "./invariants-prices.ts";
import { subtract } from "./lists.ts";
import { headOf } from "./model-chain.ts";
import { chainHash } from "./model-network.ts";
import { isOurs } from "./move.ts";
import { hashOn, hasTags, type Side } from "./side.ts";
import type { World } from "./world.ts";

const LEDGER = new PgDialect().sqlToQuery(
  sql.join(
    LEDGER_CHECKS.map((check) => sql`(select problem from (${check}) found)`),
    sql` union all `,
  ),
);

/** The program's own checks of its books take as long as half a history, so that they run after some. */
const LEDGER_SHARE = 0.2;

/** The books balance, and each network's account holds what its chain holds. */
const checkBooks: Invariant = async (world) => {
  const rows = await query<{ code: string; balance: string; posted: string }>(
    world,
    "books",
    `select code, balance::text, coalesce((
       select sum(amount) from ledger_postings p where p.account_id = a.id), 0)::text as posted from ledger_accounts a`,
  );
  const sum = rows.reduce((total, { balance }) => total + BigInt(balance), 0n);
  const ours = isOurs(world);
  const wrong = world.sides.flatMap(({ network: { adapter, destination }, chain }) => {
    const custody = rows.find(({ code }) => code === `custody:${adapter.network}`)?.balance ?? "0";
    const held = chain.held(ours) - chain.held((address) => address === destination);
    return -BigInt(custody) === held
      ? []
      : [`the books hold ${-BigInt(custody)} on ${adapter.network}, the chain holds ${held}`];
  });
  return [
    ...rows
      .filter(({ balance, posted }) => balance !== posted)
      .map(({ code }) => `${code} is not what was posted`),
    ...(sum === 0n ? [] : [`the balances add up to ${sum}`]),
    ...wrong,
  ];
};

const checkLedger: Invariant = async (world) => {
  if (!world.random.chance(LEDGER_SHARE)) return [];
  const rows = await query<{ problem: string }>(world, "ledger", LEDGER.sql, LEDGER.params);
  return rows.map(({ problem }) => problem);
};

interface Credit {
  readonly network: string;
  readonly hash: string;
  readonly address: string;
  readonly amount: string;
  readonly tag: string | null;
  readonly reason: string | null;
}

/** Every payment in the chain is credited or held exactly once, and nothing else is. */
const checkCredits: Invariant = async (world) => {
  const rows = await query<Credit>(
    world,
    "credits",
    `select d.network, tx_hash as hash, a.address, amount::text, d.extra as tag, d.unmatched_reason as reason
     from deposits d join addresses a on a.id = d.address_id where d.status in (1, 3)`,
  );
  const allocated = new Map<string, Date>();
  const moved: string[] = [];
  if (world.sides.some(hasTags)) {
    const gone = "select tx_hash from deposits where status = 2";
    for (const { tx_hash } of await query<{ tx_hash: string }>(world, "moved", gone))
      moved.push(`${tx_hash} was recorded at another address before, and no ledger was replaced`);
    const text = "select address, created_at from addresses";
    for (const one of await query<{ address: string; created_at: Date }>(world, "allocated", text))
      allocated.set(one.address, one.created_at);
  }
  const wrong = world.sides.flatMap((side) => {
    const { adapter } = side.network;
    const ours = isOurs(world);
    const own = rows.filter(({ network }) => network === adapter.network);
    const expected = side.chain.mined.flatMap((transaction) =>
      transaction.outputs
        .filter(({ address }) => ours(address))
        .map(({ address, amount }) => `${hashOn(side, transaction)} ${address} ${amount}`),
    );
    // Money for a tag is at the account itself.
    const found = own.map(({ hash, address, amount, tag }) =>
      [hash, tag === null ? address : adapter.addresses.derive(Number(tag) - 1).address, amount].join(" "),
    );
    return [
      ...subtract(expected, found).map((one) => `lost: ${one} is in the chain and not credited`),
      ...subtract(found, expected).map(
        (one) => `doubled: ${one} is credited and not in the chain, or credited twice`,
      ),
      ...(hasTags(side) ? checkTags(side, own, { allocated, knownAt: world.knownAt }) : []),
    ];
  });
  return [...wrong, ...moved];
};

/**
 * A payment to a tag is for the link that had the tag when it was made. If none had it, only the operator decides. While the tag is being
 * allocated, either is right: nobody was shown it.
 */
function checkTags(
  { chain, network: { adapter } }: Side,
  rows: readonly Credit[],
  tags: { readonly allocated: ReadonlyMap<string, Date>; readonly knownAt: ReadonlyMap<string, number> },
): string[] {
  const times = new Map(
    chain.state.blocks.flatMap(({ time, transactions }) =>
      transactions.map(({ hash }) => [
        chainHash(adapter, hash),
        { time, minedAt: chain.minedAt.get(hash) ?? 0 },
      ]),
    ),
  );
  return rows.flatMap(({ hash, tag, reason }) => {
    const { address } = adapter.addresses.derive(Number(tag) - 1);
    const at = tags.allocated.get(address)?.getTime() ?? Infinity;
    const known = tags.knownAt.get(address) ?? Infinity;
    const { time, minedAt } = times.get(hash) ?? { time: new Date(0), minedAt: 0 };
    // Blocks have whole seconds.
    const isBefore = time.getTime() < Math.floor(at / 1_000) * 1_000;
    if (isBefore && reason === null)
      return [`${hash} paid tag ${tag} before it was allocated, and is matched`];
    return minedAt >= known && reason !== null ? [`${hash} paid tag ${tag}, and is held: ${reason}`] : [];
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
  const mined = new Set(world.sides.flatMap(({ chain }) => chain.mined));
  const destinations = new Set(world.sides.map(({ network }) => network.destination));
  return rows.flatMap(({ id, refid, status, reserved, events }) => {
    const says = `withdrawal ${id} has status ${status}`;
    const sent = world.sent.get(refid) ?? [];
    const isPaid = sent.some(
      (one) => mined.has(one) && one.outputs.some(({ address }) => destinations.has(address)),
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
  const { rows } = await world.lane.admin.query({
    name: "asked",
    text: `select count(*)::integer as known from withdrawals w
      where not exists (select from refund_claims c where c.withdrawal_id = w.id)`,
  });
  const known = rows[0].known;
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

/** The cursors are at the heads, and their blocks are remembered. Older ones are hints: the first may be of several branches. */
const checkCursor: Invariant = async (world) => {
  const rows = await query<{ network: string; height: string; hash: string; remembered: string | null }>(
    world,
    "cursor",
    `select network, height, hash, (select hash from watched_blocks b
       where b.network = c.network and b.height = c.height) as remembered from watch_cursors c`,
  );
  return rows.flatMap(({ network, height, hash, remembered }) => {
    const side = world.sides.find((one) => one.network.adapter.network === network) as Side;
    const head = headOf(side.chain.state);
    if (hash === head.hash && remembered === hash) return [];
    return [`the cursor of ${network} is at ${height} (${hash}), the head is ${head.height}`];
  });
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
  checkPrices,
  checkWithdrawals,
  checkRequests,
  checkDeliveries,
  checkCursor,
  checkAttention,
];

export async function checkInvariants(world: World): Promise<readonly string[]> {
  await world.learn();
  return (await Promise.all(INVARIANTS.map((check) => check(world)))).flat();
}
