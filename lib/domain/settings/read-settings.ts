import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { selectNetworkSettings, selectTokenSettings } from "./store.ts";
import type { NetworkSettings, TokenSettings } from "./types.ts";

/** Every network of the service, on or off, in the order of the interface. Read anew each time: a change counts at once. */
export function listNetworkSettings(db: Db | Tx, env: Env): Promise<readonly NetworkSettings[]> {
  return selectNetworkSettings(db, env);
}

/** null: the service knows no such network. */
export async function findNetworkSettings(
  db: Db | Tx,
  env: Env,
  network: string,
): Promise<NetworkSettings | null> {
  return (await selectNetworkSettings(db, env)).find((row) => row.network === network) ?? null;
}

/** Every token of the service, in the order of the interface. */
export function listTokenSettings(db: Db | Tx, env: Env): Promise<readonly TokenSettings[]> {
  return selectTokenSettings(db, env);
}

/** Throws when the row is gone: migrations put one there for every token. */
export async function getTokenSettings(db: Db | Tx, env: Env, token: TokenCode): Promise<TokenSettings> {
  const found = (await selectTokenSettings(db, env)).find((row) => row.token === token);
  if (found === undefined) throw new Error(`no settings of ${env} ${token}`);
  return found;
}
