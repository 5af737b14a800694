import { eq } from "drizzle-orm";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { isSamePair, LINK_PAIRS, NETWORKS, type PaymentPair, pairCode } from "#lib/chains/networks.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import type { WatchDeps } from "#lib/domain/deposits/types.ts";
import { startWatchers } from "#lib/domain/deposits/watch/watch-network.ts";
import { watchCounters } from "#lib/domain/deposits/watch-metrics.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { viewForPayer } from "#lib/domain/payment-links/settle/view-for-payer.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import type { DepositStatus } from "#lib/domain/types.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { actOf } from "./acts.ts";
import { checkEventData } from "./check-event-data.ts";
import { testDatabase } from "./database.ts";
import { watchLog } from "./kept-logs.ts";
import { newMerchant } from "./new-merchant.ts";
import { openSteppedClock } from "./stepped-clock.ts";
import { until } from "./until.ts";

export const log = watchLog();
export const LINK_SETTINGS = {
  paymentUrl: "https://pay.example.com",
  quoteMinutes: 20,
  confirmGraceHours: 24,
};

const OFTEN_MS = 50;

/** The same network with a fast watcher. */
export function polledOften(networks: NetworkRegistry): NetworkRegistry {
  const adapters = networks.all().map(({ data: { rhythm, ...data }, ...adapter }) => ({
    ...adapter,
    data: { ...data, pollMs: OFTEN_MS },
  }));
  return {
    find: (env, network) => adapters.find((a) => a.env === env && a.network === network) ?? null,
    list: (env) => adapters.filter((adapter) => adapter.env === env),
    all: () => adapters,
  };
}

/** The same network, asked as often as the real one. Read slowly while nothing is expected, if `idleMs` says so. */
export function polledAsReal(networks: NetworkRegistry, idleMs: number): NetworkRegistry {
  const adapters = networks.all().map((adapter) => {
    const real: NetworkData = NETWORKS[adapter.network];
    const pace = { pollMs: real.pollMs, ...(real.rhythm && { rhythm: real.rhythm }) };
    return { ...adapter, data: { ...adapter.data, ...pace, idleMs, isDevelopment: false } };
  });
  return { find: () => adapters[0] ?? null, list: () => adapters, all: () => adapters };
}

export type WatchedNetwork = Awaited<ReturnType<typeof openWatchedNetwork>>;

