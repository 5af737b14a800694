import type pg from "pg";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { FaultChain, Received } from "./fault-chain.ts";
import { SEED } from "./fault-random.ts";
import type { CliRun } from "./run-cli.ts";

/** The result of a scenario. Everything except `payments` must be zero. */
export interface Audit {
  /** Payments to our addresses that are in the chain. */
  readonly payments: number;
  /** The payments that are not credited. */
  readonly lost: number;
  /** Credits without such a payment: double ones, other amounts, or payments that are not in the chain. */
  readonly doubled: number;
  /** One sentence for each other problem. */
  readonly problems: readonly string[];
}

/** A chain whose payments are compared with the books. */
export type AuditedChain = Pick<FaultChain, "network" | "token" | "received">;

interface Books {
  readonly chains: readonly AuditedChain[];
  readonly pool: pg.Pool;
  /** The result of `paylink ledger check`. */
  readonly check: CliRun;
  /** Ledger units that the first chain has paid for withdrawals. */
  readonly paid?: bigint;
}

/** Compares what our addresses received on the chain with what the database credited. */
export async function auditBooks(books: Books): Promise<Audit> {
  const { chains, pool } = books;
  const receivedOn = new Map<AuditedChain, readonly Received[]>();
  for (const chain of chains) receivedOn.set(chain, await chain.received(await listAddresses(books, chain)));
  const received = [...receivedOn.values()].flat();
  const { rows: credited } = await pool.query<Received & { amount: string }>(
    `select d.tx_hash as "txHash", d.position, a.address, d.amount::text as amount
     from deposits d join addresses a on a.id = d.address_id where d.status = 1`,
  );
  const onChain = tally(received);
  const inBooks = tally(credited);
  const problems = [
    ...ledgerProblems(books, receivedOn),
    ...(await eventProblems(pool)),
    ...(await linkProblems(pool, received)),
  ];
  return {
    payments: received.length,
    lost: excess(onChain, inBooks),
    doubled: excess(inBooks, onChain),
    problems,
  };
}

type Movement = Pick<Received, "txHash" | "position" | "address"> & { readonly amount: bigint | string };

function tally(movements: readonly Movement[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { txHash, position, address, amount } of movements) {
    const key = `${txHash} ${position} ${address} ${amount}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function excess(these: ReadonlyMap<string, number>, those: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [key, count] of these) sum += Math.max(0, count - (those.get(key) ?? 0));
  return sum;
}

const total = (received: readonly Received[]) => received.reduce((sum, { amount }) => sum + amount, 0n);

async function listAddresses({ pool }: Books, { network }: AuditedChain): Promise<string[]> {
  const query = "select address from addresses where network = $1";
  const { rows } = await pool.query<{ address: string }>(query, [network]);
  return rows.map(({ address }) => address);
}

function ledgerProblems(
  { check, chains, paid = 0n }: Books,
  receivedOn: ReadonlyMap<AuditedChain, readonly Received[]>,
): string[] {
  if (check.status !== 0) return [`ledger check ended with ${check.status}: ${check.stdout}${check.stderr}`];
  const { figures } = check.json() as {
    figures: { custody: { network: string; token: string; held: string }[] };
  };
  return [...receivedOn].flatMap(([chain, received]) => {
    const { network, token } = chain;
    const isIt = (one: { network: string; token: string }) => one.network === network && one.token === token;
    const held = figures.custody.find(isIt)?.held ?? "0";
    const left = total(received) - (chain === chains[0] ? paid : 0n);
    const expected = formatAmount(left, TOKENS[token].ledgerDecimals);
    if (held === expected) return [];
    return [`the ledger holds ${held} on ${network}, the chain gave and left our addresses ${expected}`];
  });
}

/** Checks that every credit and every reversal has exactly one event. */
async function eventProblems(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ problem: string }>(`
    select format('deposit %s, status %s, credited %s times, has %s credited and %s reversed events',
      d.id, d.status, d.credit_round, credited, reversed) as problem
    from deposits d cross join lateral (
      select count(*) filter (where type = 'deposit_credited') as credited,
        count(*) filter (where type = 'deposit_reversed') as reversed
      from webhook_events e
      where d.tx_hash = any(e.tx_hashes) and e.body::jsonb -> 'data' ->> 'ref' = d.id::text
    ) reported
    where credited <> d.credit_round or reversed <> d.credit_round - (d.status = 1)::int`);
  return rows.map(({ problem }) => problem);
}

/** Checks that every link has the state that the payments on the chain give it. */
async function linkProblems(pool: pg.Pool, received: readonly Received[]): Promise<string[]> {
  const { rows } = await pool.query<{ refid: string; state: string; address: string; amount: string }>(`
    select l.refid, l.state, a.address, q.amount::text as amount
    from payment_links l join payment_link_wallets w on w.payment_link_id = l.id
      join addresses a on a.id = w.address_id
      join lateral (select amount from quotes where payment_link_id = l.id order by id limit 1) q on true`);
  const sums = new Map<string, bigint>();
  for (const { address, amount } of received) sums.set(address, (sums.get(address) ?? 0n) + amount);
  return rows.flatMap(({ refid, state, address, amount }) => {
    const sum = sums.get(address) ?? 0n;
    const asked = BigInt(amount);
    const wanted =
      sum === 0n ? "awaiting" : sum < asked ? "partial" : sum === asked ? "completed" : "overpaid";
    return state === wanted ? [] : [`link ${refid} is ${state}, not ${wanted}: ${sum} of ${asked} arrived`];
  });
}

/** Prints the figures of a scenario, then fails when anything is lost, doubled or wrong. */
export function report(name: string, audit: Audit, figures: Record<string, number>, startedAt: number): void {
  const { payments, lost, doubled, problems } = audit;
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  const before = Object.entries(figures).map(([what, count]) => `${count} ${what}, `);
  console.log(
    `${name}: ${before.join("")}${payments} payments, ${lost} lost, ${doubled} doubled ` +
      `(${seconds} s, seed ${SEED})`,
  );
  if (lost > 0 || doubled > 0 || problems.length > 0) {
    const shown = problems.slice(0, 20).join("\n");
    throw new Error(`${name}: ${lost} lost, ${doubled} doubled\n${shown}`);
  }
}
