import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { createWithdrawal } from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { performAs } from "#tests/support/acts.ts";
import { followAll } from "#tests/support/follow-all.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { ADA, answerAsPayer } from "#tests/support/withdrawals.ts";
import type { KnownWithdrawal } from "./learn.ts";
import type { ModelTransaction } from "./model-chain.ts";
import { type Move, pairOf, pickPayable, pickSide } from "./move.ts";
import { log, SECRETS, type Service } from "./service.ts";
import { hashOn, type Side } from "./side.ts";
import type { WithdrawalRequest, Work, World } from "./world.ts";

const byAda = ({ merchant }: World, now: Date) => ({ merchantId: merchant.id, now, actor: ADA });
const PENDING = 0;
const PROCESSING = 1;

/** Asks for a withdrawal, or asks again with the key of an earlier request whose answer may be lost. */
function withdraw(world: World): Work | null {
  const { random, requests } = world;
  const repeated = random.chance(0.3) ? random.pickOrNull(requests) : null;
  const side = pickSide(world);
  if (side.network.destination === null) return null;
  const amount = side.network.dollar * BigInt(random.pick([2, 3, 3, 40]));
  return ask(world, repeated ?? { key: `request-${requests.length}`, side, amount, paymentLink: null });
}

/** Shares of what a link asks for, in percent: mostly what was paid for it (SHARES). */
const REFUNDED = [100n, 60n, 40n, 30n] as const;

/** A payment that can be refunded, and how much of it. */
function chooseRefund(world: World) {
  const payable = pickPayable(world);
  if (payable === null || payable.place.side.network.destination === null) return null;
  const amount = (payable.due * world.random.pick(REFUNDED)) / 100n;
  return { ...payable, side: payable.place.side, amount, paymentLink: payable.link.refid };
}

/** Asks for the refund of a payment. */
export function refund(world: World): Work | null {
  const chosen = chooseRefund(world);
  if (chosen === null) return null;
  const { side, amount, paymentLink } = chosen;
  return ask(world, { key: `request-${world.requests.length}`, side, amount, paymentLink });
}

function ask(world: World, request: WithdrawalRequest): Work {
  const { requests, links } = world;
  const { key, side, amount, paymentLink } = request;
  if (!requests.includes(request)) requests.push(request);
  const refunded = links.find(({ refid }) => refid === paymentLink);
  return {
    label: `withdraw ${amount}, ${key}${refunded ? `, for link ${refunded.id}` : ""}`,
    learns: true,
    run: ({ db, networks, now }) =>
      performAs(db, byAda(world, now()), createWithdrawal, {
        ...pairOf(side),
        networks,
        to: destinationOf(side),
        amount,
        refundOf: null,
        paymentLink,
        idempotencyKey: key,
      }),
  };
}

/** Promises the refund of a payment to the payer who names an address for it. */
function promise(world: World): Work | null {
  const chosen = chooseRefund(world);
  if (chosen === null) return null;
  const { link, side, amount, paymentLink } = chosen;
  const request = {
    ...pairOf(side),
    paymentLink,
    amount: world.random.pick([amount, amount, "all", "excess"] as const),
    note: null,
    mail: false,
    idempotencyKey: `claim-${world.moves.length}`,
  } as const;
  const settings = { paymentUrl: "https://pay.example.com" };
  return {
    label: `promise a refund of ${request.amount} for link ${link.id}`,
    learns: true,
    run: ({ db, networks, now }) =>
      performAs(db, byAda(world, now()), createClaim, { networks, secrets: SECRETS, settings, ...request }),
  };
}

/** The payer names the address of a promised refund. */
function answer({ random, claims, sides }: World): Work | null {
  const claim = random.pickOrNull(claims);
  if (claim === null) return null;
  // An address of another network is refused, and the claim stays open.
  const to = destinationOf(random.pick(sides));
  return {
    label: `name an address for refund claim ${claim.id}`,
    learns: true,
    run: (deps) => answerAsPayer(deps, { secret: claim.secret, to }, deps.now()),
  };
}

function revoke(world: World): Work | null {
  const claim = world.random.pickOrNull(world.claims);
  if (claim === null) return null;
  const request = { id: claim.id, paymentLink: null };
  return {
    label: `revoke refund claim ${claim.id}`,
    learns: true,
    run: ({ db, now }) => performAs(db, byAda(world, now()), revokeClaim, request),
  };
}

