import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openNetworks } from "#lib/chains/registry.ts";
import { startServer } from "#lib/demo/server-process.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import { composeRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { createEndpoint } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { testDatabase } from "./database.ts";
import { type AuditedChain, auditBooks } from "./fault-audit.ts";
import type { FaultChain } from "./fault-chain.ts";
import { keepSecrets, keepSecretsOf, serverLog, watchLog } from "./kept-logs.ts";
import { newMerchant } from "./new-merchant.ts";
import { runCli } from "./run-cli.ts";
import { until } from "./until.ts";

const SECRET_KEY = "a secret key for tests, at least 32 long";
const FIXED_RATES = "usdt/usd=1,btc/usd=60000";
/**
 * Also the name of these tests on their PostgreSQL connections, so that they can cut all other connections.
 */
export const OWN_NAME = "fault test";

/** A worker in its own process. */
export interface Worker {
  readonly pid: number;
  /** Resolves when it has ended: true when a signal killed it. */
  readonly ended: Promise<boolean>;
  /** Its exit code when it has ended; null when it was killed. */
  readonly exited: Promise<number | null>;
  alive(): boolean;
  /** The last position of this message in its log; -1: not found. */
  lastSaid(message: string): number;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface FaultLink {
  readonly refid: string;
  readonly address: string;
  /** Ledger units that pay it. */
  readonly amount: bigint;
}

export type FaultStack = Awaited<ReturnType<typeof openFaultStack>>;

/** The properties of a chain that the stack only watches. */
export type PaidChain = Pick<FaultChain, "network" | "token" | "nodeUrl" | "config" | "env">;

/** Another chain of the audit. */
export type MinedChain = AuditedChain & Pick<FaultChain, "mine" | "tip" | "settleBlocks">;

/**
 * A database, a merchant, a chain, and worker processes that start and stop; `front` is in front of the
 * node. The workers watch the `others` too.
 */
export async function openFaultStack(
  chain: FaultChain,
  front: (url: string) => string = (url) => url,
  others: readonly PaidChain[] = [],
) {
  const { url, close: dropDatabase } = await testDatabase();
  const database = openDatabase(url, { max: 4, applicationName: OWN_NAME });
  const { db, pool } = database;
  const log = watchLog();
  const networks = openNetworks(
    [chain, ...others].map(({ config }) => config),
    { log },
  );
  const rates = openRates({ fixed: FIXED_RATES, log });
  const settings = { paymentUrl: "https://pay.example.com", quoteMinutes: 1_440, confirmGraceHours: 24 };
  const linkDeps: PaymentLinkDeps = { db, networks, rates, settings };
  const sealer = openSecrets(SECRET_KEY);
  const made = await newMerchant(db, { sealer, email: "shop@example.com", name: "Shop" });
  keepSecrets(made.live.apiKey, made.test.apiKey);
  const merchantId = made.merchant.id;
  const folder = mkdtempSync(join(tmpdir(), "paylink-fault-"));
  const workers: Worker[] = [];
  let started = 0;
  const links = { made: 0 };
  const env: Record<string, string> = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    SECRET_KEY,
    FIXED_RATES,
    ROLES: "worker",
    PUBLIC_URL: "http://127.0.0.1:3000",
    QUOTE_MINUTES: "1440",
    LOG_LEVEL: "info",
    ...chain.env(front(chain.nodeUrl)),
    ...Object.assign({}, ...others.map(({ env, nodeUrl }) => env(nodeUrl))),
  };

  const cursor = async (
    network = chain.network,
  ): Promise<{ height: number; hash: string; error: string | null } | null> => {
    const { rows } = await pool.query(
      "select height::int, hash, error from watch_cursors where env = 'test' and network = $1",
      [network],
    );
    return rows[0] ?? null;
  };
  const atTip = async () => (await cursor())?.hash === (await chain.tip());
  const followed = (withinMs = 120_000) => until("the cursor to be at the tip", atTip, { withinMs });

