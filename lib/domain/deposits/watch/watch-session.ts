import type { QueryResult } from "pg";
import type { NetworkScope } from "#lib/chains/networks.ts";
import { PostgresClient } from "#lib/platform/db/availability.ts";
import type { Holdings } from "./share-rules.ts";
import { lockNameOf, WATCHER } from "./watch-lock.ts";

/** How long a query may take. None of them waits for a lock. */
const ANSWER_MS = 10_000;
/**
 * PostgreSQL ends a session that asks nothing for so long: that of a frozen process, or of a machine that is gone. A worker that runs asks
 * several times a second.
 */
const SILENT = "10s";
/** First number of the shared advisory lock by which workers that can watch the same networks find each other. */
const WORKERS = 0x70_6c_11;
/** First number of the shared advisory locks by which workers decline networks. */
const DECLINED = 0x70_6c_12;

/** The session by which a worker holds the locks of its networks. All end with it, also when the process is killed. */
export interface WatchSession {
  /** Aborts when the session has ended: then it holds nothing any more. */
  readonly lost: AbortSignal;
  /** Reads who holds which of the networks. */
  look(): Promise<Holdings>;
  /** Takes the lock of a network. False: another session holds it. */
  take(name: string): Promise<boolean>;
  release(name: string): Promise<void>;
  /** Makes known that this worker leaves a network to others. It ends with `accept`, or with the session. */
  decline(name: string): Promise<void>;
  accept(name: string): Promise<void>;
  /** The other workers no longer count this one. It keeps its networks until it releases them. */
  retire(): Promise<void>;
  end(): Promise<void>;
}

/** The name by which a session knows a network. */
export const nameOf = ({ env, network }: NetworkScope): string => `${env} ${network}`;

/** Opens the session of a worker for these networks, and makes the worker known to the others. Throws a database error. */
export async function openWatchSession(
  databaseUrl: string,
  networks: readonly NetworkScope[],
): Promise<WatchSession> {
  const client = new PostgresClient({
    connectionString: databaseUrl,
    application_name: WATCHER,
    query_timeout: ANSWER_MS,
  });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  client.on("end", () => lost.abort());
  const locks = new Map(networks.map((network) => [nameOf(network), lockNameOf(network)]));
  const group = [...locks.values()].sort().join();
  const end = async () => {
    lost.abort();
    await client.end().catch(() => {});
  };
  let last: Promise<unknown> = Promise.resolve();
  /** A client accepts one query at a time, and a loop that ends releases its lock during a look. */
  const ask: Ask = (text, values) => {
    const answer = last.then(() => client.query(text, [...values]));
    last = answer.catch(() => {});
    return answer;
  };
  try {
    await client.connect();
    await ask(
      "select set_config('idle_session_timeout', $1, false), pg_advisory_lock_shared($2::integer, hashtext($3))",
      [SILENT, WORKERS, group],
    );
  } catch (error) {
    await end();
    throw error;
  }
  return {
    lost: lost.signal,
    look: () => findHoldings(ask, locks),
    async take(name) {
      const text = "select pg_try_advisory_lock(hashtextextended($1, 0)) as taken";
      return (await ask(text, [locks.get(name)])).rows[0]?.taken === true;
    },
    async release(name) {
      await ask("select pg_advisory_unlock(hashtextextended($1, 0))", [locks.get(name)]);
    },
    async decline(name) {
      await ask("select pg_advisory_lock_shared($1::integer, hashtext($2))", [DECLINED, locks.get(name)]);
    },
    async accept(name) {
      await ask("select pg_advisory_unlock_shared($1::integer, hashtext($2))", [DECLINED, locks.get(name)]);
    },
    async retire() {
      await ask("select pg_advisory_unlock_shared($1::integer, hashtext($2))", [WORKERS, group]);
    },
    end,
  };
}

type Ask = (text: string, values: readonly unknown[]) => Promise<QueryResult>;

interface HoldingRow {
  readonly name: string;
  readonly holder: number | null;
  readonly own: number;
  readonly workers: readonly number[];
  readonly declined: readonly number[];
}

/** An advisory lock with one number has it in two halves, and `objsubid` 1. Workers of the same networks share the lock of two numbers. */
async function findHoldings(ask: Ask, locks: ReadonlyMap<string, string>): Promise<Holdings> {
  const { rows }: QueryResult<HoldingRow> = await ask(
    `with held as materialized (
       select pid, classid::bigint as high, objid::bigint as low, objsubid from pg_locks
       where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())
     ), worker as (
       select pid from held where objsubid = 2 and high = $1::bigint
         and low = (select low from held where objsubid = 2 and high = $1::bigint and pid = pg_backend_pid())
     )
     select asked.name, held.pid as holder, pg_backend_pid() as own, array(select pid from worker) as workers,
       array(select pid from held where objsubid = 2 and high = $4::bigint
         and low = hashtext(asked.lock)::bigint & x'ffffffff'::bigint) as declined
     from unnest($2::text[], $3::text[]) as asked(name, lock)
     left join held on objsubid = 1 and (high << 32 | low) = hashtextextended(asked.lock, 0)`,
    [WORKERS, [...locks.keys()], [...locks.values()], DECLINED],
  );
  const { own = 0, workers = [] } = rows[0] ?? {};
  return {
    own,
    workers,
    holders: new Map(rows.map(({ name, holder }) => [name, holder])),
    declined: new Map(rows.map(({ name, declined }) => [name, new Set(declined)])),
  };
}
