import { hash } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { type Bitcoin, openBitcoin } from "./bitcoind.ts";

/** Protocol versions, oldest first. The newest that the client speaks is used. */
const VERSIONS = ["1.4", "1.4.5", "1.6"];
const POLL_MS = 50;

export interface TestElectrumServer {
  readonly url: string;
  /** Calls that arrived, oldest first. */
  readonly calls: { readonly method: string; readonly params: readonly unknown[] }[];
  /** Stops looking at its node, and continues to answer. */
  freeze(frozen: boolean): void;
  close(): Promise<void>;
}

interface Block {
  readonly height: number;
  readonly header: string;
  readonly txids: readonly string[];
  /** Transactions by script hash. */
  readonly paid: ReadonlyMap<string, readonly string[]>;
}

interface CoreTransaction {
  readonly txid: string;
  readonly hex: string;
  readonly vout: readonly { readonly scriptPubKey: { readonly hex: string } }[];
  readonly vin: readonly { readonly txid?: string; readonly vout?: number }[];
}

/** From getrawmempool. */
interface Waiting {
  readonly depends: readonly string[];
  readonly fees: { readonly base: number };
}

interface Entry {
  readonly tx_hash: string;
  readonly height: number;
  /** Satoshis. Only while it waits. */
  readonly fee?: number;
}

/** The state that the server shows: all of it from its node, at the server's last look. */
interface View {
  readonly chain: readonly Block[];
  /** Transactions in blocks by script hash, in the chain's order. */
  readonly mined: ReadonlyMap<string, readonly Entry[]>;
  readonly waiting: ReadonlyMap<string, readonly Entry[]>;
}

/** An error as e-x answers it. */
class ElectrumError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * An Electrum server before a bitcoind with a transaction index. It keeps nothing but what the node said. Its answers are
 * held to recorded ones of e-x (tests/chains/electrum.test.ts).
 */
