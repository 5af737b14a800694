import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { findKeptPath, keptPages } from "#lib/web/page/kept-pages.ts";

const VARIANT = { language: "en", parent: null, theme: null, isConsole: false } as const;

/** A server that answers with a kept page, and the paths that reached Next. */
async function serve(t: TestContext, page: RequestListener) {
  let now = 0;
  const rendered: (string | undefined)[] = [];
  const answer = keptPages(
    (request, response) => {
      rendered.push(request.url);
      page(request, response);
    },
    pino({ level: "silent" }),
    () => now,
  );
  const server = createServer((request, response) => {
    const path = findKeptPath(request.url ?? "");
    assert.ok(path);
    void answer(response, "nonce", { ...VARIANT, path });
  });
  t.after(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    rendered,
    ask: (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test("the state of the networks is rendered once in five seconds, the home page once", async (t) => {
  const { rendered, ask, pass } = await serve(t, ({ url }, response) => response.end(`page ${url}`));
  for (let i = 0; i < 3; i++) {
    await Promise.all(Array.from({ length: 10 }, () => ask("/status?lang=xx")));
    assert.equal(await (await ask("/")).text(), "page /");
    pass(1_600);
  }
  assert.deepEqual(rendered, ["/status", "/"]);
  pass(200);
  await ask("/status");
  await ask("/");
  assert.deepEqual(rendered, ["/status", "/", "/status"]);
});

test("a page that cannot be rendered answers 503, and is rendered by the next request", async (t) => {
  let status = 500;
  const { ask } = await serve(t, (_request, response) => response.writeHead(status).end());
  const refused = await ask("/status");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
  status = 200;
  assert.equal((await ask("/status")).status, 200);
});

test("only the paths themselves are kept, with any query", () => {
  for (const path of ["/", "/?lang=fr", "/status", "/status?x", "/nowhere"])
    assert.ok(findKeptPath(path), path);
  for (const path of ["/status/", "//", "/pay/x", "/constructor", ""])
    assert.equal(findKeptPath(path), null, path);
});
