import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { startBitcoin } from "#lib/demo/chains/core-chain.ts";
import type { DevChain } from "#lib/demo/chains/dev-chain.ts";
import { startEvmChain } from "#lib/demo/chains/evm-chain.ts";
import { startTrc20 } from "#lib/demo/chains/trc20-chain.ts";
import { choosePort } from "#lib/demo/choose-port.ts";
import { type ServerProcess, startServer } from "#lib/demo/server-process.ts";
import { accountPublicKey } from "#lib/demo/state.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { keepSecrets, keepSecretsOf, serverLog } from "./kept-logs.ts";
import { until } from "./until.ts";

const ROOT = join(import.meta.dirname, "../..");
const SECRET_KEY = "a secret key for tests, at least 32 long";
const MNEMONIC = "legal winner thank year wave sausage worth useful legal winner thank yellow";

export interface ReceivedWebhook {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly data: Record<string, unknown>;
}

/** The networks that tests pay on: the demo's own development chains. */
const CHAINS = {
  bep20: (dataDir: string) => startEvmChain("bep20", "USDT and BNB on BEP20 (anvil)", dataDir),
  bitcoin: startBitcoin,
  trc20: startTrc20,
};
type ChainName = keyof typeof CHAINS;

/**
 * A complete Paylink: PostgreSQL, manually mined chains, the server as a process, a merchant's own web
 * server.
 */
export interface Stack {
  readonly baseUrl: string;
  readonly pageUrl: string;
  readonly merchantUrl: string;
  readonly testKey: string;
  readonly db: TestDatabase;
  readonly webhooks: ReceivedWebhook[];
  readonly env: Record<string, string>;
  server(): ServerProcess;
  /** The server's log so far. */
  log(): string;
  startServer(): Promise<void>;
  createLink(fields?: Record<string, string>): Promise<{ refid: string; url: string }>;
  getLink(refid: string): Promise<Record<string, unknown> & { state: string }>;
  chain(network: ChainName): DevChain;
  /** Broadcasts an amount (decimal text) without mining it, by default on bep20. */
  pay(address: string, amount: string, network?: ChainName): Promise<string>;
  mine(blocks?: number, network?: ChainName): Promise<void>;
  cli(...args: string[]): { status: number | null; stdout: string; stderr: string };
  waitForState(refid: string, state: string): Promise<Record<string, unknown> & { state: string }>;
  waitForWebhook(refid: string, type: string): Promise<ReceivedWebhook>;
  close(): Promise<void>;
}

/** Starts everything, by default with bep20 only. `env` overrides the server's environment. */
export async function startStack(
  env: Record<string, string> = {},
  networks: readonly ChainName[] = ["bep20"],
): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-stack-"));
  const chains = await Promise.all(networks.map((network) => CHAINS[network](folder)));
  const chain = (network: ChainName) => {
    const found = chains.find((one) => one.network === network);
    if (found === undefined) throw new Error(`this stack has no ${network}`);
    return found;
  };
  const db = await testDatabase();
  const webhooks: ReceivedWebhook[] = [];
  const secret = { value: "" };
  const merchantServer = await startMerchantServer(webhooks, secret);
  const merchantUrl = `http://127.0.0.1:${(merchantServer.address() as AddressInfo).port}`;
  const made = await db.db.transaction((tx) =>
    createMerchant(
      tx,
      { secrets: openSecrets(SECRET_KEY) },
      { email: "shop@example.com", name: "Kaduna Coffee", webhookUrl: `${merchantUrl}/webhooks` },
      new Date(),
    ),
  );
  if (!made.ok) throw new Error(made.reason);
  secret.value = made.test.webhookSecret;
  const port = await choosePort(0);
  const keys = { secretKey: SECRET_KEY, mnemonic: MNEMONIC, merchant: null };
  const serverEnv: Record<string, string> = {
    DATABASE_URL: db.url,
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
    ...env,
  };
  const log = serverLog(folder, String(port));
  keepSecrets(MNEMONIC, made.live.apiKey, made.test.apiKey, secret.value);
  keepSecretsOf(serverEnv);
  let server = await startServer(serverEnv, log);
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const pageUrl = serverEnv.PAYMENT_URL ?? `http://127.0.0.1:${port}/pay`;

  const call = async (method: string, path: string, body?: Record<string, string>) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      // A synchronous command blocks this process, which then does not notice that a kept-alive connection
      // was closed.
      headers: { "x-staging-api-key": made.test.apiKey, connection: "close" },
      ...(body === undefined ? {} : { body: new URLSearchParams(body) }),
    });
    const answer = (await response.json()) as {
      status: string;
      message: string;
      data: Record<string, unknown>;
    };
    if (answer.status !== "success") throw new Error(`${method} ${path}: ${answer.message}`);
    return answer.data;
  };
  const getLink: Stack["getLink"] = async (refid) =>
    (await call("GET", `/payment-links/${refid}`)) as Record<string, unknown> & { state: string };

  return {
    baseUrl,
    pageUrl,
    merchantUrl,
    testKey: made.test.apiKey,
    chain,
    db,
    webhooks,
    env: serverEnv,
    server: () => server,
    log: () => readFileSync(log, "utf8"),
    startServer: async () => {
      server = await startServer(serverEnv, log);
    },
    createLink: async (fields = {}) => {
      const data = await call("POST", "/payment-links", {
        amount: "16000",
        payment_reference: "ORDER1",
        customer_details: JSON.stringify({ email: "ada@example.com", first_name: "Ada", last_name: "Obi" }),
        success_url: `${merchantUrl}/success`,
        cancel_url: `${merchantUrl}/cancelled`,
        ...fields,
      });
      return { refid: String(data.refid), url: String(data.payment_link) };
    },
    getLink,
    pay: (address, amount, network = "bep20") => chain(network).send(address, amount),
    mine: (blocks = 1, network = "bep20") => chain(network).mine(blocks),
    cli: (...args) => {
      const run = spawnSync(process.execPath, ["lib/cli/main.ts", ...args], {
        cwd: ROOT,
        encoding: "utf8",
        env: { PATH: process.env.PATH, ...serverEnv } as unknown as NodeJS.ProcessEnv,
      });
      return { status: run.status, stdout: run.stdout, stderr: run.stderr };
    },
    waitForState: (refid, state) =>
      until(`link ${refid} to be ${state}`, async () => {
        const link = await getLink(refid);
        return link.state === state ? link : null;
      }),
    waitForWebhook: (refid, type) =>
      until(`webhook ${type} of ${refid}`, async () =>
        webhooks.find((one) => one.type === type && one.data.refid === refid),
      ),
    close: async () => {
      await server.stop();
      merchantServer.closeAllConnections();
      await new Promise((resolve) => merchantServer.close(resolve));
      await Promise.all(chains.map((one) => one.stop()));
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Where customers return to and webhooks arrive. Keeps webhooks with a valid signature and answers 401 to
 * all others.
 */
async function startMerchantServer(webhooks: ReceivedWebhook[], secret: { value: string }): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== "/webhooks") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        `<title>merchant</title><h1>${request.url === "/success" ? "Thank you" : "Cancelled"}</h1>`,
      );
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      try {
        const headers = request.headers as Record<string, string>;
        const event = new Webhook(secret.value).verify(body, headers) as Pick<
          ReceivedWebhook,
          "type" | "data"
        >;
        webhooks.push({ id: headers["webhook-id"] ?? "", type: event.type, data: event.data, body });
        response.writeHead(204).end();
      } catch {
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