export async function startElectrumServer(
  nodeUrl: string,
  {
    tls,
    newest = "1.6",
    port: wanted,
  }: { readonly tls?: TlsOptions; readonly newest?: string; readonly port?: number } = {},
): Promise<TestElectrumServer> {
  const bitcoin = openBitcoin(nodeUrl);
  const look = createLook(bitcoin, nodeUrl);
  const sessions = new Set<Session>();
  const calls: TestElectrumServer["calls"] = [];
  let view = await look();
  let frozen = false;
  const accept = (socket: Socket) => {
    const session = openSession(socket, { bitcoin, newest, calls, view: () => view });
    sessions.add(session);
    socket.on("close", () => sessions.delete(session));
  };
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept);
  // Not one that the system chooses: it could give that to another program before a server starts there again.
  const port = wanted ?? (await choosePort(0));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const ended = new AbortController();
  const polling = (async () => {
    while (!ended.signal.aborted) {
      const seen = await look().catch(() => view);
      if (!frozen && follows(seen, view)) view = seen;
      for (const session of sessions) session.notify();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  })();
  return {
    url: `electrum+${tls ? "tls" : "tcp"}://127.0.0.1:${port}`,
    calls,
    freeze(now) {
      frozen = now;
    },
    async close() {
      ended.abort();
      await polling;
      for (const { socket } of sessions) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Like e-x, it leaves its branch only for a longer one, and shows the mempool only together with its node's newest block. */
function follows(seen: View, shown: View): boolean {
  const [a, b] = [seen.chain, shown.chain];
  return a.length > b.length || (a.length === b.length && a.at(-1)?.header === b.at(-1)?.header);
}

/** The blocks and transactions that were read from a node's chain. Each is read once, also for several servers before a node. */
function createCache() {
  return {
    blocks: new Map<string, Block & { readonly parent: string | undefined }>(),
    transactions: new Map<string, CoreTransaction>(),
  };
}
const caches = new Map<string, ReturnType<typeof createCache>>();

/** Returns a function that reads the node's chain and mempool. */
function createLook(bitcoin: Bitcoin, nodeUrl: string): () => Promise<View> {
  const cache = caches.get(nodeUrl) ?? createCache();
  caches.set(nodeUrl, cache);
  const { blocks, transactions } = cache;
  const readBlock = async (blockHash: string) => {
    const known = blocks.get(blockHash);
    if (known) return known;
    const header = await bitcoin.call<string>("getblockheader", blockHash, false);
    const { height, tx, previousblockhash } = await bitcoin.call<{
      height: number;
      tx: CoreTransaction[];
      previousblockhash?: string;
    }>("getblock", blockHash, 2);
    for (const one of tx) transactions.set(one.txid, one);
    const paid = new Map<string, string[]>();
    for (const one of tx) {
      for (const script of new Set(touched(one))) paid.set(script, [...(paid.get(script) ?? []), one.txid]);
    }
    const block = { height, header, txids: tx.map(({ txid }) => txid), paid, parent: previousblockhash };
    blocks.set(blockHash, block);
    return block;
  };
  /** Script hashes of what it pays and of what it spends. */
  const touched = ({ vin, vout }: CoreTransaction) => [
    ...vout.map(({ scriptPubKey }) => hashScript(scriptPubKey.hex)),
    ...vin.flatMap(({ txid = "", vout: n = 0 }) => {
      const spent = transactions.get(txid)?.vout[n];
      return spent ? [hashScript(spent.scriptPubKey.hex)] : [];
    }),
  ];
  let last: { tip: string; view: Omit<View, "waiting"> } = { tip: "", view: { chain: [], mined: new Map() } };
  return async () => {
    const waiting = new Map<string, Entry[]>();
    const mempool = await bitcoin.call<Record<string, Waiting>>("getrawmempool", true);
    for (const [txid, { depends, fees }] of Object.entries(mempool)) {
      const known =
        transactions.get(txid) ?? (await bitcoin.call<CoreTransaction>("getrawtransaction", txid, true));
      transactions.set(txid, known);
      const fee = Math.round(fees.base * 100_000_000);
      const entry = { tx_hash: txid, height: depends.length > 0 ? -1 : 0, fee };
      for (const script of new Set(touched(known)))
        waiting.set(script, [...(waiting.get(script) ?? []), entry].sort(compareWaiting));
    }
    const tip = await bitcoin.tip();
    if (tip === last.tip) return { ...last.view, waiting };
    const missing: string[] = [];
    for (let at: string | undefined = tip; at !== undefined && !blocks.has(at); ) {
      missing.push(at);
      at = (await bitcoin.call<{ previousblockhash?: string }>("getblockheader", at)).previousblockhash;
    }
    for (const one of missing.reverse()) await readBlock(one);
    const chain: Block[] = [];
    for (let at: string | undefined = tip; at !== undefined; at = blocks.get(at)?.parent) {
      const block = blocks.get(at);
      if (block) chain.push(block);
    }
    chain.reverse();
    last = { tip, view: { chain, mined: collectMined(chain) } };
    return { ...last.view, waiting };
  };
}

/** In the order of e-x: first what spends confirmed coins only, then by id. */
function compareWaiting(a: Entry, b: Entry): number {
  return b.height - a.height || (a.tx_hash < b.tx_hash ? -1 : 1);
}

function collectMined(chain: readonly Block[]): ReadonlyMap<string, readonly Entry[]> {
  const mined = new Map<string, Entry[]>();
  for (const { height, paid } of chain) {
    for (const [script, txids] of paid) {
      const entries = mined.get(script) ?? [];
      for (const tx_hash of txids) entries.push({ tx_hash, height });
      mined.set(script, entries);
    }
  }
  return mined;
}

function hashScript(hex: string): string {
  return hash("sha256", Buffer.from(hex, "hex"), "buffer").reverse().toString("hex");
}

interface Session {
  readonly socket: Socket;
  notify(): void;
}

interface SessionContext {
  readonly bitcoin: Bitcoin;
  readonly newest: string;
  readonly calls: TestElectrumServer["calls"];
  readonly view: () => View;
}

function openSession(socket: Socket, context: SessionContext): Session {
  const statuses = new Map<string, string | null>();
  let version: string | null = null;
  let header: string | null = null;
  const send = (message: object) => {
    // Padded, as e-x does.
    if (!socket.destroyed) socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...message }).padEnd(1_023)}\n`);
  };
  const answer = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === "server.version") {
      if (version !== null) throw new ElectrumError(1, "server.version already sent");
      version = negotiate(params[1], context.newest);
      return ["ElectrumX 1.20.0", version];
    }
    if (version === null) throw new ElectrumError(1, "use server.version to identify client");
    const view = context.view();
    if (method === "blockchain.headers.subscribe") {
      header = view.chain.at(-1)?.header ?? null;
      return newestHeader(view);
    }
    if (method === "blockchain.scripthash.subscribe") {
      const status = statusOf(historyOf(view, String(params[0])));
      statuses.set(String(params[0]), status);
      return status;
    }
    return answerCall(method, params, { ...context, version });
  };
  let rest = "";
  socket.on("error", () => {});
  socket.on("data", async (chunk) => {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const {
        id,
        method,
        params = [],
      } = JSON.parse(line) as { id: number; method: string; params?: unknown[] };
      context.calls.push({ method, params });
      await answer(method, params).then(
        (result) => send({ result, id }),
        ({ code = -32_603, message }: ElectrumError) => {
          send({ error: { code, message }, id });
          if (version === null) socket.end();
        },
      );
    }
  });
  return {
    socket,
    notify() {
      const view = context.view();
      const tip = view.chain.at(-1)?.header ?? null;
      if (header !== null && tip !== header) {
        header = tip;
        send({ method: "blockchain.headers.subscribe", params: [newestHeader(view)] });
      }
      for (const [script, before] of statuses) {
        const now = statusOf(historyOf(view, script));
        if (now === before) continue;
        statuses.set(script, now);
        send({ method: "blockchain.scripthash.subscribe", params: [script, now] });
      }
    },
  };
}

function negotiate(asked: unknown, newest: string): string {
  const [lowest = "", highest = ""] = Array.isArray(asked)
    ? asked.map(String)
    : [String(asked), String(asked)];
  const spoken = VERSIONS.filter((one) => one >= lowest && one <= highest && one <= newest);
  const version = spoken.at(-1);
  if (version === undefined) throw new ElectrumError(1, `unsupported protocol version: ${String(asked)}`);
  return version;
}

const newestHeader = ({ chain }: View) => ({ hex: chain.at(-1)?.header, height: chain.length - 1 });

function historyOf({ mined, waiting }: View, script: string): Entry[] {
  if (!/^[0-9a-f]{64}$/.test(script)) throw new ElectrumError(1, `${script} is not a valid script hash`);
  return [...(mined.get(script) ?? []), ...(waiting.get(script) ?? [])];
}

function statusOf(history: readonly Entry[]): string | null {
  if (history.length === 0) return null;
  return hash("sha256", history.map(({ tx_hash, height }) => `${tx_hash}:${height}:`).join(""));
}

async function answerCall(
  method: string,
  params: readonly unknown[],
  { bitcoin, view, version }: SessionContext & { readonly version: string },
): Promise<unknown> {
  const { chain } = view();
  const number = (place: number) => Number(params[place]);
  const text = (place: number) => number(place).toLocaleString("en");
  switch (method) {
    case "server.ping":
      return null;
    case "blockchain.block.header": {
      const block = chain[number(0)];
      if (!block) throw new ElectrumError(1, `height ${text(0)} out of range`);
      return block.header;
    }
    case "blockchain.block.headers": {
      const headers = chain
        .slice(number(0), number(0) + Math.min(2016, number(1)))
        .map(({ header }) => header);
      const shown = version >= "1.6" ? { headers } : { hex: headers.join("") };
      return { ...shown, count: headers.length, max: 2016 };
    }
    case "blockchain.scripthash.get_history":
      return historyOf(view(), String(params[0]));
    case "blockchain.transaction.get":
      return fetchTransaction(bitcoin, String(params[0]), params[1] === true);
    case "blockchain.transaction.get_merkle": {
      const [txid, height] = [String(params[0]), number(1)];
      const txids = chain[height]?.txids ?? [];
      const pos = txids.indexOf(txid);
      if (pos < 0) throw new ElectrumError(1, `tx ${txid} not in block at height ${text(1)}`);
      return { block_height: height, merkle: branchOf(txids, pos), pos };
    }
    case "blockchain.transaction.id_from_pos": {
      const txid = chain[number(0)]?.txids[number(1)];
      if (txid === undefined)
        throw new ElectrumError(1, `no tx at position ${text(1)} in block at height ${text(0)}`);
      return txid;
    }
    case "blockchain.estimatefee":
      return -1;
    case "mempool.get_info": {
      if (version < "1.6") throw new ElectrumError(-32_601, `unknown method "${method}"`);
      const { mempoolminfee, minrelaytxfee, incrementalrelayfee } =
        await bitcoin.call<Record<string, number>>("getmempoolinfo");
      return { mempoolminfee, minrelaytxfee, incrementalrelayfee };
    }
    case "blockchain.relayfee":
      if (version < "1.6") return 0.00001;
      throw new ElectrumError(-32_601, `unknown method "${method}"`);
    default:
      throw new ElectrumError(-32_601, `unknown method "${method}"`);
  }
}

async function fetchTransaction(bitcoin: Bitcoin, txid: string, verbose: boolean): Promise<unknown> {
  try {
    return await bitcoin.call("getrawtransaction", txid, verbose);
  } catch (error) {
    throw new ElectrumError(2, `daemon error: DaemonError(${String(error)})`);
  }
}

/** The Merkle branch of a position: the hash next to it on each level. */
function branchOf(txids: readonly string[], position: number): string[] {
  let level = txids.map((txid) => Buffer.from(txid, "hex").reverse());
  let at = position;
  const branch: string[] = [];
  while (level.length > 1) {
    if (level.length % 2 === 1) level.push(level.at(-1)!);
    branch.push(
      Buffer.from(level[at ^ 1]!)
        .reverse()
        .toString("hex"),
    );
    const pairs = Array.from({ length: level.length / 2 }, (_, i) =>
      Buffer.concat(level.slice(2 * i, 2 * i + 2)),
    );
    level = pairs.map((pair) => hash("sha256", hash("sha256", pair, "buffer"), "buffer"));
    at >>= 1;
  }
  return branch;
}
