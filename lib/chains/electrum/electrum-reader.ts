import type { AddressFilter, LateTransfers } from "../blocks.ts";
import { type Block, resolveLastBlock } from "../last-block.ts";
import type { NodeNews } from "../mempool-reader.ts";
import type { AdapterTools, ChainReader, NetworkAdapter, NetworkConfig, NodeAnswer } from "../network.ts";
import type { NetworkData, UtxoChain, UtxoData } from "../network-data.ts";
import type { NetworkFee } from "../network-fee.ts";
import { NodeError } from "../node-error.ts";
import { askQuestions, type ProbeOptions } from "../node-probe.ts";
import { parseFields } from "../parse-json.ts";
import { encodeAddressScript } from "../utxo/address.ts";
import type { OutputReader } from "../utxo/match-outputs.ts";
import { computeByteFee, FEE_TARGETS } from "../utxo/network-fee.ts";
import { hashScript, openLiveAddresses } from "./address-book.ts";
import { createElectrumServer, type ElectrumServer, type OpenServer } from "./electrum-server.ts";
import {
  fetchElectrumCost,
  fetchElectrumPayments,
  fetchElectrumRecord,
  fetchElectrumStatus,
} from "./fetch-transaction.ts";
import { forgetOld } from "./forget-old.ts";
import { createReplacedBlocks, type ReplacedBlocks, tipOf } from "./header-chain.ts";
import { listElectrumProbeQuestions } from "./list-probe-questions.ts";
import type { OldHeaderMemory } from "./old-headers.ts";
import { createProvenPayments, type ProvenPayments } from "./proven-payments.ts";
import {
  createMempoolReader,
  type LookedFor,
  matchTransfers,
  pickFromChain,
  readHistoriesAgain,
  type ScanContext,
  scanProvenBlocks,
} from "./scan-proven.ts";
import { createGroup, type ServerGroup } from "./server-group.ts";
import type { ElectrumSession } from "./session.ts";

/** Blocks below the tip after which a transaction that was recorded is forgotten. */
const KEPT_BLOCKS = 1_000;

export interface ElectrumChain {
  readonly data: NetworkData;
  readonly family: UtxoData;
  readonly chain: UtxoChain;
  readonly reader: OutputReader;
}

type ReadingPart = Omit<
  NetworkAdapter,
  "env" | "network" | "data" | "accountKey" | "addresses" | "missesContracts"
>;

/**
 * Reads a chain from Electrum servers, all of them at once. The chain with the most work counts, whichever server shows it. A
 * payment in a block counts when any server proves it. So one server that lies or stops neither credits nor
 * hides anything while another one is honest.
 */
export function openElectrumReader(
  config: NetworkConfig,
  on: ElectrumChain,
  tools: AdapterTools,
): ReadingPart {
  const hashOf = (address: string) => hashScript(encodeAddressScript(address, on.chain));
  const proven = createProvenPayments();
  const lookedFor: LookedFor = { book: null, live: null, hashOf };
  let wake: (news: NodeNews) => void = () => {};
  const oldHeaders: OldHeaderMemory = { newest: new Map() };
  const shared = { proven, lookedFor, oldHeaders, onNews: (news: NodeNews) => wake(news) };
  const servers = config.rpcUrls.map((url) => openServer(url, config, on, { ...tools, ...shared }));
  const group = createGroup(servers);
  const replaced = createReplacedBlocks();
  const context: ScanContext = { reader: on.reader, servers, group, proven, replaced, lookedFor };
  const together = createReader(context, on, group);
  return {
    ...together,
    nodes: {
      async withOne({ lastBlock, signal }, work) {
        const best = await group.best();
        const at = await resolveLastBlock(lastBlock);
        if (at !== null) await checkHeight(best, at, replaced);
        signal?.throwIfAborted();
        return work(together, best.name);
      },
      askEach: (ask) => Promise.all(servers.map((server) => askServer(context, on, server, ask))),
      probe: (options) => Promise.all(servers.map((server) => probeServer(server, options))),
      report: () => servers.map((server) => server.report()),
    },
    addressWatch: {
      watch(book) {
        lookedFor.book = book;
        lookedFor.live = openLiveAddresses(book, hashOf);
      },
    },
    mempool: createMempoolReader(context),
    news: {
      listen(listener) {
        wake = listener;
        return () => {
          wake = () => {};
        };
      },
    },
    sending: null,
  };
}

const probeServer = (server: ElectrumServer, options: ProbeOptions) =>
  askQuestions({ name: server.name, provider: null }, listElectrumProbeQuestions(server), options);

interface Shared extends AdapterTools {
  readonly proven: ProvenPayments;
  readonly lookedFor: LookedFor;
  readonly oldHeaders: OldHeaderMemory;
  readonly onNews: (news: NodeNews) => void;
}

