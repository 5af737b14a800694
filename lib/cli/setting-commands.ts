import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import {
  type NetworkChanges,
  setNetwork,
  setToken,
  type TokenChanges,
} from "#lib/domain/settings/change-settings.ts";
import { amountDecimals } from "#lib/domain/settings/rules.ts";
import type { NetworkSettings, TokenSettings } from "#lib/domain/settings/types.ts";
import { formatAmount, parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { Cli, WithCli } from "./cli.ts";
import { envOption, parseFlag, parseWholeNumber } from "./options.ts";

/** More whole tokens than any token has. */
const MOST_WHOLE = 10n ** 15n;
/** Half of the indexes of an account key. */
const MOST_ADDRESSES = 2 ** 30;
const NETWORK_FLAGS = ["status", "send", "receive", "generate"] as const;
const TOKEN_FLAGS = ["status", "send", "receive", "buy"] as const;
const TOKEN_AMOUNTS = [
  ["minimumTrade", "minimum-trade", "least amount of a buy"],
  ["maximumTrade", "maximum-trade", "largest amount of a buy"],
  ["minimumSend", "minimum-send", "least amount of a withdrawal"],
  ["maximumSend", "maximum-send", "largest amount of a withdrawal"],
  ["minimumReceive", "minimum-receive", "least that a payment link may ask for"],
  ["maximumReceive", "maximum-receive", "shown to merchants; what comes in is always credited"],
  ["sendFee", "send-fee", "least fee of a withdrawal"],
  ["minimumFee", "minimum-fee", "least fee of a buy, in USDT"],
] as const;

type AmountName = (typeof TOKEN_AMOUNTS)[number][0];
type TokenOptions = { env: Env } & Partial<Record<(typeof TOKEN_FLAGS)[number], boolean>> &
  Partial<Record<AmountName, string>>;

export function addNetworkSettingCommand(group: Command, withCli: WithCli): void {
  const network = group
    .command("set")
    .description("enable or disable a network or its operations in one environment; takes effect at once")
    .addArgument(new Argument("<network>", "its code").choices(NETWORK_CODES))
    .addOption(envOption())
    .action(withCli(changeNetwork));
  for (const name of NETWORK_FLAGS) network.option(`--${name} <0|1>`, `${name} on or off`, parseFlag);
  network.option(
    "--unpaid-addresses <number>",
    "addresses that a merchant may have before it is paid",
    parseAddressLimit,
  );
}

export function addTokenSettingCommands(group: Command, withCli: WithCli): void {
  const token = group
    .command("set")
    .description(
      "change a token's settings in one environment; takes effect at once. Amounts are in whole tokens",
    )
    .addArgument(new Argument("<token>", "its symbol").choices(Object.keys(TOKENS)))
    .addOption(envOption())
    .action(withCli(changeToken));
  for (const name of TOKEN_FLAGS) token.option(`--${name} <0|1>`, `${name} on or off`, parseFlag);
  for (const [, name, about] of TOKEN_AMOUNTS) token.addOption(new Option(`--${name} <amount>`, about));
}

function parseAddressLimit(text: string): number {
  const limit = parseWholeNumber(text);
  if (limit > MOST_ADDRESSES) throw new InvalidArgumentError(`It must be at most ${MOST_ADDRESSES}.`);
  return limit;
}

async function changeNetwork(
  cli: Cli,
  network: string,
  { env, ...changes }: { env: Env } & NetworkChanges,
  command: Command,
): Promise<void> {
  if (Object.keys(changes).length === 0) command.error("error: nothing to change was given");
  await cli.withDatabase(async ({ database }) => {
    const { settings } = await cli.performHere(database, setNetwork, { env, network, changes });
    cli.print(showNetwork(settings));
  });
}

async function changeToken(
  cli: Cli,
  token: TokenCode,
  options: TokenOptions,
  command: Command,
): Promise<void> {
  const { env, status, send, receive, buy, ...texts } = options;
  const flags = Object.fromEntries(
    Object.entries({ status, send, receive, buy }).filter(([, on]) => on !== undefined),
  );
  const changes: TokenChanges = { ...flags, ...amountsOf(token, texts, command) };
  if (Object.keys(changes).length === 0) command.error("error: nothing to change was given");
  await cli.withDatabase(async ({ database }) => {
    const { settings } = await cli.performHere(database, setToken, { env, token, changes });
    cli.print(showToken(settings));
  });
}

function amountsOf(
  token: TokenCode,
  texts: Partial<Record<AmountName, string>>,
  command: Command,
): Partial<Record<AmountName, bigint>> {
  const amounts: Partial<Record<AmountName, bigint>> = {};
  for (const [name, option] of TOKEN_AMOUNTS) {
    const text = texts[name];
    if (text === undefined) continue;
    const decimals = amountDecimals(token, name);
    const parsed = parseAmount(text, decimals, MOST_WHOLE * 10n ** BigInt(decimals));
    if (!parsed.ok || parsed.units < 0n) {
      command.error(`error: --${option} must be an amount of at most ${decimals} decimals, 0 or more`);
    }
    amounts[name] = parsed.units;
  }
  return amounts;
}

function showNetwork(row: NetworkSettings) {
  return {
    id: row.id,
    env: row.env,
    network: row.network,
    status: Number(row.status),
    send: Number(row.send),
    receive: Number(row.receive),
    generate: Number(row.generate),
    unpaid_addresses: row.unpaidAddresses,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

function showToken(row: TokenSettings) {
  const amounts = TOKEN_AMOUNTS.map(([name, option]) => [
    option.replace("-", "_"),
    formatAmount(row[name], amountDecimals(row.token, name)),
  ]);
  return {
    id: row.id,
    env: row.env,
    token: row.token,
    status: Number(row.status),
    send: Number(row.send),
    receive: Number(row.receive),
    buy: Number(row.buy),
    ...Object.fromEntries(amounts),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
