import { setTimeout as delay } from "node:timers/promises";
import type { AdapterTools, NodeReport } from "../network.ts";
import type { Env } from "../network-data.ts";
import type { NetworkCode } from "../networks.ts";
import { NodeError } from "../node-error.ts";
import { computeRetryPauseMs } from "../node-rules.ts";
import type { LiveAddresses } from "./address-book.ts";
import { type AddressSync, createAddressSync, type SyncMemory, type SyncOptions } from "./address-sync.ts";
import { createCertificateCheck } from "./certificate.ts";
import type { HeaderChain } from "./header-chain.ts";
import { openLineConnection } from "./line-connection.ts";
import { createHeaderBudget, type HeaderBudget, type HeaderLimits } from "./old-headers.ts";
import { isPrivateHost, parseElectrumUrl, type ServerUrl } from "./server-url.ts";
import { type ElectrumSession, openSession, type SessionOptions } from "./session.ts";

const TIMEOUT_MS = 35_000;
const CONNECT_MS = 10_000;
const LIVE_ROUND_SECONDS = 60;
const SWEEP_EVERY_MS = 1_000;

export interface ServerOptions extends AdapterTools, Omit<SessionOptions, "name" | "onChain"> {
  readonly scope: { readonly env: Env; readonly network: NetworkCode };
  readonly sync: Omit<SyncOptions, "memory" | "budget" | "onTooLong">;
  /** For tests. */
  readonly headerLimits?: HeaderLimits | undefined;
  readonly live: () => LiveAddresses | null;
  /** After a header the server reports which histories changed within this time. */
  readonly settleMs: number;
  readonly hashOf: (address: string) => string;
}

/** An open connection with what it reads. */
export interface OpenServer {
  readonly session: ElectrumSession;
  readonly sync: AddressSync;
}

/**
 * Histories of live addresses and of other ones that the `nth` sweep may read. A public server limits who asks for more: e-x forgives one
 * unit of cost a second, and a history without a payment costs 0.4. With many live addresses these come first: their links may end.
 */
export function shareSweep(
  host: string,
  liveCount: number,
  nth: number,
): { readonly live: number; readonly others: number } {
  if (isPrivateHost(host)) return { live: Math.min(5, Math.ceil(liveCount / LIVE_ROUND_SECONDS)), others: 5 };
  if (liveCount <= LIVE_ROUND_SECONDS || nth % 5 === 0) return { live: 1, others: 1 };
  return { live: 2, others: 0 };
}

/** One server, connected again whenever it ends. */
export interface ElectrumServer {
  readonly name: string;
  /** The open connection. Null: none now. */
  current(): OpenServer | null;
  /** Connects, unless that is done or a pause after a failure, of `longestPauseMs` at most, is not over. Throws NodeError. */
  open(longestPauseMs?: number): Promise<OpenServer>;
  /**
   * Reads the histories of the next few addresses again, at most once a second: of those that are not live, and of the live ones, because a
   * report of a change may be wrong or lost.
   */
  sweep(): Promise<void>;
  /**
   * Waits until it has reported what its newest block changed, and that is read. Returns the chain up to that block. What comes meanwhile may be
   * unread. Throws NodeError, also when the connection ends meanwhile.
   */
  settle(): Promise<HeaderChain>;
  report(): NodeReport;
}

export function createElectrumServer(text: string, options: ServerOptions): ElectrumServer {
  const url = parseElectrumUrl(text);
  if (url === null) throw new Error("an Electrum server's URL is electrum+tls://host:port");
  const name = `${url.host}:${url.port}`;
  const memory: SyncMemory = { statuses: new Map(), highest: new Map(), tooLong: new Set() };
  const budget = createHeaderBudget(options.headerLimits);
  const health = openHealth(name, options);
  let current: OpenServer | null = null;
  let opening: Promise<OpenServer> | null = null;
  let height: number | null = null;

  async function connect(): Promise<OpenServer> {
    let ended: NodeError | null = null;
    const onClose = (error: NodeError) => {
      ended = error;
      // While it is being opened, the opening fails.
      if (current !== null) health.fail(error);
      current = null;
    };
    try {
      const opened = await connectServer({ url: url as ServerUrl, name, memory, budget, onClose }, options);
      // Its last answer may have come with its end.
      if (ended !== null) throw ended;
      current = opened;
      height = opened.session.chain().height;
      const live = options.live();
      if (live !== null) opened.sync.watch(live.hashes().keys());
      health.open();
      opened.sync.idle().then(health.succeed, () => {});
      return opened;
    } catch (error) {
      throw health.fail(error instanceof NodeError ? error : malformed(name, error));
    } finally {
      opening = null;
    }
  }
  async function open(longestPauseMs = Number.POSITIVE_INFINITY): Promise<OpenServer> {
    if (current !== null) return current;
    if (opening === null) health.throwWhilePausing(longestPauseMs);
    opening ??= connect();
    return opening;
  }
  return {
    name,
    current: () => current,
    open,
    sweep: createSweep(() => current, options, url.host),
    async settle() {
      const { session, sync } = await open();
      for (;;) {
        await session.caughtUp();
        const left = session.tipSince() + options.settleMs - performance.now();
        if (left <= 0 || options.live() === null) break;
        await delay(left);
      }
      const reported = session.chain();
      await sync.idle();
      // Its reports are lost, and what a new connection asks for is not read yet.
      if (current?.session !== session)
        throw new NodeError("unreachable", `the connection to ${name} ended meanwhile`);
      return reported;
    },
    report: () => ({
      name,
      height: current?.session.chain().height ?? height,
      error: current === null ? health.error() : null,
    }),
  };
}

