import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { openNodeClient } from "#lib/chains/node-client.ts";

test("sends a call to a sibling path on the same host, with key, user and query", async (t) => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url, request.headers.authorization);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const basic = `Basic ${Buffer.from("me:secret").toString("base64")}`;
  for (const [path, own, extra] of [
    ["/jsonrpc", "/jsonrpc", "/wallet/x"],
    ["/key/jsonrpc", "/key/jsonrpc", "/key/wallet/x"],
    ["/key/jsonrpc/?a=1", "/key/jsonrpc/?a=1", "/key/wallet/x?a=1"],
    ["", "/", "/wallet/x"],
  ] as const) {
    asked.length = 0;
    const line = openNodeClient(`http://me:secret@127.0.0.1:${port}${path}`, {
      timeoutMs: 5_000,
      perSecond: 0,
    });
    assert.deepEqual(await line.post("{}", 1), { status: 200, text: "{}" });
    await line.post("{}", 1, "wallet/x");
    await line.withSignal(AbortSignal.timeout(5_000)).post("{}", 1, "wallet/x");
    assert.deepEqual(asked, [own, basic, extra, basic, extra, basic]);
  }
});
