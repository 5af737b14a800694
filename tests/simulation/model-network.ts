import { type AddressFilter, PLAIN_FORKS } from "#lib/chains/blocks.ts";
import type { MempoolReader, MempoolStep, MempoolView } from "#lib/chains/mempool-reader.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NodeError, type NodeErrorKind } from "#lib/chains/node-error.ts";
import { openNodePool } from "#lib/chains/node-pool.ts";
import type { NodeReader } from "#lib/chains/pool-node.ts";
import type { TransactionPayments } from "#lib/chains/transactions.ts";
import { type ChainTransfer, NO_POSITION } from "#lib/chains/transfers.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { IDLE_CAPABILITIES, NO_TRANSACTIONS } from "#tests/support/idle-capabilities.ts";
import type { BranchMonitor } from "./branch-monitor.ts";
import {
  type ChainState,
  headOf,
  type ModelBlock,
  type ModelChain,
  type ModelTransaction,
} from "./model-chain.ts";
import { collectingAddress } from "./networks.ts";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** How often the nodes of a history go wrong, from 0 to 1. */
export interface NodeFaults {
  /** A question gets no answer, or a refusal. */
  readonly failing: number;
  /** The chain changes while a question is under way. */
  readonly changing: number;
  /** An answer comes from an older state than the last one of another node. */
  readonly lagging: number;
}

/** The nodes of a network. All processes ask the same ones. */
export interface ModelNodes {
  readonly base: NetworkAdapter;
  readonly token: TokenCode;
  readonly chain: ModelChain;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly faults: NodeFaults;
  /** The state of each node. */
  readonly states: ChainState[];
  /** Places of nodes that learn nothing new. */
  readonly stuck: Set<number>;
  now(): number;
  /** Lets the chain change while a question is under way. */
  disturb(): void;
  readonly monitor: BranchMonitor;
}

const FAILURES: readonly NodeErrorKind[] = [
  "unreachable",
  "rate_limited",
  "refused",
  "inconsistent",
  "malformed",
];

/** The network as one process sees it: it has a connection to each node, and each question is a step. */
export function openModelNetwork(nodes: ModelNodes, process: Process): NetworkAdapter {
  const { base, random, now } = nodes;
  const { env, network } = base;
  const pool = openNodePool({
    scope: { env, network },
    urls: nodes.states.map((_, i) => `http://n${i}.example`),
    read: (line) => readNode(nodes, process, Number(line.name.slice(1, 2))),
    timeoutMs: 1_000,
    blockSeconds: base.data.blockSeconds,
    now,
    random: () => random.next(),
  });
  return {
    ...base,
    ...pool.reader,
    nodes: pool,
    mempool: base.mempool && openMempool(nodes, (work) => pool.alongsideWork(undefined, work)),
    news: null,
  };
}

/** The answer of a node. A question is a step; the answer follows from the state of the node after that step. */
function readNode(nodes: ModelNodes, process: Process, place: number): ModelReader {
  const ask = <T>(question: string, answer: (state: ChainState) => T): Promise<T> =>
    nodes.scheduler.step(process, {
      label: `node ${place} ${question}`,
      pid: () => null,
      run: async () => {
        const { random, faults, chain } = nodes;
        if (random.chance(faults.changing)) nodes.disturb();
        if (!nodes.stuck.has(place) && !random.chance(faults.lagging)) nodes.states[place] = chain.state;
        if (random.chance(faults.failing)) throw new NodeError(random.pick(FAILURES), "the node fails");
        return answer(nodes.states[place] as ChainState);
      },
      lose: async () => new NodeError("unreachable", "the connection to the node broke"),
    });
  const { token, chain } = nodes;
  const isFinal = chain.kind.finalDepth !== null;
  const at = { network: nodes.base.network, place };
  return {
    blocks: {
      checkIdentity: () => ask("identity", () => {}),
      fetchHead: (options) =>
        ask("head", (state) => {
          const { height, hash, time } = headOf(state);
          nodes.monitor.onShown(at, hash);
          nodes.monitor.onHead(at, height);
          const finalizedHeight = isFinal && options?.finality !== false ? state.finalizedHeight : null;
          return { height, hash, time, finalizedHeight };
        }),
      fetchHash: (height) =>
        ask(`hash ${height}`, ({ blocks }) => {
          const hash = blocks[height]?.hash ?? null;
          if (hash !== null) nodes.monitor.onShown(at, hash);
          return hash;
        }),
      async scan({ from, to }, ours) {
        const read = await ask(`scan ${from}-${to}`, ({ blocks }) => blocks);
        const tip = read[to];
        if (tip === undefined) throw new NodeError("inconsistent", `the node has no block ${to}`);
        const scanned = read.slice(from, to + 1);
        nodes.monitor.onShown(at, tip.hash);
        const transfers = await pickOurs(nodes, scanned, ours);
        return { transfers, tipHash: tip.hash, parentHash: scanned[0]?.parentHash ?? "" };
      },
      ...PLAIN_FORKS,
    },
    ...IDLE_CAPABILITIES,
    transactions: {
      ...NO_TRANSACTIONS,
      fetchStatus: (hash) =>
        ask(`status ${shorten(hash)}`, (state) => {
          const found = findTransaction(state, hash);
          if (found === null) return { kind: "unknown" };
          const { block } = found;
          return block === null
            ? { kind: "pending" }
            : { kind: "confirmed", blockHeight: block.height, blockHash: block.hash };
        }),
      fetchPayments: (hash) =>
        ask(`payments ${shorten(hash)}`, (state) => {
          const found = findTransaction(state, hash);
          return found && describePayments(found, token, !isFinal);
        }),
    },
    listMempool: () => ask("mempool", ({ waiting }) => waiting),
  };
}

