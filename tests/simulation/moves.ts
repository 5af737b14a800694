import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { renewQuotes } from "#lib/domain/payment-links/settle/renew-quotes.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { listDueEndpointIds } from "#lib/domain/webhooks/delivery-store.ts";
import { retriggerEvents } from "#lib/domain/webhooks/retrigger-events.ts";
import type { ModelTransaction } from "./model-chain.ts";
import { chainHash } from "./model-network.ts";
import { WITHDRAWAL_MOVES } from "./moves-withdrawals.ts";
import type { Service } from "./service.ts";
import type { KnownLink, Work, World } from "./world.ts";

const MINUTE_MS = 60_000;
/** Steps in which the mempool's reader probably reads it. */
const MEMPOOL_STEPS = 6;

/** Something that can happen next. To add one, add an entry to MOVES. */
export type Move = { readonly weight: number } & (
  | {
      /** Happens outside of the program. Returns what happened, or null if it is not possible now. */
      readonly outside: (world: World) => string | null;
    }
  | {
      /** Chooses a piece of work of the program. null: it is not possible now. */
      readonly inside: (world: World) => Work | null;
    }
);

/** Passes of the watcher in one move: a watcher runs again and again. */
async function watch({ watch, memory, mempool, pause }: Service, passes: number): Promise<void> {
  for (let i = 0; i < passes; i++) {
    mempool?.wake();
    // Without a pause the pass mostly sees the mempool as it was before.
    if (mempool !== null && i === passes - 1) await pause(MEMPOOL_STEPS);
    await runPass(watch, memory, { mempool });
  }
}

/** One round of a webhook worker. */
export async function deliverDue({ delivery }: Service, limit: number): Promise<void> {
  const endpoints = await listDueEndpointIds(delivery.db, { after: 0, limit: 10, now: delivery.now() });
  for (const endpointId of endpoints) {
    const { claimed } = await claimDeliveries(delivery, endpointId, limit);
    for (const one of claimed) await deliverWebhook(delivery, one);
  }
}

export function createLink(world: World): Work {
  const { merchant, random, moves } = world;
  const amount = random.pick([500n, 10_000n, 10_000n, 2_000_000n]);
  const minutes = random.pick([5, 120, 120]);
  const isChosen = random.chance(0.8);
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
            wallets: isChosen ? [pairOf(world)] : [],
          },
        },
        now(),
      ),
  };
}

const pairOf = ({ network }: World) => ({ network: network.adapter.network, token: network.token });

function pickLink(world: World, isPayable: boolean): KnownLink | null {
  return world.random.pickOrNull(world.links.filter(({ address }) => !isPayable || address !== null));
}

/** Shares of what is due, in percent. */
const SHARES = [100n, 100n, 100n, 40n, 60n, 130n, 1n] as const;

export function pay(world: World, percent?: bigint): string | null {
  const { random, chain, payments } = world;
  const link = pickLink(world, true);
  if (link === null || link.address === null) return null;
  const share = percent ?? random.pick(SHARES);
  const outputs = [{ address: link.address, amount: (link.due * share) / 100n }];
  const other = random.chance(0.15) ? pickLink(world, true) : null;
  if (other?.address) outputs.push({ address: other.address, amount: other.due });
  const spends = [`payer:${payments.length}`];
  const transaction = { hash: chain.newHash(), spends, outputs };
  chain.send(transaction);
  payments.push(transaction);
  return `pay ${share} % of link ${link.id}${other === null ? "" : ` and link ${other.id}`}`;
}

/** Nobody but the operator can spend what the operator's transactions spend. */
const isPayers = ({ spends }: ModelTransaction) => spends.every((one) => one.startsWith("payer:"));

/** A payer sends another transaction that spends the same. */
function replace(world: World): string | null {
  const { random, chain, payments } = world;
  const former = random.pickOrNull(chain.state.waiting.filter(isPayers));
  if (former === null) return null;
  const outputs = former.outputs.map((output) =>
    random.chance(0.5) ? output : { ...output, amount: (output.amount * 9n) / 10n },
  );
  const transaction = { hash: chain.newHash(), spends: former.spends, outputs };
  chain.send(transaction);
  payments.push(transaction);
  return "a payer replaces a transaction";
}

