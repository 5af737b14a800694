import { join } from "node:path";
import type { Command } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { DEFAULT_PAIRS, LINK_PAIRS, pairCode } from "#lib/chains/networks.ts";
import { getConfiguredData } from "#lib/chains/registry.ts";
import { findMailTrouble } from "#lib/domain/mail/send-mail.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { type CommandConfig, readCommandConfig, withoutEmpty } from "#lib/server/config.ts";
import { parseSmtpUrl } from "#lib/server/mail-config.ts";
import { accountVariable } from "#lib/server/network-config.ts";
import { type Cli, CommandRefusal, openCommandSecrets, type WithCli } from "../cli.ts";
import { tryToListen } from "../doctor/check-ports.ts";
import { ask, askYesOrNo, oneOf, requireValid, WrongAnswer } from "./ask.ts";
import { askDatabase } from "./ask-database.ts";
import { askNetworks, askWallet } from "./ask-networks.ts";
import {
  applyChanges,
  type Changes,
  mergeEnv,
  type Ownership,
  readEnvFile,
  requireWritable,
  type Variables,
  writeEnvFile,
} from "./env-file.ts";

const HOST = "127.0.0.1";

export function addSetupCommand(setup: Command, withCli: WithCli): void {
  setup.action(withCli(run));
}

async function run(cli: Cli): Promise<void> {
  const path = join(cli.folder, ".env");
  const before = readEnvFile(path);
  requireWritable(path);
  if (
    before !== null &&
    !(await askYesOrNo(cli, `There is a .env. Change it? What is not asked stays`, "no"))
  )
    throw new CommandRefusal("nothing was changed");
  const file = before?.values ?? null;
  const env = await ask(cli, "Environment: test (no real money) or live", oneOf("test", "live"), "test");
  let changes: Changes = {};
  // The environment wins over the file, as when the server reads both.
  let known = withoutEmpty({ ...file, ...cli.ownEnv });
  const add = (answers: Changes) => {
    changes = { ...changes, ...answers };
    known = applyChanges(known, answers);
  };
  add(await askDatabase(cli, env, { known, file }));
  add(await askAddresses(cli, env, known));
  add(await askNetworks(cli, env, known));
  add(await askWallet(cli, env, known));
  add(await askMail(cli, known));
  const config = readCommandConfig({ ...known, SECRET_KEY: known.SECRET_KEY || file?.SECRET_KEY });
  const changed = Object.entries(changes).filter(([name, value]) => value !== (file?.[name] ?? null));
  const text = mergeEnv(before?.text ?? "", Object.fromEntries(changed));
  const ownership = writeEnvFile(path, text, before?.text ?? null);
  cli.printMessage(`${path} is written. ${describeOwner(path, ownership)}`);
  warnOfEnvironment(cli, applyChanges(file ?? {}, changes), changes);
  await finish(cli, env, config, path);
}

function describeOwner(path: string, { self, owner, wanted }: Ownership): string {
  if (owner !== wanted)
    return `Only you can read it. Its owner should be user ${wanted}: as root, chown ${wanted} ${path}`;
  return owner === self ? "Only you can read it." : `Only its owner, user ${owner}, can read it.`;
}

/** A process with such a variable uses another value than the one that is written. */
function warnOfEnvironment({ ownEnv, printMessage }: Cli, written: Variables, changes: Changes): void {
  const others = Object.keys({ ...written, ...changes }).filter(
    (name) => ownEnv[name] !== undefined && ownEnv[name] !== written[name],
  );
  if (others.length > 0)
    printMessage(
      `The environment has other values than .env, and wins: ${others.join(", ")}. Remove or correct them there.`,
    );
}

async function askAddresses(cli: Cli, env: Env, known: Variables): Promise<Variables> {
  const checkPort = async (answer: string) => {
    requireValid("PORT", answer);
    const code = await tryToListen(HOST, Number(answer));
    if (code === null) return answer;
    throw new WrongAnswer(`Port ${answer} cannot be used (${code}): name another one.`);
  };
  const port = await ask(cli, "Port of the server on this machine", checkPort, known.PORT || "3000");
  const publicUrl = await ask(
    cli,
    "Address at which people reach it, such as https://pay.example.com",
    (answer) => {
      requireValid("PUBLIC_URL", answer);
      if (answer === "") throw new WrongAnswer("It is needed.");
      if (env === "test" || answer.startsWith("https://")) return answer;
      throw new WrongAnswer(
        "Real money needs https: a proxy with a certificate in front, docs/operate/proxy.md.",
      );
    },
    known.PUBLIC_URL || (env === "test" ? `http://localhost:${port}` : ""),
  );
  return { PORT: port, PUBLIC_URL: publicUrl };
}

