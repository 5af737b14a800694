import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";
import { startChains } from "#lib/dev-chains/start-chains.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { prepareDatabase } from "#lib/domain/settings/prepare-database.ts";
import { createPoolAddresses } from "#lib/domain/wallets/create-wallet.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { EmbeddedPostgresError, startEmbedded } from "#lib/platform/db/embedded.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { PROGRAM_VARIABLES } from "#lib/server/variables/program-variables.ts";
import { actOfDemo } from "./act-of-demo.ts";
import { buildPage } from "./build-page.ts";
import { chooseDemoPorts } from "./choose-demo-ports.ts";
import { makeConsoleLinks } from "./console-links.ts";
import {
  type DemoParts,
  type DemoUrls,
  refuseForeignNodes,
  serverEnvironment,
  writeDemoFiles,
} from "./demo-files.ts";
import { openOrders } from "./orders.ts";
import { startServer } from "./server-process.ts";
import { createLink, shop } from "./shop.ts";
import { startDemoSigner } from "./signer.ts";
import { accountPublicKey, type DemoState, loadState, saveState } from "./state.ts";
import { demoWallet } from "./wallet.ts";
import { webhookInbox } from "./webhook-inbox.ts";

const BLOCK_EVERY_MS = 2_000;
const SAY_EVERY_MS = 10_000;
/** Addresses of each pool. */
const POOL_ADDRESSES = 200;
/** Where the shop receives webhooks, on whatever port it had. */
const INBOX_PATH = "/webhooks/receive";
const SHOP_INBOX = /^http:\/\/127\.0\.0\.1:\d+\/webhooks\/receive$/;
type Stop = () => Promise<void> | void;

/** `npm run demo`: everything that a newcomer needs to pay a link on development chains, in one folder. */
async function main(): Promise<void> {
  const dataDir = resolve(process.env.DATA_DIR || PROGRAM_VARIABLES.DATA_DIR.default);
  const manualMining = process.argv.includes("--manual-mining");
  refuseForeignNodes(process.env);
  const movedPorts: string[] = [];
  const ports = await chooseDemoPorts(process.env, (line) => movedPorts.push(line));
  const urls = { web: `http://127.0.0.1:${ports.web}`, shop: `http://127.0.0.1:${ports.shop}` };
  const stops: Stop[] = [];
  const stopping = stopOnSignal(stops);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const quiet = sayWhatTakesLong();
  stops.push(quiet);
  try {
    say("starting PostgreSQL …");
    const starting = startEmbedded(dataDir, { log: say }).catch(explainRunning(dataDir));
    // Before it has started: a signal may come earlier, and PostgreSQL would outlive this process.
    stops.push(() =>
      starting.then(
        (server) => server.stop(),
        () => {},
      ),
    );
    const postgres = await starting;
    // Only now: a second demo in this folder is refused, whatever its ports would be.
    movedPorts.forEach(say);
    const state = loadState(dataDir);
    say("preparing the database …");
    await prepareDatabase(postgres.url);
    say("starting the chains …");
    const chains = await startChains(dataDir, accountPublicKey(state, "xrp"), say);
    stops.push(...chains.map((chain) => () => chain.stop()));
    await buildPage(say);
    say("making the shop …");
    const webhookUrl = await ensureMerchant(dataDir, state, postgres.url, `${urls.shop}${INBOX_PATH}`);
    await fillPools(postgres.url, state);
    const demo = { dataDir, state, databaseUrl: postgres.url, urls, chains };
    const env = serverEnvironment(demo);
    writeDemoFiles(demo, env);
    say("starting the web and worker roles …");
    stops.push(await superviseServer(env, join(dataDir, "server.log")));
    say("starting the signer …");
    stops.push(await startDemoSigner(demo, env));
    stops.push(await startShop(demo));
    if (!manualMining) stops.push(...chains.map(mineRegularly));
    say("making a sample link …");
    const consoleLinks = await makeConsoleLinks(postgres.url, urls.web, state);
    await announce({ dataDir, state, urls, webhookUrl, consoleLinks }, manualMining);
    await quiet();
  } catch (error) {
    // A step that fails because everything is being stopped is not an error of its own.
    if (stopping.begun()) return;
    await stopping.stopAll();
    throw error;
  }
}

