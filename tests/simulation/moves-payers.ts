import type { ModelTransaction } from "./model-chain.ts";
import { type Move, type PayableLink, pickPayable, pickSide } from "./move.ts";
import { hashOn, hasTags, type Side } from "./side.ts";
import type { SentPayment, World } from "./world.ts";

const MINUTE_MS = 60_000;
/** Payers who look at a page still pay what it showed so long after its price has ended. */
const STALE_PAGE_MS = 10 * MINUTE_MS;

/** Shares of what is due, in percent. null: exactly what the page shows or has just shown. */
const SHARES = [null, null, null, 100n, 100n, 40n, 60n, 130n, 1n] as const;

function send(world: World, side: Side, payment: Omit<SentPayment, "side" | "sentAt">): void {
  side.chain.send(payment.transaction);
  world.payments.push({ ...payment, side, sentAt: world.now });
}

/** The first output of a payment for a link, and the price that the payer saw. */
function choosePayment({ random, now }: World, { place, due }: PayableLink, share: bigint | null) {
  const { address, quotes } = place;
  const recent = quotes.filter(({ until }) => until + STALE_PAGE_MS > now);
  const quote = share === null ? random.pickOrNull(recent) : null;
  if (quote !== null && quote.asked > 0n)
    return { amount: quote.asked, shown: { ...quote, address }, says: "what the page showed" };
  return { amount: (due * (share ?? 100n)) / 100n, shown: null, says: `${share ?? 100n} %` };
}

export function pay(world: World, percent?: bigint): string | null {
  const { random, payments } = world;
  const payable = pickPayable(world);
  if (payable === null) return null;
  const { side, address } = payable.place;
  const { amount, shown, says } = choosePayment(world, payable, percent ?? random.pick(SHARES));
  const outputs = [{ address, amount }];
  // A payment of XRP has one receiver.
  const other = !hasTags(side) && random.chance(0.15) ? pickPayable(world, side) : null;
  if (other !== null) outputs.push({ address: other.place.address, amount: other.due });
  const spends = [`payer:${payments.length}`];
  send(world, side, { transaction: { hash: side.chain.newHash(), spends, outputs }, shown });
  return `pay ${says} of link ${payable.link.id}${other === null ? "" : ` and link ${other.link.id}`}`;
}

/** A stranger pays a tag that is not allocated yet, to get it later. */
function payUnallocated(world: World): string | null {
  const { random, links, payments, watched } = world;
  const side = pickSide(world);
  const { adapter, dollar } = side.network;
  // The first pass does not look for what was paid before it.
  if (!hasTags(side) || !watched.includes(adapter.network)) return null;
  const next = links.flatMap(({ places }) => places).length + random.between(0, 2);
  const outputs = [
    { address: adapter.addresses.derive(next).address, amount: dollar * random.pick([5n, 100n]) },
  ];
  const spends = [`payer:${payments.length}`];
  send(world, side, { transaction: { hash: side.chain.newHash(), spends, outputs }, shown: null });
  return `pay tag ${next + 1} before it is allocated`;
}

/** Nobody but the operator can spend what the operator's transactions spend. */
const isPayers = ({ spends }: ModelTransaction) => spends.every((one) => one.startsWith("payer:"));

/** A payer sends another transaction that spends the same. */
function replace(world: World): string | null {
  const { random } = world;
  const side = pickSide(world);
  const former = random.pickOrNull(side.chain.state.waiting.filter(isPayers));
  if (former === null) return null;
  const outputs = former.outputs.map((output) =>
    random.chance(0.5) ? output : { ...output, amount: (output.amount * 9n) / 10n },
  );
  const transaction = { hash: side.chain.newHash(), spends: former.spends, outputs };
  send(world, side, { transaction, shown: null });
  return "a payer replaces a transaction";
}

/** A payer sends a transaction again that the network has forgotten. */
function sendAgain({ random, payments, sentAgainAt, now }: World): string | null {
  const forgotten = payments.filter(({ side: { chain }, transaction }) => {
    const { hash } = transaction;
    return !chain.minedAt.has(hash) && !chain.state.waiting.some((one) => one.hash === hash);
  });
  const payment = random.pickOrNull(forgotten);
  if (payment === null || !payment.side.chain.send(payment.transaction)) return null;
  sentAgainAt.set(payment.transaction.hash, now);
  return `a payer sends ${payment.transaction.hash.slice(-4)} again`;
}

