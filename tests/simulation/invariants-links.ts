import { drizzle } from "drizzle-orm/node-postgres";
import { payTermsOf } from "#lib/domain/payment-links/rules.ts";
import { evaluateTotal, payDecimals } from "#lib/domain/payment-links/valuation-rules.ts";
import { computeExcess } from "#lib/domain/payment-links/view/remaining-rules.ts";
import { findSnapshot } from "#lib/domain/payment-links/view/snapshot.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type Invariant, query } from "./invariant.ts";
import { hashOn } from "./side.ts";
import type { World } from "./world.ts";

/** The amounts that were given back or are promised. */
interface GivenBack {
  readonly token: TokenCode;
  readonly amount: string;
  readonly at: string;
  /** When it no longer counted, as a promise that was revoked. null: it counts. */
  readonly until: string | null;
}

/** A part of a payment that one price values. */
interface PaidPart {
  readonly token: TokenCode;
  readonly hash: string;
  readonly amount: string;
  readonly full: string | null;
  readonly seen: string;
  readonly small: boolean;
  readonly late: boolean;
}

interface LinkFacts {
  readonly id: string;
  readonly refid: string;
  readonly state: string;
  readonly reason: string | null;
  readonly expires_at: Date;
  readonly amount: string;
  readonly merchant: Parameters<typeof payTermsOf>[0]["merchant"];
  readonly completed_at: Date | null;
  /** All, also those that no longer count. */
  readonly given: readonly GivenBack[];
  readonly paid: readonly PaidPart[];
}

/** The state of every link follows from what the chain has paid to it, less what was given back. */
export const checkLinkStates: Invariant = async (world) => {
  const rows = await query<LinkFacts>(
    world,
    "link_facts",
    `select l.id, l.refid, l.state, l.reason, l.expires_at, l.completed_at, l.amount::text, coalesce((
       select json_agg(given) from (
         select w.token, w.amount::text, coalesce(c.created_at, w.created_at) as at,
           case when w.status in (2, 5) then coalesce((select min(at) from audit_log
             where action = 'withdrawal.fail' and subject = 'withdrawal:' || w.refid), w.updated_at) end as until
         from withdrawals w left join refund_claims c on c.withdrawal_id = w.id where w.payment_link_id = l.id
         union all select c.token, c.amount::text, c.created_at, coalesce(c.revoked_at, c.expires_at)
         from refund_claims c where c.payment_link_id = l.id and c.withdrawal_id is null) given), '[]') as given,
       json_build_object(
       'toleranceUnderBps', m.tolerance_under_bps, 'toleranceUnderMax', m.tolerance_under_max,
       'toleranceOverBps', m.tolerance_over_bps, 'roundStablecoins', m.round_stablecoins) as merchant, coalesce((
       select json_agg(json_build_object('token', d.token, 'hash', d.tx_hash, 'amount', part.amount::text,
         'full', part.full::text, 'seen', d.first_seen_at, 'small', d.amount < p.minimum_receive, 'late', p.late))
       from payment_link_wallets w join deposits d on d.address_id = w.address_id and d.status = 1
         join payments p on p.deposit_id = d.id left join quotes q on q.id = p.quote_id
         left join quotes e on e.id = p.early_quote_id cross join lateral (values
           (d.amount - d.early_amount, q.amount), (d.early_amount, e.amount)) as part(amount, "full")
       where w.payment_link_id = l.id and part.amount > 0 and d.unmatched_reason is null), '[]') as paid
     from payment_links l join merchants m on m.id = l.merchant_id`,
  );
  const problems = rows.flatMap((link) => checkLinkState(world, link) ?? []);
  for (const link of rows) if (link.paid.length > 1) problems.push(...(await checkExcess(world, link)));
  return problems;
};

/** A payment in a block for this long before the deadline was seen in time, whatever happened. */
const SEEN_BEFORE_MS = 60_000;

const termsOf = ({ amount, merchant }: LinkFacts) =>
  payTermsOf({ link: { amount: BigInt(amount), currency: "usd" }, merchant });

/** Whether these payments pay the link, when what was given back takes from the least or the most worth of them. */
function isPaidBy(
  link: LinkFacts,
  paid: readonly PaidPart[],
  given: readonly GivenBack[],
  takes: "least" | "most",
): boolean {
  const parts = lessGiven(paid, given, takes).flatMap(({ amount, full, token }) =>
    full === null || amount === 0n ? [] : [{ amount, fullAmount: BigInt(full), token }],
  );
  return evaluateTotal(parts, termsOf(link)).paid;
}

