import type { Lane } from "./lane.ts";
import type { Side } from "./side.ts";

/** A price that the page of a link has shown. Amounts are ledger units. */
export interface KnownQuote {
  readonly full: bigint;
  readonly asked: bigint;
  /** Milliseconds. */
  readonly until: number;
}

/** Where a link can be paid. */
export interface PayPlace {
  readonly side: Side;
  /** Canonical. */
  readonly address: string;
  /** Oldest first. */
  readonly quotes: readonly KnownQuote[];
}

/** A link that a payer can pay. */
export interface KnownLink {
  readonly id: number;
  readonly refid: string;
  /** Empty while no network is selected. */
  readonly places: readonly PayPlace[];
}

/** A withdrawal as its operator knows it. */
export interface KnownWithdrawal {
  readonly id: number;
  readonly refid: string;
  readonly side: Side;
  readonly status: number;
  /** Ledger units. */
  readonly amount: bigint;
  /** The transactions that were submitted for it. */
  readonly hashes: readonly string[];
}

/** A refund claim that is open. */
export interface KnownClaim {
  readonly id: number;
  readonly secret: string;
}

/** The knowledge of shops, customers and operators. */
export interface Known {
  readonly links: readonly KnownLink[];
  readonly withdrawals: readonly KnownWithdrawal[];
  readonly claims: readonly KnownClaim[];
  /** Ids of deposits that are held as unmatched. */
  readonly held: readonly number[];
  /** Hashes of transactions that have left the mempool. */
  readonly dropped: readonly string[];
  /** Networks whose blocks are read from now on. */
  readonly watched: readonly string[];
}

interface Rows {
  readonly links: readonly {
    readonly id: number;
    readonly refid: string;
    readonly places: readonly {
      readonly network: string;
      readonly address: string;
      readonly quotes: readonly { readonly full: string; readonly asked: string; readonly until: string }[];
    }[];
  }[];
  readonly withdrawals: readonly {
    readonly id: number;
    readonly refid: string;
    readonly network: string;
    readonly status: number;
    readonly amount: string;
    readonly hashes: readonly string[];
  }[];
  readonly claims: readonly KnownClaim[];
  readonly held: readonly number[];
  readonly dropped: readonly string[];
  readonly watched: readonly string[];
}

/** One statement: a history asks for it after every few moves. */
const ALL = `select
  coalesce((select json_agg(json_build_object('id', l.id, 'refid', l.refid, 'places', coalesce((
      select json_agg(json_build_object('network', w.network, 'address', a.address, 'quotes', coalesce((
          select json_agg(json_build_object('full', q.amount::text, 'asked', q.asked::text, 'until', q.valid_until)
            order by q.id)
          from quotes q where q.payment_link_id = l.id and q.network = w.network and q.token = w.token), '[]'))
        order by a.id)
      from payment_link_wallets w join addresses a on a.id = w.address_id where w.payment_link_id = l.id), '[]'))
    order by l.id) from payment_links l), '[]') as links,
  coalesce((select json_agg(json_build_object('id', w.id, 'refid', w.refid, 'network', w.network, 'status', w.status,
      'amount', w.amount::text, 'hashes', array(select t ->> 'hash' from jsonb_array_elements(w.transactions) t))
    order by w.id) from withdrawals w), '[]') as withdrawals,
  coalesce((select json_agg(json_build_object('id', c.id, 'secret', convert_from(c.sealed_secret, 'UTF8')) order by c.id)
    from refund_claims c where c.sealed_secret is not null), '[]') as claims,
  array(select d.id::integer from deposits d where d.status = 3 order by d.id) as held,
  array(select distinct d.tx_hash from deposits d where d.status = 2 and d.dropped_from = 'mempool') as dropped,
  array(select c.network from watch_cursors c where c.height >= 0) as watched`;

/** Reads what exists. */
export async function learnAll({ admin }: Lane, sides: readonly Side[]): Promise<Known> {
  const [row] = (await admin.query({ name: "known", text: ALL })).rows as Rows[];
  if (row === undefined) throw new Error("a statement without a condition has one row");
  const sideOf = (network: string) => sides.find((side) => side.network.adapter.network === network) as Side;
  return {
    ...row,
    links: row.links.map(({ places, ...link }) => ({
      ...link,
      places: places.map(({ network, address, quotes }) => ({
        side: sideOf(network),
        address,
        quotes: quotes.map(({ full, asked, until }) => ({
          full: BigInt(full),
          asked: BigInt(asked),
          until: Date.parse(until),
        })),
      })),
    })),
    withdrawals: row.withdrawals.map(({ network, amount, ...one }) => ({
      ...one,
      side: sideOf(network),
      amount: BigInt(amount),
    })),
  };
}
