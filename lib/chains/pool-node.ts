import type { HeadOptions } from "./blocks.ts";
import type { AdapterTools, ChainReader, NodeReport } from "./network.ts";
import type { Env } from "./network-data.ts";
import { type NodeClient, type NodeClientOptions, openNodeClient } from "./node-client.ts";
import { NodeError } from "./node-error.ts";
import type { NodeCounters } from "./node-metrics.ts";
import { askQuestions, type NodeProbe, type ProbeOptions, type ProbeQuestion } from "./node-probe.ts";
import { applyFailure, applyHeight, applySuccess, type NodeHealth, UNKNOWN_HEALTH } from "./node-rules.ts";

/** Reads one node. */
export interface NodeReader extends ChainReader {
  /** Everything that is asked of the node. Asks nothing itself. */
  listProbeQuestions(): readonly ProbeQuestion[];
}

export interface PoolNodeOptions<R extends NodeReader>
  extends Omit<NodeClientOptions, "onRequest">,
    AdapterTools {
  /** The network, as metrics name it. */
  readonly scope: { readonly env: Env; readonly network: string };
  /** Opens the family's reader of one node. */
  readonly read: (line: NodeClient) => R;
  readonly now?: () => number;
  readonly random?: () => number;
}

/** One node of a pool, its connection and its health. */
export interface PoolNode<R extends NodeReader> {
  readonly name: string;
  health(): NodeHealth;
  /** Returns its reader. Checks the chain's identity first, once after each failure. Throws NodeError. */
  open(stopping: AbortSignal | undefined): Promise<R>;
  /** Records a failure. The node is not used for a while. */
  recordFailure(error: NodeError): void;
  /** Records that the node completed some work. */
  recordSuccess(): void;
  /** Other nodes are preferred until then. */
  deprioritizeUntil(until: number): void;
  /**
   * Asks for its height in the background. Does nothing while a probe runs, or before the node's pause is
   * over.
   */
  probeHeight(stopping: AbortSignal | undefined): void;
  /** See Nodes. Does not change its health. */
  probe(options: ProbeOptions): Promise<NodeProbe>;
  report(): NodeReport;
}

export function openPoolNode<R extends NodeReader>(url: string, options: PoolNodeOptions<R>): PoolNode<R> {
  const { scope, read, counters, now = () => performance.now(), random = Math.random } = options;
  const line = openNodeClient(url, { ...options, onRequest: () => counters?.requests.inc(labels) });
  const { name } = line;
  const labels = { ...scope, node: name };
  createSeries(counters, labels);
  const log = options.log?.child(scope);
  let health = UNKNOWN_HEALTH;
  let identified = false;
  let probing = false;
  let error: string | null = null;

  async function open(stopping: AbortSignal | undefined): Promise<R> {
    const reads = read(line.withSignal(stopping));
    if (!identified) await reads.blocks.checkIdentity();
    identified = true;
    const head = async (options?: HeadOptions) => {
      const found = await reads.blocks.fetchHead(options);
      health = applyHeight(health, found.height, now());
      return found;
    };
    return { ...reads, blocks: { ...reads.blocks, fetchHead: head } };
  }

  function recordFailure(failure: NodeError): void {
    const limitedFor = failure.kind === "rate_limited" ? (failure.retryAfterMs ?? 0) : null;
    health = applyFailure(health, limitedFor, now(), random());
    identified = false;
    counters?.errors.inc(labels);
    // Logged once per error, not once per attempt.
    if (error === failure.message) return;
    error = failure.message;
    log?.[failure.kind === "wrong_chain" ? "error" : "warn"](
      { err: failure, node: name },
      "node failed and is not used for a while",
    );
  }

  return {
    name,
    health: () => health,
    open,
    recordFailure,
    recordSuccess() {
      health = applySuccess(health);
      if (error !== null) log?.info({ node: name }, "node works again");
      error = null;
    },
    deprioritizeUntil(until) {
      health = { ...health, deprioritizedUntil: until };
    },
    probeHeight(stopping) {
      const { broken, retryAt, limitedUntil } = health;
      if (probing || limitedUntil > now() || (broken && retryAt > now())) return;
      probing = true;
      open(stopping)
        .then((reads) => reads.blocks.fetchHead({ finality: false }))
        .catch((failure: unknown) => {
          if (stopping?.aborted) return;
          if (failure instanceof NodeError) recordFailure(failure);
          else log?.error({ err: failure, node: name }, "node answer cannot be parsed");
        })
        .finally(() => {
          probing = false;
        });
    },
    probe: (options) =>
      askQuestions(line, read(line.withSignal(options.signal)).listProbeQuestions(), options),
    report: () => ({ name, height: health.height, error: health.broken ? error : null }),
  };
}

/** A series that begins at 0 shows its first increase. */
function createSeries(
  counters: NodeCounters | undefined,
  labels: Record<"env" | "network" | "node", string>,
) {
  counters?.requests.inc(labels, 0);
  counters?.errors.inc(labels, 0);
}
