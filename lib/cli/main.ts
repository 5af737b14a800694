import { Command, CommanderError } from "commander";
import "#lib/platform/quick-start.ts";
import { loadEnvFile } from "#lib/server/load-env-file.ts";

interface Group {
  readonly about: string;
  /** Returns the function that adds the options and subcommands. */
  readonly load: () => Promise<(command: Command) => void>;
}

/** Commands by their first word. Only the called one is loaded, because most of a command's time is loading. */
const GROUPS: Readonly<Record<string, Group>> = {
  merchant: {
    about: "merchants, who receive payments",
    load: async () => (await import("./merchant-commands.ts")).addMerchantCommands,
  },
  key: { about: "API keys", load: async () => (await import("./key-commands.ts")).addKeyCommands },
  ip: {
    about: "addresses from which live keys may be used; without entries, any address",
    load: async () => (await import("./ip-commands.ts")).addIpCommands,
  },
  link: {
    about: "payment links of merchants",
    load: async () => (await import("./link-commands.ts")).addLinkCommands,
  },
  form: {
    about: "pages that sell without a server of the merchant",
    load: async () => (await import("./form-commands.ts")).addFormCommands,
  },
  pos: {
    about: "devices that sell for a form",
    load: async () => (await import("./pos-commands.ts")).addPosCommands,
  },
  rates: {
    about: "sources of prices, and what they agree on",
    load: async () => (await import("./rate-commands.ts")).addRateCommands,
  },
  receipt: {
    about: "signed receipts of paid links",
    load: async () => (await import("./receipt-commands.ts")).addReceiptCommands,
  },
  deposits: {
    about: "incoming payments",
    load: async () => (await import("./deposit-commands.ts")).addDepositCommands,
  },
  withdrawal: {
    about: "outgoing payments",
    load: async () => (await import("./withdrawal-commands.ts")).addWithdrawalCommands,
  },
  refund: {
    about: "refunds whose address the customer enters",
    load: async () => (await import("./refund-commands.ts")).addRefundCommands,
  },
  signer: {
    about: "the process that pays withdrawals by itself, on a host of its own",
    load: async () => (await import("./signer-commands.ts")).addSignerCommands,
  },
  ledger: { about: "the books", load: async () => (await import("./ledger-commands.ts")).addLedgerCommands },
  webhook: {
    about: "events that merchants receive",
    load: async () => (await import("./webhook-commands.ts")).addWebhookCommands,
  },
  mail: {
    about: "mails to payers and merchants, if SMTP_URL is set",
    load: async () => (await import("./mail-commands.ts")).addMailCommands,
  },
  networks: {
    about:
      "each network: its nodes and their heights, how far the watcher is behind, the highest address index",
    load: async () => (await import("./network-commands.ts")).addNetworksCommand,
  },
  node: {
    about: "nodes of networks: try one out, accept a server's changed certificate",
    load: async () => (await import("./node-commands.ts")).addNodeCommands,
  },
  network: {
    about: "settings of networks",
    load: async () => (await import("./setting-commands.ts")).addNetworkSettingCommands,
  },
  token: {
    about: "settings of tokens",
    load: async () => (await import("./setting-commands.ts")).addTokenSettingCommands,
  },
  wallet: {
    about: "keys that addresses are derived from",
    load: async () => (await import("./wallet-commands.ts")).addWalletCommands,
  },
  addresses: {
    about: "allocated addresses",
    load: async () => (await import("./address-commands.ts")).addAddressCommands,
  },
  console: {
    about: "the console in the browser, and the operators who may see all of it",
    load: async () => (await import("./console-commands.ts")).addConsoleCommands,
  },
  attention: {
    about: "what fails and was set aside, so that everything else continues",
    load: async () => (await import("./attention-commands.ts")).addAttentionCommands,
  },
  audit: {
    about: "decisions of people, and who decided",
    load: async () => (await import("./audit-commands.ts")).addAuditCommands,
  },
  secrets: {
    about: "secrets in the database that SECRET_KEY encrypts",
    load: async () => (await import("./database-commands.ts")).addSecretCommands,
  },
  migrate: {
    about: "migrate the database, with the role of MIGRATE_DATABASE_URL if it is set",
    load: async () => (await import("./database-commands.ts")).addMigrateCommand,
  },
  numbers: {
    about: "sequence numbers of events, deposits and other rows",
    load: async () => (await import("./database-commands.ts")).addNumberCommands,
  },
};

/**
 * `npm run -s paylink -- …`: the operator's command. Its answer on standard output, messages on standard
 * error; exit 0, 1 refused, 2 wrong usage.
 */
async function main(words: readonly string[]): Promise<number> {
  // Without it the command would use another database.
  if (!loadEnvFile(".env")) {
    process.stderr.write("this user may not read .env: run the command as its owner\n");
    return 1;
  }
  const program = new Command("paylink")
    .description("Runs on DATABASE_URL, else on the embedded PostgreSQL of DATA_DIR, running or not.")
    // Every command inherits this: wrong usage throws instead of ending the process.
    .exitOverride()
    .showHelpAfterError("(--help says more)");
  const called = words[0] === "help" ? words[1] : words[0];
  try {
    for (const [name, { about, load }] of Object.entries(GROUPS)) {
      const group = program.command(name).description(about);
      if (name === called) (await load())(group);
    }
    await program.parseAsync();
    return 0;
  } catch (error) {
    // Commander has already printed its message. A request for help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { printError } = await import("./run-command.ts");
    printError(error);
    return 1;
  }
}

const status = await main(process.argv.slice(2));
// Open connections to nodes would keep the process alive for seconds. The output is flushed first.
process.stdout.write("", () => process.exit(status));
