import type { Env } from "#lib/chains/network-data.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { checkTokenSettings, type TokenSettingsProblem } from "./rules.ts";
import {
  lockNetworkSettings,
  lockTokenSettings,
  updateNetworkSettings,
  updateTokenSettings,
} from "./store.ts";
import type { NetworkSettings, TokenSettings } from "./types.ts";

export type NetworkChanges = Partial<
  Pick<NetworkSettings, "status" | "send" | "receive" | "generate" | "unpaidAddresses">
>;
/** Amounts are in ledger units of the token, `minimumFee` in ledger units of USDT. */
export type TokenChanges = Partial<Omit<TokenSettings, "id" | "env" | "token" | "createdAt" | "updatedAt">>;

/** Changes what a network can do. Has effect in every process when the transaction commits. */
export async function changeNetworkSettings(
  tx: Tx,
  { env, network }: { readonly env: Env; readonly network: string },
  changes: NetworkChanges,
  now: Date,
): Promise<{ ok: true; settings: NetworkSettings } | { ok: false; reason: "network_unknown" }> {
  const found = await lockNetworkSettings(tx, env, network);
  if (found === null) return { ok: false, reason: "network_unknown" };
  const settings = await updateNetworkSettings(tx, found.id, { ...changes, updatedAt: now });
  return { ok: true, settings };
}

/** Changes what is allowed with a token, and its limits. Refuses settings that contradict each other. */
export async function changeTokenSettings(
  tx: Tx,
  { env, token }: { readonly env: Env; readonly token: TokenCode },
  changes: TokenChanges,
  now: Date,
): Promise<{ ok: true; settings: TokenSettings } | { ok: false; reason: TokenSettingsProblem }> {
  const found = await lockTokenSettings(tx, env, token);
  if (found === null) throw new Error(`there are no settings of ${env} ${token}`);
  const problem = checkTokenSettings({ ...found, ...changes });
  if (problem !== null) return { ok: false, reason: problem };
  const settings = await updateTokenSettings(tx, found.id, { ...changes, updatedAt: now });
  return { ok: true, settings };
}
