import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer of a real node to one request. */
export interface Recorded {
  /** Default "/". */
  readonly path?: string;
  /** The request: of JSON-RPC its method and parameters, without an id. */
  readonly body: unknown;
  /** Default 200. */
  readonly status?: number;
  /** The result or error of JSON-RPC. A text is sent as it is. */
  readonly answer: unknown;
}

export interface ReplayNode {
  readonly url: string;
  /** Requests that are not recorded. They got status 501. */
  readonly unknown: string[];
  close(): Promise<void>;
}

/** A node that knows only recorded answers. It answers a list of calls with each call's own answer. */
export async function startReplayNode(records: readonly Recorded[]): Promise<ReplayNode> {
  const answers = new Map(records.map((record) => [keyOf(record.path ?? "/", record.body), record]));
  const unknown: string[] = [];
  const find = (path: string, body: unknown): Recorded => {
    const record = answers.get(keyOf(path, body));
    if (record) return record;
    unknown.push(keyOf(path, body));
    return { body, status: 501, answer: "not recorded" };
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as unknown;
    const path = request.url ?? "/";
    const found = [body].flat().map((one) => ({ record: find(path, one), id: idOf(one) }));
    const entries = found.map(({ record, id }) => withId(record.answer, id));
    const status = found.find(({ record }) => record.status !== undefined)?.record.status ?? 200;
    const answer = Array.isArray(body) ? entries : entries[0];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unknown,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The same for the same request, whatever its id. */
function keyOf(path: string, body: unknown): string {
  const { id: _, jsonrpc: __, ...rest } = body as Record<string, unknown>;
  return `${path} ${JSON.stringify(rest)}`;
}

function idOf(body: unknown): unknown {
  return (body as { id?: unknown }).id;
}

function withId(answer: unknown, id: unknown): unknown {
  return id === undefined || typeof answer !== "object" ? answer : { jsonrpc: "2.0", id, ...answer };
}
