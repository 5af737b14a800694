import { asc, eq, sql } from "drizzle-orm";
import { type Db, oncePerDatabase, type Tx } from "#lib/db/connection.ts";
import { oncePerTurn } from "#lib/db/once-per-turn.ts";
import { networkSettings, tokenSettings } from "#lib/db/schema.ts";
import type { Env } from "#lib/networks/networks.ts";
import type { NetworkSettings, TokenSettings } from "./types.ts";

/** Nine rows, fifteen rows: requests that come in together share a query. */
const networksOf = oncePerDatabase((db) => {
  const select = db
    .select()
    .from(networkSettings)
    .where(eq(networkSettings.env, sql.placeholder("env")))
    .orderBy(asc(networkSettings.id))
    .prepare("network_settings");
  return oncePerTurn((env): Promise<NetworkSettings[]> => select.execute({ env }));
});
const tokensOf = oncePerDatabase((db) => {
  const select = db
    .select()
    .from(tokenSettings)
    .where(eq(tokenSettings.env, sql.placeholder("env")))
    .orderBy(asc(tokenSettings.id))
    .prepare("token_settings");
  return oncePerTurn((env): Promise<TokenSettings[]> => select.execute({ env }));
});

export function selectNetworkSettings(db: Db | Tx, env: Env): Promise<readonly NetworkSettings[]> {
  return networksOf(db)(env);
}

export function selectTokenSettings(db: Db | Tx, env: Env): Promise<readonly TokenSettings[]> {
  return tokensOf(db)(env);
}