/** The effect of a payer's contract in another block: the same transaction pays another link, or another amount. */
function rewrite(world: World, side: Side, transaction: ModelTransaction): ModelTransaction {
  if (!isPayers(transaction)) return transaction;
  const outputs = transaction.outputs.map((output) => {
    const address = pickPayable(world, side)?.place.address ?? output.address;
    return address === output.address
      ? { ...output, amount: (output.amount * 11n) / 10n }
      : { ...output, address };
  });
  return { ...transaction, outputs };
}

function reorganize(world: World): string | null {
  const { random } = world;
  const side = pickSide(world);
  const { chain, network } = side;
  if (chain.deepest === 0) return null;
  // Blocks that pay somebody are more interesting than empty ones.
  const paying = chain.state.blocks.slice(-chain.deepest).filter((block) => block.transactions.length > 0);
  const lowest = random.pickOrNull(paying)?.height ?? chain.state.blocks.length - 1;
  const depth = chain.state.blocks.length - lowest;
  const isChanging = network.adapter.mempool === null && random.chance(0.5);
  chain.reorganize(depth, {
    forgets: random.pick([0, 0, 1]),
    rewrite: isChanging ? (one) => rewrite(world, side, one) : undefined,
    more: random.pick([0, 1, 1, 1]),
  });
  return `reorganize ${depth} blocks${isChanging ? ", with other effects" : ""}`;
}

/** A node learns nothing new for some time, or does again. It may be on a branch that the others have left. */
function stick(world: World): string {
  const { states, stuck, base } = pickSide(world).nodes;
  const place = world.random.between(0, states.length - 1);
  if (!stuck.delete(place)) stuck.add(place);
  return `node ${place} of ${base.network} ${stuck.has(place) ? "learns nothing new" : "learns again"}`;
}

/** The database refuses to write some deposits of one transaction, until it does again. */
async function refuseWrites({ random, payments, lane, refused }: World): Promise<string | null> {
  if (refused.size > 0 && random.chance(0.4)) {
    await lane.acceptAll();
    return "the database writes all deposits again";
  }
  const payment = random.pickOrNull(payments);
  if (payment === null) return null;
  const { chain } = payment.side;
  const hash = hashOn(payment.side, payment.transaction);
  const what = random.pick(["place", "place", "credit"] as const);
  refused.add(hash);
  await lane.refuse(hash, what);
  // A payment in a block is written again only when a reorganization moves it.
  const block = chain.state.blocks.findLast(({ transactions }) => transactions.includes(payment.transaction));
  const depth = block === undefined ? 0 : chain.state.blocks.length - block.height;
  if (what === "place" && depth > 0 && depth <= chain.deepest) chain.reorganize(depth, { forgets: 0 });
  return `the database refuses to ${what} ${hash.slice(-4)}`;
}

export const PAYER_MOVES: Readonly<Record<string, Move>> = {
  pay: { weight: 6, outside: pay },
  pay_unallocated: { weight: 3, outside: payUnallocated },
  replace: { weight: 1, outside: replace },
  send_again: { weight: 1, outside: sendAgain },
  drop: {
    weight: 0.7,
    outside: (world) => {
      const { chain } = pickSide(world);
      if (chain.state.waiting.length === 0) return null;
      chain.drop();
      return "the network forgets a waiting transaction";
    },
  },
  mine: {
    weight: 5,
    outside: (world) => {
      const { chain } = pickSide(world);
      const blocks = world.random.pick([1, 1, 1, 2]);
      for (let i = 0; i < blocks; i++) chain.mine();
      return `mine ${blocks} blocks`;
    },
  },
  reorganize: { weight: 3, outside: reorganize },
  stick: { weight: 1, outside: stick },
  refuse_writes: { weight: 0.8, outside: refuseWrites },
  tick: {
    weight: 1.5,
    outside: (world) => {
      const { token } = pickSide(world).network;
      world.prices.tick(token, world.random);
      return `the price of ${token} changes`;
    },
  },
  wait: {
    weight: 1.2,
    outside: (world) => {
      const minutes = world.random.pick([0.2, 0.2, 1, 6, 21, 31, 130]);
      world.pass(minutes * MINUTE_MS);
      return `${minutes} minutes pass`;
    },
  },
};
