import { and, asc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { coalescePerTurn } from "#lib/platform/db/batching.ts";
import { type Db, isTransaction, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { namedQuery } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { buildAvailability } from "./rules.ts";
import { networkSettings, tokenSettings } from "./tables.ts";
import type {
  Availability,
  AvailabilityRow,
  NetworkSettings,
  TokenSettings,
  TradeSettings,
} from "./types.ts";

// Settings are read from the database each time, or compared there, so that a change has effect at once in every process.
// Concurrent requests share a query.

const networkRows = oncePerDatabase((db) => {
  const select = db
    .select()
    .from(networkSettings)
    .where(eq(networkSettings.env, sql.placeholder("env")))
    .orderBy(asc(networkSettings.id))
    .prepare("network_settings");
  return coalescePerTurn((env): Promise<NetworkSettings[]> => select.execute({ env }));
});
const tokenRows = oncePerDatabase((db) => {
  const select = db
    .select()
    .from(tokenSettings)
    .where(eq(tokenSettings.env, sql.placeholder("env")))
    .orderBy(asc(tokenSettings.id))
    .prepare("token_settings");
  return coalescePerTurn((env): Promise<TokenSettings[]> => select.execute({ env }));
});

/** Every network of the service, enabled or not, in the order of the interface. */
export function listNetworkSettings(db: Db | Tx, env: Env): Promise<readonly NetworkSettings[]> {
  return networkRows(db)(env);
}

/** Null if the service does not have the network. */
export async function findNetworkSettings(
  db: Db | Tx,
  env: Env,
  network: string,
): Promise<NetworkSettings | null> {
  return (await listNetworkSettings(db, env)).find((row) => row.network === network) ?? null;
}

/** Every token of the service, in the order of the interface. */
export function listTokenSettings(db: Db | Tx, env: Env): Promise<readonly TokenSettings[]> {
  return tokenRows(db)(env);
}

/** Throws if the row is missing: the migrations insert one for every token. */
export async function getTokenSettings(db: Db | Tx, env: Env, token: TokenCode): Promise<TokenSettings> {
  const found = (await listTokenSettings(db, env)).find((row) => row.token === token);
  if (found === undefined) throw new Error(`there are no settings of ${env} ${token}`);
  return found;
}

const tradeSettingsQuery = namedQuery("trade_settings", (db) => {
  const { status, buy, minimumTrade, maximumTrade, minimumFee } = tokenSettings;
  return db
    .select({ status, buy, minimumTrade, maximumTrade, minimumFee })
    .from(tokenSettings)
    .where(
      and(eq(tokenSettings.env, sql.placeholder("env")), eq(tokenSettings.token, sql.placeholder("token"))),
    );
});

/** Thousands of buys a second need one row of the table. */
const sharedTradeSettings = oncePerDatabase((db) =>
  coalescePerTurn((name): Promise<TradeSettings[]> => {
    const [env, token] = name.split(" ");
    return tradeSettingsQuery(db, { env, token });
  }),
);

/** The settings that a buy of the token needs. Throws if the row is missing, as getTokenSettings does. */
export async function getTradeSettings(db: Db | Tx, env: Env, token: TokenCode): Promise<TradeSettings> {
  // A transaction has nobody to share a query with.
  const [found] = await (isTransaction(db)
    ? tradeSettingsQuery(db, { env, token })
    : sharedTradeSettings(db)(`${env} ${token}`));
  if (found === undefined) throw new Error(`there are no settings of ${env} ${token}`);
  return found;
}

/** Both tables as one JSON value: decoding two dozen rows costs more than the query. */
const availabilityOf = (env: SQL | Placeholder) => sql`(
  select json_agg(availability order by kind, name) as rows from (
    select 'network' as kind, network as name, status and receive and generate as available, null as minimum
    from ${networkSettings} where env = ${env}
    union all
    select 'token', token, status and receive, minimum_receive::text
    from ${tokenSettings} where env = ${env}
  ) as availability
)`;

/**
 * A digest of the same columns, for a statement that relies on a KnownAvailability. It is a sum of the hashes of the rows' texts: every
 * statement that inserts links computes it, and a sorted text of all rows takes four times as long. A row's hash of several columns
 * (hash_record) would not do: it is a sum itself, the same for A on and B off as for A off and B on.
 */
const digestOf = (env: SQL | Placeholder) => sql<string>`(
  select (coalesce(sum(hash), 0))::text from (
    select hashtextextended(row(network, status and receive and generate)::text, 1) as hash
    from ${networkSettings} where env = ${env}
    union all
    select hashtextextended(row(token, status and receive, minimum_receive)::text, 2)
    from ${tokenSettings} where env = ${env}
  ) as hashes
)`;
export const availabilityDigest = (env: Env): SQL => digestOf(sql.raw(`'${env}'`));

/** The networks and tokens that could be received at the last reading. */
export interface KnownAvailability {
  readonly availability: Availability;
  readonly digest: string;
}

const availabilityQuery = namedQuery("availability", (db) =>
  db
    .select({ rows: sql<AvailabilityRow[] | null>`rows`, digest: digestOf(sql.placeholder("env")) })
    .from(sql`${availabilityOf(sql.placeholder("env"))} as availability`),
);

const lastRead = oncePerDatabase(() => new Map<string, KnownAvailability>());

const readAvailability = oncePerDatabase((db) =>
  coalescePerTurn(async (env): Promise<KnownAvailability> => {
    const [row] = await availabilityQuery(db, { env });
    const read = { availability: buildAvailability(row?.rows ?? []), digest: row?.digest ?? "" };
    lastRead(db).set(env, read);
    return read;
  }),
);

/** Returns the networks and tokens that can be received now, in one prepared query. */
export async function getAvailability(db: Db | Tx, env: Env): Promise<Availability> {
  return (await readAvailability(db)(env)).availability;
}

/**
 * Returns the last reading, without a query but the first time. It may be outdated, so the statement that relies on it compares its digest
 * with `availabilityDigest`.
 */
export async function recallAvailability(db: Db, env: Env): Promise<KnownAvailability> {
  return lastRead(db).get(env) ?? readAvailability(db)(env);
}
