import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { OperatorMovement } from "#lib/domain/ledger/movement-rules.ts";
import { recordMovement } from "#lib/domain/ledger/record-movement.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { Cli, WithCli } from "./cli.ts";
import { envOption, parseLedgerUnits } from "./options.ts";

interface Given {
  readonly env: Env;
  readonly token: TokenCode;
  readonly amount: string;
  readonly reference: string;
}

/** Commands that record coins which the operator moved. They send nothing. */
export function addMovementCommands(ledger: Command, withCli: WithCli): void {
  movementCommand(ledger, "move", "record coins that you sent from one of your networks to another")
    .addOption(networkOption("--from <network>", "network that the coins left"))
    .addOption(networkOption("--to <network>", "network that the coins reached"))
    .action(
      withCli((cli, given: Given & { from: NetworkCode; to: NetworkCode }, command: Command) =>
        record(cli, command, given, { kind: "between_networks", network: given.from, to: given.to }),
      ),
    );
  movementCommand(ledger, "add-funds", "record your own coins in custody; the trading desk owes less")
    .addOption(networkOption("--network <network>", "network of the coins"))
    .action(
      withCli((cli, given: Given & { network: NetworkCode }, command: Command) =>
        record(cli, command, given, { kind: "brought_in", network: given.network }),
      ),
    );
  movementCommand(ledger, "take-profit", "record earnings of fees or buys that you took out of custody")
    .addOption(networkOption("--network <network>", "network that the coins left"))
    .addOption(
      new Option("--account <account>", "account that earned them")
        .choices(["fees", "desk"] as const)
        .makeOptionMandatory(),
    )
    .action(
      withCli((cli, given: Given & { network: NetworkCode; account: "fees" | "desk" }, command: Command) =>
        record(cli, command, given, { kind: "taken_out", network: given.network, account: given.account }),
      ),
    );
}

function movementCommand(ledger: Command, name: string, about: string): Command {
  return ledger
    .command(name)
    .description(about)
    .addOption(
      new Option("--token <token>", "token symbol").choices(Object.keys(TOKENS)).makeOptionMandatory(),
    )
    .requiredOption("--amount <amount>", "in whole tokens, as received")
    .requiredOption("--reference <text>", "your reference, used once, for example a transaction hash")
    .addOption(envOption());
}

function networkOption(flags: string, about: string): Option {
  return new Option(flags, about).choices(Object.keys(NETWORKS)).makeOptionMandatory();
}

async function record(cli: Cli, command: Command, given: Given, movement: OperatorMovement): Promise<void> {
  const { env, token, reference } = given;
  const units = parseLedgerUnits(command, given.amount, token);
  const amount = formatAmount(units, TOKENS[token].ledgerDecimals);
  await cli.withDatabase(async ({ database }) => {
    const given = { env, token, amount: units, reference, movement };
    const { transferId } = await cli.performHere(database, recordMovement, given);
    cli.print({ transfer: transferId, env, token, amount, reference, ...movement });
  });
}
