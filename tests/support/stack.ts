import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServer } from "#lib/demo/server-process.ts";
import { accountPublicKey } from "#lib/demo/state.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { startBitcoin } from "#lib/dev-chains/core-chain.ts";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";
import { startEvmChain } from "#lib/dev-chains/evm-chain.ts";
import { startTrc20 } from "#lib/dev-chains/trc20-chain.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { keepSecrets, keepSecretsOf, serverLog } from "./kept-logs.ts";
import { type MerchantServer, type ReceivedWebhook, startMerchantServer } from "./merchant-server.ts";
import { newMerchant } from "./new-merchant.ts";
import { runCli } from "./run-cli.ts";
import { until } from "./until.ts";

const SECRET_KEY = "a secret key for tests, at least 32 long";
const MNEMONIC = "legal winner thank year wave sausage worth useful legal winner thank yellow";

/** The networks that tests pay on: the demo's own development chains. */
const CHAINS = {
  bep20: (dataDir: string) => startEvmChain("bep20", "USDT and BNB on BEP20 (anvil)", dataDir),
  bitcoin: startBitcoin,
  trc20: startTrc20,
};
export type ChainName = keyof typeof CHAINS;

/** A complete Paylink: PostgreSQL, manually mined chains, the server as a process, a web server of merchants. */
export interface World {
  readonly baseUrl: string;
  readonly pageUrl: string;
  readonly merchantUrl: string;
  readonly db: TestDatabase;
  readonly env: Record<string, string>;
  server(): ServerProcess;
  /** The server's log so far. */
  log(): string;
  startServer(): Promise<void>;
  chain(network: ChainName): DevChain;
  /** Broadcasts an amount (decimal text) without mining it, by default on bep20. */
  pay(address: string, amount: string, network?: ChainName): Promise<string>;
  mine(blocks?: number, network?: ChainName): Promise<void>;
  /** Runs the operator's command. */
  cli(...args: string[]): Promise<{ status: number | null; stdout: string; stderr: string }>;
  /** The same for a command that must succeed. Returns what it printed. */
  run(...args: string[]): Promise<Record<string, unknown>>;
  /** Adds a merchant, by default with an e-mail address of its own. */
  openShop(email?: string): Promise<Stack>;
  close(): Promise<void>;
}

export type Link = Record<string, unknown> & { state: string };

/** A world with one of its merchants. */
export interface Stack extends World {
  readonly merchantId: number;
  /** Names the merchant in URLs of the console. */
  readonly code: string;
  readonly email: string;
  readonly testKey: string;
  /** Webhooks of this merchant that had a valid signature. */
  readonly webhooks: readonly ReceivedWebhook[];
  createLink(fields?: Record<string, string>): Promise<{ refid: string; url: string }>;
  getLink(refid: string): Promise<Link>;
  waitForState(refid: string, state: string): Promise<Link>;
  waitForWebhook(refid: string, type: string): Promise<ReceivedWebhook>;
}

/** Starts everything with one merchant, by default with bep20 only. `env` overrides the server's environment. */
export async function startStack(
  env: Record<string, string> = {},
  networks: readonly ChainName[] = ["bep20"],
): Promise<Stack> {
  const world = await startWorld(env, networks);
  return world.openShop("shop@example.com");
}

