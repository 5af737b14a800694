import { setTimeout as pause } from "node:timers/promises";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { FaultChain } from "#tests/support/fault-chain.ts";
import { between, pick } from "#tests/support/fault-random.ts";
import { type OpenPage, openPage } from "#tests/support/open-page.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";

/** One order of a shop: a link, its page, and its payment. */
export interface Order {
  readonly refid: string;
  readonly page: OpenPage;
  pay(): Promise<void>;
}

export interface ShopLoad {
  readonly orders: readonly Order[];
  /** Requests so far, and the errors of those that failed. */
  readonly figures: { requests: number; retried: number };
  readonly failures: readonly string[];
  /**
   * Creates a link, retries with the same idempotency key until there is a response, and opens the link's
   * page.
   */
  order(): Promise<Order>;
  /** Resolves once all running orders are done. Pages stay open. */
  stop(): Promise<void>;
}

/** A chain that customers pay on. */
export type PayableChain = Pick<FaultChain, "network" | "token" | "pay" | "mine">;

/** An order's price, and the fixed rates of the fault stack. */
const USD = 24n;
const PRICE_USD = { usdt: 1n, btc: 60_000n } as const;

const bodyOf = ({ network, token }: PayableChain) =>
  JSON.stringify({
    ...PAYMENT_LINK,
    amount: String(USD),
    amount_currency: "usd",
    wallets: [{ network, token: token.toUpperCase() }],
  });

/** Ledger units that pay an order. */
const amountOf = ({ token }: PayableChain) =>
  (USD * 10n ** BigInt(TOKENS[token].ledgerDecimals)) / PRICE_USD[token];

/**
 * A shop and its customers, busy until stopped: links over HTTP, their pages, payments on each chain in turn, blocks, and many
 * kinds of reads.
 */
export function openShop(origin: string, apiKey: string, ...chains: readonly PayableChain[]): ShopLoad {
  const orders: Order[] = [];
  const figures = { requests: 0, retried: 0 };
  const failures: string[] = [];
  let keys = 0;
  let stopping = false;

  /** The text of the response. Null, and a recorded failure, without a response or with an unexpected one. */
  async function call(path: string, more: RequestInit = {}): Promise<string | null> {
    figures.requests += 1;
    const what = `${more.method ?? "GET"} ${path}`;
    try {
      const response = await fetch(origin + path, {
        ...more,
        headers: { "x-staging-api-key": apiKey, ...more.headers },
        signal: AbortSignal.timeout(20_000),
      });
      const text = await response.text();
      if (response.ok) return text;
      failures.push(`${what}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${what}: ${String(error)}`);
    }
    return null;
  }

  async function order(): Promise<Order> {
    const chain = chains[keys % chains.length] as PayableChain;
    keys += 1;
    const headers = { "content-type": "application/json", "idempotency-key": `order-${keys}` };
    for (;;) {
      const text = await call("/v1/payment-links", { method: "POST", headers, body: bodyOf(chain) });
      if (text !== null) return open(text, chain);
      figures.retried += 1;
      await pause(50);
    }
  }

  /** The customer reloads the page until it loads. */
  async function load(refid: string): Promise<OpenPage> {
    for (;;) {
      figures.requests += 1;
      try {
        return await openPage(`${origin}/pay/${refid}`);
      } catch (error) {
        failures.push(String(error));
      }
      figures.retried += 1;
      await pause(50);
    }
  }

  async function open(text: string, chain: PayableChain): Promise<Order> {
    const { data } = JSON.parse(text) as { data: { refid: string; wallets: { address: string }[] } };
    const { address } = data.wallets[0]!;
    const made: Order = {
      refid: data.refid,
      page: await load(data.refid),
      pay: async () => void (await chain.pay(address, amountOf(chain))),
    };
    orders.push(made);
    return made;
  }

  async function repeat(work: () => Promise<unknown>, atMostMs: number): Promise<void> {
    while (!stopping) {
      await work();
      await pause(between(10, atMostMs));
    }
  }

  const look = () => {
    const { refid = "" } = orders.length > 0 ? pick(orders) : {};
    return call(pick([`/pay/${refid}`, `/v1/payment-links/${refid}`, "/v1/payment-links"]));
  };
  const loops = [
    repeat(async () => (await order()).pay(), 800),
    repeat(async () => orders.length > 0 && look(), 300),
    ...chains.map((chain) => repeat(() => chain.mine(), 400)),
  ];
  return {
    orders,
    figures,
    failures,
    order,
    async stop() {
      stopping = true;
      await Promise.all(loops);
    },
  };
}
