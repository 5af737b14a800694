import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral, depositLiterals } from "#lib/domain/deposit-status.ts";
import { statusLiteral } from "#lib/domain/withdrawal-status.ts";
import type { SubmittedTransaction } from "#lib/domain/withdrawals/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Books } from "./types.ts";

export interface Scope {
  readonly env: Env;
  readonly network: NetworkCode;
}

export interface ListedAddress {
  readonly id: number;
  /** Canonical. */
  readonly address: string;
}

/** A page of addresses, by id. */
interface AddressPage {
  /** The network that they are allocated on. */
  readonly allocatedOn: NetworkCode;
  readonly after: number;
  readonly limit: number;
}

/**
 * Our allocated addresses that custody of a network may have money on: its own, and those of another network that were paid on it. What came
 * there is in the books of the network that it came on.
 */
export async function listAddresses(
  db: Db | Tx,
  { env, network }: Scope,
  { allocatedOn, after, limit }: AddressPage,
): Promise<ListedAddress[]> {
  // The limit makes PostgreSQL look up each address, in their order. It would otherwise read all deposits for each page.
  const paid = sql`cross join lateral (
    select 1 from deposits d where d.address_id = a.id and d.env = ${env} and d.network = ${network} limit 1) paid`;
  const { rows } = await db.execute<{ id: string; address: string }>(sql`
    select a.id, a.address from addresses a ${allocatedOn === network ? sql`` : paid}
    where a.env = ${env} and a.network = ${allocatedOn} and a.id > ${after}
    order by a.id limit ${limit}`);
  return rows.map(({ id, address }) => ({ id: Number(id), address }));
}

/** Where the signer's transactions between our addresses went, how many transactions it signed, and where it says that it pays from. */
export async function findSignerAddresses(
  db: Db,
  { env, network }: Scope,
): Promise<{ readonly targets: string[]; readonly count: number; readonly account: string | null }> {
  const here = sql`env = ${env} and network = ${network}`;
  const { rows } = await db.execute<{ targets: string[] | null; count: string; account: string | null }>(sql`
    select count(*) as count, (select address from signer_accounts where ${here}) as account, (
      select array_agg(distinct move ->> 'to') from outgoing_transactions, jsonb_array_elements(moves) move
      where ${here}) as targets
    from outgoing_transactions where ${here}`);
  return {
    targets: rows[0]?.targets ?? [],
    count: Number(rows[0]?.count ?? 0),
    account: rows[0]?.account ?? null,
  };
}

interface OutgoingFields extends Record<string, unknown> {
  hash: string;
  block: string | null;
  block_height: string | null;
  fee: string | null;
  booked: boolean;
  spends: string[];
  moves: { token: TokenCode; amount: string; from: string; to: string }[];
}

/** The height up to which the watcher has recorded deposits. -1: none. */
export async function getCursorHeight(db: Db, { env, network }: Scope): Promise<number> {
  const { rows } = await db.execute<{ height: string }>(sql`
    select height from watch_cursors where env = ${env} and network = ${network}`);
  return Number(rows[0]?.height ?? -1);
}

/** Returns the books, in the caller's snapshot. `height`: the lowest at which balances were read; `since`: when reading began. */
export async function getBooks(
  tx: Tx,
  { env, network }: Scope,
  { height, since }: { readonly height: number; readonly since: Date },
): Promise<Books> {
  const here = sql`env = ${env} and network = ${network}`;
  const custody = await tx.execute<{ token: TokenCode; held: string }>(sql`
    select token, (-balance)::text as held from ledger_accounts
    where env = ${env} and code = ${`custody:${network}`}`);
  const deposits = await tx.execute<
    Record<"tx_hash" | "amount" | "block_height" | "address", string> & {
      token: TokenCode;
      credited: boolean;
    }
  >(sql`
    select d.token, d.amount::text as amount, d.tx_hash, d.block_height, d.status <> ${depositLiteral("seen")} as credited, a.address
    from deposits d join addresses a on a.id = d.address_id
    where d.env = ${env} and d.network = ${network} and d.block_height is not null
      and (d.status = ${depositLiteral("seen")}
        or (d.status in ${depositLiterals(["credited", "held"])} and d.block_height > ${height}))`);
  const withdrawals = await tx.execute<{
    refid: string;
    token: TokenCode;
    amount: string;
    to_address: string;
    tx_hash: string | null;
    transactions: SubmittedTransaction[];
    completed: boolean;
  }>(sql`
    select refid, token, amount::text as amount, to_address, tx_hash, transactions,
      status = ${statusLiteral("completed")} as completed
    from withdrawals
    where ${here} and (status = ${statusLiteral("processing")}
      or (status = ${statusLiteral("completed")} and processed_at >= ${since}))`);
  const outgoing = await tx.execute<OutgoingFields>(sql`
    select hash, block, block_height, fee::text as fee, outcome is not null as booked, spends, moves
    from outgoing_transactions
    where ${here} and (settled_at is null or (outcome = 'final' and block_height > ${height}))`);
  return {
    custody: new Map(custody.rows.map(({ token, held }) => [token, BigInt(held)])),
    deposits: deposits.rows.map((row) => ({
      token: row.token,
      amount: BigInt(row.amount),
      txHash: row.tx_hash,
      address: row.address,
      blockHeight: Number(row.block_height),
      isCredited: row.credited,
    })),
    withdrawals: withdrawals.rows.map((row) => ({
      refid: row.refid,
      token: row.token,
      amount: BigInt(row.amount),
      toAddress: row.to_address,
      txHash: row.tx_hash,
      transactions: row.transactions,
      isCompleted: row.completed,
    })),
    outgoing: outgoing.rows.map((row) => ({
      hash: row.hash,
      block: row.block,
      blockHeight: row.block_height === null ? null : Number(row.block_height),
      fee: row.fee === null ? null : BigInt(row.fee),
      isBooked: row.booked,
      spends: row.spends,
      moves: row.moves.map((move) => ({ ...move, amount: BigInt(move.amount) })),
    })),
  };
}