/** What a payer's contract does in another block: the same transaction pays another link, or another amount. */
function rewrite({ random, links }: World, transaction: ModelTransaction): ModelTransaction {
  if (!isPayers(transaction)) return transaction;
  const outputs = transaction.outputs.map((output) => {
    const address = random.pickOrNull(links)?.address ?? output.address;
    return address === output.address
      ? { ...output, amount: (output.amount * 11n) / 10n }
      : { ...output, address };
  });
  return { ...transaction, outputs };
}

export const MOVES: Readonly<Record<string, Move>> = {
  ...WITHDRAWAL_MOVES,
  create_link: { weight: 1.5, inside: createLink },
  start_session: {
    weight: 1.5,
    inside: (world) => {
      const link = pickLink(world, false);
      const ip = `10.0.${world.moves.length >> 8}.${world.moves.length & 255}`;
      return (
        link && {
          label: `start a session of link ${link.id}`,
          learns: true,
          run: ({ paymentLinks, now }) =>
            startSession(paymentLinks, link.refid, { pair: pairOf(world), ip }, now()),
        }
      );
    },
  },
  renew_quotes: {
    weight: 1,
    inside: (world) => {
      const link = pickLink(world, true);
      return (
        link && {
          label: `renew the quotes of link ${link.id}`,
          run: ({ paymentLinks, now }) => renewQuotes(paymentLinks, link.refid, now()),
        }
      );
    },
  },
  cancel_link: {
    weight: 1,
    inside: (world) => {
      const link = pickLink(world, false);
      const owner = { merchantId: world.merchant.id, env: "test" } as const;
      return (
        link && {
          label: `cancel link ${link.id}`,
          run: ({ paymentLinks, now }) => cancelLink(paymentLinks, link.refid, { owner }, now()),
        }
      );
    },
  },
  pay: { weight: 6, outside: pay },
  replace: { weight: 1, outside: replace },
  drop: {
    weight: 0.5,
    outside: ({ chain }) => {
      if (chain.state.waiting.length === 0) return null;
      chain.drop();
      return "the network forgets a waiting transaction";
    },
  },
  mine: {
    weight: 5,
    outside: ({ chain, random }) => {
      const blocks = random.pick([1, 1, 1, 2]);
      for (let i = 0; i < blocks; i++) chain.mine();
      return `mine ${blocks} blocks`;
    },
  },
  reorganize: {
    weight: 3,
    outside: (world) => {
      const { chain, random } = world;
      if (chain.deepest === 0) return null;
      // Blocks that pay somebody are more interesting than empty ones.
      const paying = chain.state.blocks
        .slice(-chain.deepest)
        .filter((block) => block.transactions.length > 0);
      const lowest = random.pickOrNull(paying)?.height ?? chain.state.blocks.length - 1;
      const depth = chain.state.blocks.length - lowest;
      const isChanging = world.network.adapter.mempool === undefined && random.chance(0.5);
      chain.reorganize(depth, random.pick([0, 0, 1]), isChanging ? (one) => rewrite(world, one) : undefined);
      return `reorganize ${depth} blocks${isChanging ? ", with other effects" : ""}`;
    },
  },
  watch: {
    weight: 12,
    inside: ({ random }) => {
      const passes = random.pick([1, 2]);
      return { label: `${passes} passes of the watcher`, run: (service) => watch(service, passes) };
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
    inside: ({ random, payments, merchant, network }) => {
      const payment = random.pickOrNull(payments);
      if (payment === null) return null;
      const owner = { merchantId: merchant.id, env: "test" } as const;
      const hash = chainHash(network.adapter, payment.hash);
      return {
        label: `send the events of ${hash.slice(-4)} again`,
        run: ({ db, now }) => db.transaction((tx) => retriggerEvents(tx, owner, hash, now())),
      };
    },
  },
  wait: {
    weight: 1,
    outside: (world) => {
      const minutes = world.random.pick([0.2, 0.2, 1, 6, 31, 130]);
      world.pass(minutes * MINUTE_MS);
      return `${minutes} minutes pass`;
    },
  },
};
