import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { EVENT_TYPES } from "#lib/domain/webhooks/events.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { composeLlmsText, openLlmsText } from "#lib/web/llms-text.ts";

test("names every call and every event, and links to what this host serves", () => {
  const text = composeLlmsText("https://pay.example");
  assert.match(text, /^# Paylink\n\n> /);
  for (const { method, path } of ENDPOINTS) {
    const name = path.replaceAll(/:([^/]+)/g, "{$1}");
    assert.ok(text.includes(`\`${method.toUpperCase()} /v1${name}\`: `), `${method} ${path}`);
  }
  for (const type of EVENT_TYPES) assert.ok(text.includes(`- \`${type}\`: `), type);
  assert.deepEqual(
    text.match(/\(https:\/\/pay\.example[^)]*\)/g)?.map((link) => link.slice(20, -1)),
    ["/v1/openapi.json", "/v1/docs", "/v1/docs/errors", "/v1/postman.json"],
  );
  assert.doesNotMatch(text, /undefined/);
  assert.ok(text.length < 20_000, `${text.length} characters`);
});

test("answers GET and HEAD of its path alone", async () => {
  const answer = openLlmsText("https://pay.example");
  const server = createServer((request, response) => {
    if (!answer(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found = await fetch(`${origin}/llms.txt`);
  assert.deepEqual([found.status, found.headers.get("content-type")], [200, "text/plain; charset=utf-8"]);
  assert.match(await found.text(), /^# Paylink/);
  assert.equal((await fetch(`${origin}/llms.txt`, { method: "HEAD" })).status, 200);
  assert.equal((await fetch(`${origin}/llms.txt`, { method: "POST" })).status, 405);
  assert.equal((await fetch(`${origin}/llms.txt2`)).status, 418);
});