export interface ExpectedAmount {
  readonly address: string;
  readonly token: TokenCode;
  readonly amount: bigint;
}

/**
 * Lists the amounts that the books expect on addresses at a height: their deposits in blocks, less what the signer moved or spent.
 * `spent`: outpoints that transactions in blocks spend which are not final yet.
 */
export async function listExpected(
  tx: Tx,
  { env, network }: Scope,
  {
    ids,
    height,
    spent,
  }: { readonly ids: readonly number[]; readonly height: number; readonly spent: readonly string[] },
): Promise<ExpectedAmount[]> {
  const { rows } = await tx.execute<{ address: string; token: TokenCode; amount: string }>(sql`
    with page as (select id, address from addresses where id = any(${sqlArray(ids, "bigint")})),
    received as (
      select p.address, d.token, d.amount from deposits d join page p on p.id = d.address_id
      where d.env = ${env} and d.network = ${network} and d.block_height <= ${height}
        and d.status in ${depositLiterals(["seen", "credited", "held"])}
        and d.tx_hash || ':' || d.position <> all(${sqlArray(spent, "text")})
        and not exists (
          select 1 from outgoing_transactions o where o.outcome = 'final' and o.env = d.env and o.network = d.network
            and o.spends @> array[d.tx_hash || ':' || d.position])),
    moved as (
      select move ->> 'from' as address, move ->> 'token' as token, -(move ->> 'amount')::numeric as amount
      from outgoing_transactions o, jsonb_array_elements(o.moves) move
      where o.env = ${env} and o.network = ${network} and o.block_height <= ${height} and o.kind = 'sweep'
        and move ->> 'from' in (select address from page))
    select address, token, sum(amount)::text as amount
    from (select * from received union all select * from moved) x group by address, token`);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** The newest transactions of an address that the books know. `networks`: those that it may be allocated on. */
export async function listAddressTransactions(
  tx: Tx,
  { env, network }: Scope,
  { address, networks }: { readonly address: string; readonly networks: readonly NetworkCode[] },
): Promise<string[]> {
  const { rows } = await tx.execute<{ hash: string }>(sql`
    select hash from (
      select d.tx_hash as hash, d.created_at from deposits d join addresses a on a.id = d.address_id
      where a.env = ${env} and a.network = any(${sqlArray(networks, "text")}) and a.address = ${address}
        and d.network = ${network} and d.status <> ${depositLiteral("dropped")}
      union all
      select hash, created_at from outgoing_transactions o
      where env = ${env} and network = ${network} and moves @> ${JSON.stringify([{ from: address }])}::jsonb) x
    group by hash order by max(created_at) desc limit 10`);
  return rows.map(({ hash }) => hash);
}

/** The signer's transactions in blocks up to a height, with their bytes, oldest first. For networks whose transactions have outputs. */
export async function listOwnBytes(
  tx: Tx,
  { env, network }: Scope,
  { height, after, limit }: { readonly height: number; readonly after: string; readonly limit: number },
): Promise<{ hash: string; raw: string; spends: string[] }[]> {
  const { rows } = await tx.execute<{ hash: string; raw: string; spends: string[] }>(sql`
    select hash, raw, spends from outgoing_transactions
    where env = ${env} and network = ${network} and block_height <= ${height} and hash > ${after}
    order by hash limit ${limit}`);
  return rows;
}
