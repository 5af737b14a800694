/**
 * An emulator of a TRON node for development and tests. No TRON node is available that runs next to the
 * tests.
 *
 * As on a real node: the shapes of /wallet/*, /walletsolidity/* and /jsonrpc with java-tron's limits and
 * error codes; transaction ids (SHA-256 of the raw bytes) and signatures, both verified; the reference block
 * and the expiration; block ids that start with the height; the solidified block. Contract calls run on an
 * anvil, so logs, reverts and balances are those of a real EVM.
 *
 * With `resources`: bandwidth, energy, their prices, what staked TRX gives (Stake 2.0) and what it delegates,
 * their recovery within a day, and the fee of a new account. Without it no one pays, a call may use what its
 * fee_limit buys at 100 sun, and an address without TRX can call contracts.
 *
 * Not emulated: witnesses, their signatures and votes; unfrozen TRX, which stays locked; the price of a memo; the
 * dynamic price of contracts that are used much; balances of TRC-10 tokens; permissions other than the owner's;
 * deployment of contracts; a block every 3 seconds (the options decide); Merkle roots (zeros for an empty block, else a hash of the
 * ids) and blooms. In the EVM the transaction id follows the call data, so a contract that checks the length
 * of its call data sees 32 bytes more. A transaction that a reorg puts back is not checked against its
 * reference block again. A restarted anvil keeps blocks but not the states between them: it cannot
 * reorganize below that height, and it no longer has the results of earlier calls.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeDeployData } from "viem";
import { NETWORKS } from "#lib/chains/networks.ts";
import { tronAddressFromHex } from "#lib/chains/tron/address.ts";
import { FAUCET, TEST_USDT_ABI, TEST_USDT_BYTECODE } from "../payers/test-usdt.ts";
import { USDT_ADDRESS } from "../usdt.ts";
import { openTronChain, type TronChain } from "./chain.ts";
import type { EngineOptions } from "./engine.ts";
import { record } from "./fields.ts";
import { answerTronRpc, NO_JSON } from "./json-rpc.ts";
import { LOG_LIMITS, type LogLimits } from "./log-filter.ts";

import { walletEndpoint } from "./wallet-api.ts";

export interface TronEmulatorOptions {
  /** Default: a free port. */
  readonly port?: number;
  /**
   * File that keeps the chain when it is killed (there are more files next to it). Absent: the chain ends
   * with the process.
   */
  readonly statePath?: string;
  /** Default true: one block per transaction. false leaves mining to the caller. Ignored with blockTimeMs. */
  readonly automine?: boolean;
  /** Milliseconds between blocks. */
  readonly blockTimeMs?: number;
  /**
   * Blocks between the head and the solidified block. Default 18, as on the main network. Fewer make a demo
   * quick.
   */
  readonly solidifiedLag?: number;
  /** Transactions use bandwidth and energy, and their owners pay for what they lack. Default false: no one pays. */
  readonly resources?: boolean;
  /** Default: the chain id of the Nile test network. */
  readonly chainId?: number;
  /** Default: java-tron's. Smaller limits make them cheap to reach in a test. */
  readonly limits?: Partial<LogLimits>;
  /** How the anvil behind it is started. Default: startAnvil. */
  readonly startEngineNode?: EngineOptions["start"];
}

export interface TronEmulator {
  /** The URL that tronweb calls fullHost. The JSON-RPC is at /jsonrpc. */
  readonly url: string;
  readonly port: number;
  readonly chainId: number;
  /** The test USDT, 6 decimals, base58. */
  readonly usdt: string;
  /** Holds a billion TRX and a billion USDT. Its key is public and worth nothing. */
  readonly faucet: { readonly address: string; readonly privateKey: string };
  mine(blocks?: number): Promise<void>;
  /** Mines blocks that take up nothing of what waits. */
  mineEmpty(blocks?: number): Promise<void>;
  /** Sets the chain's clock forward. */
  advance(seconds: number): Promise<void>;
  /** Loses what waits, as a node that is started again. */
  forget(): Promise<void>;
  reorg(depth: number, options?: { readonly keep?: boolean }): Promise<void>;
  /** A second, unlisted token of the same kind, all owned by the faucet. Base58. */
  deployOtherToken(decimals?: number): Promise<string>;
  /** The URL of the anvil behind the emulator. */
  enginePid(): Promise<number>;
  stop(): Promise<void>;
}

const BODY_MAX = 4 * 1024 * 1024;
/** How java-tron reports a body that is not JSON. The body follows. */
const NO_JSON_TEXT = "class com.alibaba.fastjson.JSONException : syntax error, pos 1, line 1, column 2";