const destinationOf = ({ network }: Side) => network.destination ?? "";

/** The transaction that the operator broadcasts. It spends inputs that only one transaction can. */
function broadcast(
  world: World,
  { refid, side: { chain } }: KnownWithdrawal,
  outputs: ModelTransaction["outputs"],
  spends: readonly string[],
): ModelTransaction | null {
  const transaction = { hash: chain.newHash(), spends, outputs };
  if (!chain.send(transaction)) return null;
  world.sent.set(refid, [...(world.sent.get(refid) ?? []), transaction]);
  return transaction;
}

const payingOutputs = ({ side, amount }: KnownWithdrawal) => [{ address: destinationOf(side), amount }];

const hashOf = ({ side }: KnownWithdrawal, transaction: ModelTransaction) => hashOn(side, transaction);

/** The operator broadcasts a transaction, or has done so before, and submits it. */
export function send(world: World, withdrawal: KnownWithdrawal): Work | null {
  const [former] = world.sent.get(withdrawal.refid) ?? [];
  const spends = [`hot:${world.sent.size}`];
  const transaction = former ?? broadcast(world, withdrawal, payingOutputs(withdrawal), spends);
  if (transaction === null) return null;
  return {
    label: `submit transaction ${transaction.hash.slice(-4)} for withdrawal ${withdrawal.id}`,
    learns: true,
    run: (deps) => operatorSteps(deps).sent(withdrawal.refid, hashOf(withdrawal, transaction), deps.now()),
  };
}

/** The operator replaces a transaction that waits, by one that pays the same or that cancels it. */
function bump(world: World, withdrawal: KnownWithdrawal): Work | null {
  const former = world.sent.get(withdrawal.refid)?.at(-1);
  if (former === undefined) return null;
  const outputs = world.random.chance(0.6)
    ? payingOutputs(withdrawal)
    : [{ address: "elsewhere", amount: withdrawal.amount }];
  const transaction = broadcast(world, withdrawal, outputs, former.spends);
  return transaction && submitReplacement(withdrawal, transaction);
}

/** The operator submits a transaction that replaces another one. */
function submitReplacement(withdrawal: KnownWithdrawal, transaction: ModelTransaction): Work {
  return {
    label: `replace a transaction of withdrawal ${withdrawal.id} by ${transaction.hash.slice(-4)}`,
    learns: true,
    run: (deps) => operatorSteps(deps).replace(withdrawal.refid, hashOf(withdrawal, transaction), deps.now()),
  };
}

/** The same at the end. What was submitted before may have been replaced before any node saw it: its hash counts as mistyped. */
export function submitOrCorrect(withdrawal: KnownWithdrawal, transaction: ModelTransaction): Work {
  const { label, learns } = submitReplacement(withdrawal, transaction);
  return {
    label,
    learns,
    async run(deps) {
      const steps = operatorSteps(deps);
      const hash = hashOf(withdrawal, transaction);
      const replaced = await steps.replace(withdrawal.refid, hash, deps.now());
      if (replaced.ok || replaced.reason !== "not_a_replacement") return replaced;
      return steps.correct(withdrawal.refid, hash, deps.now());
    },
  };
}

/** The operator gives a withdrawal up, but never one whose transaction was broadcast and not submitted. */
function fail(world: World, withdrawal: KnownWithdrawal): Work | null {
  const isSent = () => withdrawal.status === PENDING && world.sent.has(withdrawal.refid);
  if (isSent()) return null;
  return {
    label: `give up withdrawal ${withdrawal.id}`,
    learns: true,
    // The work at the same time may be the one that submits it.
    run: async (deps) =>
      isSent() ? null : operatorSteps(deps).fail(withdrawal.refid, "given up", deps.now()),
  };
}

export const follow = ({ db, networks, now }: Service) => followAll({ db, networks, log, now });

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
  promise: { weight: 0.7, inside: promise },
  answer: { weight: 0.7, inside: answer },
  revoke: { weight: 0.3, inside: revoke },
  send: withOne(4, [PENDING], send),
  bump: withOne(1, [PROCESSING], bump),
  give_up: withOne(0.5, [PENDING, PROCESSING], fail),
  follow: {
    weight: 2,
    inside: ({ withdrawals }) =>
      withdrawals.length === 0 ? null : { label: "follow the withdrawals", learns: true, run: follow },
  },
};