function checkLinkState(world: World, link: LinkFacts): string | null {
  const { state, given, paid } = link;
  const end = link.expires_at.getTime() + 1_000;
  const inTime = paid.filter(({ seen, late }) => new Date(seen).getTime() < end && !late);
  const minedAt = new Map(
    world.sides.flatMap((side) =>
      [...side.chain.minedAt].map(([hash, at]): [string, number] => [hashOn(side, { hash }), at]),
    ),
  );
  const certain = paid.filter(
    ({ hash }) => (minedAt.get(hash) ?? end) < end - SEEN_BEFORE_MS && !world.refused.has(hash),
  );
  const says = `link ${link.id} is ${state}${link.reason === null ? "" : ` (${link.reason})`}`;
  const givenAt = (time: number) => given.filter(({ until }) => until === null || Date.parse(until) > time);
  if (state === "completed" || state === "overpaid") {
    // A link that is paid stays paid, also when its money is given back later.
    const time = link.completed_at?.getTime() ?? 0;
    const before = givenAt(time).filter(({ at }) => Date.parse(at) < time);
    return isPaidBy(link, paid, before, "least")
      ? null
      : `${says}, but what is credited and kept does not pay it`;
  }
  if (paid.some(({ full }) => full === null)) return `${says}, and a payment has no value`;
  const hasFailed = state === "failed" || state === "expired";
  if (!hasFailed && isPaidBy(link, inTime, givenAt(world.now), "most"))
    return `${says}, but was paid in time`;
  // A link can be canceled before the watcher has read the block that pays it.
  const hasReason = link.reason === "unconfirmed" || link.reason === "canceled";
  // A refund may have been given up after the link's end.
  if (!hasReason && isPaidBy(link, certain, given, "most"))
    return `${says}, but was paid long before its end`;
  if (hasFailed) return null;
  if (link.reason === null && world.now > end + SEEN_BEFORE_MS) return `${says} after its end`;
  const isBegun = inTime.some(({ small }) => !small);
  if (state === "detected") return `${says}, but all payments are confirmed`;
  // Which payments a refund takes from is not the model's business.
  if (given.length > 0) return null;
  return isBegun === (state === "partial") ? null : `${says}, with ${inTime.length} payments`;
}

/** The payments less what was given back in their token. */
function lessGiven(paid: readonly PaidPart[], given: readonly GivenBack[], takes: "least" | "most") {
  const open = new Map<TokenCode, bigint>();
  for (const { token, amount } of given) open.set(token, (open.get(token) ?? 0n) + BigInt(amount));
  // The higher the full amount, the less a unit is worth.
  const sign = takes === "least" ? -1 : 1;
  const ordered = paid.toSorted((a, b) => sign * Number(BigInt(a.full ?? 0) - BigInt(b.full ?? 0)));
  return ordered.map(({ token, amount: text, full }) => {
    const whole = BigInt(text);
    const left = open.get(token) ?? 0n;
    const taken = whole < left ? whole : left;
    open.set(token, left - taken);
    return { token, amount: whole - taken, full };
  });
}

/** Shares of a link are counted in this unit. */
const WHOLE = 10n ** 40n;

/** The amounts that are named as excess arrived there, and their sum is the excess. */
async function checkExcess(world: World, link: LinkFacts): Promise<string[]> {
  // A price values a part of a payment that a refund takes from: which one, is not the model's business.
  if (link.given.length > 0 || link.paid.some(({ full }) => full === null)) return [];
  const snapshot = await findSnapshot(drizzle(world.lane.admin), link.refid);
  if (snapshot === null) return [`link ${link.id} has disappeared`];
  const named = computeExcess(snapshot, new Date(world.now));
  const share = link.paid.reduce(
    (sum, { amount, full }) => sum + (BigInt(amount) * WHOLE) / BigInt(full!),
    0n,
  );
  const says = `link ${link.id} names an excess of ${named.map(({ token, amount }) => `${amount} ${token}`).join(" and ")}`;
  let [least, most] = [0n, 0n];
  let smallest = 0n;
  for (const [token, parts] of Map.groupBy(link.paid, ({ token }) => token)) {
    const amount = named.find((one) => one.token === token)?.amount ?? 0n;
    const received = parts.reduce((sum, part) => sum + BigInt(part.amount), 0n);
    if (amount > received) return [`${says}, and ${received} ${token} came`];
    const fulls = parts.map(({ full }) => BigInt(full!)).sort((a, b) => Number(a - b));
    const [low, high] = [fulls[0]!, fulls.at(-1)!];
    const unit = unitOf(link, token);
    const dust = parts
      .filter((part) => BigInt(part.amount) < unit)
      .reduce((sum, part) => sum + BigInt(part.amount), 0n);
    least += (amount * WHOLE) / high;
    most += ((amount + unit + dust) * WHOLE) / low;
    smallest = max(smallest, (unit * WHOLE) / low);
  }
  const over = share - WHOLE;
  const slack = WHOLE / 10n ** 20n;
  if (least > max(over, 0n) + slack) return [`${says}, more than the share ${over} of ${WHOLE}`];
  return over > smallest + slack && most < over - slack
    ? [`${says}, less than the share ${over} of ${WHOLE}`]
    : [];
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);

/** The unit in which a token is asked for, in ledger units. */
function unitOf(link: LinkFacts, token: TokenCode): bigint {
  return 10n ** BigInt(TOKENS[token].ledgerDecimals - payDecimals(token, termsOf(link)));
}