/** Starts the emulator on 127.0.0.1. Throws when the port is in use or anvil does not start. */
export async function startTronEmulator(options: TronEmulatorOptions = {}): Promise<TronEmulator> {
  const { statePath, blockTimeMs, startEngineNode } = options;
  const chainId = options.chainId ?? NETWORKS.trc20.chainId.test;
  const chain = await openTronChain({
    chainId,
    solidifiedLag: options.solidifiedLag ?? 18,
    resources: options.resources ?? false,
    ...(statePath !== undefined && { statePath }),
    ...(startEngineNode && { startEngineNode }),
  });
  const automine = blockTimeMs === undefined && options.automine !== false;
  const limits = { ...LOG_LIMITS, ...options.limits };
  const server = createServer((request, response) => {
    void answer(request, { chain, limits, automine }).then((reply) => send(response, reply));
  });
  const timer =
    blockTimeMs === undefined ? null : setInterval(() => void chain.mine(1).catch(() => {}), blockTimeMs);
  try {
    await listen(server, options.port ?? 0);
  } catch (error) {
    await chain.stop();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  let stopping: Promise<void> | null = null;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    chainId,
    usdt: tronAddressFromHex(USDT_ADDRESS),
    faucet: { address: tronAddressFromHex(FAUCET.address), privateKey: FAUCET.privateKey.slice(2) },
    mine: (blocks = 1) => chain.mine(blocks),
    mineEmpty: (blocks = 1) => chain.mine(blocks, { empty: true }),
    advance: (seconds) => chain.advance(seconds),
    forget: () => chain.forget(),
    reorg: (depth, { keep = false } = {}) => chain.reorg(depth, keep),
    deployOtherToken: (decimals) => deployOtherToken(chain, decimals),
    enginePid: () => chain.engine.pid(),
    stop() {
      stopping ??= (async () => {
        if (timer) clearInterval(timer);
        await new Promise((done) => {
          server.close(done);
          server.closeAllConnections();
        });
        await chain.stop();
      })();
      return stopping;
    },
  };
}

async function deployOtherToken(chain: TronChain, decimals = 6): Promise<string> {
  const args = [decimals, 10n ** BigInt(9 + decimals)] as const;
  const data = encodeDeployData({ abi: TEST_USDT_ABI, bytecode: TEST_USDT_BYTECODE, args });
  return tronAddressFromHex(await chain.deploy(data));
}

interface Context {
  readonly chain: TronChain;
  readonly limits: LogLimits;
  readonly automine: boolean;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

async function answer(request: IncomingMessage, context: Context): Promise<Reply> {
  const url = new URL(request.url ?? "/", "http://emulator");
  const [area, name = "", more] = url.pathname.slice(1).split("/");
  try {
    const text = request.method === "POST" ? await readBody(request) : null;
    if (area === "jsonrpc" && name === "" && text !== null) {
      const calls = parseJson(text);
      return { status: 200, body: calls === undefined ? NO_JSON : await answerTronRpc(calls, context) };
    }
    const body = text === null ? Object.fromEntries(url.searchParams) : parseJson(text || "{}");
    // The text of java-tron's parser.
    if (body === undefined) throw new Error(`${NO_JSON_TEXT}${text}`);
    if (area === "emulator" && request.method === "POST") return await control(name, record(body), context);
    const isWallet = area === "wallet" || area === "walletsolidity";
    const solid = area === "walletsolidity";
    const endpoint = isWallet && more === undefined ? walletEndpoint(name, solid) : null;
    if (endpoint === null) return notSupported(String(request.method), url.pathname);
    const { chain, automine } = context;
    const onBroadcast = () => (automine ? chain.mine(1) : Promise.resolve());
    return { status: 200, body: await endpoint(record(body), { chain, solid, onBroadcast }) };
  } catch (error) {
    // java-tron answers its own errors with 200. A script must notice a failed action.
    const status = area === "emulator" ? 500 : 200;
    return { status, body: { Error: error instanceof Error ? error.message : String(error) } };
  }
}

/** Actions that a development chain allows and a real node does not. */
async function control(
  name: string,
  body: Readonly<Record<string, unknown>>,
  { chain }: Context,
): Promise<Reply> {
  const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;
  if (name === "mine") {
    const blocks = body.blocks ?? 1;
    if (!isCount(blocks)) return { status: 400, body: { Error: "blocks must be a whole number above 0" } };
    await chain.mine(blocks);
  } else if (name === "reorg") {
    if (!isCount(body.depth)) return { status: 400, body: { Error: "depth must be a whole number above 0" } };
    const without = Array.isArray(body.without) ? body.without.map(String) : [];
    await chain.reorg(body.depth, body.keep === true, without);
  } else if (name === "token") return { status: 200, body: { contract: await deployOtherToken(chain) } };
  else return { status: 404, body: { Error: `the emulator has no ${name}` } };
  const { height, id } = await chain.head();
  return { status: 200, body: { height, blockID: id } };
}

/** java-tron's servlets answer an unknown path so. */
function notSupported(method: string, path: string): Reply {
  const title = `HTTP method ${method} is not supported by this URL`;
  const rows = `<tr><th>URI:</th><td>${path}</td></tr>\n<tr><th>STATUS:</th><td>405</td></tr>`;
  const head = `<head>\n<title>Error 405 ${title}</title>\n</head>`;
  const body = `<html>\n${head}\n<body><h2>HTTP ERROR 405 ${title}</h2>\n<table>\n${rows}\n</table>\n</body>\n</html>\n`;
  return { status: 405, body };
}

/** Undefined: not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Error("Payload Too Large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** Text is sent as it is. */
function send(response: ServerResponse, { status, body }: Reply): void {
  const isText = typeof body === "string";
  const type = isText ? "text/html;charset=iso-8859-1" : "application/json";
  response.writeHead(status, { "content-type": type, "access-control-allow-origin": "*" });
  response.end(isText ? body : JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
