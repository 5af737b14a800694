import { type ChainReader, NodeError, type NodeReport } from "./network.ts";
import { orderNodes } from "./node-rules.ts";
import { openPoolNode, type PoolNode, type PoolNodeOptions } from "./pool-node.ts";

interface Block {
  readonly height: number;
  readonly hash: string;
}

export interface NodeWorkOptions {
  /** The newest block read before; null: none. */
  readonly lastBlock: Block | null;
  readonly signal?: AbortSignal;
}

export interface PoolOptions<R extends ChainReader> extends PoolNodeOptions<R> {
  /** Best first. */
  readonly urls: readonly string[];
  readonly blockSeconds: number;
  /** How often the nodes that are not in use are asked for their height. */
  readonly probeMs?: number;
}

/** The nodes of one network: which of them is asked, and what is known of each. All failures are NodeErrors. */
export interface NodePool<R extends ChainReader> {
  /** Reads that go to whichever node answers, each on its own. */
  readonly reader: ChainReader;
  /** The whole of `work` on the best node; when that fails, anew on the next one. */
  use<T>(work: (node: R) => Promise<T>): Promise<T>;
  /** See NetworkAdapter. */
  withOneNode<T>(standing: NodeWorkOptions, work: (node: R, name: string) => Promise<T>): Promise<T>;
  nodes(): readonly NodeReport[];
}

interface Failure<R extends ChainReader> {
  readonly node: PoolNode<R>;
  readonly error: NodeError;
}

interface Attempt<R extends ChainReader, T> {
  readonly work: (reads: R, name: string) => Promise<T>;
  /** Is a node taken at once, or only when no other could do it? Throws NodeError when it is not taken at all. */
  readonly canUse: (node: PoolNode<R>, reads: R) => Promise<boolean>;
  /** The others may be taken then. */
  readonly mayFollowOtherBranch: boolean;
  readonly signal?: AbortSignal | undefined;
}

class OtherBranch extends NodeError {}

const PROBE_MS = 5_000;
/** A branch that is not ours is not followed on account of an answer that a node of ours owed. */
const BRANCH_SWITCH_DELAY_MS = 20_000;
/** What need not be the node's fault: counted against it only when another one could do it. */
const NOT_NODE_FAULTS: ReadonlySet<NodeError["kind"]> = new Set<NodeError["kind"]>([
  "refused",
  "inconsistent",
  "behind",
]);

