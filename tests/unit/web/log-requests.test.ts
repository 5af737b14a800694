import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, test } from "node:test";
import { addToLogContext } from "#lib/platform/log/log-context.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import { logRequests } from "#lib/web/log-requests.ts";
import { until } from "#tests/support/until.ts";

const PROXYS_ID = "0123456789abcdef0123456789abcdef";
const REFID = "4kWbmNfMQJcYf4ALXXJwd4";

const lines: Record<string, unknown>[] = [];
const log = openLog("debug", { write: (line: string) => void lines.push(JSON.parse(line)) });
const hanging = Promise.withResolvers<void>();
const answer: RequestListener = (request, response) => {
  if (request.url === "/hang") return hanging.resolve();
  if (request.url === "/broken.js") response.statusCode = 500;
  addToLogContext({ merchantId: 7 });
  response.end("ok");
};
const servers = await Promise.all(
  [[], ["127.0.0.0/8"]].map(async (trustedProxies) => {
    const server = createServer(logRequests(answer, { log, trustedProxies }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }),
);
const [plain, behindProxy] = servers.map((server) => (server.address() as AddressInfo).port) as [
  number,
  number,
];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function ask(port: number, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const id = response.headers.get("x-request-id") ?? "";
  return { id, line: await until("the line", () => lines.find((line) => line.requestId === id)) };
}

test("ignores the request id of a client that is not a trusted proxy", async () => {
  const headers = { "x-request-id": PROXYS_ID };
  assert.match((await ask(plain, "/", headers)).id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  assert.equal((await ask(behindProxy, "/", headers)).id, PROXYS_ID);
});

test("a line has the path without query, the status, added context, and the refid of the path", async () => {
  const { line } = await ask(plain, `/v1/payment-links/${REFID}?key=query`);
  assert.deepEqual(
    [line.method, line.path, line.status, line.refid, line.merchantId, line.level],
    ["GET", `/v1/payment-links/${REFID}`, 200, REFID, 7, "info"],
  );
  assert.equal((await ask(plain, "/v1/transaction/refId/1234567812345678")).line.refid, "1234567812345678");
  assert.equal("refid" in (await ask(plain, `/v1/payment-links/${REFID}x`)).line, false);
  assert.doesNotMatch(JSON.stringify(lines), /query/);
});

test("a logged path contains no key and is cut to its start", async () => {
  assert.equal((await ask(plain, `/v1/pl_live_${"a".repeat(32)}`)).line.path, "/v1/pl_live_[hidden]");
  assert.equal(String((await ask(plain, `/${"long/".repeat(200)}`)).line.path).length, 300);
});

test("logs parts of a page at level debug, unless they fail", async () => {
  assert.equal((await ask(plain, "/_next/static/chunks/a.js")).line.level, "debug");
  assert.equal((await ask(plain, "/healthz")).line.level, "debug");
  assert.equal((await ask(plain, "/broken.js")).line.level, "info");
});

test("logs a request that its client aborted as 499", async () => {
  const socket = connect(plain, "127.0.0.1", () => socket.write("GET /hang HTTP/1.1\r\nHost: x\r\n\r\n"));
  await hanging.promise;
  socket.destroy();
  const line = await until("the line", () => lines.find(({ path }) => path === "/hang"));
  assert.equal(line.status, 499);
});