export async function startWorld(
  env: Record<string, string>,
  networks: readonly ChainName[],
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-stack-"));
  const [db, merchants, ...chains] = await Promise.all([
    testDatabase(),
    startMerchantServer(),
    ...networks.map((network) => CHAINS[network](folder)),
  ]);
  const port = await choosePort(0);
  const serverEnv: Record<string, string> = {
    ...settings(folder, { port, chains }),
    DATABASE_URL: db.url,
    ...env,
  };
  keepSecrets(MNEMONIC);
  keepSecretsOf(serverEnv);
  const log = serverLog(folder, String(port));
  let server = await startServer(serverEnv, log);
  const chain = (network: ChainName) => {
    const found = chains.find((one) => one.network === network);
    if (found === undefined) throw new Error(`this stack has no ${network}`);
    return found;
  };
  const cli: World["cli"] = (...args) => runCli(serverEnv, ...args);
  let shops = 0;
  const world: World = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    pageUrl: serverEnv.PAYMENT_URL ?? `http://127.0.0.1:${port}/pay`,
    merchantUrl: merchants.url,
    chain,
    db,
    env: serverEnv,
    server: () => server,
    log: () => readFileSync(log, "utf8"),
    startServer: async () => {
      server = await startServer(serverEnv, log);
    },
    pay: (address, amount, network = "bep20") => chain(network).send(address, amount),
    mine: (blocks = 1, network = "bep20") => chain(network).mine(blocks),
    cli,
    run: async (...args) => {
      const { status, stdout, stderr } = await cli(...args);
      if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
      return JSON.parse(stdout);
    },
    openShop: (email = `shop${++shops}@example.com`) => openShop(world, merchants, email),
    close: async () => {
      await server.stop();
      await merchants.close();
      await Promise.all(chains.map((one) => one.stop()));
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

/** The server's environment without its database. */
function settings(
  folder: string,
  { port, chains }: { port: number; chains: readonly DevChain[] },
): Record<string, string> {
  const keys = { secretKey: SECRET_KEY, mnemonic: MNEMONIC, merchant: null };
  return {
    DATA_DIR: folder,
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRET_KEY,
    LOG_LEVEL: "info",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    FIXED_RATES: "usdt/usd=1,btc/usd=60000,bnb/usd=600,trx/usd=0.3,usd/ngn=1600,usd/eur=0.92",
    ...Object.assign({}, ...chains.map((one) => one.env)),
    ...Object.fromEntries(
      chains.map(({ network }) => [`TEST_${network.toUpperCase()}_XPUB`, accountPublicKey(keys, network)]),
    ),
  };
}

async function openShop(world: World, merchants: MerchantServer, email: string): Promise<Stack> {
  const inbox = merchants.openInbox();
  const sealer = openSecrets(world.env.SECRET_KEY ?? "");
  const merchant = { sealer, email, name: "Kaduna Coffee", webhookUrl: inbox.url };
  const made = await newMerchant(world.db.db, merchant);
  const { apiKey: testKey, webhookSecret } = made.test;
  inbox.setSecret(webhookSecret);
  keepSecrets(made.live.apiKey, testKey, webhookSecret);
  const { webhooks } = inbox;
  const { rows } = await world.db.database.pool.query("select code from merchants where id = $1", [
    made.merchant.id,
  ]);
  const call = async (method: string, path: string, body?: Record<string, string>) => {
    const response = await fetch(`${world.baseUrl}${path}`, {
      method,
      headers: { "x-staging-api-key": testKey },
      ...(body === undefined ? {} : { body: new URLSearchParams(body) }),
    });
    const answer = (await response.json()) as { status: string; message: string; data: Link };
    if (answer.status !== "success") throw new Error(`${method} ${path}: ${answer.message}`);
    return answer.data;
  };
  const getLink: Stack["getLink"] = (refid) => call("GET", `/payment-links/${refid}`);
  return {
    ...world,
    merchantId: made.merchant.id,
    code: rows[0].code,
    email,
    testKey,
    webhooks,
    createLink: async (fields = {}) => {
      const data = await call("POST", "/payment-links", {
        amount: "16000",
        payment_reference: "ORDER1",
        customer_details: JSON.stringify({ email: "ada@example.com", first_name: "Ada", last_name: "Obi" }),
        success_url: `${world.merchantUrl}/success`,
        cancel_url: `${world.merchantUrl}/canceled`,
        ...fields,
      });
      return { refid: String(data.refid), url: String(data.payment_link) };
    },
    getLink,
    waitForState: (refid, state) =>
      until(`link ${refid} to be ${state}`, async () => {
        const link = await getLink(refid);
        return link.state === state ? link : null;
      }),
    waitForWebhook: (refid, type) =>
      until(`webhook ${type} of ${refid}`, async () =>
        webhooks.find((one) => one.type === type && one.data.refid === refid),
      ),
  };
}