interface ModelReader extends NodeReader {
  listMempool(): Promise<readonly ModelTransaction[]>;
}

const shorten = (hash: string) => hash.slice(-4);

interface FoundTransaction {
  readonly transaction: ModelTransaction;
  readonly block: ModelBlock | null;
}

const bareHash = (hash: string) => hash.replace(/^0x/, "").toLowerCase();

function findTransaction(state: ChainState, hash: string): FoundTransaction | null {
  const isIt = (one: ModelTransaction) => one.hash === bareHash(hash);
  for (const block of state.blocks) {
    const transaction = block.transactions.find(isIt);
    if (transaction !== undefined) return { transaction, block };
  }
  const transaction = state.waiting.find(isIt);
  return transaction === undefined ? null : { transaction, block: null };
}

function describePayments(
  { transaction, block }: FoundTransaction,
  token: TokenCode,
  isVisibleWhileWaiting: boolean,
): TransactionPayments {
  const payments = transaction.outputs.map((output, position) => ({ position, token, ...output }));
  return {
    block: block && { height: block.height, hash: block.hash },
    failed: false,
    payments: block !== null || isVisibleWhileWaiting ? payments : null,
    inconclusiveToken: null,
    spends: transaction.spends,
  };
}

/** The transfers to our addresses, in any order. Positions count through the block where blocks have logs. */
async function pickOurs(
  { base, token, chain, random }: ModelNodes,
  blocks: readonly ModelBlock[],
  ours: AddressFilter,
): Promise<ChainTransfer[]> {
  const all = blocks.flatMap((block) => {
    let logs = 0;
    return block.transactions.flatMap((transaction) =>
      transaction.outputs.map((output, index) => {
        const position = chain.kind.finalDepth === null ? index : logs++;
        return { transaction, output, position, block };
      }),
    );
  });
  const addresses = new Set(all.map(({ output }) => output.address));
  const collecting = new Map([...addresses].map((one) => [one, collectingAddress(base, one)]));
  const own = await ours([...addresses, ...new Set([...collecting.values()].flatMap((one) => one ?? []))]);
  const transfers = all.flatMap(({ output, position, ...found }): ChainTransfer[] => {
    const account = collecting.get(output.address) ?? null;
    const tag = base.addresses.tags?.read(output.address)?.tag;
    const tagged = tag !== undefined && { position: NO_POSITION, extra: tag };
    const known = { ...found, output, position };
    if (own.has(output.address)) return [{ ...toTransfer(base, token, known), ...tagged }];
    if (account === null || !own.has(account)) return [];
    const held = { ...toTransfer(base, token, known), ...tagged, address: account };
    return [{ ...held, unmatchedReason: "unknown_tag" }];
  });
  return random.shuffled(transfers);
}

/** A transaction's hash as the network's family writes it. */
export function chainHash({ network }: NetworkAdapter, hash: string): string {
  if (network === "xrp") return hash.toUpperCase();
  return network === "bep20" ? `0x${hash}` : hash;
}

function toTransfer(
  base: NetworkAdapter,
  token: TokenCode,
  found: {
    readonly transaction: ModelTransaction;
    readonly output: ModelTransaction["outputs"][number];
    readonly position: number;
    readonly block: ModelBlock | null;
  },
): ChainTransfer {
  const { transaction, output, position, block } = found;
  return {
    txHash: chainHash(base, transaction.hash),
    position,
    token,
    address: output.address,
    sender: null,
    amount: output.amount,
    block: block && { height: block.height, hash: block.hash, time: block.time },
    // Account chains report a nonce only of transactions that are asked for.
    spends: base.data.finality.kind === "finalized" ? [] : transaction.spends,
    unmatchedReason: null,
  };
}

/**
 * Reads the whole mempool of the node in use. A failure shows what was read before: after a failure, and while more is to
 * be fetched, the loop waits for some time, and time is not a step.
 */
function openMempool(
  nodes: ModelNodes,
  alongside: <T>(work: (node: ModelReader, name: string) => Promise<T>) => Promise<T>,
): MempoolReader {
  let view: MempoolView = { ...EMPTY_VIEW };
  const readStep = async ({ ours, wanted }: MempoolStep) =>
    alongside(async (node, name): Promise<MempoolView> => {
      const asked = await wanted();
      const listed = await node.listMempool();
      const transfers = await pickWaiting(nodes, listed, ours);
      const names = new Set(listed.map(({ hash }) => chainHash(nodes.base, hash)));
      const gone = asked.filter((hash) => !names.has(hash));
      return { ...EMPTY_VIEW, node: name, list: view.list + 1, looked: true, gone, transfers };
    });
  return {
    readStep: async (step) => {
      view = await readStep(step).catch(() => ({ ...view, looked: false }));
      return view;
    },
  };
}

const EMPTY_VIEW: MempoolView = {
  node: "",
  list: 0,
  looked: false,
  gone: [],
  transfers: [],
  arrivals: 0,
  backlog: 0,
  failure: null,
};

async function pickWaiting(
  { base, token }: ModelNodes,
  waiting: readonly ModelTransaction[],
  ours: AddressFilter,
): Promise<ChainTransfer[]> {
  const own = await ours([
    ...new Set(waiting.flatMap(({ outputs }) => outputs.map(({ address }) => address))),
  ]);
  return waiting.flatMap((transaction) =>
    transaction.outputs.flatMap((output, position) =>
      own.has(output.address)
        ? [toTransfer(base, token, { transaction, output, position, block: null })]
        : [],
    ),
  );
}
