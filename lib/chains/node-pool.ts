import { type LastBlock, resolveLastBlock } from "./last-block.ts";
import type { ChainReader, NodeAnswer, Nodes } from "./network.ts";
import { openNodeClient } from "./node-client.ts";
import { NodeError } from "./node-error.ts";
import { type LastRead, orderNodes } from "./node-rules.ts";
import { poolCapability, type Questions } from "./pool-capability.ts";
import { type NodeReader, openPoolNode, type PoolNode, type PoolNodeOptions } from "./pool-node.ts";
import { isTracesRefused } from "./traces-refused.ts";

interface Block {
  readonly height: number;
  readonly hash: string;
}

export interface PoolOptions<R extends NodeReader> extends Omit<PoolNodeOptions<R>, "headers" | "walletUrl"> {
  /** Best first. */
  readonly urls: readonly string[];
  /** Headers for each URL, in the same order. */
  readonly headers?: readonly Readonly<Record<string, string>>[] | undefined;
  /** A second URL of each node, in the same order. */
  readonly walletUrls?: readonly string[] | undefined;
  readonly blockSeconds: number;
  /** Milliseconds between two height requests to nodes that are not in use. */
  readonly probeMs?: number;
}

/** The nodes of one network, which one is used, and their health. All failures are NodeErrors. */
export interface NodePool<R extends ChainReader> extends Nodes<R> {
  /** Single reads, each from any node that answers. */
  readonly reader: ChainReader;
  /** Runs `work` on the best node. When that fails, it starts again with the next node. */
  use<T>(work: (node: R) => Promise<T>): Promise<T>;
  /** One more capability of its nodes, of any node that answers. See poolCapability. */
  share<C extends Questions<C> | null>(pick: (node: R) => C): C;
  /** As askEach, without nodes that failed and have not answered since, or limit our requests: one that is silent would take its whole timeout. */
  askWorking<T>(ask: (node: R) => Promise<T>): Promise<readonly NodeAnswer<T>[]>;
  /**
   * Runs `work` on the node that did the last work, or on the best one, in parallel with that work. A failure says
   * nothing about the node.
   */
  alongsideWork<T>(signal: AbortSignal | undefined, work: (node: R, name: string) => Promise<T>): Promise<T>;
}

interface Failure<R extends NodeReader> {
  readonly node: PoolNode<R>;
  readonly error: NodeError;
}

interface Attempt<R extends NodeReader, T> {
  readonly work: (reads: R, name: string, node: PoolNode<R>) => Promise<T>;
  /**
   * Returns whether the node can be used now. False: only when no other node could do the work. Throws
   * NodeError when it cannot be used at all.
   */
  readonly canUse: (node: PoolNode<R>, reads: R) => Promise<boolean>;
  /** Nodes on another branch may be used. */
  readonly mayFollowOtherBranch: boolean;
  readonly signal?: AbortSignal | undefined;
}

class OtherBranch extends NodeError {}

/** The URL in place of a node where only addresses are derived. Nothing is sent to it. */
const NO_NODE = "http://localhost";
const PROBE_MS = 5_000;
/** A branch switch waits this long: one late answer of a good node must not cause it. */
const BRANCH_SWITCH_DELAY_MS = 20_000;
/** Errors that may not be the node's fault. They count only when another node could do the work. */
const NOT_NODE_FAULTS: ReadonlySet<NodeError["kind"]> = new Set<NodeError["kind"]>([
  "refused",
  "inconsistent",
  "behind",
  "stale",
]);