/** A database with two merchants who are paid in one token on one network. Watchers start with watch(). */
export async function openWatchedNetwork(networks: NetworkRegistry, pair: PaymentPair, fixedRates: string) {
  const adapter = networks.find("test", pair.network)!;
  const opened = await testDatabase();
  const { db, database } = opened;
  const merchants = [await addMerchant(db, "shop", pair), await addMerchant(db, "stall", pair)] as const;
  const merchantId = merchants[0].id;
  const rates = openRates({ fixed: fixedRates, log });
  const linkDeps: PaymentLinkDeps = { db, networks, rates, settings: LINK_SETTINGS };
  const watchers = new Set<{ stop(): Promise<void> }>();
  const customers = { n: 0 };

  const cursor = async () => {
    const [row] = await db.select().from(watchCursors).where(eq(watchCursors.network, pair.network));
    return row ?? null;
  };
  const allDeposits = () => db.select().from(deposits).orderBy(deposits.id);
  return {
    adapter,
    networks,
    db,
    database: opened,
    merchantId,
    stallId: merchants[1].id,
    paymentLinks: linkDeps,
    cursor,
    /** Waits until the watcher has read up to a block without an error. The error of this wait says what the watcher did instead. */
    untilReadTo: async (height: number) => {
      const before = await countPasses(pair.network);
      const seen = { state: "", since: performance.now() };
      return until(`the watcher to be at block ${height}`, async () => {
        const at = await cursor();
        const state = `${at?.hash} ${at?.error}`;
        if (state !== seen.state) Object.assign(seen, { state, since: performance.now() });
        return at !== null && at.height >= height && at.error === null;
      }).catch(async (error: Error) => {
        const unchangedMs = Math.round(performance.now() - seen.since);
        const passes = `${before}, now ${await countPasses(pair.network)}`;
        const at = JSON.stringify(await cursor());
        throw new Error(`${error.message}; unchanged for ${unchangedMs} ms: ${at}; passes: ${passes}`);
      });
    },
    deposits: allDeposits,
    /** Starts watching; stopped at close at the latest. Each network makes a pass when the test waits for one. */
    watch: (other: NetworkRegistry = networks) => {
      const watcher = startStepped({ database, networks: other, paymentLinks: linkDeps, log });
      watchers.add(watcher);
      return watcher;
    },
    /** The same in real time: with the pauses of the networks, and by itself. */
    watchInRealTime: (other: NetworkRegistry = networks) => {
      const watcher = startWatchers({ database, networks: other, paymentLinks: linkDeps, log });
      watchers.add(watcher);
      return watcher;
    },
    /** A new address of the first merchant that belongs to no link. */
    address: () =>
      db.transaction((tx) =>
        allocateAddress(tx, adapter, { merchantId, purpose: "merchant", customerId: null }),
      ),
    /** A link of the first or second merchant's over `usd` whole dollars, with its address and what is due there. */
    link: async (usd: number, owner: 0 | 1 = 0) => {
      customers.n += 1;
      const customer = {
        email: `c${customers.n}@example.com`,
        firstName: "Ada",
        lastName: "Obi",
        phone: null,
      };
      const now = new Date();
      const created = await db.transaction((tx) =>
        createPaymentLink(
          tx,
          linkDeps,
          {
            owner: { merchant: merchants[owner], env: "test" },
            input: {
              amount: BigInt(usd) * 100n,
              currency: "usd",
              customer,
              paymentReference: `R${customers.n}`,
              successUrl: "https://shop.example.com/ok",
              cancelUrl: "https://shop.example.com/no",
              expiresAt: null,
              metadata: null,
              wallets: [],
            },
          },
          now,
        ),
      );
      if (!created.ok) throw new Error(created.reason);
      const { refid } = created.link;
      const visitor = { ip: `10.${customers.n >> 8}.${customers.n & 255}.1` };
      const picked = await startSession(linkDeps, refid, { pair, ...visitor }, now);
      if (!picked.ok) throw new Error(picked.reason);
      const view = await viewForPayer(linkDeps, refid, now);
      return { refid, address: view!.wallets[0]!.address, due: view!.quotes[0]!.amount };
    },
    linkState: async (refid: string) => {
      const [row] = await db.select().from(paymentLinks).where(eq(paymentLinks.refid, refid));
      return row!.state;
    },
    /** Returns the ledger's amount for an address. */
    depositsTo: async (shown: string) => {
      const rows = await db
        .select({ deposit: deposits })
        .from(deposits)
        .innerJoin(addresses, eq(addresses.id, deposits.addressId))
        .where(eq(addresses.address, adapter.addresses.canonicalize(shown)!))
        .orderBy(deposits.id);
      return rows.map(({ deposit }) => deposit);
    },
    /** A merchant's balance in ledger units. */
    balance: async (owner: 0 | 1 = 0) => {
      const { id } = merchants[owner];
      const accounts = await listLedgerAccounts(db, "test", id);
      return accounts.find(({ code }) => code === `merchant:${id}`)?.balance ?? 0n;
    },
    events: async () => {
      const rows = await db.select().from(webhookEvents).orderBy(webhookEvents.id);
      return rows.map(({ type, body }) => ({
        type,
        data: checkEventData(type, body),
      }));
    },
    depositsAre: (statuses: readonly DepositStatus[]) =>
      until(`deposits ${statuses.join()}`, async () => {
        const rows = await allDeposits();
        return rows.map(({ status }) => status).join() === statuses.join() ? rows : null;
      }).catch(async (error: Error) => {
        const found = (await allDeposits()).map(({ status }) => status).join();
        // Its passes continue or have stopped.
        throw new Error(
          `${error.message}; they are ${found}, the cursor is ${JSON.stringify(await cursor())}`,
        );
      }),
    ledger: () => checkLedger(db),
    close: async () => {
      await Promise.all([...watchers].map((watcher) => watcher.stop()));
      await opened.close();
    },
  };
}

/** A watcher for each network, with a clock of its own that the test drives (until). */
export function startStepped(deps: WatchDeps): { stop(): Promise<void> } {
  const watchers = deps.networks.all().map((adapter) => {
    const clock = openSteppedClock();
    const only = { ...deps.networks, all: () => [adapter] };
    return { clock, watcher: startWatchers({ ...clock, ...deps, networks: only }) };
  });
  return {
    async stop() {
      for (const { clock } of watchers) clock.close();
      await Promise.all(watchers.map(({ watcher }) => watcher.stop()));
    },
  };
}

/** The passes of this process over a network: those that were complete, and by their errors' kinds those that failed. */
async function countPasses(network: string): Promise<string> {
  const { passes, failures } = watchCounters;
  const complete = (await passes.get()).values.map((one) => ({ ...one, kind: "complete" }));
  const failed = (await failures.get()).values.map((one) => ({ ...one, kind: one.labels.kind }));
  const own = [...complete, ...failed].filter(({ labels }) => labels.network === network);
  return own.map(({ kind, value }) => `${kind} ${value}`).join(", ");
}

async function addMerchant(db: PaymentLinkDeps["db"], name: string, pair: PaymentPair) {
  const sealer = { seal: (text: string) => Buffer.from(text) };
  const made = await newMerchant(db, { sealer, email: `${name}@example.com`, name });
  const changes = { paymentPairs: LINK_PAIRS.some((one) => isSamePair(one, pair)) ? [pairCode(pair)] : null };
  const updated = await db.transaction((tx) => updateMerchant(actOf(tx, made.merchant.id), changes));
  if (!updated.ok) throw new Error(JSON.stringify(updated));
  return updated.merchant;
}
