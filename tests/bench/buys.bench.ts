import { randomUUID } from "node:crypto";
import type { Client, Options, Request } from "autocannon";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { fund } from "#tests/support/fund.ts";
import { newMerchant } from "#tests/support/new-merchant.ts";
import type { Stack } from "../support/stack.ts";
import { type Load, lasting, load, startWithBare } from "./load.ts";
import { report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const SECONDS = 9;
const WARM_UP = sized(1_000, 20);
const MERCHANTS = sized(100, 5);
const CONNECTIONS = sized([16, 64], [4, 16]);
/** Buys a second. */
const GOAL = 2_000;
/** No machine is so quick that it spends this, or that the trading desk owes more than it may. */
const USDT = "1000000";
const BUY = "token=btc&amount=0.00002";

/** A way to ask for buys: by these keys, with an Idempotency-Key or without. */
interface Way {
  readonly name: string;
  readonly keys: readonly string[];
  readonly isKeyed: boolean;
}

/**
 * Buys a second, each in the ledger before its answer: on one merchant's balance and on those of many, without and with an Idempotency-Key.
 * Compared with a bare route that inserts one row. At the end the books are checked.
 */
export async function bench(): Promise<void> {
  const { stack, bareUrl, stop } = await startWithBare();
  try {
    const keys = await openShops(stack);
    const ways: readonly Way[] = [
      { name: "on one merchant", keys: keys.slice(0, 1), isKeyed: false },
      { name: `on ${MERCHANTS} merchants`, keys, isKeyed: false },
      { name: `with an Idempotency-Key, on ${MERCHANTS} merchants`, keys, isKeyed: true },
    ];
    for (const connections of CONNECTIONS) {
      const bare = await askBare(bareUrl, connections);
      report(
        `bare Hono route with one INSERT, ${connections} connections, a second`,
        bare.perSecond.toFixed(0),
      );
      for (const way of ways) {
        const { perSecond, p50, p99 } = await buy(stack, way, connections);
        const name = `buys ${way.name}, ${connections} connections`;
        report(`${name}, a second`, perSecond.toFixed(0), {
          text: `>= ${GOAL.toLocaleString("en")}`,
          met: perSecond >= GOAL,
        });
        report(`${name}, p50 / p99`, `${p50} / ${p99} ms`);
        reportRatio(`${name}, to the bare route`, perSecond / bare.perSecond);
      }
    }
    const { problems } = await checkLedger(stack.db.db);
    if (problems.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(problems.slice(0, 5))}`);
  } finally {
    await stop();
  }
}

/** Adds the merchants and funds them. Returns their keys. */
async function openShops({ db: { db, database }, env }: Stack): Promise<string[]> {
  const sealer = openSecrets(env.SECRET_KEY ?? "");
  const keys: string[] = [];
  for (let n = 0; n < MERCHANTS; n++) {
    const made = await newMerchant(db, { sealer, email: `buyer-${n}@example.com`, name: "Buyer" });
    await fund(db, { merchantId: made.merchant.id, token: "usdt", amount: USDT }, new Date());
    keys.push(made.test.apiKey);
  }
  await database.pool.query("vacuum analyze");
  return keys;
}

/** Every answer has its buy: none is the repeated one of an Idempotency-Key that was used before. */
async function buy({ baseUrl, db }: Stack, { keys, isKeyed }: Way, connections: number): Promise<Load> {
  const before = await countBuys(db);
  let clients = 0;
  // Each connection begins at another merchant. Requests are its own: autocannon keeps the bytes of the first in them.
  const setupClient = (client: Client) => {
    const first = clients++;
    client.setRequests(keys.map((_, n) => askFor(keys[(first + n) % keys.length] ?? "", isKeyed)));
  };
  const loads = await warmAndLoad({ url: baseUrl, setupClient, connections });
  const answers = loads.reduce((sum, one) => sum + one.answers, 0);
  const made = (await countBuys(db)) - before;
  if (made < answers) throw new Error(`${answers} answers, but ${made} buys`);
  return loads[1];
}

function askFor(key: string, isKeyed: boolean): Request {
  const headers = { "x-staging-api-key": key, "content-type": "application/x-www-form-urlencoded" };
  const request = { method: "POST", path: "/v1/trade/buy", headers, body: BUY } as const;
  if (!isKeyed) return request;
  const setupRequest = (one: Request) => ({
    ...one,
    headers: { ...headers, "idempotency-key": randomUUID() },
  });
  return { ...request, setupRequest };
}

async function countBuys({ db }: Stack["db"]): Promise<number> {
  const { rows } = await db.execute<{ n: string }>("select count(*) as n from buys");
  return Number(rows[0]?.n);
}

async function askBare(bareUrl: string, connections: number): Promise<Load> {
  const body = JSON.stringify({ token: "btc", amount: "0.00002" });
  const headers = { "content-type": "application/json" };
  const [, measured] = await warmAndLoad({
    url: `${bareUrl}/rows`,
    method: "POST",
    headers,
    body,
    connections,
  });
  return measured;
}

async function warmAndLoad(options: Options): Promise<[warmUp: Load, measured: Load]> {
  const warmUp = await load({ ...options, amount: WARM_UP });
  return [warmUp, await load({ ...options, ...lasting(SECONDS) })];
}
