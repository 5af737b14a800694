import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer in a provider's words. Without a code it is plain text instead of a JSON-RPC error. */
export interface Refusal {
  readonly status: number;
  readonly code?: number;
  readonly message: string;
}

/** The calls that a plan of a provider allows, and its refusals of the others, in its own words. */
export interface PlayedPlan {
  /** Host and path of a node, as the provider gives them out. The path holds the key, unless a header does. */
  readonly host: string;
  readonly path: string;
  readonly header?: readonly [name: string, value: string];
  /** Units a second. Null: no limit is known. */
  readonly perSecond: number | null;
  /** Units a day (a month's divided by 30). Null: no limit is known. */
  readonly perDay: number | null;
  /** Others use the same key: the first request finds the rate used up. */
  readonly spent?: boolean;
  /** How long every request is refused once one was too many. Absent: only that one is. */
  readonly suspendedMs?: number;
  /** Units of a call: of a method with a price of its own, and of the others. */
  readonly prices: Readonly<Record<string, number>>;
  readonly price: number;
  /** Calls in a request, and blocks in one eth_getLogs. Null: no limit is known. */
  readonly batch: number | null;
  readonly logBlocks: number | null;
  readonly missing: readonly string[];
  readonly says: Readonly<Record<"rate" | "day" | "batch" | "logs" | "missing" | "key", Refusal>>;
}

/** The requests since the server began. */
export interface PlayedCounts {
  readonly requests: number;
  readonly calls: number;
  readonly units: number;
  /** Refused requests or calls, by what was too much. */
  readonly refused: Readonly<Partial<Record<keyof PlayedPlan["says"], number>>>;
}

export interface ProviderServer {
  /** With the provider's host, whose name must lead to this machine (see leadHome). */
  readonly url: string;
  count(): PlayedCounts;
  close(): Promise<void>;
}

interface Call {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/**
 * Plays a provider in front of a node: takes what the plan allows, passes it on unchanged, and refuses the rest as the
 * provider does. A call that is refused for the rate costs nothing.
 */
export async function playProvider(plan: PlayedPlan, nodeUrl: string): Promise<ProviderServer> {
  const counts = { requests: 0, calls: 0, units: 0 };
  const refused: Partial<Record<keyof PlayedPlan["says"], number>> = {};
  const allowance = openAllowance(plan);
  const refuse = (why: keyof PlayedPlan["says"]) => {
    refused[why] = (refused[why] ?? 0) + 1;
    return plan.says[why];
  };

  const answer = async (request: IncomingMessage, body: string): Promise<Answer> => {
    counts.requests += 1;
    if (!isKeyed(plan, request)) return whole(refuse("key"), null);
    const parsed = JSON.parse(body) as Call | readonly Call[] | Readonly<Record<string, unknown>>;
    const path = request.url?.slice(plan.path.length) ?? "";
    const isRpc = "method" in parsed || Array.isArray(parsed);
    const calls = isRpc ? ([parsed].flat() as readonly Call[]) : [{ method: path }];
    const id = Array.isArray(parsed) ? null : (calls[0]?.id ?? null);
    counts.calls += calls.length;
    if (plan.batch !== null && calls.length > plan.batch) return whole(refuse("batch"), id);
    const cost = calls.reduce((sum, { method }) => sum + (plan.prices[method] ?? plan.price), 0);
    if (plan.perDay !== null && counts.units + cost > plan.perDay) return whole(refuse("day"), id);
    if (!allowance.take(cost)) return whole(refuse("rate"), id);
    counts.units += cost;
    const entries = calls.map((call) => {
      if (plan.missing.includes(call.method)) return refuse("missing");
      return plan.logBlocks !== null && spanOf(call) > plan.logBlocks ? refuse("logs") : null;
    });
    if (!Array.isArray(parsed)) {
      if (entries[0]) return whole(entries[0], id);
      return pass({ nodeUrl, path }, body);
    }
    return passRest({ nodeUrl, path }, calls, entries);
  };

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    send(response, await answer(request, body).catch((error) => ({ status: 502, text: String(error) })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://${plan.host}:${(server.address() as AddressInfo).port}${plan.path}`,
    count: () => ({ ...counts, refused: { ...refused } }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(response: ServerResponse, { status, text }: Answer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}

function isKeyed({ header, path }: PlayedPlan, { url = "", headers }: IncomingMessage): boolean {
  if (header && url.startsWith(path)) return headers[header[0].toLowerCase()] === header[1];
  return url.startsWith(path);
}

/** Units that may be used now: those of one second at most, refilled all the time. */
function openAllowance({ perSecond, suspendedMs = 0, spent = false }: PlayedPlan) {
  let left = perSecond ?? 0;
  let at = performance.now();
  let isFirst = true;
  let suspendedUntil = 0;
  return {
    take(units: number): boolean {
      if (perSecond === null) return true;
      const now = performance.now();
      left = Math.min(perSecond, left + ((now - at) / 1_000) * perSecond);
      at = now;
      if (isFirst && spent) left = 0;
      isFirst = false;
      if (now < suspendedUntil) return false;
      if (left < units) {
        suspendedUntil = now + suspendedMs;
        return false;
      }
      left -= units;
      return true;
    },
  };
}

function toError({ code, message }: Refusal, id: unknown) {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function whole(refusal: Refusal, id: unknown): Answer {
  const { status, code, message } = refusal;
  return { status, text: code === undefined ? message : JSON.stringify(toError(refusal, id)) };
}

/** Blocks that an eth_getLogs asks for. */
function spanOf({ method, params }: Call): number {
  const { fromBlock, toBlock } = Object(params?.[0]) as Record<string, unknown>;
  if (method !== "eth_getLogs" || fromBlock === undefined) return 0;
  return Number(toBlock) - Number(fromBlock) + 1;
}

/** The node, and the part of the path that is its own. */
interface Target {
  readonly nodeUrl: string;
  readonly path: string;
}

async function pass({ nodeUrl, path }: Target, body: string): Promise<Answer> {
  const url = path === "" ? new URL(nodeUrl) : new URL(path, nodeUrl);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(username === "" ? {} : { authorization }) },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** Passes on the calls of a batch that are not refused, and puts the refusals between the answers. */
async function passRest(
  target: Target,
  calls: readonly Call[],
  entries: readonly (Refusal | null)[],
): Promise<Answer> {
  const rest = calls.filter((_, i) => entries[i] === null);
  if (rest.length === calls.length) return pass(target, JSON.stringify(calls));
  const refusals = calls.flatMap(({ id }, i) => (entries[i] ? JSON.stringify(toError(entries[i], id)) : []));
  if (rest.length === 0) return { status: 200, text: `[${refusals.join()}]` };
  const { status, text } = await pass(target, JSON.stringify(rest));
  return { status, text: `${text.trimEnd().slice(0, -1)},${refusals.join()}]` };
}