export function openNodePool<R extends NodeReader>(options: PoolOptions<R>): NodePool<R> {
  const { blockSeconds, timeoutMs, probeMs = PROBE_MS, now = () => performance.now() } = options;
  const nodes = options.urls.map((url, place) =>
    openPoolNode(url, {
      ...options,
      headers: options.headers?.[place],
      walletUrl: options.walletUrls?.[place],
    }),
  );
  const pool = { nodes, blockSeconds, now };
  /** The node of the last work. */
  let lastUsed: PoolNode<R> | null = null;
  /** Since when no node could do the work. Null: one could, the last time. */
  let failingSince: number | null = null;
  let probedAt = Number.NEGATIVE_INFINITY;

  /** A lagging node is found only by comparison, and a recovered node only by asking. */
  function probe(stopping: AbortSignal | undefined): void {
    if (nodes.length < 2 || now() - probedAt < probeMs) return;
    probedAt = now();
    for (const node of nodes) if (node !== lastUsed || node.health().broken) node.probeHeight(stopping);
  }

  const isWorking = (node: PoolNode<R>) => !node.health().broken && node.health().limitedUntil <= now();
  const use = async <T>(work: (reads: R) => Promise<T>) =>
    (await attemptWork(pool, { work, canUse: async () => true, mayFollowOtherBranch: true })).result;
  const shape = options.read(openNodeClient(options.urls[0] ?? NO_NODE, { timeoutMs }));
  const share = <C extends Questions<C> | null>(pick: (node: R) => C) => poolCapability(use, pick, shape);
  return {
    use,
    share,
    reader: shareReader(share),
    async withOne({ lastBlock, lastRead, signal }, work) {
      const canUse = async (node: PoolNode<R>, reads: R) =>
        nodes.length === 1 || (await hasLastBlock(node, reads, { lastBlock, lastRead }));
      const begin = (reads: R, name: string, node: PoolNode<R>) => {
        if (lastRead && lastRead.node !== node) Object.assign(lastRead, { node, hash: null });
        return work(reads, name);
      };
      try {
        const mayFollowOtherBranch = failingSince !== null && now() - failingSince >= BRANCH_SWITCH_DELAY_MS;
        const { node, failures, result } = await attemptWork(pool, {
          work: begin,
          canUse,
          mayFollowOtherBranch,
          signal,
        });
        lastUsed = node;
        failingSince = null;
        recordDeferredFailures(failures, now() + probeMs);
        return result;
      } catch (error) {
        failingSince ??= now();
        throw error;
      } finally {
        probe(signal);
      }
    },
    async alongsideWork(signal, work) {
      const node = lastUsed ?? nodes[0];
      if (!node || node.health().limitedUntil > now()) throw combineFailures(nodes, [], now());
      return work(await node.open(signal), node.name);
    },
    askEach: (ask) => Promise.all(nodes.map((node) => askNode(node, ask))),
    askWorking: (ask) => Promise.all(nodes.filter(isWorking).map((node) => askNode(node, ask))),
    probe: (options) => Promise.all(nodes.map((node) => node.probe(options))),
    report: () => nodes.map((node) => node.report()),
  };
}

/** Every capability that a reader has. */
const shareReader = <R extends NodeReader>(share: NodePool<R>["share"]): ChainReader => ({
  blocks: share((node) => node.blocks),
  late: share((node) => node.late),
  transactions: share((node) => node.transactions),
  fees: share((node) => node.fees),
  feeRates: share((node) => node.feeRates),
  custody: share((node) => node.custody),
  unlistedTokens: share((node) => node.unlistedTokens),
});

async function askNode<R extends NodeReader, T>(
  node: PoolNode<R>,
  ask: (node: R) => Promise<T>,
): Promise<NodeAnswer<T>> {
  try {
    return { ok: true, result: await ask(await node.open(undefined)) };
  } catch (error) {
    if (error instanceof NodeError) return { ok: false };
    throw error;
  }
}

interface PoolState<R extends NodeReader> {
  readonly nodes: readonly PoolNode<R>[];
  readonly blockSeconds: number;
  readonly now: () => number;
}

