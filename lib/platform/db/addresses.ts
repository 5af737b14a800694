import { randomBytes, randomInt } from "node:crypto";
import { OperatorError } from "#lib/platform/operator-error.ts";
import { PostgresClient } from "./availability.ts";
import { isDatabaseError } from "./connection.ts";

const ANSWER_MS = 10_000;
const ROUNDS = 4;
/** SQLSTATE of a named statement that the session does not have, or has from another client. */
const STATEMENT_LOST = ["26000", "42P05"] as const;
/** First key of the advisory lock that shows whether two addresses are of one database ("addr"). */
const SAME_DATABASE = 0x61_64_64_72;

/** DATABASE_URL or DATABASE_DIRECT_URL has the address of something else than this use of it needs. */
export class AddressError extends OperatorError {}

const NOT_LASTING =
  "DATABASE_DIRECT_URL, or without it DATABASE_URL, must be the address of PostgreSQL itself: a pooler such as PgBouncer in " +
  "transaction mode answered there, and it loses locks and LISTEN (docs/operate/database.md).";

const NOT_THE_SAME =
  "DATABASE_URL and DATABASE_DIRECT_URL must be addresses of the same database, and they are not: correct the wrong one " +
  "(docs/operate/database.md).";

/**
 * Throws AddressError if `url` is a pooler that gives a client another session for each transaction: two programs would then hold the same
 * lock. A session of PostgreSQL keeps its process, and shares it with no other one.
 */
export async function requireLastingSessions(url: string): Promise<void> {
  await withClients([openClient(url), openClient(url)], async ([first, second]) => {
    const [own, other] = [await findProcess(first), await findProcess(second)];
    // A pooler gives its last used session or the next one, and a busy one any. Each client asks twice in turn, for several rounds.
    for (let round = 0; round < ROUNDS; round++)
      for (const client of [second, first, first, second]) {
        const seen = await findProcess(client);
        if (own === other || seen !== (client === first ? own : other)) throw new AddressError(NOT_LASTING);
      }
  });
}

/** Throws AddressError unless both addresses are of one database: a lock that is taken through one is visible through the other. */
export async function requireSameDatabase(url: string, pooledUrl: string): Promise<void> {
  await withClients([openClient(url), openClient(pooledUrl, true)], async ([direct, pooled]) => {
    const key = randomInt(2 ** 31);
    await direct.query("begin");
    await direct.query("select pg_advisory_xact_lock($1, $2)", [SAME_DATABASE, key]);
    const { rowCount } = await pooled.query(
      `select 1 from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and granted
        and database = (select oid from pg_database where datname = current_database())`,
      [SAME_DATABASE, key],
    );
    if (rowCount !== 1) throw new AddressError(NOT_THE_SAME);
  });
}

/** Whether two clients of a pooler can each use a statement with a name, also in the session that the other one has used. */
export async function keepsNamedStatements(pooledUrl: string): Promise<boolean> {
  const statement = { name: `paylink_${randomBytes(6).toString("hex")}`, text: "select 1" };
  try {
    await withClients([openClient(pooledUrl, true), openClient(pooledUrl, true)], async (clients) => {
      for (const client of [...clients, ...clients]) await client.query(statement);
    });
    return true;
  } catch (error) {
    if (STATEMENT_LOST.some((state) => isDatabaseError(error, state))) return false;
    throw error;
  }
}

function openClient(url: string, acceptsStandby = false): PostgresClient {
  return new PostgresClient({
    connectionString: url,
    application_name: "paylink addresses",
    query_timeout: ANSWER_MS,
    acceptsStandby,
  });
}

async function findProcess(client: PostgresClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

/** Runs `work` with two connections, which it then ends. */
async function withClients(
  clients: readonly [PostgresClient, PostgresClient],
  work: (clients: readonly [PostgresClient, PostgresClient]) => Promise<void>,
): Promise<void> {
  try {
    for (const client of clients) await client.connect();
    await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}
