import assert from "node:assert/strict";
import { after } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { asc, eq, type SQL, sql } from "drizzle-orm";
import { openEvmAdapter } from "#lib/chains/evm/evm-adapter.ts";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { createForm } from "#lib/domain/forms/manage-forms.ts";
import type { FormInput } from "#lib/domain/forms/types.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { viewForPayer } from "#lib/domain/payment-links/settle/view-for-payer.ts";
import { paymentLinks, paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import type {
  NewPaymentLink,
  PaymentLinkDeps,
  PaymentLinkView,
  PaymentStatus,
} from "#lib/domain/payment-links/types.ts";
import { composeRecord, type PaymentLinkRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import { fixedRate, parseFixedRates } from "#lib/domain/rates/rules.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { openDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { actOf } from "#tests/support/acts.ts";
import { checkEventData } from "#tests/support/check-event-data.ts";
import { testDatabase } from "#tests/support/database.ts";
import { checkDayTotals } from "#tests/support/recount-days.ts";
import { until } from "#tests/support/until.ts";
import { minutes, START } from "./facts.ts";

export const BEP20 = { network: "bep20", token: "usdt" } as const;
export const usdt = (text: string) => {
  const [whole = "", rest = ""] = text.split(".");
  return BigInt(whole + rest.padEnd(18, "0"));
};

const MNEMONIC =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

const ACCOUNT_KEY = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC)).derive(
  `m/${NETWORKS.bep20.accountPath}`,
).publicExtendedKey;

function bep20Adapter(): NetworkAdapter {
  const config = {
    env: "test" as const,
    network: "bep20" as const,
    rpcUrls: ["http://127.0.0.1:1"],
    accountKey: ACCOUNT_KEY,
    zmqUrl: null,
    chainId: null,
    contracts: {},
  };
  return openEvmAdapter(config, NETWORKS.bep20);
}

/** A link of 100 USD without wallets, as the API passes it. */
export function aPaymentLink(given: Partial<NewPaymentLink> = {}): NewPaymentLink {
  return {
    amount: 10_000n,
    currency: "usd",
    customer: { email: "ada@example.com", firstName: "Ada", lastName: "Obi", phone: null },
    paymentReference: "ORDER1001",
    successUrl: "https://shop.example.com/thanks",
    cancelUrl: "https://shop.example.com/cart",
    expiresAt: null,
    metadata: '{"cart": 7,  "n": 1.50}',
    wallets: [],
    ...given,
  };
}

interface Payment {
  readonly amount: bigint;
  readonly status?: PaymentStatus;
  readonly at?: Date;
  readonly confirmations?: number;
  /** The part of the amount that a replaced transaction paid. */
  readonly early?: { readonly amount: bigint; readonly at: Date };
}

/** Nothing is tolerated and nothing is rounded: amounts of tests are exact. */
const EXACT_TERMS = { toleranceUnderBps: 0, roundStablecoins: false };