/** Replaces the refusal of a folder that another program uses: DATABASE_URL, which it suggests, is not the demo's. */
function explainRunning(dataDir: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof EmbeddedPostgresError) || error.kind !== "in_use") throw error;
    throw new Error(
      `The demo, or another program, is already running in ${dataDir}. Its addresses are in demo.json there. ` +
        "Stop it, or set DATA_DIR to another folder.",
    );
  };
}

/**
 * Creates the demo's merchant once. At a later start its webhooks go to the shop's new port, unless somebody set
 * another address. Returns that address, or null when the webhooks go to the shop.
 */
async function ensureMerchant(
  dataDir: string,
  state: DemoState,
  databaseUrl: string,
  webhookUrl: string,
): Promise<string | null> {
  const { db, close } = openDatabase(databaseUrl, { max: 2 });
  try {
    return await db.transaction(async (tx) => {
      if (state.merchant !== null) {
        const merchant = await findMerchantByEmail(tx, state.merchant.email);
        if (merchant !== null) {
          const owner = { merchantId: merchant.id, env: "test" } as const;
          const [endpoint] = await listEndpoints(tx, owner);
          const current = endpoint?.url ?? "none";
          if (!SHOP_INBOX.test(current)) return current;
          await setEndpointUrl(tx, { ...owner, url: webhookUrl });
          return null;
        }
      }
      const email = "demo@paylink.example";
      const made = await createMerchant(actOfDemo(tx), {
        sealer: openSecrets(state.secretKey),
        email,
        name: "Kaduna Coffee",
        webhookUrl,
      });
      if (!made.ok) throw new Error(`the demo merchant could not be made: ${JSON.stringify(made)}`);
      // The demo has no live chains, and the shop cannot verify the live endpoint's secret.
      await setEndpointUrl(tx, { merchantId: made.merchant.id, env: "live", url: null });
      state.merchant = {
        email,
        live_key: made.live.apiKey,
        test_key: made.test.apiKey,
        webhook_secret: made.test.webhookSecret,
      };
      // Saved before the commit: a key that only the database has could never be shown again.
      saveState(dataDir, state);
      return null;
    });
  } finally {
    await close();
  }
}

/** Keeps the server running: starts it again when it was killed. */
async function superviseServer(env: Record<string, string>, logPath: string): Promise<Stop> {
  let stopping = false;
  let server = await startServer(env, logPath);
  const watch = async (): Promise<void> => {
    await server.ended;
    while (!stopping) {
      say("the server ended; starting it again …");
      try {
        server = await startServer(env, logPath);
        say("the server is back");
        return watch();
      } catch (error) {
        say(
          `it did not start (${String(error).split("\n", 1)[0]}); trying again in 2 s. Its log: ${logPath}`,
        );
        await new Promise((again) => setTimeout(again, 2_000));
      }
    }
  };
  void watch();
  return async () => {
    stopping = true;
    await server.stop();
  };
}

/** Throws one sentence when the port was taken since it was chosen. */
async function startShop({ dataDir, state, urls, chains }: DemoParts): Promise<Stop> {
  const { test_key: testKey = "", webhook_secret: secret = "" } = state.merchant ?? {};
  const app = new Hono();
  app.route("/", shop({ baseUrl: `${urls.web}/v1`, testKey, shopUrl: urls.shop }));
  app.route("/", webhookInbox(secret, openOrders(join(dataDir, "orders.json"))));
  app.route("/", demoWallet(chains));
  const port = Number(new URL(urls.shop).port);
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port, overrideGlobalObjects: false });
  await once(server, "listening").catch((error: Error) => {
    throw new Error(`The shop cannot use port ${port} (${error.message}). Set SHOP_PORT to a free port.`);
  });
  return () => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  };
}

