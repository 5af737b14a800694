import { NodeError } from "../node-error.ts";
import { parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";
import { parseHex } from "../utxo/parse-json.ts";
import { createChain, type HeaderChain, replaceAbove, tipOf } from "./header-chain.ts";
import { checkHeaders, type Header, type HeaderRules, parseHeaders } from "./headers.ts";
import type { ElectrumAnswer, LineConnection } from "./line-connection.ts";
import { createOldHeaders, type HeaderBudget, MOST_HEADERS, type OldHeaderMemory } from "./old-headers.ts";

/** Protocol versions that this client speaks. A server picks one of them. */
const PROTOCOLS = ["1.4", "1.6"] as const;
/** Headers read at the start. Older ones are read when they are asked for (old-headers.ts). */
const FIRST_HEADERS = 288;
/** Servers close sessions that send nothing for 10 minutes by default. Neither side notices a broken network. */
const PING_MS = 60_000;
/** Blocks that were found only by asking, one after the other. A block may be announced right after the answer. */
const MOST_UNANNOUNCED = 2;
/** A connection without a new block for this time is opened again. On bitcoin that happens about once in three years. */
const FROZEN_MS = 2 * 3_600_000;

/** A server's connection after its greeting, with the chain of headers that the server shows. */
export interface ElectrumSession {
  readonly name: string;
  chain(): HeaderChain;
  /** When its newest header came, in milliseconds of `performance.now()`. */
  tipSince(): number;
  /** The header at a height of its chain, read again if it is old. Null: above the tip. */
  header(height: number): Promise<Header | null>;
  /** The same, but "later" once the budget for old headers is spent. */
  headerWithin(budget: HeaderBudget, height: number): Promise<Header | null | "later">;
  /** Asks for the newest header: an announcement may be late or lost. */
  refresh(): Promise<void>;
  /** Waits until every header that was announced is read. */
  caughtUp(): Promise<void>;
  ask(method: string, params: readonly unknown[]): Promise<ElectrumAnswer>;
  /** Throws NodeError("refused") when the server answers with an error. */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  close(reason: NodeError): void;
}

export interface SessionOptions {
  readonly name: string;
  readonly genesis: string;
  /** The name of the chain, for messages. */
  readonly chainName: string;
  readonly rules: HeaderRules;
  readonly oldHeaders?: OldHeaderMemory;
  /** Called after the chain changed. `fork`: the blocks above it were replaced. Null: the chain only grew. */
  readonly onChain: (fork: number | null) => void;
}

/** Greets the server, checks that it is on the chain, and reads its newest headers. Throws NodeError. */
export async function openSession(
  connection: LineConnection,
  announced: (listener: (params: readonly unknown[]) => void) => void,
  options: SessionOptions,
): Promise<ElectrumSession> {
  const { name, genesis, chainName } = options;
  const call = async (method: string, params: readonly unknown[]) => {
    const answer = await connection.call(method, params);
    if (answer.ok) return answer.result;
    throw new NodeError("refused", `${name} refused ${method}: ${answer.message} (${answer.code})`);
  };
  await call("server.version", ["paylink", PROTOCOLS]);
  const [first] = parseHeaders(parseHex("its first block", await call("blockchain.block.header", [0])));
  if (first?.hash !== genesis) throw new NodeError("wrong_chain", `${name} is not on ${chainName}`);

  const follower = createFollower(call, options);
  const check = createCheck(follower, name);
  announced(([header]) => {
    check.heard();
    void follower.follow(header).catch(closeOn);
  });
  function closeOn(error: unknown): void {
    connection.close(error instanceof NodeError ? error : new NodeError("malformed", String(error)));
  }
  await follower.refresh();
  const ping = setInterval(() => {
    check.ask().catch((error: unknown) => {
      clearInterval(ping);
      closeOn(error);
    });
  }, PING_MS);
  ping.unref();
  return {
    name,
    chain: follower.chain,
    tipSince: follower.tipSince,
    header: follower.header,
    headerWithin: follower.headerWithin,
    refresh: follower.refresh,
    caughtUp: follower.caughtUp,
    ask: connection.call,
    call,
    close: connection.close,
  };
}

/** Asks for the newest header from time to time. Throws NodeError where a new connection may help. */
function createCheck(
  { chain, refresh, tipSince }: Pick<ElectrumSession, "chain" | "refresh" | "tipSince">,
  name: string,
) {
  let unannounced = 0;
  return {
    heard() {
      unannounced = 0;
    },
    async ask(): Promise<void> {
      const { height } = chain();
      await refresh();
      if (chain().height > height) unannounced += 1;
      if (unannounced >= MOST_UNANNOUNCED) {
        throw new NodeError("unreachable", `${name} no longer announces its blocks`);
      }
      if (performance.now() - tipSince() > FROZEN_MS) {
        throw new NodeError("unreachable", `${name} has had no new block for ${FROZEN_MS / 3_600_000} hours`);
      }
    },
  };
}

/** Follows the headers that a server announces. No reorg is announced: a header's parent may be a foreign block. */
function createFollower(call: ElectrumSession["call"], { name, rules, oldHeaders, onChain }: SessionOptions) {
  let chain: HeaderChain = createChain(0, []);
  const old = createOldHeaders(name, (from, count) => fetchHeaders(call, name, from, count), oldHeaders);
  let since = 0;
  let turn: Promise<unknown> = Promise.resolve();
  /** One change of the chain at a time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }

  const askNewest = () => call("blockchain.headers.subscribe", []);

  /** `isAnswer`: the server was asked for it in this turn. Otherwise it may be older than what was read since. */
  async function follow(announcement: unknown, isAnswer: boolean): Promise<void> {
    const { height: shown, hex } = parseFields("its newest header", announcement);
    const height = parseUint("its height", shown);
    const raw = parseHex("its newest header", hex);
    const [tip] = parseHeaders(raw);
    const started = performance.now();
    const before = chain;
    const held = chain.at(height);
    if (height === chain.height && held?.hash === tip?.hash) return;
    if (held?.hash === tip?.hash && !isAnswer) return follow(await askNewest(), true);
    if (held?.hash === tip?.hash) chain = replaceAbove(chain, height + 1, []);
    else if (height === chain.height + 1 && chain.at(chain.height)?.hash === tip?.parentHash) {
      const parent = tipOf(chain);
      chain = replaceAbove(chain, height, await checkHeaders(raw, { height, parent }, rules, new Date()));
    } else chain = await readBack(height);
    since = started;
    onChain(findReplaced(before, chain));
  }

  /** Reads headers up to `height`, from so far back that they continue what is held. */
  async function readBack(height: number): Promise<HeaderChain> {
    const isEmpty = chain.height < chain.base;
    // A new connection reads only the newest headers. Nothing else bounds what a server makes us ask for and hold.
    if (!isEmpty && height - chain.height > MOST_HEADERS) {
      throw new NodeError("unreachable", `${name} shows block ${height}, far above ${chain.height}`);
    }
    for (let depth = isEmpty ? FIRST_HEADERS : 10; ; depth *= 10) {
      const from = Math.max(0, Math.min(height, isEmpty ? height : chain.height) - depth + 1);
      const raw = await fetchHeaders(call, name, from, height - from + 1);
      const replacesAll = isEmpty || from <= chain.base;
      const parent = replacesAll ? null : chain.at(from - 1);
      if (parent !== null && parseHeaders(raw.subarray(0, 80))[0]?.parentHash !== parent.hash) continue;
      const headers = await checkHeaders(raw, { height: from, parent }, rules, new Date());
      return replacesAll ? createChain(from, headers) : replaceAbove(chain, from, headers);
    }
  }

  return {
    chain: () => chain,
    tipSince: () => since,
    follow: (announcement: unknown) => inTurn(() => follow(announcement, false)),
    refresh: () => inTurn(async () => follow(await askNewest(), true)),
    caughtUp: async () => void (await turn),
    header: async (height: number) => (height < chain.base ? old.read(height, chain) : chain.at(height)),
    headerWithin: async (budget: HeaderBudget, height: number) =>
      height < chain.base ? old.readWithin(budget, height, chain) : chain.at(height),
  };
}

async function fetchHeaders(
  call: ElectrumSession["call"],
  name: string,
  from: number,
  count: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let have = 0; have < count; ) {
    const wanted = Math.min(MOST_HEADERS, count - have);
    const part = readHeaders(await call("blockchain.block.headers", [from + have, wanted]));
    if (part.length === 0) throw new NodeError("inconsistent", `${name} does not have block ${from + have}`);
    if (part.length > wanted * 80)
      throw new NodeError("malformed", `${name} sent more headers than it was asked for`);
    parts.push(part);
    have += part.length / 80;
  }
  return Buffer.concat(parts);
}

/** Up to protocol 1.5 one text, since 1.6 a list. */
function readHeaders(answer: unknown): Buffer {
  const { hex, headers } = parseFields("headers", answer);
  if (hex !== undefined) return parseHex("headers", hex);
  const list = parseList("headers", headers);
  if (!list.every((one) => typeof one === "string")) throwMalformed("headers", headers);
  return parseHex("headers", list.join(""));
}

/** The height above which `after` has other blocks than `before`. Null: none that `before` had was replaced. */
function findReplaced(before: HeaderChain, after: HeaderChain): number | null {
  let height = Math.min(before.height, after.height);
  if (before.height < before.base || before.at(height)?.hash === after.at(height)?.hash) return null;
  const lowest = Math.max(before.base, after.base);
  while (height >= lowest && before.at(height)?.hash !== after.at(height)?.hash) height -= 1;
  return height;
}
