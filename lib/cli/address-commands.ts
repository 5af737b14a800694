import { type Command, Option } from "commander";
import { pino } from "pino";
import { formatAmount } from "#lib/money/amount.ts";
import { TOKENS } from "#lib/money/tokens.ts";
import type { Env } from "#lib/networks/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/networks/networks.ts";
import { openNetworks } from "#lib/networks/registry.ts";
import { exportAddresses } from "#lib/wallets/list-addresses.ts";
import { envOption } from "./options.ts";
import { print, withDatabase } from "./run-command.ts";

export function addAddressCommands(program: Command): void {
  const addresses = program.command("addresses").description("addresses given out");
  addresses
    .command("export")
    .description("every address with its path, and what was credited to it (not what was moved away since)")
    .addOption(envOption())
    .addOption(new Option("--network <network>", "only this one").choices(Object.keys(NETWORKS)))
    .action(exportAll);
}

async function exportAll({ env, network }: { env: Env; network?: NetworkCode }): Promise<void> {
  await withDatabase(async ({ config, database }) => {
    const registry = openNetworks(config.networks, pino({ level: "silent" }));
    const rows = await exportAddresses(database.db, env, network ?? null);
    print(
      rows.map((row) => ({
        env: row.env,
        network: row.network,
        address: registry.get(env, row.network)?.displayAddress(row.address) ?? row.address,
        path: row.path,
        // The account itself has none.
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
