import { OperatorError } from "#lib/platform/operator-error.ts";
import { PostgresClient } from "./availability.ts";

const ANSWER_MS = 10_000;
const ROUNDS = 4;

/** DATABASE_URL or DATABASE_DIRECT_URL has the address of something else than this use of it needs. */
export class AddressError extends OperatorError {}

const NOT_LASTING =
  "DATABASE_DIRECT_URL, or without it DATABASE_URL, must be the address of PostgreSQL itself: a pooler such as PgBouncer in " +
  "transaction mode answered there, and it loses locks and LISTEN (docs/operate/database.md).";

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
