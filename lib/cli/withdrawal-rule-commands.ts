import { Argument, type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import {
  setAddressBook,
  setSecondPerson,
  setWithdrawalLimits,
} from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { Cli, WithCli } from "./cli.ts";
import { getMerchant } from "./find-merchant.ts";
import { envOption, parseLedgerUnits } from "./options.ts";

/** Commands for the rules that limit withdrawals by a merchant's people and API keys. Only the operator makes these rules looser. */
export function addRuleCommands(withdrawal: Command, withCli: WithCli): void {
  withdrawal
    .command("second-person")
    .description(
      "whether another owner or manager of a merchant must approve each of its withdrawals in the console",
    )
    .argument("<email>", "the merchant")
    .addArgument(onOrOff())
    .action(withCli(switchSecondPerson));
  withdrawal
    .command("limit")
    .description("set what a merchant may withdraw of a token; a limit that is left out is removed")
    .argument("<email>", "the merchant")
    .addOption(new Option("--token <token>", "its symbol").choices(Object.keys(TOKENS)).makeOptionMandatory())
    .option("--per-transfer <amount>", "the most at once")
    .option("--per-day <amount>", "the most within 24 hours")
    .addOption(envOption())
    .action(withCli(limit));
  withdrawal
    .command("address-book")
    .description("whether a merchant withdraws only to the address book that its owners keep in the console")
    .argument("<email>", "the merchant")
    .addArgument(onOrOff())
    .action(withCli(switchBook));
}

const onOrOff = () => new Argument("<state>", "on or off").choices(["on", "off"]);
/** These rules are of both environments. */
const LIVE = { env: "live" } as const;

async function switchSecondPerson(cli: Cli, email: string, state: "on" | "off"): Promise<void> {
  const secondPerson = state === "on";
  await cli.withDatabase(async ({ database }) => {
    const { id: merchantId } = await getMerchant(database.db, email);
    await cli.perform(database, setSecondPerson, { merchantId, ...LIVE }, { secondPerson });
    cli.print({ merchant: email, second_person: secondPerson });
  });
}

interface LimitOptions {
  readonly token: TokenCode;
  readonly env: Env;
  readonly perTransfer?: string;
  readonly perDay?: string;
}

async function limit(
  cli: Cli,
  email: string,
  { token, env, perTransfer, perDay }: LimitOptions,
  command: Command,
): Promise<void> {
  const units = (text: string | undefined) =>
    text === undefined ? null : parseLedgerUnits(command, text, token);
  const limits = { token, perTransfer: units(perTransfer), perDay: units(perDay) };
  await cli.withDatabase(async ({ database }) => {
    const { id: merchantId } = await getMerchant(database.db, email);
    await cli.perform(database, setWithdrawalLimits, { merchantId, env }, limits);
    cli.print({ merchant: email, env, token, per_transfer: perTransfer ?? null, per_day: perDay ?? null });
  });
}

async function switchBook(cli: Cli, email: string, state: "on" | "off"): Promise<void> {
  const isOn = state === "on";
  await cli.withDatabase(async ({ database }) => {
    const { id: merchantId } = await getMerchant(database.db, email);
    await cli.perform(database, setAddressBook, { merchantId, ...LIVE }, { isOn });
    cli.print({ merchant: email, address_book: isOn });
  });
}
