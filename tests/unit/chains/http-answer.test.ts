import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { type NodeClient, openNodeClient } from "#lib/chains/node-client.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openRpcClient } from "#lib/chains/rpc-client.ts";
import { callTronApi } from "#lib/chains/tron/http-api.ts";
import { openCoreClient } from "#lib/chains/utxo/core-client.ts";
import { openRippledClient } from "#lib/chains/xrp/rippled-client.ts";

interface Answer {
  readonly status?: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** It takes the request and never answers. */
  readonly silent?: boolean;
}

/** The path of each family to the same kind of server. */
const FAMILIES: Readonly<Record<string, (line: NodeClient) => Promise<unknown>>> = {
  evm: (line) => openRpcClient(line).call("eth_chainId"),
  core: (line) => openCoreClient(line).call("getblockcount"),
  rippled: (line) => openRippledClient(line).ask("server_info", {}),
  tron: (line) => callTronApi(line, "getnowblock", {}),
};

async function startServer(t: TestContext, { status = 200, text = "", headers = {}, silent }: Answer) {
  const server = createServer((request, response) => {
    request.resume();
    if (!silent) response.writeHead(status, headers).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The NodeError of each of the families for this answer. */
async function failures(t: TestContext, answer: Answer, families = Object.keys(FAMILIES)) {
  const host = await startServer(t, answer);
  return await Promise.all(
    families.map(async (family) => {
      const line = openNodeClient(`http://${host}/`, { timeoutMs: 5_000, perSecond: 0 });
      const error: unknown = await FAMILIES[family]?.(line).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof NodeError, `${family}: ${String(error)}`);
      return { family, error };
    }),
  );
}

const page = (title: string) => `<html>\n<head><title>${title}</title></head><body><h2>x</h2></body></html>`;

test("says what a node answered and what to do, in every family", async (t) => {
  // Recorded: geth 1.17.8 (403, 401, 404) and java-tron 4.8.0 (405). Bitcoin Core sends 401 without a body.
  const cases: [Answer, NodeError["kind"], RegExp][] = [
    [
      { status: 403, text: "invalid host specified\n" },
      "unreachable",
      /"invalid host specified".*--http\.vhosts/,
    ],
    [{ status: 401, text: "missing token\n" }, "unreachable", /"missing token".*--http\.port/],
    [{ status: 401 }, "unreachable", /401 with nothing.*user, password or key/],
    [{ status: 404 }, "unreachable", /404 with nothing.*path.*websockets/],
    [
      { status: 405, text: page("Error 405 HTTP method POST is not supported by this URL") },
      ...(["unreachable", /"Error 405 HTTP method POST is not supported by this URL".*two ports/] as const),
    ],
    [{ text: page("Welcome to nginx!") }, "malformed", /"Welcome to nginx!".*web page/],
    [{ status: 500, text: "Internal Server Error" }, "malformed", /500 with "Internal Server Error"/],
    [{ status: 502, text: "Bad Gateway" }, "malformed", /502 with "Bad Gateway"/],
    [{ status: 504, text: "Gateway Time-out" }, "malformed", /504 with "Gateway Time-out"/],
    [{ text: "x".repeat(9_000) }, "malformed", /"x{200}"/],
  ];
  for (const [answer, kind, says] of cases) {
    for (const { family, error } of await failures(t, answer)) {
      // TRON's HTTP API may have a port of its own, and the node's JSON-RPC works.
      const isElsewhere = family === "tron" && [404, 405].includes(answer.status ?? 200);
      assert.equal(error.kind, isElsewhere ? "refused" : kind, `${family}: ${error.message}`);
      assert.match(error.message, isElsewhere ? /wallet\/getnowblock.*…_WALLET_URL/ : says, family);
      // A proxy that has lost its node is asked again soon.
      assert.equal(error.isPassing, answer.status === 502, family);
    }
  }
});

test("recognizes in every family that our requests are too many, and waits as long as the answer says", async (t) => {
  const rpc = (code: number, message: string) =>
    JSON.stringify({ jsonrpc: "2.0", id: 0, error: { code, message } });
  const suspended = "The key exceeds the frequency limit(15), and the query server is suspended for 30 s";
  // Recorded from java-tron 4.8.0. The others: documentation of TronGrid, QuickNode, Infura and Ankr.
  const overload = "class java.lang.IllegalAccessException : lack of computing resources";
  const cases: [Answer, number][] = [
    [{ text: JSON.stringify({ Error: overload }) }, 0],
    [{ status: 403, text: JSON.stringify({ Error: suspended }) }, 30_000],
    [{ status: 403, text: JSON.stringify({ success: false, error: suspended, statusCode: 403 }) }, 30_000],
    [{ status: 429, headers: { "retry-after": "7" } }, 7_000],
    [{ status: 503, text: "Server is overloaded" }, 0],
    [{ status: 402, text: "Payment Required" }, 0],
    // Chainstack, and Ankr's public nodes.
    [{ status: 429, text: JSON.stringify({ message: "RPS limit", try_again_in: "743.586µs" }) }, 1],
    [{ status: 429, text: JSON.stringify({ message: "RPS limit", try_again_in: "250.5ms" }) }, 251],
    [{ status: 429, text: "Too many requests, reason: call rate limit exhausted, retry in 1m30s" }, 90_000],
  ];
  for (const [answer, waitMs] of cases) {
    for (const { family, error } of await failures(t, answer)) {
      assert.deepEqual(
        [error.kind, error.retryAfterMs],
        ["rate_limited", waitMs],
        `${family}: ${error.message}`,
      );
    }
  }
  for (const text of [
    rpc(-32_005, "daily request count exceeded, request rate limited"),
    rpc(-32_012, "RPS"),
    rpc(-32_000, "You have exceeded the RPS limit"),
    rpc(429, "Too Many Requests"),
  ]) {
    for (const { family, error } of await failures(t, { text }, ["evm", "core", "rippled"])) {
      assert.equal(error.kind, "rate_limited", `${family}: ${text}`);
    }
  }
  for (const text of [
    rpc(-32_005, "query returned more than 10000 results"),
    rpc(-32_005, "Node is behind by 42 slots"),
    rpc(-32_000, "exceed maximum block range: 5000"),
  ]) {
    const [evm] = await failures(t, { text }, ["evm"]);
    assert.equal(evm?.error.kind, "refused", text);
  }
});

test("shows nothing secret of the URL and the headers, whatever the node repeats", async (t) => {
  const secrets = [
    "s3cret-Path-Key",
    "queryKEY99",
    "operator-name",
    "p@ss/word",
    "header-KEY-1",
    "AbCdEf123456",
  ];
  const said = secrets.join(" and ").toLowerCase();
  const bodies: Answer[] = [
    { status: 403, text: said },
    { status: 429, text: said },
    { status: 500, text: `${"y".repeat(190)} ${said}` },
    { text: JSON.stringify({ id: 0, error: { code: -32_000, message: `${"y".repeat(195)}${said}` } }) },
    { text: JSON.stringify({ Error: `lack of computing resources ${said}` }) },
    { text: said },
    { silent: true },
  ];
  for (const body of bodies) {
    const host = await startServer(t, body);
    const url = `http://operator-name:p%40ss%2Fword@${host}/v3/s3cret-Path-Key/jsonrpc?apikey=queryKEY99`;
    const headers = { "TRON-PRO-API-KEY": "header-KEY-1", authorization: "Bearer AbCdEf123456" };
    for (const [family, ask] of Object.entries(FAMILIES)) {
      const line = openNodeClient(url, { timeoutMs: body.silent ? 100 : 5_000, perSecond: 0, headers });
      const error: unknown = await ask(line).catch((thrown: unknown) => thrown);
      // Not an error of java-tron's HTTP API, so there is no text to show.
      if (family === "tron" && !(error instanceof NodeError)) continue;
      assert.ok(error instanceof NodeError, family);
      if (body.silent) assert.equal(error.kind, "unreachable", family);
      for (const secret of [...secrets, "s3cre", "query"]) {
        assert.equal(error.message.toLowerCase().includes(secret.toLowerCase()), false, error.message);
      }
    }
  }
});