  return {
    chain,
    /** The variables of its processes. */
    env,
    db,
    pool,
    merchantId,
    /** The merchant's key for the API. */
    apiKey: made.test.apiKey,
    /** Sends the merchant's events there too. */
    tell: ({ url, secret }: { url: string; secret: string }) =>
      db.transaction((tx) =>
        createEndpoint(tx, {
          merchantId,
          env: "test",
          url,
          sealedSecret: openSecrets(SECRET_KEY).seal(secret),
        }),
      ),
    cursor,
    atTip,
    /** Waits until a worker has read the chain's newest block. */
    followed,
    /** Starts a worker and waits until it runs; `FAILPOINT` may end it before. */
    async startWorker(extra: Record<string, string> = {}): Promise<Worker> {
      const logPath = serverLog(folder, `worker-${started++}`);
      keepSecretsOf({ ...env, ...extra });
      const starting = startServer({ ...env, ...extra }, logPath);
      let alive = true;
      // A failpoint may be reached before the process says that it is ready.
      const server = await starting.catch((error: Error) => {
        if (extra.FAILPOINT !== undefined && /code null/.test(error.message)) return null;
        throw error;
      });
      const exited = server?.ended ?? Promise.resolve(null);
      const ended = exited.then((code) => {
        alive = false;
        return code === null;
      });
      const worker: Worker = {
        pid: server?.pid ?? 0,
        ended,
        exited,
        alive: () => alive,
        lastSaid: (message) => readFileSync(logPath, "utf8").lastIndexOf(`"msg":"${message}"`),
        stop: async () => server?.stop(),
        kill: async () => server?.kill(),
      };
      if (server === null) await ended;
      workers.push(worker);
      return worker;
    },
    /** A link over this many US dollars with its address. */
    async link(usd: number, { network, token }: PaidChain = chain): Promise<FaultLink> {
      links.made += 1;
      const customer = {
        email: `c${links.made}@example.com`,
        firstName: "Ada",
        lastName: "Obi",
        phone: null,
      };
      const created = await db.transaction((tx) =>
        createPaymentLink(
          tx,
          linkDeps,
          {
            owner: { merchant: made.merchant, env: "test" },
            input: {
              amount: BigInt(usd) * 100n,
              currency: "usd",
              customer,
              paymentReference: `R${links.made}`,
              successUrl: "https://shop.example.com/ok",
              cancelUrl: "https://shop.example.com/no",
              expiresAt: null,
              metadata: null,
              wallets: [{ network, token }],
            },
          },
          new Date(),
        ),
      );
      if (!created.ok) throw new Error(created.reason);
      const { refid, quotes } = composeRecord(created, linkDeps, new Date());
      const { address, amount } = quotes[0]!;
      return { refid, address: address.startsWith("0x") ? address.toLowerCase() : address, amount };
    },
    linkState: async (refid: string): Promise<string> =>
      (await pool.query("select state from payment_links where refid = $1", [refid])).rows[0].state,
    /** The deposit of a transaction, as recorded. */
    deposit: async (txHash: string): Promise<{ id: number; status: number; creditRound: number } | null> => {
      const { rows } = await pool.query(
        'select id::int, status, credit_round as "creditRound" from deposits where tx_hash = $1',
        [txHash],
      );
      assert.ok(rows.length <= 1, `${rows.length} deposits of ${txHash}`);
      return rows[0] ?? null;
    },
    cli: (...args: string[]) => runCli(env, ...args),
    /** Makes everything final, waits, and compares ledger and chains. A worker must run. `paid`: for withdrawals, on the first chain. */
    async audit(more: readonly MinedChain[] = [], paid = 0n) {
      const chains = [chain, ...more];
      for (const one of chains) await one.mine(one.settleBlocks);
      const allAtTip = async () => {
        for (const { network, tip } of chains)
          if ((await cursor(network))?.hash !== (await tip())) return false;
        return true;
      };
      await until("the cursors to be at the tips", allAtTip, { withinMs: 120_000 });
      const waiting = async () => {
        const { rows } = await pool.query("select count(*)::int as n from deposits where status = 0");
        return rows[0].n === 0 && (await allAtTip());
      };
      // On failure the audit below says what is missing.
      await until("every deposit to be decided", waiting, { withinMs: 60_000 }).catch(() => {});
      return auditBooks({ chains, pool, check: await runCli(env, "ledger", "check"), paid });
    },
    async close() {
      for (const worker of workers) if (worker.alive()) await worker.kill();
      await chain.close();
      await database.close();
      await dropDatabase();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
