import { and, asc, eq, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { coalescePerTurn } from "#lib/platform/db/once-per-turn.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { networkSettings, tokenSettings } from "./tables.ts";
import type { AvailabilityRow, NetworkSettings, TokenSettings } from "./types.ts";

/** Nine rows, fifteen rows: requests that come in together share a query. */
const networksOf = oncePerDatabase((db) => {
  const select = db
    .select()
    .from(networkSettings)
    .where(eq(networkSettings.env, sql.placeholder("env")))
    .orderBy(asc(networkSettings.id))
    .prepare("network_settings");
  return coalescePerTurn((env): Promise<NetworkSettings[]> => select.execute({ env }));
});
const tokensOf = oncePerDatabase((db) => {
  const select = db
    .select()
    .from(tokenSettings)
    .where(eq(tokenSettings.env, sql.placeholder("env")))
    .orderBy(asc(tokenSettings.id))
    .prepare("token_settings");
  return coalescePerTurn((env): Promise<TokenSettings[]> => select.execute({ env }));
});

export function selectNetworkSettings(db: Db | Tx, env: Env): Promise<readonly NetworkSettings[]> {
  return networksOf(db)(env);
}

export function selectTokenSettings(db: Db | Tx, env: Env): Promise<readonly TokenSettings[]> {
  return tokensOf(db)(env);
}

/** Both tables in one statement: it stands in the way of every payment link. */
const openingsOf = oncePerDatabase((db) => {
  const env = sql.placeholder("env");
  const rows = sql`(
    select 'network' as kind, network as name, status and receive and generate as available, null as minimum
    from ${networkSettings} where env = ${env}
    union all
    select 'token', token, status and receive, minimum_receive::text
    from ${tokenSettings} where env = ${env}
  ) as openings`;
  // One value: two dozen rows would cost their caller more than they cost PostgreSQL.
  const select = db
    .select({ openings: sql<AvailabilityRow[]>`json_agg(openings)` })
    .from(rows)
    .prepare("openings");
  return coalescePerTurn(
    async (one): Promise<AvailabilityRow[]> => (await select.execute({ env: one }))[0]?.openings ?? [],
  );
});

export function selectOpenings(db: Db | Tx, env: Env): Promise<readonly AvailabilityRow[]> {
  return openingsOf(db)(env);
}

/** The row as it is, and nobody else changes it until the transaction ends; null: the service knows no such network. */
export async function lockNetworkSettings(
  tx: Tx,
  env: Env,
  network: string,
): Promise<NetworkSettings | null> {
  const [row] = await tx
    .select()
    .from(networkSettings)
    .where(and(eq(networkSettings.env, env), eq(networkSettings.network, network)))
    .for("update");
  return row ?? null;
}

export async function lockTokenSettings(tx: Tx, env: Env, token: TokenCode): Promise<TokenSettings | null> {
  const [row] = await tx
    .select()
    .from(tokenSettings)
    .where(and(eq(tokenSettings.env, env), eq(tokenSettings.token, token)))
    .for("update");
  return row ?? null;
}

export async function updateNetworkSettings(
  tx: Tx,
  id: number,
  changes: Partial<NetworkSettings>,
): Promise<NetworkSettings> {
  const [row] = await tx.update(networkSettings).set(changes).where(eq(networkSettings.id, id)).returning();
  if (row === undefined) throw new Error(`the settings of network ${id} vanished`);
  return row;
}

export async function updateTokenSettings(
  tx: Tx,
  id: number,
  changes: Partial<TokenSettings>,
): Promise<TokenSettings> {
  const [row] = await tx.update(tokenSettings).set(changes).where(eq(tokenSettings.id, id)).returning();
  if (row === undefined) throw new Error(`the settings of token ${id} vanished`);
  return row;
}
