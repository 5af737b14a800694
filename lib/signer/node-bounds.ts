import type { ChainHead } from "#lib/chains/blocks.ts";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";

/**
 * Bounds of what a node says, by the clock and by what other answers say. A value outside of them stops the network until a node says
 * something possible, and leaves nothing behind. All families use these, and docs/operate/security.md lists where.
 */

/** The time of a node's block. Throws NodeError if it is no time, or later than any block of the network can be. */
export function boundTime(said: Date, now: Date, network: NetworkCode): Date {
  const ahead = said.getTime() - now.getTime();
  if (ahead <= getFamily(network).mostAheadMs) return said;
  throw new NodeError(
    "malformed",
    Number.isNaN(ahead)
      ? "the node sent no time of its newest block"
      : `the node's newest block is of ${said.toISOString()}: it errs, or this machine's clock is wrong`,
  );
}

/** The newest block, from a node that says a possible time of it. After one that does not, the next node is asked. */
export const fetchBoundHead = (
  { network, nodes }: Pick<NetworkAdapter, "network" | "nodes">,
  now: Date,
): Promise<ChainHead> =>
  nodes.withOne({ lastBlock: null }, async (node) => {
    const head = await node.blocks.fetchHead();
    if (head.time) boundTime(head.time, now, network);
    return head;
  });

/** A height that should be near another one. Throws NodeError if they are further apart than `most`. */
export function boundHeight(what: string, said: number, near: number, most: number): number {
  if (Number.isSafeInteger(said) && Math.abs(said - near) <= most) return said;
  throw new NodeError("inconsistent", `${what} is ${said}, but the newest final block is ${near}`);
}
