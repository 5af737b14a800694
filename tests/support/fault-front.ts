import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The faults of a fake front for one request: answer 429; cut the answer; answer invalid JSON, or a batch
 * with parts missing; report a head some blocks back; send an older block than requested; ask another chain.
 */
export type Fault = "limit" | "half" | "garbage" | "gap" | "old-head" | "old-block" | "other-chain";

export interface FaultFront {
  readonly url: string;
  /** Chooses what happens to each request; null forwards it. */
  choose: () => Fault | null;
  /** Requests spoiled so far. */
  readonly spoiled: number;
  /** Where "other-chain" asks. */
  other: string | null;
  /** Closes every connection, as when the node is down, until up(). */
  down(): void;
  up(): void;
  close(): Promise<void>;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** How far back an old head and an old block are. */
const BACK = 3;

/** A fake in front of a real node. It forwards the answers, or spoils them. */
export async function startFaultFront(nodeUrl: string): Promise<FaultFront> {
  let spoiled = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const fault = front.choose();
    try {
      if (fault === null) return send(response, await forward(nodeUrl, body));
      spoiled += 1;
      await spoil(fault, response, body);
    } catch {
      response.destroy();
    }
  });
  const spoil = async (fault: Fault, response: ServerResponse, body: string) => {
    if (fault === "limit") {
      response.writeHead(429, { "retry-after": "1" }).end("too many requests");
    } else if (fault === "other-chain") {
      send(response, await forward(front.other ?? nodeUrl, body));
    } else if (fault === "old-head" || fault === "old-block") {
      send(response, await older(nodeUrl, body, fault));
    } else {
      const text = await forward(nodeUrl, body);
      if (fault === "half") {
        response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
        response.write(text.slice(0, text.length / 2), () => response.destroy());
      } else if (fault === "garbage") send(response, `<html>${text.slice(0, 20)}\u0000\ufffd`);
      else send(response, withGap(text));
    }
  };
  // It keeps its port, which another process could use otherwise.
  let isDown = false;
  server.on("connection", (socket) => {
    if (isDown) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const target = new URL(nodeUrl);
  const user = target.username === "" ? "" : `${target.username}:${target.password}@`;
  const front: FaultFront = {
    url: `http://${user}127.0.0.1:${port}`,
    choose: () => null,
    get spoiled() {
      return spoiled;
    },
    other: null,
    down() {
      isDown = true;
      server.closeAllConnections();
    },
    up() {
      isDown = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json" }).end(text);
}

async function forward(nodeUrl: string, body: string): Promise<string> {
  const url = new URL(nodeUrl);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (url.username !== "") {
    headers.authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString("base64")}`;
    url.username = "";
    url.password = "";
  }
  return (await fetch(url, { method: "POST", headers, body })).text();
}

async function ask(nodeUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method, params });
  return (JSON.parse(await forward(nodeUrl, body)) as Answer).result;
}

/** A batch without its second half; a single answer without its result. */
function withGap(text: string): string {
  const answer = JSON.parse(text) as Answer | Answer[];
  return JSON.stringify(
    Array.isArray(answer)
      ? answer.slice(0, Math.floor(answer.length / 2))
      : { jsonrpc: "2.0", id: answer.id },
  );
}

async function older(nodeUrl: string, body: string, fault: "old-head" | "old-block"): Promise<string> {
  const calls = JSON.parse(body) as Call | Call[];
  const answerOne = async (call: Call) => {
    const answer = JSON.parse(await forward(nodeUrl, JSON.stringify(call))) as Answer;
    const twist = call.method.startsWith("eth_") ? olderEvm : olderBitcoin;
    const result = await twist(nodeUrl, fault, call, answer.result);
    return result === undefined ? answer : { ...answer, result };
  };
  return JSON.stringify(
    Array.isArray(calls) ? await Promise.all(calls.map(answerOne)) : await answerOne(calls),
  );
}

/** The older result, or undefined where this fault changes nothing. */
async function olderEvm(nodeUrl: string, fault: Fault, { method, params }: Call, result: unknown) {
  if (method !== "eth_getBlockByNumber" || result === null) return undefined;
  const tagged = params[0] === "latest" || params[0] === "finalized";
  if (tagged !== (fault === "old-head")) return undefined;
  const height = Number((result as { number: string }).number) - BACK;
  return ask(nodeUrl, method, [`0x${Math.max(0, height).toString(16)}`, false]);
}

async function olderBitcoin(nodeUrl: string, fault: Fault, { method, params }: Call, result: unknown) {
  if (method === "getblockchaininfo" && fault === "old-head") {
    const info = result as { blocks: number };
    const height = info.blocks - BACK;
    return { ...info, blocks: height, bestblockhash: await ask(nodeUrl, "getblockhash", [height]) };
  }
  if (method === "getblock" && fault === "old-block") {
    const { height } = (await ask(nodeUrl, "getblockheader", [params[0]])) as { height: number };
    const hash = await ask(nodeUrl, "getblockhash", [Math.max(0, height - BACK)]);
    return ask(nodeUrl, method, [hash, ...params.slice(1)]);
  }
  return undefined;
}
