import type { Move } from "./move.ts";
import { createLink, MOVES } from "./moves.ts";
import { pay } from "./moves-payers.ts";
import { hashOn } from "./side.ts";
import { WATCH } from "./watch-all.ts";
import type { World } from "./world.ts";

/** A payment whose block a reorganization can replace, and how many blocks that takes. */
function pickRemovable({ random, payments }: World) {
  const removable = payments.flatMap(({ side, transaction }) => {
    const { blocks } = side.chain.state;
    const place = blocks.findLastIndex(({ transactions }) => transactions.includes(transaction));
    const depth = blocks.length - place;
    return place < 0 || depth > side.chain.deepest ? [] : [{ side, transaction, depth }];
  });
  return random.pickOrNull(removable);
}

/** A payment moves to a higher block, where the database often refuses it. The program sees both places in one pass. */
async function delay(world: World): Promise<string | null> {
  const { random, lane, refused } = world;
  const found = pickRemovable(world);
  if (found === null) return null;
  const { side, transaction, depth } = found;
  const isRefused = random.chance(0.5);
  const hash = hashOn(side, transaction);
  if (isRefused) {
    refused.add(hash);
    await lane.refuse(hash, "place");
  }
  side.chain.reorganize(depth, { forgets: 0, more: 0 });
  side.chain.mine(1);
  return `reorganize ${depth} blocks, and mine all${isRefused ? `; the database refuses ${hash.slice(-4)}` : ""}`;
}

/** The newest blocks and all their transactions are gone for good. */
function forget(world: World): string | null {
  const found = pickRemovable(world);
  if (found === null) return null;
  found.side.chain.reorganize(found.depth, { forgets: 1 });
  return `reorganize ${found.depth} blocks, and forget their transactions`;
}

/** How often each move happens where payments meet setbacks. The others are left out. */
const WEIGHTS: Readonly<Record<string, number>> = {
  create_link: 0.3,
  pay: 1.5,
  watch: 10,
  mine: 3,
  reorganize: 2,
  refuse_writes: 2,
  drop: 2,
  send_again: 3,
  replace: 0.5,
  tick: 1,
  wait: 2,
  renew_quotes: 0.3,
  sweep_links: 0.5,
};

/**
 * Payments of bitcoin that the network forgets, that move between blocks, and that the database refuses. Other histories
 * have so many other moves that few of them meet two such setbacks with one payment.
 */
export const SETBACK_MOVES: readonly Move[] = [
  ...Object.entries(WEIGHTS).map(([name, weight]): Move => ({ ...(MOVES[name] as Move), weight })),
  { weight: 2, outside: delay },
  { weight: 2, outside: forget },
];

/** A payment waits, and the program knows it. */
export async function beginWithPayment(world: World): Promise<void> {
  await world.work([createLink(world)]);
  await world.work([WATCH]);
  await world.learn();
  world.moves.push(pay(world) ?? "nothing can be paid");
  await world.work([WATCH]);
  await world.learn();
}
