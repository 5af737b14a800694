import { Command, CommanderError } from "commander";
import type { Call, WithCli } from "./cli.ts";
import { readVersion } from "./read-version.ts";

interface Group {
  /** One line of the list of commands: at most 64 characters. */
  readonly about: string;
  /** Returns the function that adds the options and subcommands. */
  readonly load: () => Promise<(command: Command, withCli: WithCli) => void>;
}

type Groups = Readonly<Record<string, Group>>;

/** As Commander has it. */
const NO_TERMINAL_WIDTH = 80;

/**
 * Commands by their first word, in sections of the list. Only the called one is loaded, because most of a command's time is
 * loading.
 */
const SECTIONS: Readonly<Record<string, Groups>> = {
  "Install and watch": {
    setup: {
      about: "ask what an installation needs, write .env, make a merchant",
      load: async () => (await import("./setup/setup-command.ts")).addSetupCommand,
    },
    doctor: {
      about: "check the installation: what is wrong, and what to do about it",
      load: async () => (await import("./doctor/doctor-command.ts")).addDoctorCommand,
    },
    status: {
      about: "what runs, and what waits: networks, payments, webhooks",
      load: async () => (await import("./status-command.ts")).addStatusCommand,
    },
    attention: {
      about: "what fails and was set aside, so that all else continues",
      load: async () => (await import("./attention-commands.ts")).addAttentionCommands,
    },
    migrate: {
      about: "migrate the database and grant rights to roles",
      load: async () => (await import("./database-commands.ts")).addMigrateCommand,
    },
    update: {
      about: "what an update would do to the database, and asks of you",
      load: async () => (await import("./update/update-command.ts")).addUpdateCommand,
    },
    backup: {
      about: "back up the database and the signer's journal",
      load: async () => (await import("./backup/backup-command.ts")).addBackupCommand,
    },
    restore: {
      about: "restore a backup into an empty database, and check it",
      load: async () => (await import("./backup/restore-command.ts")).addRestoreCommand,
    },
  },
  Merchants: {
    merchant: {
      about: "merchants, who receive payments",
      load: async () => (await import("./merchant-commands.ts")).addMerchantCommands,
    },
    key: { about: "API keys", load: async () => (await import("./key-commands.ts")).addKeyCommands },
    ip: {
      about: "addresses from which live keys may be used",
      load: async () => (await import("./ip-commands.ts")).addIpCommands,
    },
    form: {
      about: "pages that sell without a server of the merchant",
      load: async () => (await import("./form-commands.ts")).addFormCommands,
    },
    pos: {
      about: "devices that sell for a form",
      load: async () => (await import("./pos-commands.ts")).addPosCommands,
    },
    webhook: {
      about: "events that merchants receive",
      load: async () => (await import("./webhook-commands.ts")).addWebhookCommands,
    },
    mail: {
      about: "mails to payers and merchants, if SMTP_URL is set",
      load: async () => (await import("./mail-commands.ts")).addMailCommands,
    },
    console: {
      about: "the console in the browser, and its operators",
      load: async () => (await import("./console-commands.ts")).addConsoleCommands,
    },
  },
  "Money in": {
    link: {
      about: "payment links of merchants",
      load: async () => (await import("./link-commands.ts")).addLinkCommands,
    },
    deposits: {
      about: "incoming payments",
      load: async () => (await import("./deposit-commands.ts")).addDepositCommands,
    },
    receipt: {
      about: "signed receipts of paid links",
      load: async () => (await import("./receipt-commands.ts")).addReceiptCommands,
    },
    rates: {
      about: "sources of prices, and what they agree on",
      load: async () => (await import("./rate-commands.ts")).addRateCommands,
    },
  },
  "Money out": {
    withdrawal: {
      about: "outgoing payments",
      load: async () => (await import("./withdrawal-commands.ts")).addWithdrawalCommands,
    },
    refund: {
      about: "refunds whose address the customer enters",
      load: async () => (await import("./refund-commands.ts")).addRefundCommands,
    },
    signer: {
      about: "the process that pays withdrawals by itself, on its own host",
      load: async () => (await import("./signer-commands.ts")).addSignerCommands,
    },
    ledger: {
      about: "the books",
      load: async () => (await import("./ledger-commands.ts")).addLedgerCommands,
    },
  },
  "Develop a shop": {
    listen: {
      about: "forward the test environment's events to your machine",
      load: async () => (await import("./develop/listen-command.ts")).addListenCommand,
    },
    trigger: {
      about: "make an event happen in the test environment",
      load: async () => (await import("./develop/trigger-command.ts")).addTriggerCommand,
    },
    rehearse: {
      about: "try out what your receiver of webhooks does wrong",
      load: async () => (await import("./develop/rehearse-command.ts")).addRehearseCommand,
    },
    mcp: {
      about: "let a program that writes code read your account (MCP)",
      load: async () => (await import("./develop/mcp/mcp-command.ts")).addMcpCommand,
    },
  },
  "Networks and wallets": {
    networks: {
      about: "each network: heights, lag, nodes, addresses; its settings",
      load: async () => (await import("./network-commands.ts")).addNetworksCommand,
    },
    node: {
      about: "nodes: try one out, accept a server's changed certificate",
      load: async () => (await import("./node-commands.ts")).addNodeCommands,
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
  },
  Records: {
    audit: {
      about: "decisions of people, and who decided",
      load: async () => (await import("./audit-commands.ts")).addAuditCommands,
    },
    secrets: {
      about: "secrets in the database that SECRET_KEY encrypts",
      load: async () => (await import("./database-commands.ts")).addSecretCommands,
    },
    numbers: {
      about: "sequence numbers of events, deposits and other rows",
      load: async () => (await import("./database-commands.ts")).addNumberCommands,
    },
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
    .version(readVersion(), "-V, --version", "print the version")
    .addHelpCommand(
      new Command("help").argument("[command]").description("help of a command").helpGroup("Records:"),
    )
    // Else a group with an option of its own takes it from its subcommands: both may have --env.
    .enablePositionalOptions()
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
    const groups = Object.entries(SECTIONS).flatMap(([section, groups]) =>
      Object.entries(groups).map(([name, group]) => ({ section, name, ...group })),
    );
    for (const { section, name, about, load } of groups) {
      const group = program.command(name).description(about).helpGroup(`${section}:`);
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