function mineRegularly(chain: DevChain): Stop {
  const timer = setInterval(() => void chain.mine(1).catch(() => {}), BLOCK_EVERY_MS);
  return () => clearInterval(timer);
}

interface Announcement {
  readonly dataDir: string;
  readonly state: DemoState;
  readonly urls: DemoUrls;
  /** Where the webhooks go, if not to the shop. */
  readonly webhookUrl: string | null;
  readonly consoleLinks: Awaited<ReturnType<typeof makeConsoleLinks>>;
}

async function announce(
  { dataDir, state, urls, webhookUrl, consoleLinks }: Announcement,
  manualMining: boolean,
): Promise<void> {
  const settings = { baseUrl: `${urls.web}/v1`, testKey: state.merchant?.test_key ?? "", shopUrl: urls.shop };
  const sample = await createLink(settings, "16000", `SAMPLE${Date.now()}`.slice(0, 20));
  const webhooks =
    webhookUrl === null ? `${urls.shop}/webhooks` : `${webhookUrl}   (set by hand: the shop gets none)`;
  console.log(`
Paylink is running on development chains. Nothing here is real money.

  Shop           ${urls.shop}
  Payment page   ${sample}
  Demo wallet    ${urls.shop}/wallet
  Webhooks       ${webhooks}
  Console        ${consoleLinks.owner}   (the shop's owner)
                 ${consoleLinks.operator}   (the operator)
  Signer         pays withdrawals by itself, up to 500 USDT, and sweeps deposits on BEP20, ERC20, Base and Solana
                 (its log: ${join(dataDir, "signer", "signer.log")})
  API            ${urls.web}/v1   (to read and to try: ${urls.web}/v1/docs)
  Keys, chains   ${join(dataDir, "demo.json")}

  ${manualMining ? "Blocks are mined by you (the wallet page)." : "A block is mined every 2 seconds."}
  Ctrl-C stops everything; the next start continues from here.
`);
}

/** Stops everything, last started first, once, on a signal or a failure. */
function stopOnSignal(stops: Stop[]): { stopAll(): Promise<void>; begun(): boolean } {
  let stopping: Promise<void> | null = null;
  const stopAll = () => {
    stopping ??= (async () => {
      // A step that is under way may add its own while the others stop.
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
        // A failure of one must not stop the others from ending.
        await (async () => stop())().catch((error: unknown) => console.error(String(error)));
      }
    })();
    return stopping;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // npm passes on the signal that the terminal has already sent.
      if (stopping !== null) return;
      say("stopping …");
      void stopAll().then(() => process.exit(0));
    });
  }
  return { stopAll, begun: () => stopping !== null };
}

let lastSaid = "";

function say(line: string): void {
  console.log(line);
  lastSaid = line;
}

/** Says every ten seconds what is still being done, until it is stopped: a slow machine needs minutes for some steps. */
function sayWhatTakesLong(): Stop {
  const began = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.log(`  still: ${lastSaid.trim().replace(/ …$/, "")} (${seconds} s since the start)`);
  }, SAY_EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * Fills the pools of networks that derive no addresses, from the demo's mnemonic. Existing addresses stay.
 */
async function fillPools(databaseUrl: string, { mnemonic }: DemoState): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, { max: 2 });
  try {
    for (const { env, network, addresses } of createPoolAddresses(mnemonic, POOL_ADDRESSES)) {
      if (env !== "test") continue;
      const text = addresses.map(({ address, path }) => `${address} ${path}`).join("\n");
      const done = await db.transaction((tx) => importAddresses(actOfDemo(tx), { env, network, text }));
      if (!done.ok) throw new Error(`the pool of ${network} was not filled: ${JSON.stringify(done)}`);
    }
  } finally {
    await close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
