import { and, eq } from "drizzle-orm";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { networkSettings, tokenSettings } from "./tables.ts";
import type { NetworkSettings, TokenSettings } from "./types.ts";

/** Locks the row until the transaction ends. Null if the service does not have the network. */
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

/** Inserts the settings of these networks in both environments, with everything on. Those that are there stay. */
export async function insertMissingNetworks(db: Db, networks: readonly string[]): Promise<void> {
  const rows = await db
    .select({ env: networkSettings.env, network: networkSettings.network })
    .from(networkSettings);
  const present = new Set(rows.map(({ env, network }) => `${env}:${network}`));
  const missing = ENVS.flatMap((env) => networks.map((network) => ({ env, network }))).filter(
    ({ env, network }) => !present.has(`${env}:${network}`),
  );
  if (missing.length > 0) await db.insert(networkSettings).values(missing).onConflictDoNothing();
}

export async function updateNetworkSettings(
  tx: Tx,
  id: number,
  changes: Partial<NetworkSettings>,
): Promise<NetworkSettings> {
  const [row] = await tx.update(networkSettings).set(changes).where(eq(networkSettings.id, id)).returning();
  if (row === undefined) throw new Error(`the settings of network ${id} do not exist any more`);
  return row;
}

export async function updateTokenSettings(
  tx: Tx,
  id: number,
  changes: Partial<TokenSettings>,
): Promise<TokenSettings> {
  const [row] = await tx.update(tokenSettings).set(changes).where(eq(tokenSettings.id, id)).returning();
  if (row === undefined) throw new Error(`the settings of token ${id} do not exist any more`);
  return row;
}
