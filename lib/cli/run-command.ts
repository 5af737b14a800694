import { Command, CommanderError } from "commander";
import type { Call, WithCli } from "./cli.ts";

interface Group {
  readonly about: string;
  /** Returns the function that adds the options and subcommands. */
  readonly load: () => Promise<(command: Command, withCli: WithCli) => void>;
}

/** As Commander has it. */
const NO_TERMINAL_WIDTH = 80;

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
 * Runs the operator's command. Its answer is on standard output, messages are on standard error. Returns the exit status:
 * 0, 1 refused, 2 wrong usage, 130 interrupted.
 */
export async function runCommand(call: Call): Promise<number> {
  const { args, stdout, stderr } = call;
  const program = new Command("paylink")
    .description("Runs on DATABASE_URL, else on the embedded PostgreSQL of DATA_DIR, running or not.")
    // Every command inherits the rest. Wrong usage throws instead of ending the process.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError("(--help says more)");
  const called = args[0] === "help" ? args[1] : args[0];
  try {
    for (const [name, { about, load }] of Object.entries(GROUPS)) {
      const group = program.command(name).description(about);
      if (name !== called) continue;
      const [addCommands, { openCli }] = await Promise.all([load(), import("./cli.ts")]);
      const cli = openCli(call);
      addCommands(
        group,
        (work) =>
          (...given) =>
            work(cli, ...given),
      );
    }
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already printed its message. A request for help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { Interruption, describeError } = await import("./cli.ts");
    if (error instanceof Interruption) return 130;
    stderr.write(`${describeError(error)}\n`);
    return 1;
  }
}

function widthOf({ isTTY, columns }: Call["stdout"]): number {
  return isTTY ? (columns ?? NO_TERMINAL_WIDTH) : NO_TERMINAL_WIDTH;
}
