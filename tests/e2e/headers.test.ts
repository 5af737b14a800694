/** Headers of every kind of answer of the one port, as a proxy's visitors get them by https, and what stands in none. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Stack, startStack } from "#tests/support/stack.ts";

let stack: Stack;
before(async () => {
  stack = await startStack({ PUBLIC_URL: "https://pay.example.com" }, ["bep20"]);
});
after(() => stack?.close());

const CUSTOMER = {
  email: "ada.private@example.com",
  first_name: "Adaprivate",
  last_name: "Obiprivate",
  phone: "+2348035550123",
};

/** Of a policy, by directive. */
function directives(policy: string): Map<string, string[]> {
  return new Map(
    policy.split("; ").map((directive) => {
      const [name = "", ...values] = directive.split(" ");
      return [name, values];
    }),
  );
}

async function openPaths() {
  const link = await stack.createLink({
    customer_details: JSON.stringify(CUSTOMER),
    metadata: JSON.stringify({ secret: "metaprivate" }),
    wallets: JSON.stringify([{ network: "bep20", token: "USDT" }]),
  });
  return [`/pay/${link.refid}`, `/pay/${link.refid}/version`, `/pay/${link.refid}/preview.png`] as const;
}

const get = (path: string) => fetch(new URL(path, stack.pageUrl), { redirect: "manual" });

test("every answer says: only https, no guessing of types", async () => {
  const paths = [
    ...(await openPaths()),
    "/pay/1111111111111111111111",
    "/v1/openapi.json",
    "/v1/docs",
    "/nothing",
  ];
  for (const path of [...paths, "/healthz", "/readyz", "/v1/balances"]) {
    const { headers } = await get(path);
    assert.equal(headers.get("strict-transport-security"), "max-age=31536000", path);
  }
  for (const path of [...paths, "/v1/balances"]) {
    assert.equal((await get(path)).headers.get("x-content-type-options"), "nosniff", path);
  }
});

test("a payment page is never kept, runs only its own scripts, and names only its origin to where it leads", async () => {
  const [page, version] = await openPaths();
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
  }
  const nonce = (text: string | null) => /'nonce-([^']+)'/.exec(text ?? "")?.[1];
  const again = await get(page);
  assert.notEqual(
    nonce(again.headers.get("content-security-policy")),
    nonce(headers.get("content-security-policy")),
  );
});

test("nothing public shows who pays, what the shop keeps with the link, a key, or a number of the database", async () => {
  const { rows } = await stack.db.database.pool.query("select id from merchants");
  assert.equal(rows.length, 1);
  for (const path of await openPaths()) {
    const response = await get(path);
    assert.equal(response.status, 200, path);
    const text = Buffer.from(await response.arrayBuffer()).toString("latin1") + [...response.headers].join();
    const secrets = [...Object.values(CUSTOMER), "metaprivate", "shop@example.com", stack.testKey];
    for (const secret of secrets) assert.ok(!text.includes(secret), `${path} shows ${secret}`);
    assert.ok(!/merchantId|merchant_id|addressId|paymentLinkId|derivation|"path":"m\//.test(text), path);
  }
});
