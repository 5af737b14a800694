import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, type TestContext } from "node:test";

export interface FakeCall {
  readonly method: string;
  readonly params: unknown[];
}

/**
 * Decides one call. Undefined passes it on. Anything else is the result, or an error is thrown for a
 * JSON-RPC error (with the error's `code`, if it has one). `pass` resolves to the node's own answer.
 */
export type Twist = (call: FakeCall, pass: () => Promise<unknown>) => unknown;

/** A twist returns this to leave a call without an answer: its entry is missing in a batch, its result otherwise. */
export const UNANSWERED = Symbol("unanswered");

export interface FakeNode {
  readonly url: string;
  /** Every call that arrived. */
  readonly calls: FakeCall[];
  /** How many requests they came in. */
  requests: number;
  /** Changes answers call by call. */
  twist: Twist | null;
  /** Answers whole requests. Undefined passes them on call by call. Anything else is the answer. */
  batch: ((calls: readonly FakeCall[]) => unknown) | null;
  /** Another node to pass calls on to. */
  pass: string | null;
  /** Answers instead of the node, including the HTTP status. */
  answer: ((response: ServerResponse) => void) | null;
  close(): Promise<void>;
}

interface Request extends FakeCall {
  readonly id: number;
}

/**
 * A fake in front of a real node: an HTTP server that passes JSON-RPC on and changes answers. It also passes
 * on other calls (java-tron's /wallet/…). Their name is their path ("wallet/getnowblock"), with one
 * parameter.
 */
export async function startFakeNode(nodeUrl: string): Promise<FakeNode> {
  const post = async (path: string | null, body: unknown) => {
    const { username, password, url } = splitUrl(fake.pass ?? nodeUrl);
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    const response = await fetch(path === null ? url : new URL(path, url), {
      method: "POST",
      headers: { "content-type": "application/json", ...(username === "" ? {} : { authorization }) },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { result?: unknown };
  };
  const forward = (request: Request) => post(null, request);
  const answerPath = async (path: string, body: unknown) => {
    const call = { method: path.slice(1), params: [body] };
    fake.calls.push(call);
    try {
      return (await fake.twist?.(call, () => post(path, body))) ?? (await post(path, body));
    } catch (error) {
      return { Error: (error as Error).message };
    }
  };
  const answerOne = async (request: Request) => {
    fake.calls.push(request);
    const head = { jsonrpc: "2.0", id: request.id };
    try {
      const result = await fake.twist?.(request, async () => (await forward(request)).result);
      if (result === UNANSWERED) return head;
      return result === undefined ? await forward(request) : { ...head, result };
    } catch (error) {
      const { message, code = -32_603 } = error as Error & { code?: number };
      return { ...head, error: { code, message } };
    }
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    fake.requests += 1;
    if (fake.answer) return fake.answer(response);
    const parsed = JSON.parse(body) as Request | Request[];
    if (!Array.isArray(parsed) && parsed.method === undefined) {
      return response.end(JSON.stringify(await answerPath(request.url ?? "/", parsed)));
    }
    const whole = fake.batch?.([parsed].flat());
    if (whole !== undefined) return response.end(JSON.stringify(whole));
    const answer = Array.isArray(parsed)
      ? (await Promise.all(parsed.map(answerOne))).filter((one) => "result" in one || "error" in one)
      : await answerOne(parsed);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fake: FakeNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    requests: 0,
    twist: null,
    batch: null,
    pass: null,
    answer: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

/** A fake that closes when its test ends. */
export async function openFakeNode(t: TestContext, nodeUrl: string): Promise<FakeNode> {
  const fake = await startFakeNode(nodeUrl);
  t.after(fake.close);
  return fake;
}

/** A fake for the tests of this file: after each test it answers as the node does again. */
export async function startTestFakeNode(nodeUrl: string): Promise<FakeNode> {
  const fake = await startFakeNode(nodeUrl);
  afterEach(() => {
    Object.assign(fake, { twist: null, answer: null });
  });
  after(() => fake.close());
  return fake;
}

/** fetch rejects a URL with a user and a password. */
function splitUrl(text: string): { url: string; username: string; password: string } {
  const url = new URL(text);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  return { url: url.href, username, password };
}
