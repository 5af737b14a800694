/** Attacks over raw HTTP: never a 500, and nothing changes. */
import assert from "node:assert/strict";
import { type RawResponse, sendRaw } from "#tests/support/raw-http.ts";
import { scriptedForm } from "#tests/support/stranger.ts";
import { test as base } from "./fixtures.ts";

const HOST = "Host: pay.example\r\nConnection: close\r\n";

interface Attack {
  readonly refid: string;
  readonly origin: string;
  ask(target: string, more?: string): Promise<RawResponse>;
}

const test = base.extend<{ attack: Attack }>({
  attack: async ({ shop }, use) => {
    const { refid } = await shop.createLink();
    const { origin } = new URL(shop.pageUrl);
    const ask: Attack["ask"] = (target, more = "") =>
      sendRaw(origin, `GET ${target} HTTP/1.1\r\n${HOST}${more}\r\n`);
    await use({ refid, origin, ask });
  },
});

test("refuses a request whose target is not a plain path of this server", async ({
  stranger,
  attack: { refid, origin, ask },
}) => {
  await stranger.harmless(async () => {
    for (const target of [
      `${stranger.insideUrl}/pay/${refid}`,
      "http://evil.example/",
      "*",
      `//evil.example/pay/${refid}`,
      `/\\evil.example/pay/${refid}`,
      `/x/../pay/${refid}`,
      "/pay/../v1/balances",
      "/pay/..%5cmetrics",
      "/%2e%2e/metrics",
      "/_next/static/..%2f..%2fpackage.json",
      "/pay/accent/..%2f..%2fpackage.json",
      "/v1/../metrics",
      "/v1/x/../tokens",
      "/v1/x/%2e%2e/tokens",
      "/v1/x%2f..%2ftokens",
      "/v1/x\\..\\tokens",
      "/v1/x/%252e%252e/tokens",
      "//v1/tokens",
      "/_next/static/%2e%2e/%2e%2e/package.json",
    ]) {
      const { status, body } = await ask(target);
      assert.equal(status, 400, target);
      // Every path that begins like the API's is answered with the API's envelope.
      assert.equal(body.includes('"status":"fail"'), target.startsWith("/v1/"), target);
    }
    const any = await sendRaw(origin, `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`);
    assert.equal(any.status, 400);
    assert.equal((await sendRaw(origin, `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`)).body, "");
  });
});

test("finds nothing that is not public", async ({ stranger, attack: { refid, ask } }) => {
  const paths = [
    `/_next/image?url=${encodeURIComponent(`${stranger.insideUrl}/x.png`)}&w=64&q=75`,
    `/_next/image?url=%2Fpay%2F${refid}%2Fpreview.png&w=640&q=75`,
    `/_next/data/x/pay/${refid}.json`,
    ...["/_next/server/app/pay/x.js", "/_next/BUILD_ID", "/_next/mcp"],
    ...[
      "/_global-error",
      "/_error",
      "/500",
      "/404",
      "/_not-found",
      "/__nextjs_source-map?filename=/etc/passwd",
    ],
    ...["/.env", "/.git/config", "/package.json", "/checkout.js.map", "/data/demo/postgres/password"],
    ...[
      "/pay/__proto__",
      "/pay/[refid]",
      "/pay/%5Brefid%5D",
      "/pay/%E0%A4%A",
      `/pay/${refid}%00`,
      `/pay/${refid}%0d%0aa:b`,
    ],
    ...[`/pay/${refid}%2fversion`, `/pay/${refid}/%ff`, `/pay/${refid}.rsc`, `/pay/${refid}/version/x`],
    ...[`/pay/${"a".repeat(12_000)}`, `/pay/logo/${"0".repeat(64)}.webp`],
  ];
  await stranger.harmless(async () => {
    for (const path of paths) {
      const { status, body } = await ask(path);
      assert.equal(status, 404, path);
      assert.ok(!body.includes("dependencies") && !body.includes("answer from inside"), path);
    }
    assert.equal((await ask(`/pay/${"a".repeat(20_000)}`)).status, 400);
  });
});