export function openNodePool<R extends ChainReader>(options: PoolOptions<R>): NodePool<R> {
  const { blockSeconds, probeMs = PROBE_MS, now = () => performance.now() } = options;
  const nodes = options.urls.map((url) => openPoolNode(url, options));
  /** The one that did the last work on one node: its branch is the one that was read. */
  let lastUsed: PoolNode<R> | null = null;
  /** Since when no node could do it; null: one could, the last time. */
  let failingSince: number | null = null;
  let probedAt = Number.NEGATIVE_INFINITY;

  async function attempt<T>({ work, canUse, mayFollowOtherBranch, signal }: Attempt<R, T>) {
    const failures: Failure<R>[] = [];
    const tryNode = async (node: PoolNode<R>, sure: boolean) => {
      try {
        const reads = await node.open(signal);
        if (!sure && !(await canUse(node, reads))) return "later";
        return { result: await work(reads, node.name) };
      } catch (error) {
        if (!(error instanceof NodeError) || signal?.aborted) throw error;
        failures.push({ node, error });
        if (!NOT_NODE_FAULTS.has(error.kind)) node.recordFailure(error);
        return "failed";
      }
    };
    const health = nodes.map((node) => node.health());
    const order = orderNodes(health, blockSeconds, now());
    const at = (places: readonly number[]) => places.flatMap((place) => nodes[place] ?? []);
    const later: PoolNode<R>[] = [];
    for (const [part, sure] of [
      [at(order.usable), false],
      [mayFollowOtherBranch || order.lagging.length > 0 ? later : [], true],
      [at(order.lagging), false],
      [at(order.broken), false],
    ] as const) {
      for (const node of part) {
        const done = await tryNode(node, sure);
        if (typeof done === "object") {
          node.recordSuccess();
          return { node, failures, ...done };
        }
        if (done === "later") later.push(node);
      }
    }
    for (const node of later) {
      if (failures.some((failure) => failure.node === node)) continue;
      const error = new OtherBranch("inconsistent", `${node.name} is on another branch than what was read`);
      failures.push({ node, error });
    }
    throw combineFailures(nodes, failures, now());
  }

  /** Who lags is known only by comparison, who is back only by asking. */
  function probe(stopping: AbortSignal | undefined): void {
    if (nodes.length < 2 || now() - probedAt < probeMs) return;
    probedAt = now();
    for (const node of nodes) if (node !== lastUsed || node.health().broken) node.probeHeight(stopping);
  }

  const use = async <T>(work: (reads: R) => Promise<T>) =>
    (await attempt({ work, canUse: async () => true, mayFollowOtherBranch: true })).result;
  return {
    use,
    async withOneNode({ lastBlock, signal }, work) {
      const canUse = async (node: PoolNode<R>, reads: R) =>
        lastBlock === null || nodes.length === 1 || node === lastUsed || isOnBranch(node, reads, lastBlock);
      try {
        const mayFollowOtherBranch = failingSince !== null && now() - failingSince >= BRANCH_SWITCH_DELAY_MS;
        const { node, failures, result } = await attempt({ work, canUse, mayFollowOtherBranch, signal });
        lastUsed = node;
        failingSince = null;
        for (const { node: other, error } of failures) {
          // Another node could do it, so the failure counts, unless the node is only on another block.
          if (error.kind === "behind" || error instanceof OtherBranch)
            other.deprioritizeUntil(now() + probeMs);
          else if (NOT_NODE_FAULTS.has(error.kind)) other.recordFailure(error);
        }
        return result;
      } catch (error) {
        failingSince ??= now();
        throw error;
      } finally {
        probe(signal);
      }
    },
    nodes: () => nodes.map((node) => node.report()),
    reader: {
      checkIdentity: () => use((reads) => reads.checkIdentity()),
      fetchHead: () => use((reads) => reads.fetchHead()),
      fetchBlockHash: (height) => use((reads) => reads.fetchBlockHash(height)),
      scanBlocks: (range, ours) => use((reads) => reads.scanBlocks(range, ours)),
      scanMempool: (ours) => use((reads) => reads.scanMempool(ours)),
      fetchTransactionStatus: (txHash, seenIn) =>
        use((reads) => reads.fetchTransactionStatus(txHash, seenIn)),
    },
  };
}

/**
 * Does the node hold the block? Throws NodeError when it stands lower, or on a branch that is no longer than that
 * block's: following it would be a step back.
 */
async function isOnBranch<R extends ChainReader>(
  { name }: PoolNode<R>,
  reads: R,
  at: Block,
): Promise<boolean> {
  const head = await reads.fetchHead();
  if (head.height < at.height) {
    const message = `${name} stands at ${head.height}, below ${at.height}`;
    throw new NodeError("behind", message, { height: head.height });
  }
  if (head.height > at.height) return (await reads.fetchBlockHash(at.height)) === at.hash;
  if (head.hash === at.hash) return true;
  throw new OtherBranch("inconsistent", `${name} has another block ${at.height}, and no longer branch`);
}

/** What all the failures come to. None: no node was tried, because each asked to be left alone. */
function combineFailures<R extends ChainReader>(
  nodes: readonly PoolNode<R>[],
  failures: readonly Failure<R>[],
  now: number,
): NodeError {
  const [first, second] = failures.map(({ error }) => error);
  if (!first) {
    const soonest = Math.min(...nodes.map((node) => node.health().limitedUntil));
    const names = nodes.map(({ name }) => name).join(", ");
    return new NodeError("rate_limited", `${names}: our requests are limited`, {
      retryAfterMs: Math.max(0, soonest - now),
    });
  }
  if (!second) return first;
  const errors = failures.map(({ error }) => error);
  const cause = errors.find(({ kind }) => kind !== "behind") ?? first;
  const heights = errors.flatMap(({ height }) => height ?? []);
  return new NodeError(cause.kind, errors.map(({ message }) => message).join("; "), {
    cause,
    ...(heights.length > 0 && { height: Math.max(...heights) }),
  });
}
