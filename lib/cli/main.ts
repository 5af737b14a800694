import { existsSync } from "node:fs";
import { Command } from "commander";
import { addAddressCommands } from "./address-commands.ts";
import { addDatabaseCommands, addSecretCommands } from "./database-commands.ts";
import { addDepositCommands } from "./deposit-commands.ts";
import { addIpCommands } from "./ip-commands.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addLedgerCommands } from "./ledger-commands.ts";
import { addMerchantCommands } from "./merchant-commands.ts";
import { addNetworkCommands } from "./network-commands.ts";
import { exitStatus } from "./run-command.ts";
import { addSettingCommands } from "./setting-commands.ts";
import { addWalletCommands } from "./wallet-commands.ts";
import { addWebhookCommands } from "./webhook-commands.ts";
import { addWithdrawalCommands } from "./withdrawal-commands.ts";

/**
 * `npm run -s paylink -- …`: the operator's command. JSON on standard output; exit 0, 1 refused, 2 wrong
 * usage.
 */
async function main(): Promise<number> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const program = new Command("paylink")
    .description("Runs on DATABASE_URL, else on the embedded PostgreSQL of DATA_DIR, running or not.")
    // Every command inherits this: wrong usage throws instead of ending the process.
    .exitOverride()
    .showHelpAfterError("(--help says more)");
  addMerchantCommands(program);
  addKeyCommands(program);
  addIpCommands(program);
  addNetworkCommands(program);
  addSettingCommands(program);
  addWalletCommands(program);
  addAddressCommands(program);
  addDepositCommands(program);
  addWithdrawalCommands(program);
  addLedgerCommands(program);
  addWebhookCommands(program);
  addSecretCommands(program);
  addDatabaseCommands(program);
  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    return exitStatus(error);
  }
}

const status = await main();
// Open connections to nodes would keep the process alive for seconds. The output is flushed first.
process.stdout.write("", () => process.exit(status));
