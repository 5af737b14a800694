/** Headers of every kind of response of the one port, as a proxy's visitors receive them over https. */
import assert from "node:assert/strict";
import type { Stack } from "#tests/support/stack.ts";
import { test as base } from "./fixtures.ts";

/** `get` requests a path of the world's one port. */
const test = base.extend<{ get: (path: string, init?: RequestInit) => Promise<Response> }>({
  get: async ({ world }, use) => {
    await use((path, init) => fetch(new URL(path, world.pageUrl), { redirect: "manual", ...init }));
  },
});
test.use({ kind: "https" });

/** The directives of a policy. */
function directives(policy: string): Map<string, string[]> {
  return new Map(
    policy.split("; ").map((directive) => {
      const [name = "", ...values] = directive.split(" ");
      return [name, values];
    }),
  );
}

async function openPaths(shop: Stack) {
  const link = await shop.createLink({
    wallets: JSON.stringify([{ network: "bep20", token: "USDT" }]),
  });
  const page = `/pay/${link.refid}`;
  return [page, `${page}/version`, `${page}/preview.png`] as const;
}

test("never caches a payment page, runs only its own scripts, and reveals only its origin to linked sites", async ({
  shop,
  get,
}) => {
  const [page, version] = await openPaths(shop);
  const { headers } = await get(page);
  const policy = directives(headers.get("content-security-policy") ?? "");
  assert.deepEqual(policy.get("default-src"), ["'none'"]);
  assert.deepEqual(policy.get("base-uri"), ["'none'"]);
  assert.deepEqual(policy.get("frame-ancestors")?.[0], "'self'");
  const scripts = policy.get("script-src") ?? [];
  assert.ok(
    scripts.includes("'strict-dynamic'") && scripts.some((source) => /^'nonce-.{22,}'$/.test(source)),
  );
  const all = [...policy.values()].flat();
  for (const never of ["'unsafe-inline'", "'unsafe-eval'", "*", "http:", "https:"]) {
    assert.ok(!all.includes(never), never);
  }
  assert.equal(headers.get("referrer-policy"), "strict-origin");
  assert.match(headers.get("permissions-policy") ?? "", /camera=\(\)/);
  for (const path of [page, version]) {
    assert.match((await get(path)).headers.get("cache-control") ?? "", /no-store/, path);
    assert.equal((await get(path, { method: "HEAD" })).status, 200, path);
  }
  const nonce = (text: string | null) => /'nonce-([^']+)'/.exec(text ?? "")?.[1];
  const again = await get(page);
  assert.notEqual(
    nonce(again.headers.get("content-security-policy")),
    nonce(headers.get("content-security-policy")),
  );
});

test("the page for unknown links has a new nonce in each response, on every script", async ({ get }) => {
  const nonces = await Promise.all(
    ["/pay/1111111111111111111111", "/pay/mistyped", "/nothing"].map(async (path) => {
      const response = await get(path);
      const { status, headers } = response;
      const text = await response.text();
      assert.equal(status, 404, path);
      assert.match(headers.get("content-type") ?? "", /^text\/html/);
      assert.match(headers.get("cache-control") ?? "", /no-store/);
      const nonce = /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
      const scripts = text.match(/<script[^>]*>/g) ?? [];
      assert.ok(scripts.length > 0, path);
      for (const script of scripts) assert.ok(script.includes(`nonce="${nonce}"`), script);
      return nonce;
    }),
  );
  assert.equal(new Set(nonces).size, nonces.length);
});

/** The parts of a page and the paths around it, each with the status that it answers. */
async function everyKind(
  shop: Stack,
  get: (path: string) => Promise<Response>,
): Promise<[string, number, RequestInit?][]> {
  const [page, version, picture] = await openPaths(shop);
  const html = await (await get(page)).text();
  const chunk = /\/_next\/static\/[^"]+\.js/.exec(html)?.[0] ?? "";
  const sheet = /\/_next\/static\/[^"]+\.css/.exec(html)?.[0] ?? "";
  const form = new FormData();
  form.set(
    /\$ACTION_ID_[0-9a-f]+/.exec(await (await get(`/pay/${(await shop.createLink()).refid}`)).text())?.[0] ??
      "",
    "",
  );
  form.set("refid", page.slice(5));
  form.set("pair", "bitcoin:btc");
  return [
    [page, 200],
    [version, 200],
    [picture, 200],
    [`${page}/`, 308],
    [page, 307, { headers: { rsc: "1" } }],
    [`${page}?_rsc`, 200, { headers: { rsc: "1" } }],
    [page, 303, { method: "POST", body: form }],
    [page, 403, { method: "POST", body: form, headers: { origin: "https://evil.example" } }],
    [page, 415, { method: "POST", body: "x" }],
    [page, 405, { method: "PUT" }],
    [page, 400, { headers: { rsc: "1", "next-router-state-tree": "x" } }],
    [chunk, 200],
    [sheet, 200],
    ["/_next/static/nothing.js", 404],
    ["/_next/image?url=%2Ficon.svg&w=64&q=75", 404],
    ["/pay/accent/x.css", 404],
    [`/pay/logo/${"0".repeat(64)}.webp`, 404],
    ["/pay/1111111111111111111111", 404],
    ["/pay/1111111111111111111111/version", 404],
    ["/icon.svg", 200],
    ["/checkout.js", 200],
    ["/nothing", 404],
    ["/realtime", 426],
    ["/v1/openapi.json", 200],
    ["/v1/docs", 200],
    ["/v1/balances", 405],
    ["/healthz", 200],
    ["/readyz", 200],
    ["/metrics", 200],
  ];
}

test("every kind of response requires https and forbids type sniffing; no policy allows inline content", async ({
  shop,
  get,
}) => {
  for (const [path, status, init] of await everyKind(shop, get)) {
    const response = await get(path, init);
    const what = `${init?.method ?? "GET"} ${path}`;
    const { headers } = response;
    assert.equal(response.status, status, what);
    assert.equal(headers.get("strict-transport-security"), "max-age=31536000", what);
    assert.equal(headers.get("x-content-type-options"), "nosniff", what);
    assert.doesNotMatch(
      headers.get("content-security-policy") ?? "",
      /unsafe-eval|script-src[^;]*unsafe-inline/,
      what,
    );
    assert.equal(headers.get("x-powered-by"), null, what);
    if (path.startsWith("/_next/static/") && status === 200) {
      assert.match(headers.get("cache-control") ?? "", /immutable/, what);
    } else if (path.startsWith("/pay/") && !/preview\.png/.test(path) && status === 200) {
      assert.match(headers.get("cache-control") ?? "", /no-store/, what);
    }
    await response.body?.cancel();
  }
});
