import { createWithdrawal } from "#lib/domain/withdrawals/create-withdrawal.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { followWithdrawals } from "#lib/domain/withdrawals/follow-withdrawals.ts";
import { markSent } from "#lib/domain/withdrawals/mark-sent.ts";
import { replaceTransaction } from "#lib/domain/withdrawals/replace-transaction.ts";
import type { ModelTransaction } from "./model-chain.ts";
import { chainHash } from "./model-network.ts";
import type { Move } from "./moves.ts";
import { log, type Service } from "./service.ts";
import type { KnownWithdrawal, WithdrawalRequest, Work, World } from "./world.ts";

const ACTOR = "operator:ada";
const PENDING = 0;
const PROCESSING = 1;

/** Asks for a withdrawal, or asks again with the key of an earlier request whose answer may be lost. */
function withdraw(world: World): Work {
  const { random, network, requests } = world;
  const repeated = random.chance(0.3) ? random.pickOrNull(requests) : null;
  const amount = network.dollar * BigInt(random.pick([2, 3, 3, 40]));
  return ask(world, repeated ?? { key: `request-${requests.length}`, amount, paymentLink: null });
}

/** Shares of what a link asks for, in percent: mostly what was paid for it (SHARES). */
const REFUNDED = [100n, 60n, 40n, 30n] as const;

/** Asks for the refund of a payment. */
export function refund(world: World): Work | null {
  const { random, links, requests } = world;
  const link = random.pickOrNull(links.filter(({ address }) => address !== null));
  if (link === null) return null;
  const amount = (link.due * random.pick(REFUNDED)) / 100n;
  return ask(world, { key: `request-${requests.length}`, amount, paymentLink: link.refid });
}

function ask(world: World, request: WithdrawalRequest): Work {
  const { network, merchant, requests, links } = world;
  if (!requests.includes(request)) requests.push(request);
  const refunded = links.find(({ refid }) => refid === request.paymentLink);
  return {
    label: `withdraw ${request.amount}, ${request.key}${refunded ? `, for link ${refunded.id}` : ""}`,
    learns: true,
    run: ({ db, networks, now }) =>
      createWithdrawal(
        { db, networks },
        {
          env: "test",
          email: merchant.email,
          token: network.token,
          network: network.adapter.network,
          to: network.destination,
          amount: request.amount,
          refundOf: null,
          paymentLink: request.paymentLink,
          idempotencyKey: request.key,
        },
        ACTOR,
        now(),
      ),
  };
}

/** What the operator broadcasts. It spends what only one transaction can. */
function broadcast(
  world: World,
  { refid }: KnownWithdrawal,
  outputs: ModelTransaction["outputs"],
  spends: readonly string[],
): ModelTransaction | null {
  const transaction = { hash: world.chain.newHash(), spends, outputs };
  if (!world.chain.send(transaction)) return null;
  world.sent.set(refid, [...(world.sent.get(refid) ?? []), transaction]);
  return transaction;
}

const payingOutputs = (world: World, { amount }: KnownWithdrawal) => [
  { address: world.network.destination, amount },
];

/** The operator broadcasts a transaction, or has done so before, and submits it. */
export function send(world: World, withdrawal: KnownWithdrawal): Work | null {
  const [former] = world.sent.get(withdrawal.refid) ?? [];
  const spends = [`hot:${world.sent.size}`];
  const transaction = former ?? broadcast(world, withdrawal, payingOutputs(world, withdrawal), spends);
  if (transaction === null) return null;
  const { refid } = withdrawal;
  const submission = {
    env: "test",
    refid,
    txHash: chainHash(world.network.adapter, transaction.hash),
  } as const;
  return {
    label: `submit transaction ${transaction.hash.slice(-4)} for withdrawal ${withdrawal.id}`,
    learns: true,
    run: ({ db, networks, now }) => markSent({ db, networks }, { ...submission, actor: ACTOR }, now()),
  };
}

/** The operator replaces a transaction that waits, by one that pays the same or that cancels it. */
function bump(world: World, withdrawal: KnownWithdrawal): Work | null {
  const former = world.sent.get(withdrawal.refid)?.at(-1);
  if (former === undefined) return null;
  const outputs = world.random.chance(0.6)
    ? payingOutputs(world, withdrawal)
    : [{ address: "elsewhere", amount: withdrawal.amount }];
  const transaction = broadcast(world, withdrawal, outputs, former.spends);
  if (transaction === null) return null;
  const { refid } = withdrawal;
  const submission = {
    env: "test",
    refid,
    txHash: chainHash(world.network.adapter, transaction.hash),
  } as const;
  return {
    label: `replace a transaction of withdrawal ${withdrawal.id} by ${transaction.hash.slice(-4)}`,
    run: ({ db, networks, now }) =>
      replaceTransaction({ db, networks }, { ...submission, actor: ACTOR }, now()),
  };
}

/** The operator gives a withdrawal up, but never one whose transaction was broadcast and not submitted. */
function fail(world: World, withdrawal: KnownWithdrawal): Work | null {
  if (withdrawal.status === PENDING && world.sent.has(withdrawal.refid)) return null;
  const request = { env: "test", refid: withdrawal.refid, reason: "given up", actor: ACTOR } as const;
  return {
    label: `give up withdrawal ${withdrawal.id}`,
    learns: true,
    run: ({ db, networks, now }) => failWithdrawal({ db, networks }, request, now()),
  };
}

export const follow = ({ db, networks, now }: Service) => followWithdrawals({ db, networks, log, now });

/** A move with a withdrawal of one of these statuses. */
function withOne(
  weight: number,
  statuses: readonly number[],
  choose: (world: World, withdrawal: KnownWithdrawal) => Work | null,
): Move {
  return {
    weight,
    inside: (world) => {
      const one = world.random.pickOrNull(
        world.withdrawals.filter(({ status }) => statuses.includes(status)),
      );
      return one && choose(world, one);
    },
  };
}

export const WITHDRAWAL_MOVES: Readonly<Record<string, Move>> = {
  withdraw: { weight: 2, inside: withdraw },
  refund: { weight: 1.5, inside: refund },
  send: withOne(4, [PENDING], send),
  bump: withOne(1, [PROCESSING], bump),
  give_up: withOne(0.5, [PENDING, PROCESSING], fail),
  follow: {
    weight: 2,
    inside: ({ withdrawals }) =>
      withdrawals.length === 0 ? null : { label: "follow the withdrawals", learns: true, run: follow },
  },
};