const malformed = (name: string, error: unknown) => new NodeError("malformed", `${name}: ${String(error)}`);

/** Counts and logs the failures of a server, and how long it is left alone after one. */
function openHealth(name: string, { scope, counters, log: parent }: ServerOptions) {
  const labels = { ...scope, node: name };
  const log = parent?.child(scope);
  counters?.requests.inc(labels, 0);
  counters?.errors.inc(labels, 0);
  let failure: NodeError | null = null;
  let failures = 0;
  let failedAt = 0;
  let pauseMs = 0;
  return {
    error: () => failure?.message ?? null,
    throwWhilePausing(longestMs: number) {
      if (failure !== null && performance.now() - failedAt < Math.min(pauseMs, longestMs)) throw failure;
    },
    fail(error: NodeError): NodeError {
      // A connection that worked may end at any time: it is opened again at once.
      pauseMs = failures === 0 ? 0 : computeRetryPauseMs(failures, Math.random());
      failures += 1;
      failedAt = performance.now();
      counters?.errors.inc(labels);
      const level = error.kind === "wrong_chain" ? "error" : "warn";
      if (failure?.message !== error.message) {
        log?.[level]({ err: error, node: name }, "node failed and is not used for a while");
      }
      failure = error;
      return error;
    },
    open() {
      if (failure !== null) log?.info({ node: name }, "node works again");
      failure = null;
    },
    /** It answered everything that was asked after it was connected. */
    succeed() {
      failures = 0;
    },
  };
}

interface Connecting {
  readonly url: ServerUrl;
  readonly name: string;
  readonly memory: SyncMemory;
  readonly budget: HeaderBudget;
  readonly onClose: (error: NodeError) => void;
}

async function connectServer(
  { url, name, memory, budget, onClose }: Connecting,
  options: ServerOptions,
): Promise<OpenServer> {
  const labels = { ...options.scope, node: name };
  const listeners = new Map<string, (params: readonly unknown[]) => void>();
  const connection = await openLineConnection(url, {
    name,
    timeoutMs: TIMEOUT_MS,
    connectMs: CONNECT_MS,
    checkCertificate: createCertificateCheck(options, labels),
    onRequest: () => options.counters?.requests.inc(labels),
    onNotification: (method, params) => listeners.get(method)?.(params),
    onClose,
  });
  try {
    let sync: AddressSync | null = null;
    const onChain = (fork: number | null) => {
      if (fork !== null) {
        // Proven by another server, or named by this one: their status can stay the same.
        sync?.touch(options.sync.proven.listAbove(fork));
        sync?.touchAbove(fork);
      }
      options.sync.onNews("block");
    };
    const listen = (listener: (params: readonly unknown[]) => void) =>
      listeners.set("blockchain.headers.subscribe", listener);
    const session = await openSession(connection, listen, { ...options, name, onChain });
    const opened = createAddressSync(session, {
      ...options.sync,
      memory,
      budget,
      onTooLong: (scriptHash) =>
        options.log?.warn({ ...options.scope, node: name, scriptHash }, "history too long for the node"),
    });
    sync = opened;
    listeners.set("blockchain.scripthash.subscribe", ([scriptHash, status]) => {
      if (typeof scriptHash === "string") opened.notify(scriptHash, status);
    });
    return { session, sync: opened };
  } catch (error) {
    connection.close(error instanceof NodeError ? error : malformed(name, error));
    throw error;
  }
}

/** Returns ElectrumServer.sweep. */
function createSweep(
  current: () => OpenServer | null,
  { live: getLive, hashOf }: ServerOptions,
  host: string,
) {
  let sweptAt = Number.NEGATIVE_INFINITY;
  let nth = 0;
  let from: number | null = null;
  let turn: string[] = [];
  return async () => {
    const live = getLive();
    const isDue = performance.now() - sweptAt >= SWEEP_EVERY_MS;
    if (current() === null || live === null || live.hashes().size === 0 || !isDue) return;
    sweptAt = performance.now();
    current()?.sync.touchUnfinished();
    if (turn.length === 0) turn = [...live.hashes().keys()];
    const share = shareSweep(host, live.hashes().size, nth++);
    current()?.sync.glance(turn.splice(0, share.live));
    if (share.others === 0) return;
    const others = await live.listOthers(from, share.others);
    // From the newest again after the oldest.
    from = others.at(-1)?.id ?? null;
    current()?.sync.glance(others.map(({ address }) => hashOf(address)));
  };
}
