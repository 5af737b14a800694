import type { Move } from "./move.ts";
import { MOVES } from "./moves.ts";
import type { World } from "./world.ts";

/** Two blocks come at the same height, and a node keeps the one that the others leave. No branch is longer. */
function part({ random, sides }: World): string | null {
  const { chain, nodes, network } = random.pick(sides);
  chain.mine();
  if (chain.deepest === 0) return null;
  const kept = random.between(0, nodes.states.length - 1);
  nodes.states[kept] = chain.state;
  nodes.stuck.add(kept);
  chain.reorganize(1, { forgets: 0, more: 0 });
  return `two blocks at one height, and node ${kept} of ${network.adapter.network} keeps its own`;
}

/** How often each move happens where nodes are on different branches. The others are left out. */
const WEIGHTS: Readonly<Record<string, number>> = {
  create_link: 0.3,
  pay: 1,
  watch: 12,
  mine: 1,
  stick: 1,
  wait: 0.5,
};

/** Watchers at work while nodes are on branches of the same length. In other histories a branch is mostly longer. */
export const BRANCH_MOVES: readonly Move[] = [
  ...Object.entries(WEIGHTS).map(([name, weight]): Move => ({ ...(MOVES[name] as Move), weight })),
  { weight: 4, outside: part },
];
