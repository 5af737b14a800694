import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { pino } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { passkeyFingerprint } from "#lib/domain/members/passkey-fingerprint.ts";
import { createMnemonic } from "#lib/domain/wallets/create-wallet.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { readCommandConfig } from "#lib/server/config.ts";
import { stopOnSignal } from "#lib/server/stop-on-signal.ts";
import { CHAIN_SIGNERS } from "#lib/signer/families.ts";
import { readPrivateFile, signerFiles, writeNewFile } from "#lib/signer/host-files.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { isMnemonic, openMnemonic, sealMnemonic } from "#lib/signer/key-file.ts";
import { getFeeField, parsePolicy } from "#lib/signer/policy.ts";
import { listRecent, policyName, sumRecent } from "#lib/signer/policy-rules.ts";
import type { ApproverKey, Policy } from "#lib/signer/types.ts";
import { addApproverCommands } from "./approver-commands.ts";
import { askSecret } from "./ask-secret.ts";
import { parseWholeNumber } from "./options.ts";
import { CommandRefusal, print, printMessage } from "./run-command.ts";

interface Place {
  readonly dir: string;
  readonly passphraseFile?: string;
}

const PHRASE = "--passphrase-file <file>";
const PHRASE_TEXT = "a file with the passphrase; without it a systemd credential, else the terminal";

export function addSignerCommands(signer: Command): void {
  const command = (name: string, about: string) =>
    signer
      .command(name)
      .description(about)
      .requiredOption("--dir <folder>", "the signer's folder on its own host");
  command("init", "make 24 words, encrypt them into key.json, and write an empty policy")
    .option(PHRASE, PHRASE_TEXT)
    .action(init);
  command("import", "encrypt the words of a wallet, which you type, into key.json")
    .option(PHRASE, PHRASE_TEXT)
    .action(importWords);
  command("run", "pay what the policy allows, until it is stopped; SIGHUP reads the policy again")
    .option(PHRASE, PHRASE_TEXT)
    .option("--metrics-port <port>", "serve /metrics on 127.0.0.1", parseWholeNumber)
    .action(run);
  command(
    "status",
    "hot accounts, and what the journal says was paid within 24 hours of what the policy allows",
  )
    .option(PHRASE, PHRASE_TEXT)
    .action(status);
  signer
    .command("policy")
    .description("the policy file")
    .command("check")
    .description("read the policy as the signer does, and print what it allows")
    .requiredOption("--dir <folder>", "the signer's folder")
    .action(({ dir }: Place) => print(showPolicy(readPolicy(dir, openConfigured()))));
  addApproverCommands(signer);
}

const WRITE_DOWN = "Write these 24 words down on paper and keep them offline. They are shown this once.";
const EMPTY_POLICY = `${JSON.stringify({ version: 1, networks: {} }, null, 2)}\n`;

async function init(place: Place): Promise<void> {
  const mnemonic = createMnemonic();
  await writeKey(place, mnemonic);
  printMessage(WRITE_DOWN);
  printMessage(mnemonic);
}

async function importWords(place: Place): Promise<void> {
  const words = (await askSecret("The words: ")).trim().toLowerCase().split(/\s+/).join(" ");
  if (!isMnemonic(words))
    throw new CommandRefusal("these are not the words of a wallet: compare each of them");
  await writeKey(place, words);
}

/** Writes key.json and, if there is none, a policy that pays nothing. */
async function writeKey({ dir, passphraseFile }: Place, mnemonic: string): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const files = signerFiles(dir);
  if (existsSync(files.key)) throw new CommandRefusal(`${files.key} exists already: it is not overwritten`);
  const passphrase = await readPassphrase(passphraseFile);
  if (passphrase.length < 12) throw new CommandRefusal("the passphrase needs at least 12 characters");
  writeNewFile(files.key, sealMnemonic(mnemonic, passphrase));
  if (!existsSync(files.policy)) writeNewFile(files.policy, EMPTY_POLICY);
  print({ key: files.key, policy: files.policy });
}

/** Never from the environment, which other programs of the user can read. */
async function readPassphrase(file: string | undefined): Promise<string> {
  const { CREDENTIALS_DIRECTORY: credentials } = process.env;
  let text: string;
  if (file !== undefined) text = readPrivateFile(file);
  // systemd keeps these from others by an access control list, which looks like rights of the group.
  else if (credentials !== undefined) text = readFileSync(join(credentials, "passphrase"), "utf8");
  else text = await askSecret("Passphrase: ");
  return text.replace(/\r?\n$/, "");
}

const openConfigured = (): NetworkRegistry => openNetworks(readCommandConfig(process.env).networks);

function readPolicy(dir: string, networks: NetworkRegistry): Policy {
  const text = readPrivateFile(signerFiles(dir).policy);
  return parsePolicy(
    text,
    (env, network, address) => networks.find(env, network)?.canonicalizeAddress(address) ?? null,
  );
}

