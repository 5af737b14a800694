"use server";

import { redirect } from "next/navigation";
import { fieldsOf, performHere, requireOperator } from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { setNetwork, setToken } from "#lib/domain/settings/change-settings.ts";
import { amountDecimals, TOKEN_AMOUNTS } from "#lib/domain/settings/rules.ts";
import { isTokenCode, type TokenCode } from "#lib/platform/money/tokens.ts";
import { parseTypedAmount } from "#lib/platform/money/typed-amount.ts";

const PAGE = "/console/operator/settings";
/** More whole tokens than any token has. */
const MOST_WHOLE = 10n ** 15n;
/** Half of the indexes of an account key. */
const MOST_ADDRESSES = 2 ** 30;

/** Form action: change what a network can do. */
export async function saveNetwork(posted: FormData): Promise<void> {
  const { read, env } = await readSettings(posted);
  const unpaidAddresses = /^[0-9]{1,10}$/.test(read("unpaidAddresses"))
    ? Number(read("unpaidAddresses"))
    : -1;
  if (unpaidAddresses < 0 || unpaidAddresses > MOST_ADDRESSES) return leave(env, "limits_malformed");
  const isOn = (name: string) => read(name) === "yes";
  const changes = {
    status: isOn("status"),
    receive: isOn("receive"),
    send: isOn("send"),
    generate: isOn("generate"),
    unpaidAddresses,
  };
  const done = await performHere(setNetwork, PAGE, { env, network: read("network"), changes });
  leave(env, done.ok ? "settings_saved" : done.reason);
}

/** Form action: change what is allowed with a token, and its limits. */
export async function saveToken(posted: FormData): Promise<void> {
  const { read, env } = await readSettings(posted);
  const token = read("token");
  const amounts = isTokenCode(token) ? readAmounts(token, read) : null;
  if (!isTokenCode(token) || amounts === null) return leave(env, "limits_malformed");
  const isOn = (name: string) => read(name) === "yes";
  const flags = { status: isOn("status"), receive: isOn("receive"), send: isOn("send"), buy: isOn("buy") };
  const done = await performHere(setToken, PAGE, { env, token, changes: { ...flags, ...amounts } });
  leave(env, done.ok ? "settings_saved" : done.reason);
}

/** The form of an operator. For everyone else there is no such page, whatever they sent. */
async function readSettings(posted: FormData) {
  await requireOperator();
  const read = fieldsOf(posted);
  const env: Env = read("env") === "test" ? "test" : "live";
  return { read, env };
}

const leave = (env: Env, notice: NoticeCode): never => redirect(`${PAGE}?env=${env}&notice=${notice}`);

/** Returns null if one of the texts is not an amount. */
function readAmounts(token: TokenCode, read: (name: string) => string) {
  const amounts: Partial<Record<(typeof TOKEN_AMOUNTS)[number], bigint>> = {};
  for (const name of TOKEN_AMOUNTS) {
    const decimals = amountDecimals(token, name);
    const parsed = parseTypedAmount(read(name), decimals, MOST_WHOLE * 10n ** BigInt(decimals));
    if (!parsed.ok) return null;
    amounts[name] = parsed.units;
  }
  return amounts;
}
