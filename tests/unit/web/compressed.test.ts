import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  get,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { compressed } from "#lib/web/compressed.ts";

const PART = "<p>Only USDT on BNB Smart Chain. 10.00 USDT</p>".repeat(40);

const server = createServer(
  compressed((request, response) => {
    if (request.headers.range !== undefined) {
      response.writeHead(206, {
        "content-type": "text/html",
        "content-range": `bytes 0-2047/${whole.length}`,
      });
      return response.end(whole.slice(0, 2_048));
    }
    const { flush } = response as ServerResponse & { flush?: () => void };
    response.setHeader("content-type", "text/html; charset=utf-8");
    for (let i = 0; i < 20; i++) {
      response.write(`${i}${PART}`);
      // As Next does.
      flush?.();
    }
    return response.end();
  }),
);
const whole = Array.from({ length: 20 }, (_, i) => `${i}${PART}`).join("");

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => server.close());

async function fetchWith(
  encoding: string,
  more: OutgoingHttpHeaders = {},
): Promise<{ encoding: string | undefined; body: Buffer }> {
  const { port } = server.address() as AddressInfo;
  const headers = { "accept-encoding": encoding, ...more };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: "127.0.0.1", headers }, resolve).on("error", reject);
  });
  if (response.statusCode === 200) assert.match(response.headers.vary ?? "", /accept-encoding/i);
  return { encoding: response.headers["content-encoding"], body: await buffer(response) };
}

test("a page is compressed as a whole, although Next flushes each part", async () => {
  const { encoding, body } = await fetchWith("gzip");
  assert.equal(encoding, "gzip");
  assert.equal(gunzipSync(body).toString(), whole);
  assert.equal(body.length, gzipSync(whole, { level: 4 }).length);
});

test("a browser gets Brotli, which is smaller", async () => {
  const { encoding, body } = await fetchWith("gzip, deflate, br");
  assert.equal(encoding, "br");
  assert.equal(brotliDecompressSync(body).toString(), whole);
});

test("a client that takes no compression gets none", async () => {
  const { encoding, body } = await fetchWith("identity");
  assert.equal(encoding, undefined);
  assert.equal(body.toString(), whole);
});

test("a part of a file is sent as it is: its range counts the bytes of the whole file", async () => {
  const { encoding, body } = await fetchWith("br", { range: "bytes=0-2047" });
  assert.equal(encoding, undefined);
  assert.equal(body.toString(), whole.slice(0, 2_048));
});
