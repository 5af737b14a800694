import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { Env, NetworkData } from "#lib/chains/network-data.ts";
import { NETWORK_CODES, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import { listExportedAddresses } from "#lib/domain/wallets/queries.ts";
import { skipAddresses } from "#lib/domain/wallets/skip-addresses.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { envOption, parseWholeNumber } from "./options.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

export function addAddressCommands(addresses: Command, withCli: WithCli): void {
  addresses
    .command("export")
    .description("every address with its path and the amounts credited to it (not what was moved away since)")
    .addOption(envOption())
    .addOption(new Option("--network <network>", "only this network").choices(Object.keys(NETWORKS)))
    .action(withCli(exportAll));
  addresses
    .command("import")
    .description(
      "add addresses that were created offline to a network's pool; a file with an error adds nothing",
    )
    .addOption(envOption())
    .addOption(
      new Option("--network <network>", "network of the pool").choices(pooled()).makeOptionMandatory(),
    )
    .requiredOption("--file <file>", "one address per line, optionally followed by its path")
    .action(withCli(importAll));
  addresses
    .command("skip")
    .description(
      "after restoring a backup: watch addresses that may have been allocated since, and do not allocate them again",
    )
    .addOption(envOption())
    .addOption(
      new Option("--network <network>", "network of the pool").choices(NETWORK_CODES).makeOptionMandatory(),
    )
    .requiredOption("--to <index>", "last index to skip; if in doubt, skip more", parseWholeNumber)
    .action(withCli(skip));
}

async function exportAll(cli: Cli, { env, network }: { env: Env; network?: NetworkCode }): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const registry = openNetworks(config.networks);
    const rows = await listExportedAddresses(database.db, env, network ?? null);
    cli.print(
      rows.map((row) => ({
        env: row.env,
        network: row.network,
        address: registry.find(env, row.network)?.addresses.display(row.address) ?? row.address,
        path: row.path,
        // The account itself has no index.
        index: row.index < 0 ? null : row.index,
        balances: Object.fromEntries(
          row.received.map(({ token, amount }) => [
            token,
            formatAmount(amount, TOKENS[token].ledgerDecimals),
          ]),
        ),
      })),
    );
  });
}

function pooled(): string[] {
  const all: readonly NetworkData[] = Object.values(NETWORKS);
  return all.filter(({ addressSource }) => addressSource === "pool").map(({ code }) => code);
}

async function importAll(cli: Cli, given: { env: Env; network: NetworkCode; file: string }): Promise<void> {
  const { env, network, file } = given;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new CommandRefusal("--file cannot be read: check the path");
  }
  await cli.withDatabase(async ({ database }) => {
    const done = await cli.performHere(database, importAddresses, { env, network, text });
    const { imported, known, repeated, size, left } = done;
    cli.print({ env, network, imported, known, repeated, size, left });
  });
}

async function skip(
  cli: Cli,
  { env, network, to }: { env: Env; network: NetworkCode; to: number },
): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const adapter = openNetworks(config.networks).find(env, network);
    if (adapter === null) throw new CommandRefusal(REFUSAL_TEXTS.network_off);
    const { skipped } = await cli.performHere(database, skipAddresses, { adapter, to });
    cli.print({ env, network, skipped, next_index: to + 1 });
  });
}
