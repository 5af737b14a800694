import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import {
  changeNetworkSettings,
  changeTokenSettings,
  type NetworkChanges,
  type TokenChanges,
} from "./change-settings.ts";
import { amountDecimals, type TokenSettingsProblem } from "./rules.ts";
import { lockNetworkSettings, lockTokenSettings } from "./store.ts";

/** Changes what a network can do for a person, with an entry in the audit log that has what changed, before and after. */
export async function setNetwork(
  tx: Tx,
  {
    actor,
    env,
    network,
    changes,
  }: PersonsChange & { readonly network: string; readonly changes: NetworkChanges },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: "network_unknown" }> {
  const before = await lockNetworkSettings(tx, env, network);
  const changed = await changeNetworkSettings(tx, { env, network }, changes, now);
  if (!changed.ok || before === null) return { ok: false, reason: "network_unknown" };
  const details = differences(before, changed.settings, Object.keys(changes), String);
  const entry = { actor, action: "network.set", subject: `network:${env}:${network}`, details };
  if (Object.keys(details).length > 0) await recordDecision(tx, entry, now);
  return { ok: true };
}

/** The same for a token. */
export async function setToken(
  tx: Tx,
  {
    actor,
    env,
    token,
    changes,
  }: PersonsChange & { readonly token: TokenCode; readonly changes: TokenChanges },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: TokenSettingsProblem }> {
  const before = await lockTokenSettings(tx, env, token);
  const changed = await changeTokenSettings(tx, { env, token }, changes, now);
  if (!changed.ok) return changed;
  const show = (value: unknown, name: string) =>
    typeof value === "bigint" ? formatAmount(value, amountDecimals(token, name)) : String(value);
  const details = differences(before ?? {}, changed.settings, Object.keys(changes), show);
  const entry = { actor, action: "token.set", subject: `token:${env}:${token}`, details };
  if (Object.keys(details).length > 0) await recordDecision(tx, entry, now);
  return { ok: true };
}

interface PersonsChange {
  readonly actor: string;
  readonly env: Env;
}

/** What differs, as `name` and `name_before`. */
function differences(
  before: object,
  after: object,
  names: readonly string[],
  show: (value: unknown, name: string) => string,
): Record<string, string> {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return Object.fromEntries(
    names
      .filter((name) => from.get(name) !== to.get(name))
      .flatMap((name) => [
        [name, show(to.get(name), name)],
        [`${name}_before`, show(from.get(name), name)],
      ]),
  );
}