/** Does the work on the first node that can, best nodes first. Throws the combined failures if none can. */
async function attemptWork<R extends NodeReader, T>(
  { nodes, blockSeconds, now }: PoolState<R>,
  attempt: Attempt<R, T>,
) {
  const failures: Failure<R>[] = [];
  const health = nodes.map((node) => node.health());
  const order = orderNodes(health, blockSeconds, now());
  const nodesAt = (places: readonly number[]) => places.flatMap((place) => nodes[place] ?? []);
  const later: PoolNode<R>[] = [];
  for (const [part, sure] of [
    [nodesAt(order.usable), false],
    [attempt.mayFollowOtherBranch || order.lagging.length > 0 ? later : [], true],
    [nodesAt(order.lagging), false],
    [nodesAt(order.broken), false],
  ] as const) {
    for (const node of part) {
      const done = await tryNode(node, attempt, { sure, failures });
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

/** Adds the node's failure to `failures`. With `sure`, `canUse` is not called. */
async function tryNode<R extends NodeReader, T>(
  node: PoolNode<R>,
  { work, canUse, signal }: Attempt<R, T>,
  { sure, failures }: { readonly sure: boolean; readonly failures: Failure<R>[] },
) {
  try {
    const reads = await node.open(signal);
    if (!sure && !(await canUse(node, reads))) return "later";
    return { result: await work(reads, node.name, node) };
  } catch (error) {
    if (!(error instanceof NodeError) || signal?.aborted) throw error;
    failures.push({ node, error });
    if (!NOT_NODE_FAULTS.has(error.kind)) node.recordFailure(error);
    return "failed";
  }
}

/**
 * Records the failures that count only because another node could do the work. A node that is only on
 * another block is deprioritized until then instead.
 */
function recordDeferredFailures<R extends NodeReader>(failures: readonly Failure<R>[], until: number): void {
  for (const { node, error } of failures) {
    if (error.kind === "behind" || error.kind === "stale" || error instanceof OtherBranch)
      node.deprioritizeUntil(until);
    else if (NOT_NODE_FAULTS.has(error.kind)) node.recordFailure(error);
  }
}

/** Returns whether the node has the last block, and notes it. See Nodes.withOne and isOnBranch. */
async function hasLastBlock<R extends NodeReader>(
  node: PoolNode<R>,
  reads: R,
  { lastBlock, lastRead }: { readonly lastBlock: LastBlock; readonly lastRead: LastRead | undefined },
): Promise<boolean> {
  const at = await resolveLastBlock(lastBlock);
  if (at === null || (node === lastRead?.node && at.hash === lastRead.hash)) return true;
  const isOn = await isOnBranch(node, reads, at);
  if (lastRead && isOn) Object.assign(lastRead, { node, hash: at.hash });
  return isOn;
}

/**
 * Returns whether the node has the block. Throws NodeError when the node is below it, or on a branch that is
 * not longer and has no more work: using it would be a step back.
 */
async function isOnBranch<R extends NodeReader>(
  { name }: PoolNode<R>,
  reads: R,
  at: Block,
): Promise<boolean> {
  const head = await reads.blocks.fetchHead({ finality: false });
  if (head.height > at.height) return (await reads.blocks.fetchHash(at.height)) === at.hash;
  if (head.hash === at.hash) return true;
  if (await reads.blocks.hasMoreWork(at)) return false;
  if (head.height < at.height) {
    const message = `${name} is at ${head.height}, below ${at.height}`;
    throw new NodeError("behind", message, { height: head.height });
  }
  throw new OtherBranch("inconsistent", `${name} has another block ${at.height}, and no longer branch`);
}

/**
 * Combines all failures into one error. Without failures no node was tried, because each asked us to wait.
 */
function combineFailures<R extends NodeReader>(
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
  const cause = errors.find(isTracesRefused) ?? errors.find(({ kind }) => kind !== "behind") ?? first;
  const heights = errors.flatMap(({ height }) => height ?? []);
  return new NodeError(cause.kind, errors.map(({ message }) => message).join("; "), {
    cause,
    isPassing: errors.some(({ isPassing }) => isPassing),
    ...(heights.length > 0 && { height: Math.max(...heights) }),
  });
}
