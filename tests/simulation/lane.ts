import pg from "pg";
import type { TestDatabase } from "#tests/support/database.ts";
import { Connection } from "./connection.ts";
import { Statements } from "./statements.ts";

/** Connections of a lane: those of two processes that settle in three transactions at once, and some to spare. */
const CONNECTIONS = 10;
/** Rows of deleted histories stay in the tables until PostgreSQL removes them. */
const HISTORIES_PER_VACUUM = 150;

/** place: to record a deposit, or to move it into another block. credit: to confirm it. */
export type RefusedWrite = "place" | "credit";

/** One history at a time runs in a lane: a database with open connections that stay for all histories. */
export interface Lane {
  readonly admin: pg.Client;
  readonly statements: Statements;
  /** The program may have written something that people know (learn.ts). */
  hasChanged: boolean;
  take(): Connection;
  giveBack(connection: Connection): void;
  /** True if another connection can hold a lock. */
  isShared(connection: Connection): boolean;
  isBlocked(pid: number): Promise<boolean>;
  cancel(pid: number): Promise<void>;
  /** Deletes what histories have written since `markBaseline`, and starts all ids at 1 again. */
  clear(): Promise<void>;
  markBaseline(): Promise<void>;
  /** From now on the database refuses to write some rows of a transaction's deposits. */
  refuse(txHash: string, what: RefusedWrite): Promise<void>;
  /** Ends all refusals. */
  acceptAll(): Promise<void>;
  /** The operator lets everything that was set aside be tried again. */
  retryAll(now: Date): Promise<void>;
  close(): Promise<void>;
}

export async function openLane(database: TestDatabase): Promise<Lane> {
  const statements = new Statements();
  const all = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = await connect(database.url);
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      return new Connection(client, rows[0]!.pid, statements);
    }),
  );
  const pids = all.map(({ pid }) => pid);
  const admin = await connect(database.url);
  Object.assign(admin, { pipeline: true });
  // A change of this setting in a session would end all of its plans.
  const cleaner = await connect(database.url, ["session_replication_role=replica"]);
  const free = [...all];
  let cleared = 0;
  const lane: Lane = {
    admin,
    statements,
    hasChanged: true,
    take() {
      const connection = free.pop();
      if (connection === undefined) throw new Error("the processes of a history use too many connections");
      return connection;
    },
    giveBack: (connection) => void free.push(connection),
    isShared: (connection) => all.some((one) => one !== connection && (one.inTransaction || one.isRunning)),
    async isBlocked(pid) {
      // A commit with notifications also waits for those of other databases of the cluster: that is no step of this history.
      const text = "select pg_blocking_pids($1) && $2 as blocked";
      return (await admin.query({ name: "blocked", text, values: [pid, pids] })).rows[0].blocked;
    },
    async cancel(pid) {
      await admin.query("select pg_cancel_backend($1)", [pid]);
    },
    async clear() {
      lane.hasChanged = true;
      await cleaner.query({ name: "clear", text: "select clear_history()" });
      cleared += 1;
      if (cleared % HISTORIES_PER_VACUUM === 0) await cleaner.query("vacuum");
    },
    async markBaseline() {
      await admin.query(REFUSALS);
      await admin.query(CLOCK);
      await createClearing(admin);
    },
    async refuse(txHash, what) {
      const text = "insert into refused_writes (tx_hash, what) values ($1, $2)";
      await admin.query({ name: "refuse", text, values: [txHash, what] });
    },
    async acceptAll() {
      await admin.query({ name: "accept", text: "delete from refused_writes" });
    },
    async retryAll(now) {
      const text = "update attention set retry_at = least(retry_at, $1)";
      await admin.query({ name: "retry", text, values: [now] });
    },
    async close() {
      await Promise.all([admin, cleaner, ...all.map(({ client }) => client)].map((client) => client.end()));
    },
  };
  return lane;
}

async function connect(url: string, more: readonly string[] = []): Promise<pg.Client> {
  // A history waits 3 ms before it asks whether a statement is blocked. A deadlock ends soon after.
  // Plans for the values of each call would take longer than the statements.
  // The server's own statistics cost a tenth of each statement.
  const settings = [
    "deadlock_timeout=50ms",
    "jit=off",
    "plan_cache_mode=force_generic_plan",
    "track_counts=off",
  ];
  const silent = ["track_activities=off", "update_process_title=off"];
  const options = [...settings, ...silent, ...more].map((setting) => `-c ${setting}`).join(" ");
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  return client;
}

/** Lets single rows fail, as a constraint that nobody thought of would. A removal by a reorganization is always written. */
const REFUSALS = `
  create table refused_writes (tx_hash text not null, what text not null);
  create function refuse_write() returns trigger language plpgsql as $$ begin
    if exists (select from refused_writes r where r.tx_hash = new.tx_hash and r.what = case
        when tg_op = 'INSERT' then 'place'
        when new.block_hash is distinct from old.block_hash then case when new.block_hash is not null then 'place' end
        when new.status in (1, 3) and old.status = 0 then 'credit' end)
    then raise exception 'planted: a deposit of % is refused', new.tx_hash; end if;
    return new;
  end $$;
  create trigger refuse_write before insert or update on deposits for each row execute function refuse_write()`;

/** Addresses are as old as the database says. It has the time of the history (process-database.ts). */
const CLOCK = `
  create function set_time() returns trigger language plpgsql as $$ begin
    new.created_at = current_setting('model.now')::timestamptz; return new;
  end $$;
  create trigger set_time before insert on addresses for each row
    when (current_setting('model.now', true) is not null) execute function set_time()`;

/**
 * A function that deletes all rows of the tables that are empty now, and restarts their ids. PostgreSQL plans its statements
 * once.
 */
async function createClearing(admin: pg.Client): Promise<void> {
  const { rows: tables } = await admin.query<{ name: string; sequence: string | null }>(`
    select c.relname as name, case when a.attname is not null then
      pg_get_serial_sequence('public.' || quote_ident(c.relname), 'id') end as sequence
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`);
  const statements: string[] = [];
  for (const { name, sequence } of tables) {
    const { rows } = await admin.query<{ used: boolean }>(`select exists (select from "${name}") as used`);
    if (rows[0]!.used) continue;
    statements.push(`delete from "${name}";`);
    if (sequence !== null) statements.push(`perform setval('${sequence}', 1, false);`);
  }
  await admin.query(
    `create function clear_history() returns void language plpgsql as $$ begin ${statements.join("\n")} end $$`,
  );
}
