import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startTestApi } from "#tests/support/api.ts";

const api = await startTestApi();
const fetchRaw = (path: string, encoding = "identity") =>
  fetch(`${api.origin}/v1${path}`, { headers: { "accept-encoding": encoding } });

test("openapi.json needs no key and has its version and every endpoint of the service interface", async () => {
  const response = await fetchRaw("/openapi.json");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  const { openapi, servers, paths } = (await response.json()) as {
    openapi: string;
    servers: unknown;
    paths: Record<string, object>;
  };
  assert.equal(openapi, "3.1.0");
  assert.deepEqual(servers, [{ url: "/v1" }]);
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((m) => `${m} ${path}`),
  );
  const text = readFileSync(new URL("../../docs/service-interface.md", import.meta.url), "utf8");
  const documented = [...text.matchAll(/^- `(GET|POST) (\/[^`]+)`/gm)].map(
    ([, method = "", path = ""]) => `${method.toLowerCase()} ${path.replaceAll(/:([a-z_]+)/g, "{$1}")}`,
  );
  assert.equal(documented.length, 25);
  assert.deepEqual(
    documented.filter((operation) => !listed.includes(operation)),
    [],
  );
});

test("the reference lists every operation with its fields, samples and errors, without scripts", async () => {
  const html = await (await fetchRaw("/docs")).text();
  assert.doesNotMatch(html, /<script|style=/);
  const { paths } = (await (await fetchRaw("/openapi.json")).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  for (const { operationId } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    assert.ok(html.includes(`<div id="${operationId}">`), operationId);
  for (const field of ["quotes[].valid_until", "items[].quantity", "payments[].worth"])
    assert.ok(html.includes(`<dt><code>${field}</code>`), field);
  assert.ok(html.includes('<a href="docs/errors#amount_not_positive">'));
  assert.match(html, /<summary>Python<\/summary><pre tabindex="0"><code>import requests/);
  const zipped = await fetchRaw("/docs", "gzip");
  assert.ok(
    Number(zipped.headers.get("content-length")) < 120_000,
    zipped.headers.get("content-length") ?? "",
  );
});

test("the page to try it out loads everything from this host under a strict policy", async () => {
  const page = await fetchRaw("/docs/try");
  assert.deepEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  const html = await page.text();
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  assert.doesNotMatch(html, /https?:|<script>|style=/);
  const loaded = [...html.matchAll(/(?:src|href)="([^".:][^":]+\.(?:js|css))"/g)].map(
    ([, path]) => `docs/${path}`,
  );
  assert.equal(loaded.length, 4);
  for (const path of loaded) {
    const [plain, zipped] = await Promise.all([fetchRaw(`/${path}`), fetchRaw(`/${path}`, "gzip")]);
    assert.equal(plain.status, 200);
    assert.equal(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.equal(zipped.headers.get("content-encoding"), "gzip");
    assert.deepEqual(Buffer.from(await zipped.arrayBuffer()), Buffer.from(await plain.arrayBuffer()));
  }
});

test("the compressed document is the same, and HEAD has no body", async () => {
  const plain = await (await fetchRaw("/openapi.json")).text();
  const zipped = await fetchRaw("/openapi.json", "gzip");
  assert.equal(zipped.headers.get("content-encoding"), "gzip");
  assert.equal(await zipped.text(), plain);
  const head = await fetch(`${api.origin}/v1/openapi.json`, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
});

test("redirects a trailing slash, and does not find unknown files", async () => {
  const moved = await fetch(`${api.origin}/v1/docs/`, { redirect: "manual" });
  assert.deepEqual([moved.status, moved.headers.get("location")], [308, "../docs"]);
  const absent = await fetchRaw("/docs/..%2fpackage.json");
  const { code } = (await absent.json()) as { code: string };
  assert.deepEqual([absent.status, code], [404, "not_found"]);
});
