import { findCursor } from "#lib/domain/deposits/record/cursor-store.ts";
import { requeryTransaction } from "#lib/domain/deposits/requery/requery-transaction.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { renewQuotes } from "#lib/domain/payment-links/settle/renew-quotes.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { listDueEndpointIds } from "#lib/domain/webhooks/delivery-store.ts";
import { retriggerEvents } from "#lib/domain/webhooks/retrigger-events.ts";
import { actOf, programActAt } from "#tests/support/acts.ts";
import type { KnownLink } from "./learn.ts";
import { type Move, pairOf, pickLink, pickPayable, pickSide } from "./move.ts";
import { PAYER_MOVES } from "./moves-payers.ts";
import { WITHDRAWAL_MOVES } from "./moves-withdrawals.ts";
import type { Service, Watcher } from "./service.ts";
import { hashOn, hasTags, type Side } from "./side.ts";
import type { Work, World } from "./world.ts";

const MINUTE_MS = 60_000;
/** Steps in which the mempool's reader probably reads it. */
const MEMPOOL_STEPS = 6;

/** Passes of the watcher in one move: a watcher runs again and again. */
async function watchSide(service: Service, side: Side, passes: number): Promise<void> {
  const { watch, memory, mempool } = watcherOf(service, side);
  for (let i = 0; i < passes; i++) {
    mempool?.wake();
    // Without a pause the pass mostly sees the mempool as it was before.
    if (mempool !== null && i === passes - 1) await service.pause(MEMPOOL_STEPS);
    await runPass(watch, memory, { mempool });
  }
}

const watcherOf = ({ watchers }: Service, side: Side) => watchers.find((one) => one.side === side) as Watcher;

/** One round of a webhook worker. */
export async function deliverDue({ delivery }: Service, limit: number): Promise<void> {
  const endpoints = await listDueEndpointIds(delivery.db, { after: 0, limit: 10, now: delivery.now() });
  for (const endpointId of endpoints) {
    const { claimed } = await claimDeliveries(delivery, endpointId, limit);
    for (const one of claimed) await (await deliverWebhook(delivery, one)).stored;
  }
}

export function createLink(world: World): Work {
  const { merchant, random, moves } = world;
  const amount = random.pick([500n, 10_000n, 10_000n, 2_000_000n]);
  const minutes = random.pick([5, 120, 120]);
  const chosen = world.sides.filter(() => random.chance(0.8));
  const reference = `R${moves.length}`;
  return {
    label: `create a link for ${amount} cents, ${minutes} minutes`,
    learns: true,
    run: ({ paymentLinks, db, now }) =>
      createPaymentLink(
        db,
        paymentLinks,
        {
          owner: { merchant, env: "test" },
          input: {
            amount,
            currency: "usd",
            customer: {
              email: `c${moves.length % 3}@example.com`,
              firstName: "Ada",
              lastName: "Obi",
              phone: null,
            },
            paymentReference: reference,
            successUrl: null,
            cancelUrl: null,
            expiresAt: new Date(now().getTime() + minutes * MINUTE_MS),
            metadata: null,
            wallets: chosen.map(pairOf),
          },
        },
        now(),
      ),
  };
}

/** Reads a transaction again for its merchant. Blocks that come meanwhile are left to the watcher. */
async function requery(
  service: Service,
  side: Side,
  { txHash, merchantId }: { txHash: string; merchantId: number },
) {
  const { watch } = watcherOf(service, side);
  const { adapter, database } = watch;
  const fetchHead: typeof adapter.blocks.fetchHead = async (options) => {
    const head = await adapter.blocks.fetchHead(options);
    const read = (await findCursor(database.db, watch))?.height ?? -1;
    return { ...head, height: Math.min(head.height, read) };
  };
  const act = programActAt(database.db, merchantId);
  const limited = { ...adapter, blocks: { ...adapter.blocks, fetchHead } };
  await requeryTransaction(act, { watch: { ...watch, adapter: limited }, text: txHash });
}

/** A page asks for new prices. */
export const renew = ({ id, refid }: KnownLink): Work => ({
  label: `renew the quotes of link ${id}`,
  learns: true,
  run: ({ paymentLinks, now }) => renewQuotes(paymentLinks, refid, now()),
});

export const MOVES: Readonly<Record<string, Move>> = {
  ...PAYER_MOVES,
  ...WITHDRAWAL_MOVES,
  create_link: { weight: 1.5, inside: createLink },
  start_session: {
    weight: 1.5,
    inside: (world) => {
      const link = pickLink(world);
      const side = pickSide(world);
      const ip = `10.0.${world.moves.length >> 8}.${world.moves.length & 255}`;
      return (
        link && {
          label: `start a session of link ${link.id}`,
          learns: true,
          run: ({ paymentLinks, now }) =>
            startSession(paymentLinks, link.refid, { pair: pairOf(side), ip }, now()),
        }
      );
    },
  },
  renew_quotes: {
    weight: 1.5,
    inside: (world) => {
      const link = pickPayable(world)?.link ?? null;
      return link && renew(link);
    },
  },
  cancel_link: {
    weight: 1,
    inside: (world) => {
      const link = pickLink(world);
      const { id: merchantId } = world.merchant;
      return (
        link && {
          label: `cancel link ${link.id}`,
          run: ({ paymentLinks: services, now }) =>
            services.db.transaction((tx) =>
              cancelLink(actOf(tx, merchantId, { now: now() }), { services, refid: link.refid }),
            ),
        }
      );
    },
  },
  watch: {
    weight: 12,
    inside: (world) => {
      const passes = world.random.pick([1, 2]);
      const side = pickSide(world);
      return {
        label: `${passes} passes of the watcher of ${side.network.adapter.network}`,
        learns: side.network.adapter.mempool !== null || hasTags(side),
        run: (service) => watchSide(service, side, passes),
      };
    },
  },
  sweep_links: {
    weight: 2,
    inside: () => ({
      label: "sweep the due links",
      run: ({ paymentLinks, now }) => sweepPaymentLinks(paymentLinks, now()),
    }),
  },
  deliver: {
    weight: 2,
    inside: ({ random }) => {
      const limit = random.between(1, 10);
      return { label: `deliver ${limit} webhooks`, run: (service) => deliverDue(service, limit) };
    },
  },
  retrigger: {
    weight: 0.5,
    inside: ({ random, payments, merchant }) => {
      const payment = random.pickOrNull(payments);
      if (payment === null) return null;
      const hash = hashOn(payment.side, payment.transaction);
      return {
        label: `send the events of ${hash.slice(-4)} again`,
        run: ({ db, now }) =>
          db.transaction((tx) => retriggerEvents(actOf(tx, merchant.id, { now: now() }), { txHash: hash })),
      };
    },
  },
  requery: {
    weight: 1.5,
    inside: ({ random, payments, merchant }) => {
      const payment = random.pickOrNull(payments);
      if (payment === null) return null;
      const txHash = hashOn(payment.side, payment.transaction);
      return {
        label: `read ${txHash.slice(-4)} again`,
        run: (service) => requery(service, payment.side, { txHash, merchantId: merchant.id }),
      };
    },
  },
  resolve: {
    weight: 1,
    inside: ({ random, held, merchant }) => {
      const id = random.pickOrNull(held);
      if (id === null) return null;
      return {
        label: `resolve deposit ${id}`,
        learns: true,
        run: ({ db, networks, now }) =>
          db.transaction((tx) => resolveDeposit(actOf(tx, merchant.id, { now: now() }), { networks, id })),
      };
    },
  },
};