async function askMail(cli: Cli, known: Variables): Promise<Variables> {
  if (known.SMTP_URL) return {};
  const url = await ask(cli, "Mail server, smtps://user:password@host (empty: no mail)", async (answer) => {
    if (answer === "") return null;
    requireValid("SMTP_URL", answer);
    const server = parseSmtpUrl(answer);
    const trouble = server === null ? null : await findMailTrouble({ server });
    if (trouble === null) return answer;
    const code = "status" in trouble ? trouble.status : "error" in trouble ? trouble.error : trouble.kind;
    throw new WrongAnswer(`The mail server cannot be used (${code}): check host, user and password.`);
  });
  if (url === null) return {};
  const from = await ask(cli, "Sender of mails, such as pay@example.com", (answer) => {
    requireValid("MAIL_FROM", answer);
    return answer;
  });
  return { SMTP_URL: url, MAIL_FROM: from };
}

/** Makes the merchant, and prints how to start and how to make the first link. */
async function finish(cli: Cli, env: Env, config: CommandConfig, path: string): Promise<void> {
  await cli.withDatabaseOf(config, async ({ database }) => {
    const sealer = openCommandSecrets(config);
    const made = await askMerchant(cli, async (email, name) => {
      const created = await cli.performHere(database, createMerchant, {
        sealer,
        email,
        name,
        webhookUrl: null,
      });
      const paymentPairs = choosePairs(env, config);
      const place = { merchantId: created.merchant.id, env };
      if (paymentPairs !== null) await cli.perform(database, updateMerchant, place, { paymentPairs });
      return created;
    });
    const { apiKey, webhookSecret } = made[env];
    const { id, email, name } = made.merchant;
    const link = describeFirstLink(env, config, apiKey);
    cli.print({
      written: path,
      merchant: { id, email, name },
      api_key: apiKey,
      webhook_secret: webhookSecret,
      first_link: link,
    });
    for (const network of listWithoutAddresses(env, config))
      cli.printMessage(
        `${network} has no addresses yet: make them offline and import them, docs/operate/wallets.md.`,
      );
    cli.printMessage("The key and the secret are shown this once. Start the server:\n\n  npm start\n");
    cli.printMessage(
      `Then make the first payment link in another shell. Its answer has the page's address, payment_link:\n\n  ${link}\n`,
    );
    cli.printMessage("If something is not as expected: npm run -s paylink -- doctor");
  });
}

/** The networks that are on and whose addresses are imported. */
const listWithoutAddresses = (env: Env, { networks }: CommandConfig) =>
  networks.flatMap((one) =>
    one.env === env && accountVariable(env, one.network) === null ? [one.network] : [],
  );

/** Asks until a merchant can be made of the answers. */
async function askMerchant<T>(cli: Cli, make: (email: string, name: string) => Promise<T>): Promise<T> {
  const email = await ask(cli, "Your shop's e-mail address", required);
  return ask(cli, "Your shop's name, on the payment page", async (name) => {
    required(name);
    try {
      return await make(email, name);
    } catch (error) {
      if (!(error instanceof CommandRefusal)) throw error;
      cli.printMessage(`  ${error.message}`);
      return askMerchant(cli, make);
    }
  });
}

function required(answer: string): string {
  if (answer === "") throw new WrongAnswer("It is needed.");
  return answer;
}

/** The pairs of the networks that are on. Null: the default pairs have one of them. */
function choosePairs(env: Env, { networks }: CommandConfig): string[] | null {
  const on = networks.filter((one) => one.env === env);
  if (DEFAULT_PAIRS.some((pair) => on.some(({ network }) => network === pair.network))) return null;
  return LINK_PAIRS.filter((pair) =>
    on.some((one) => one.network === pair.network && getConfiguredData(one).tokens[pair.token] !== undefined),
  ).map(pairCode);
}

function describeFirstLink(env: Env, { port, networks }: CommandConfig, key: string): string {
  const header = env === "live" ? "x-api-key" : "x-staging-api-key";
  const hasUsdt = networks.some((one) => one.env === env && getConfiguredData(one).tokens.usdt !== undefined);
  return [
    `curl -s http://${HOST}:${port}/v1/payment-links -H "${header}: ${key}" -H "idempotency-key: first-link"`,
    `-d amount=5 -d amount_currency=${hasUsdt ? "usdt" : "usd"} -d payment_reference=FIRST`,
    "-d success_url=https://example.com/thanks -d cancel_url=https://example.com/cart",
    `--data-urlencode 'customer_details={"email":"ada@example.com","first_name":"Ada","last_name":"Obi"}'`,
  ].join(" ");
}
