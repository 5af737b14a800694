import { existsSync, mkdirSync } from "node:fs";
import type { Command } from "commander";
import { type Logger, pino } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { createMnemonic } from "#lib/domain/wallets/create-wallet.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { isRestoreUnfinished, UNFINISHED_RESTORE } from "#lib/platform/db/unfinished-restore.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { readCommandConfig } from "#lib/server/config.ts";
import { stopOnSignal } from "#lib/server/stop-on-signal.ts";
import { logUnknown } from "#lib/server/variables/find-unknown.ts";
import { findPayable } from "#lib/signer/families.ts";
import { signerFiles, writeNewFile } from "#lib/signer/host-files.ts";
import { openJournal, readJournal } from "#lib/signer/journal.ts";
import { isMnemonic, sealMnemonic } from "#lib/signer/key-file.ts";
import { openSignedDay, policyName } from "#lib/signer/policy-rules.ts";
import type { PolicyNetwork } from "#lib/signer/run-signer.ts";
import type { Policy } from "#lib/signer/types.ts";
import { addApproverCommands } from "./approver-commands.ts";
import { askSecret } from "./ask-secret.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { deploySweeperCommand } from "./deploy-sweeper-command.ts";
import { parseWholeNumber } from "./options.ts";
import { showPolicy } from "./show-policy.ts";
import {
  openWords,
  PHRASE,
  PHRASE_TEXT,
  type Place,
  readPassphrase,
  readPolicy,
  requireDatabaseUrl,
} from "./signer-place.ts";

export function addSignerCommands(signer: Command, withCli: WithCli): void {
  const command = (name: string, about: string) =>
    signer
      .command(name)
      .description(about)
      .requiredOption("--dir <folder>", "the signer's folder on its own host");
  command("init", "make 24 words, encrypt them into key.json, and write an empty policy")
    .option(PHRASE, PHRASE_TEXT)
    .action(withCli(init));
  command("import", "encrypt the words of a wallet, which you type, into key.json")
    .option(PHRASE, PHRASE_TEXT)
    .action(withCli(importWords));
  command("run", "pay what the policy allows, until it is stopped; SIGHUP reads the policy again")
    .option(PHRASE, PHRASE_TEXT)
    .option("--metrics-port <port>", "serve /metrics on 127.0.0.1", parseWholeNumber)
    .action(withCli(run));
  command(
    "status",
    "hot accounts, and what the journal says was paid within 24 hours of what the policy allows",
  )
    .option(PHRASE, PHRASE_TEXT)
    .action(withCli(status));
  command(
    "deploy-sweeper",
    "deploy the contract that sweeps deposits to the hot account; only once, while no signer runs",
  )
    .requiredOption("--network <name>", "as in the policy: live.bep20")
    .option(PHRASE, PHRASE_TEXT)
    .action(withCli(deploySweeperCommand));
  signer
    .command("policy")
    .description("the policy file")
    .command("check")
    .description("read the policy as the signer does, and print what it allows")
    .requiredOption("--dir <folder>", "the signer's folder")
    .action(withCli(checkPolicy));
  addApproverCommands(signer, withCli);
}

const WRITE_DOWN = "Write these 24 words down on paper and keep them offline. They are shown this once.";
const EMPTY_POLICY = `${JSON.stringify({ version: 1, networks: {} }, null, 2)}\n`;

async function init(cli: Cli, place: Place): Promise<void> {
  const mnemonic = createMnemonic();
  await writeKey(cli, place, mnemonic);
  cli.printMessage(WRITE_DOWN);
  cli.printMessage(mnemonic);
}

async function importWords(cli: Cli, place: Place): Promise<void> {
  const words = (await askSecret(cli, "The words: ")).trim().toLowerCase().split(/\s+/).join(" ");
  if (!isMnemonic(words))
    throw new CommandRefusal("these are not the words of a wallet: compare each of them");
  await writeKey(cli, place, words);
}

/** Writes key.json and, if there is none, a policy that pays nothing. */
async function writeKey(cli: Cli, { dir, passphraseFile }: Place, mnemonic: string): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const files = signerFiles(dir);
  if (existsSync(files.key)) throw new CommandRefusal(`${files.key} exists already: it is not overwritten`);
  const passphrase = await readPassphrase(cli, passphraseFile);
  if (passphrase.length < 12) throw new CommandRefusal("the passphrase needs at least 12 characters");
  writeNewFile(files.key, sealMnemonic(mnemonic, passphrase));
  if (!existsSync(files.policy)) writeNewFile(files.policy, EMPTY_POLICY);
  cli.print({ key: files.key, policy: files.policy });
}

const openConfigured = (cli: Cli): NetworkRegistry => openNetworks(readCommandConfig(cli.env).networks);

