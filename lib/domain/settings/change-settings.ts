import type { Env } from "#lib/chains/network-data.ts";
import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { amountDecimals, checkTokenSettings } from "./rules.ts";
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

/** Changes the abilities of a network. Has effect in every process when the transaction commits. */
export const setNetwork = defineInstallationVerb(
  "network.set",
  async (
    { tx, now },
    given: { readonly env: Env; readonly network: string; readonly changes: NetworkChanges },
  ) => {
    const { env, network, changes } = given;
    const before = await lockNetworkSettings(tx, env, network);
    if (before === null) return refuse("network_unknown");
    const settings = await updateNetworkSettings(tx, before.id, { ...changes, updatedAt: now });
    return done({ settings }, entryOf(`network:${env}:${network}`, { before, settings, changes }, String));
  },
);

/** Changes the rules and limits of a token. Refuses settings that contradict each other. */
export const setToken = defineInstallationVerb(
  "token.set",
  async (
    { tx, now },
    given: { readonly env: Env; readonly token: TokenCode; readonly changes: TokenChanges },
  ) => {
    const { env, token, changes } = given;
    const before = await lockTokenSettings(tx, env, token);
    if (before === null) throw new Error(`there are no settings of ${env} ${token}`);
    const problem = checkTokenSettings({ ...before, ...changes });
    if (problem !== null) return refuse(problem);
    const settings = await updateTokenSettings(tx, before.id, { ...changes, updatedAt: now });
    const show = (value: unknown, name: string) =>
      typeof value === "bigint" ? formatAmount(value, amountDecimals(token, name)) : String(value);
    return done({ settings }, entryOf(`token:${env}:${token}`, { before, settings, changes }, show));
  },
);

/** The audit entry of a change: each changed setting as `name` and `name_before`. null: no setting differs from before. */
function entryOf(
  subject: string,
  change: { readonly before: object; readonly settings: object; readonly changes: object },
  show: (value: unknown, name: string) => string,
) {
  const [from, to] = [new Map(Object.entries(change.before)), new Map(Object.entries(change.settings))];
  const changed = Object.keys(change.changes).filter((name) => from.get(name) !== to.get(name));
  const details = changed.flatMap((name) => [
    [name, show(to.get(name), name)],
    [`${name}_before`, show(from.get(name), name)],
  ]);
  return changed.length === 0 ? null : { subject, details: Object.fromEntries(details) };
}
