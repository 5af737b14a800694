import type { ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { parseElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import type { FakeNode } from "./fake-node.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown[];
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * A fake in front of an Electrum server: it passes calls and notifications on, and changes answers. A new `twist` or
 * `answer` ends the open connections, because a server with other news has none of the old subscriptions.
 */
export async function startElectrumFake(serverUrl: string): Promise<FakeNode> {
  const sockets = new Set<Socket>();
  let twist: FakeNode["twist"] = null;
  let answer: FakeNode["answer"] = null;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(parseElectrumUrl(fake.pass ?? serverUrl)!);
    const waiting = new Map<number, (message: Message) => void>();
    let nextId = 0;
    const ends = [client, upstream];
    for (const end of ends) {
      sockets.add(end);
      end.on("error", () => {});
      end.on("close", () => {
        sockets.delete(end);
        for (const other of ends) other.destroy();
      });
    }
    const reply = (message: object) => client.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const forward = (method: string, params: unknown[]) =>
      new Promise<Message>((resolve) => {
        waiting.set(nextId, resolve);
        upstream.write(`${JSON.stringify({ jsonrpc: "2.0", id: nextId++, method, params })}\n`);
      });
    onLines(upstream, async (message) => {
      const { id, method = "", params = [] } = message;
      if (id !== undefined) return waiting.get(id)?.(message);
      // A header that is announced is changed like one that is asked for.
      const isHeader = method === "blockchain.headers.subscribe";
      const changed = isHeader ? await twist?.({ method, params }, async () => params[0]) : undefined;
      return reply(changed === undefined ? message : { method, params: [changed] });
    });
    onLines(client, async ({ id, method = "", params = [] }) => {
      const call = { method, params };
      fake.calls.push(call);
      fake.requests += 1;
      if (answer !== null) return answer(responseTo(client));
      try {
        const pass = async () => {
          const { result, error } = await forward(method, params);
          if (error !== undefined) throw error;
          return result;
        };
        const result = await twist?.(call, pass);
        if (result !== undefined) return reply({ id, result });
        const { result: own, error } = await forward(method, params);
        return reply(error === undefined ? { id, result: own } : { id, error });
      } catch (error) {
        const { message, code = -32_005 } = error as { message: string; code?: number };
        return reply({ id, error: { code, message } });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fake: FakeNode = {
    url: `electrum+tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    requests: 0,
    get twist() {
      return twist;
    },
    set twist(next) {
      if (next !== twist) endAll();
      twist = next;
    },
    get answer() {
      return answer;
    },
    set answer(next) {
      if (next !== answer) endAll();
      answer = next;
    },
    batch: null,
    pass: null,
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function onLines(socket: Socket, read: (message: Message) => void): void {
  let rest = "";
  socket.on("data", (chunk) => {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) read(JSON.parse(line));
  });
}

/** The log lines of the outages of HTTP nodes. */
function responseTo(socket: Socket): ServerResponse {
  const response = {
    writeHead: () => response,
    end: (text = "") => socket.write(`${text}\n`),
    write: (text: string, done: () => void) => socket.write(`${text}\n`, done),
    destroy: () => socket.destroy(),
  };
  return response as unknown as ServerResponse;
}