function openServer(
  url: string,
  { env, network }: NetworkConfig,
  { family, chain, reader }: ElectrumChain,
  { proven, lookedFor, oldHeaders, onNews, ...tools }: Shared,
): ElectrumServer {
  const { headers } = family;
  if (!headers) throw new Error(`${network} cannot be read from Electrum servers`);
  return createElectrumServer(url, {
    ...tools,
    scope: { env, network },
    genesis: chain.genesis,
    chainName: chain.name,
    rules: { work: headers.work, easiestBits: env === "live" ? headers.easiestBits : null },
    settleMs: headers.settleMs,
    headerLimits: headers.limits,
    oldHeaders,
    live: () => lookedFor.live,
    hashOf: lookedFor.hashOf,
    sync: {
      blockExtra: reader.blockExtra,
      proven,
      findRecordedBlocks: async (txHashes) => lookedFor.book?.findRecordedBlocks(txHashes) ?? new Map(),
      onNews,
    },
  });
}

/** Throws NodeError("behind") when no server has the block that was read last, or a chain with more work. */
async function checkHeight(best: ElectrumServer, at: Block, replaced: ReplacedBlocks): Promise<void> {
  const { session } = await best.open();
  if (session.chain().height < at.height) await session.refresh();
  const chain = session.chain();
  replaced.note(chain);
  if (chain.height >= at.height || replaced.has(at, chain)) return;
  const { height } = chain;
  throw new NodeError("behind", `${best.name} is at ${height}, below ${at.height}`, { height });
}

/** Reads the chain of the server that is picked. Payments are those that any server proved. */
function createReader(
  context: ScanContext,
  on: ElectrumChain,
  { best: pick, settle }: ServerGroup,
): ChainReader {
  const { proven, replaced } = context;
  const open = async () => (await pick()).open();
  return {
    blocks: {
      checkIdentity: async () => void (await open()),
      async fetchHead() {
        const server = await pick();
        await settle(server);
        const chain = (await server.open()).session.chain();
        replaced.note(chain);
        const { hash, time } = tipOf(chain);
        return { height: chain.height, hash, time, finalizedHeight: null };
      },
      fetchHash: async (height) => (await (await open()).session.header(height))?.hash ?? null,
      scan: (range, ours) => scanProvenBlocks(context, range, ours),
      hasMoreWork: async (block) => replaced.has(block, (await open()).session.chain()),
      readAgainAbove: (fork) => readHistoriesAgain(context, fork),
    },
    late: {
      async list(height, ours) {
        // A pass asks for late transfers after the commit of what it scanned.
        proven.trustAll();
        return listLate(context, (await open()).session, height, ours);
      },
    },
    transactions: {
      fetchStatus: async (txHash) => fetchElectrumStatus(await open(), txHash),
      fetchPayments: async (txHash) => fetchElectrumPayments(await open(), on, txHash),
      fetchCost: async (txHash, recorded) => fetchElectrumCost(await open(), on.reader, txHash, recorded),
      fetchRecord: async (txHash) => fetchElectrumRecord(await open(), txHash),
      hasExpired: async () => false,
    },
    fees: { fetchTransferFee: async () => fetchElectrumNetworkFee(await open(), on) },
    feeRates: { fetch: async () => fetchElectrumNetworkFee(await open(), on) },
    custody: null,
    unlistedTokens: null,
  };
}

/** See LateReports. */
async function listLate(
  context: ScanContext,
  session: ElectrumSession,
  height: number,
  ours: AddressFilter,
): Promise<LateTransfers> {
  const { proven } = context;
  const old = session.chain().height - KEPT_BLOCKS;
  await forgetOld(context, old, ours);
  const unrecorded = proven.listUnrecorded(height);
  const late = await pickFromChain(session, session.chain(), unrecorded);
  // The block's branch is gone for good.
  const inChain = new Set(late);
  proven.forget(unrecorded.filter((one) => one.block.height < old && !inChain.has(one)));
  return { transfers: await matchTransfers(context, late, ours), done: () => proven.markRecorded(late) };
}

async function askServer<T>(
  context: ScanContext,
  on: ElectrumChain,
  server: ElectrumServer,
  ask: (node: ChainReader) => Promise<T>,
): Promise<NodeAnswer<T>> {
  try {
    return { ok: true, result: await ask(createReader(context, on, createGroup([server]))) };
  } catch (error) {
    if (error instanceof NodeError) return { ok: false };
    throw error;
  }
}

/** The fee of a payment at the rates that the server's node estimates. */
async function fetchElectrumNetworkFee(
  { session }: OpenServer,
  { data, family }: { readonly data: NetworkData; readonly family: UtxoData },
): Promise<NetworkFee> {
  const [info, ...rates] = await Promise.all([
    session.ask("mempool.get_info", []),
    // -1: the node has nothing to learn from.
    ...FEE_TARGETS.map((target) => session.call("blockchain.estimatefee", [target])),
  ]);
  // Since protocol 1.6. Before it, relayfee.
  const minimum = info.ok
    ? parseFields("its mempool's state", info.result).mempoolminfee
    : await session.call("blockchain.relayfee", []);
  return computeByteFee(data.coin, family, minimum, rates);
}