async function openWords({ dir, passphraseFile }: Place): Promise<string> {
  const opened = openMnemonic(readPrivateFile(signerFiles(dir).key), await readPassphrase(passphraseFile));
  if (opened.ok) return opened.mnemonic;
  throw new CommandRefusal(
    opened.reason === "passphrase_wrong"
      ? "the passphrase is wrong"
      : "key.json is no key file, or it is damaged",
  );
}

async function run(place: Place & { readonly metricsPort?: number }): Promise<void> {
  if (process.env.SECRET_KEY)
    throw new CommandRefusal(
      "SECRET_KEY is set: run the signer without the server's secrets, as a user of its own",
    );
  const { databaseUrl, networks: configured, logLevel } = readCommandConfig(process.env);
  const url = requireDatabaseUrl(databaseUrl);
  const networks = openNetworks(configured);
  let policy = readPolicy(place.dir, networks);
  const mnemonic = await openWords(place);
  const journal = openJournal(signerFiles(place.dir).journal);
  const [{ openLog }, { openSigner }, { serveSigner }] = await Promise.all([
    import("#lib/platform/log/open-log.ts"),
    import("#lib/signer/run-signer.ts"),
    import("#lib/signer/serve.ts"),
  ]);
  const log = openLog(logLevel);
  const ending = stopOnSignal();
  const database = openDatabase(url, { max: 4, applicationName: "paylink signer" });
  const signer = openSigner({ db: database.db, networks, mnemonic, journal, policy: () => policy, log });
  process.on("SIGHUP", () => {
    try {
      policy = readPolicy(place.dir, networks);
      log.info("the policy was read again");
    } catch (error) {
      log.error({ err: error }, "the policy is wrong: the one before still holds");
    }
  });
  await new Promise<void>((_resolve, reject) => {
    const options = { metricsPort: place.metricsPort ?? null, onBroken: reject };
    serveSigner({ signer, database, log }, options).then(({ stop }) => {
      const stopAll = async () => {
        await stop();
        await database.close();
        journal.close();
      };
      ending.arm({ noticeMs: 0, stop: stopAll }, log);
      log.info({ networks: signer.map(({ name, account }) => ({ name, account })) }, "the signer pays");
      process.send?.("ready");
    }, reject);
  });
}

async function status(place: Place): Promise<void> {
  const { databaseUrl, networks: configured } = readCommandConfig(process.env);
  const networks = openNetworks(configured);
  const policy = readPolicy(place.dir, networks);
  const mnemonic = await openWords(place);
  const path = signerFiles(place.dir).journal;
  const entries = existsSync(path) ? openJournal(path).entries : [];
  const now = new Date();
  // Opens no connection: an account follows from the words.
  const { db } = openDatabase(requireDatabaseUrl(databaseUrl));
  const shown = networks.all().flatMap((adapter) => {
    const name = policyName(adapter);
    const limits = policy.networks.get(name);
    const open = adapter.sending && CHAIN_SIGNERS[adapter.data.family];
    if (limits === undefined || open === undefined) return [];
    const { account } = open({
      adapter,
      mnemonic,
      policy: () => limits,
      db,
      log: pino({ enabled: false }),
      now: () => now,
    });
    const tokens = [...limits.tokens].map(([token, { perDay }]) => {
      const format = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
      const recent = listRecent(entries, now);
      const paid = sumRecent(recent, { env: adapter.env, network: adapter.network, token }, now);
      return { token, paid_in_24_hours: format(paid), per_day: format(perDay) };
    });
    return [{ network: name, hot_account: adapter.displayAddress(account), tokens }];
  });
  print(shown);
}

function requireDatabaseUrl(url: string | null): string {
  if (url === null)
    throw new CommandRefusal("DATABASE_URL is not set: the signer works on the server's database");
  return url;
}

function showPolicy({ networks, approvals }: Policy) {
  return {
    networks: [...networks].map(([name, { tokens, maxFee }]) => ({
      name,
      ...formatMaxFee(name, maxFee),
      tokens: [...tokens].map(([token, limits]) => {
        const format = (units: bigint | null) => units && formatAmount(units, TOKENS[token].ledgerDecimals);
        return {
          token,
          per_transfer: format(limits.perTransfer),
          per_day: format(limits.perDay),
          per_merchant_per_day: format(limits.perMerchantPerDay),
          auto_up_to: format(limits.autoUpTo),
          allow_only: limits.allowOnly && [...limits.allowOnly],
        };
      }),
    })),
    approvals: {
      needed: approvals.needed,
      from: [...approvals.from].map(([name, keys]) => ({ name, keys: keys.map(showKey) })),
    },
  };
}

function formatMaxFee(name: string, maxFee: bigint) {
  const field = getFeeField(name.split(".")[1] as NetworkCode);
  return { [field.name]: formatAmount(maxFee, field.decimals) };
}

const showKey = (key: ApproverKey) =>
  key.kind === "ed25519"
    ? { public_key: key.publicKey }
    : {
        passkey: passkeyFingerprint({ credentialId: key.id, publicKey: key.publicKey }),
        origin: key.origin,
      };