/** A merchant on a real database, with the bep20 adapter and rates that a test can change. */
export async function aWorld(terms: Partial<typeof merchants.$inferInsert> = {}, { isNew = false } = {}) {
  const { db, database, url, close } = await testDatabase({ isNew });
  const [merchant] = await db
    .insert(merchants)
    .values({ email: "shop@example.com", name: "Shop", ...EXACT_TERMS, ...terms })
    .returning();
  const merchantId = merchant!.id;
  const owner = { merchantId, merchant: merchant!, env: "test" as const };

  let rateText: string | null = "usdt/usd=1,usd/ngn=1600";
  let on = true;
  const adapter = bep20Adapter();
  const networks: NetworkRegistry = {
    find: (env, network) => (on && env === "test" && network === "bep20" ? adapter : null),
    list: (env) => (on && env === "test" ? [adapter] : []),
    all: () => (on ? [adapter] : []),
  };
  const deps: PaymentLinkDeps = {
    db,
    networks,
    rates: {
      current(token, currency, now) {
        const parsed = rateText === null ? null : parseFixedRates(rateText);
        return parsed?.ok ? fixedRate(parsed.rates, token, currency, now) : null;
      },
      refresh: async () => {},
      start: () => {},
      stop: () => {},
    },
    settings: { paymentUrl: "https://pay.example.com", quoteMinutes: 20, confirmGraceHours: 24 },
  };

  let hashes = 0;
  const world = {
    ...{ db, database, url, deps, owner, adapter },
    /** However the links changed, the totals of their days have followed. */
    async close() {
      await checkDayTotals(db).finally(close);
    },
    setRates(text: string | null) {
      rateText = text;
    },
    setNetworkOn(value: boolean) {
      on = value;
    },

    async create(given: Partial<NewPaymentLink> = {}, now = START): Promise<PaymentLinkRecord> {
      const made = await db.transaction((tx) =>
        createPaymentLink(tx, deps, { owner, input: aPaymentLink(given) }, now),
      );
      if (!made.ok) throw new Error(made.reason);
      return composeRecord(made, deps, now);
    },
    /** A link whose customer has selected bep20. */
    async createPicked(given: Partial<NewPaymentLink> = {}, now = START): Promise<PaymentLinkView> {
      const { refid } = await world.create(given, now);
      const session = await startSession(deps, refid, { pair: BEP20, ip: "203.0.113.5" }, now);
      if (!session.ok) throw new Error(session.reason);
      return world.view(refid, now);
    },
    /** As the payment page shows it. */
    async view(refid: string, now: Date): Promise<PaymentLinkView> {
      const view = await viewForPayer(deps, refid, now);
      if (!view) throw new Error("no such link");
      return view;
    },

    /**
     * Acts as a watcher with a payment: records it and settles in one transaction. Returns the deposit's
     * id.
     */
    async pay(refid: string, payment: Payment): Promise<number> {
      return db.transaction(async (tx) => {
        const id = await world.record(tx, refid, payment);
        await settlePayments(tx, deps, [id], payment.at ?? START);
        return id;
      });
    },
    async record(tx: Tx, refid: string, payment: Payment): Promise<number> {
      const { amount, status = "seen", at = START, early } = payment;
      const { confirmations = status === "credited" ? 1 : 0 } = payment;
      const [wallet] = await tx
        .select({ addressId: paymentLinkWallets.addressId })
        .from(paymentLinkWallets)
        .innerJoin(paymentLinks, eq(paymentLinks.id, paymentLinkWallets.paymentLinkId))
        .where(eq(paymentLinks.refid, refid))
        .orderBy(asc(paymentLinkWallets.addressId))
        .limit(1);
      const [row] = await tx
        .insert(deposits)
        .values({
          ...{ env: "test" as const, ...BEP20, merchantId, addressId: wallet!.addressId },
          ...{ txHash: `0x${(++hashes).toString(16).padStart(64, "0")}`, position: 3, amount, status },
          ...{
            confirmations,
            requiredConfirmations: 1,
            firstSeenAt: at,
            earlyAmount: early?.amount ?? 0n,
            earlySeenAt: early?.at ?? null,
            confirmedAt: status === "credited" ? at : null,
          },
        })
        .returning({ id: deposits.id });
      return row!.id;
    },
    /** Records a change of deposits as a watcher does: updates all of them, then settles once. */
    async change(ids: readonly number[], status: PaymentStatus, now: Date): Promise<void> {
      await db.transaction(async (tx) => {
        for (const id of ids) {
          const confirmedAt = status === "credited" ? now : null;
          await tx
            .update(deposits)
            .set({ status, confirmations: status === "credited" ? 1 : 0, confirmedAt })
            .where(eq(deposits.id, id));
        }
        await settlePayments(tx, deps, ids, now);
      });
    },
    /** A complete pass of the bep20 watcher that started at `startedAt`. */
    async pass(startedAt: Date): Promise<void> {
      const row = { env: "test" as const, network: "bep20" as const, passStartedAt: startedAt };
      await db
        .insert(watchCursors)
        .values({ ...row, height: 1, hash: "0x1", nodeHeight: 1 })
        .onConflictDoUpdate({
          target: [watchCursors.env, watchCursors.network],
          set: { passStartedAt: startedAt },
        });
    },

    async events(): Promise<
      { type: string; data: Record<string, unknown>; body: string; txHashes: string[] }[]
    > {
      const rows = await db.select().from(webhookEvents).orderBy(asc(webhookEvents.id));
      return rows.map(({ type, body, txHashes }) => ({
        type,
        body,
        txHashes,
        data: checkEventData(type, body),
      }));
    },
    async eventTypes(): Promise<string[]> {
      return (await world.events()).map(({ type }) => type.replace("payment_link_", ""));
    },
    addressCount: () => db.$count(addresses),
    /** Runs `work` while another connection holds what this statement locks. */
    async whileHolding<T>(locks: SQL, work: () => Promise<T>): Promise<T> {
      const other = openDatabase(url, { max: 1 });
      const held = other.db.transaction(async (tx) => {
        await tx.execute(locks);
        return work();
      });
      return held.finally(() => other.close());
    },
    /** Waits until so many sessions wait for a lock. It asks through the pool that they use. */
    async untilWaiting(sessions: number): Promise<void> {
      const waiting = sql`
        select count(*)::integer as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await until(`${sessions} wait for a lock`, async () => {
        const { rows } = await db.execute<{ n: number }>(waiting);
        return rows[0]?.n === sessions;
      });
    },
  };
  return world;
}
export type World = Awaited<ReturnType<typeof aWorld>>;

/** The world of a test file. It closes after the tests. */
export async function worldOfFile(terms: Parameters<typeof aWorld>[0] = {}): Promise<World> {
  const world = await aWorld(terms);
  after(() => world.close());
  return world;
}

/** More than a quarter of an hour after the link's two hours. */
export const ENDED = minutes(START, 135);

/** A form of the world's merchant. */
export async function aForm(
  { db, owner, deps }: World,
  input: Partial<FormInput> & Pick<FormInput, "title">,
) {
  const { settings } = deps;
  const made = await db.transaction((tx) =>
    createForm(actOf(tx, owner.merchant.id, { env: owner.env, now: START }), { settings, input }),
  );
  assert.ok(made.ok);
  return made.form;
}