async function run(cli: Cli, place: Place & { readonly metricsPort?: number }): Promise<void> {
  if (cli.env.SECRET_KEY)
    throw new CommandRefusal(
      "SECRET_KEY is set: run the signer without the server's secrets, as a user of its own",
    );
  const { process } = cli;
  if (process === undefined) throw new Error("the signer needs a process of its own");
  const { databaseUrl, networks: configured, logLevel } = readCommandConfig(cli.env);
  const url = requireDatabaseUrl(databaseUrl);
  const networks = openNetworks(configured);
  let policy = readPolicy(place.dir, networks);
  const mnemonic = await openWords(cli, place);
  const [{ openLog }, { isPaying, openSigner, openUnpaid }, { serveSigner }] = await Promise.all([
    import("#lib/platform/log/open-log.ts"),
    import("#lib/signer/run-signer.ts"),
    import("#lib/signer/serve.ts"),
  ]);
  const log = openLog(logLevel);
  logUnknown(log, cli.env, cli.envFile ?? []);
  const ending = stopOnSignal();
  const database = openDatabase(url, { max: 4, applicationName: "paylink signer" });
  let opened: readonly PolicyNetwork[] | null = null;
  process.on("SIGHUP", () => {
    try {
      policy = readPolicy(place.dir, networks);
      log.info("the policy was read again");
      if (opened !== null) logUnopened(log, policy, opened);
    } catch (error) {
      log.error({ err: error }, "the policy is wrong: the one before still holds");
    }
  });
  await new Promise<void>((_resolve, reject) => {
    const options = { metricsPort: place.metricsPort ?? null, onBroken: reject };
    const open = () => {
      const journal = openJournal(signerFiles(place.dir).journal);
      const deps = { db: database.db, networks, mnemonic, journal, policy: () => policy, log };
      opened = [...openSigner(deps), ...openUnpaid(deps)];
      return opened;
    };
    serveSigner({ open, database, log }, options).then(({ signer, stop }) => {
      const stopAll = async () => {
        await stop();
        await database.close();
      };
      ending.arm({ noticeMs: 0, stop: stopAll }, log);
      const paying = signer.filter(isPaying).map(({ name, account }) => ({ name, account }));
      log.info({ networks: paying }, paying.length > 0 ? "the signer pays" : "the signer pays on no network");
      process.send?.("ready");
    }, reject);
  });
}

/** Networks are opened once, when the signer starts. Logs those that were added to the policy since then. */
function logUnopened(log: Logger, policy: Policy, opened: readonly PolicyNetwork[]): void {
  const names = new Set(opened.map(({ name }) => name));
  for (const network of policy.networks.keys())
    if (!names.has(network))
      log.error({ network }, "the policy has a new network: restart the signer to pay on it");
}

function checkPolicy(cli: Cli, { dir }: Place): void {
  const networks = openConfigured(cli);
  const policy = readPolicy(dir, networks);
  cli.print(showPolicy(policy));
  const names = new Set(networks.all().map(policyName));
  for (const name of policy.networks.keys())
    if (!names.has(name))
      cli.printMessage(
        `${name} is not configured here: the signer will not pay on it. Set its variables, or remove it.`,
      );
}

const CANNOT_PAY = (name: string) =>
  `The signer cannot pay on ${name}: its nodes are Electrum servers. Set the URL of a node with Core's JSON-RPC on this host.`;

async function status(cli: Cli, place: Place): Promise<void> {
  const { databaseUrl, networks: configured } = readCommandConfig(cli.env);
  const networks = openNetworks(configured);
  const policy = readPolicy(place.dir, networks);
  const mnemonic = await openWords(cli, place);
  const journal = readJournal(signerFiles(place.dir).journal);
  const now = cli.now();
  const database = openDatabase(requireDatabaseUrl(databaseUrl), { max: 1 });
  const isUnfinished = await isRestoreUnfinished(database.db).finally(() => database.close());
  if (isUnfinished) throw new CommandRefusal(UNFINISHED_RESTORE);
  // An account follows from the words: nothing is asked of the database.
  const shown = networks.all().flatMap((adapter) => {
    const name = policyName(adapter);
    const limits = policy.networks.get(name);
    if (limits === undefined) return [];
    const payable = findPayable(adapter);
    if (payable === null) cli.printMessage(CANNOT_PAY(name));
    const opened = payable?.open({
      adapter: payable.adapter,
      mnemonic,
      policy: () => limits,
      db: database.db,
      log: pino({ enabled: false }),
      now: () => now,
    });
    const account = opened === undefined ? null : adapter.addresses.display(opened.account);
    const day = openSignedDay(journal.listLive(name), now);
    const tokens = [...limits.tokens].map(([token, { perDay }]) => {
      const format = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
      const paid = day.sum({ env: adapter.env, network: adapter.network, token });
      return { token, paid_in_24_hours: format(paid), per_day: format(perDay) };
    });
    return [{ network: name, hot_account: account, tokens }];
  });
  cli.print(shown);
  if (shown.length === 0)
    cli.printMessage("The policy names no network that is configured here: the signer pays nothing.");
}