test("refuses a request with two lengths, two hosts or a folded header, and does not answer a hidden one", async ({
  stranger,
  attack: { refid, origin },
}) => {
  await stranger.harmless(async () => {
    const post = `POST /pay/${refid} HTTP/1.1\r\nHost: x\r\n`;
    const hidden = `GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n`;
    for (const [name, bytes] of Object.entries({
      "CL and TE": `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      "two CL": `${post}Content-Length: 4\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      "TE of another kind": `${post}Transfer-Encoding: xchunked\r\n\r\n${hidden}`,
      "TE twice": `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
      "a space before the colon": `${post}Content-Length : 4\r\n\r\nabcd`,
      "a folded header": `${post}X-A: b\r\n Content-Length: 4\r\n\r\n`,
      "a bare newline": `${post.replaceAll("\r\n", "\n")}\n`,
      "two hosts": `GET /pay/${refid} HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      "two hosts for the API": `GET /v1/tokens HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      "two hosts for a socket": `GET /realtime/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      "no host": `GET /pay/${refid} HTTP/1.1\r\nConnection: close\r\n\r\n`,
      "a header of NUL": `GET /pay/${refid} HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n`,
    })) {
      const { status, body } = await sendRaw(origin, bytes);
      assert.equal(status, 400, name);
      assert.doesNotMatch(body, /paylink_|HTTP\/1\.1 200/, name);
    }
  });
});

test("ignores another host and Next's own headers in a request", async ({
  shop,
  stranger,
  attack: { refid, origin, ask },
}) => {
  const { refid: other } = await shop.createLink();
  await stranger.harmless(async () => {
    const moved = await ask(
      `/pay/${refid}/`,
      "X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher\r\n",
    );
    assert.match(moved.head, new RegExp(`location: /pay/${refid}\r\n`, "i"));
    const inner = [
      ["x-middleware-subrequest", "middleware:middleware"],
      ["x-middleware-rewrite", `${stranger.insideUrl}/`],
      ["x-invoke-path", "/_error"],
      ["x-invoke-status", "500"],
      ["x-matched-path", "/v1/balances"],
      ["x-now-route-matches", "1=x"],
      ["x-nextjs-data", "1"],
      ["next-resume", "1"],
      ["x-paylink-client-address", "10.9.8.7"],
      ["x-paylink-refid", other],
      ["host", "evil.example/<script>"],
    ] as const;
    for (const [name, value] of inner) {
      const { status, body } = await sendRaw(
        origin,
        `GET /pay/${refid} HTTP/1.1\r\n${name === "host" ? "" : "host: x\r\n"}${name}: ${value}\r\nconnection: close\r\n\r\n`,
      );
      assert.equal(status, 200, name);
      assert.ok(!body.includes("evil.example") && !body.includes(other) && !body.includes("10.9.8.7"), name);
    }
    // Where an action's answer is rendered by another page, that page is requested at our own address.
    const { status } = await stranger.post(`/pay/${refid}`, scriptedForm({ refid, pair: "bitcoin:btc" }), {
      "next-action": stranger.actions.chooseNetwork ?? "",
      "x-forwarded-host": new URL(stranger.insideUrl).host,
    });
    assert.equal(status, 200);
  });
});

test("refuses a refresh with a malformed state of the page", async ({
  shop,
  stranger,
  attack: { refid },
}) => {
  await stranger.harmless(async () => {
    for (const tree of [
      "%7Bgarbage",
      "null",
      "{}",
      "5",
      "%",
      "[".repeat(3_000),
      '["",{"children":["__proto__"]}]',
    ]) {
      const { status } = await fetch(`${shop.pageUrl}/${refid}`, {
        headers: { rsc: "1", "next-router-state-tree": tree },
      });
      assert.equal(status, 400, tree.slice(0, 40));
    }
    const fine: Record<string, string>[] = [
      { rsc: "1" },
      { rsc: "1", "next-router-prefetch": "1" },
      { rsc: "x" },
    ];
    for (const headers of fine) {
      assert.equal((await fetch(`${shop.pageUrl}/${refid}`, { headers })).status, 200);
    }
  });
});
