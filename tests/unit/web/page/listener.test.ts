import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import { pageListener } from "#lib/web/page/listener.ts";
import type { Services } from "#lib/web/services.ts";
import type { WebPorts } from "#lib/web/web-ports.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";

const OWN = "https://pay.example";
let base: TestDatabase;
let server: Server;
let url: string;
/** Requests that reached Next. */
let rendered: IncomingMessage[];
let next: RequestListener;
let consoleUrl: string | null;
let served: ReturnType<WebPorts["servedAt"]>;

/** Next's not-found page, with what it depends on. */
const notFoundPage: RequestListener = ({ headers }, response) => {
  const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
  const of = (name: string) => headers[`x-paylink-${name}`] ?? "";
  response.writeHead(404, { "content-type": "text/html; charset=utf-8", vary: "rsc" });
  response.write(`<html lang="${of("language")}" data-theme="${of("theme")}" data-framed="${of("parent")}">`);
  if (of("console") === "on") response.write("<p>console</p>");
  response.end(`<script nonce="${nonce}"></script><script nonce="${nonce}"></script></html>`);
};

before(async () => {
  base = await testDatabase();
});
after(() => base?.close());
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  rendered = [];
  next = notFoundPage;
  served = "all";
  consoleUrl = null;
  const services = {
    config: {
      paymentUrl: `${OWN}/pay`,
      trustedProxies: [],
      get consoleUrl() {
        return consoleUrl;
      },
    },
    database: base.database,
    log: pino({ level: "silent" }),
  } as unknown as Services;
  const page: RequestListener = (request, response) => {
    rendered.push(request);
    next(request, response);
  };
  server = createServer(
    pageListener(services, page, {
      dev: false,
      servedAt: () => served,
      publicOrigins: [OWN],
      publicFiles: new Set(["checkout.js"]),
      unwatched: () => null,
    }),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

const nonceOf = (text: string | null) => /nonce[-=]"?([^"']+)/.exec(text ?? "")?.[1];

test("a flood of unknown links and paths renders the page once per language, theme and kind of frame", async () => {
  const variants = ["", "?lang=fr", "?lang=fr&theme=dark", `?parent=${encodeURIComponent(OWN)}`];
  const paths = Array.from({ length: 20 }, (_, n) => [
    `/pay/${newRefid()}`,
    `/pay/mistyped-${n}`,
    `/pay/${newRefid()}/part-${n}`,
    `/pay/a/b/${n}`,
    `/nowhere-${n}`,
    `/checkout-${n}.js`,
  ]).flat();
  const asked = variants.flatMap((query) => paths.map((path) => ({ path: path + query, query })));
  // The cache key holds nothing that strangers may send.
  const strange = (n: number) => ({
    "accept-encoding": "gzip",
    rsc: "1",
    cookie: `a=${n}`,
    "x-paylink-theme": `${n}`,
  });
  const nonces = await Promise.all(
    asked.map(async ({ path, query }, n) => {
      const response = await fetch(url + path, n % 2 === 0 ? {} : { headers: strange(n) });
      const html = await response.text();
      const lang = query.includes("fr") ? "fr" : "en";
      assert.equal(response.status, 404, path);
      assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(response.headers.get("content-language"), lang);
      assert.equal(response.headers.get("vary"), "rsc, accept-language");
      assert.equal(response.headers.get("referrer-policy"), "strict-origin");
      const nonce = nonceOf(response.headers.get("content-security-policy"));
      const [theme, framed] = [query.includes("dark") ? "dark" : "", query.includes("parent") ? OWN : ""];
      const script = `<script nonce="${nonce}"></script>`;
      const expected = `<html lang="${lang}" data-theme="${theme}" data-framed="${framed}">${script}${script}</html>`;
      assert.equal(html, expected, path);
      return nonce;
    }),
  );
  assert.equal(new Set(nonces).size, asked.length, "each response has a nonce of its own");
  assert.equal(rendered.length, variants.length);
  for (const { headers } of rendered) assert.equal(headers.rsc ?? headers.cookie, undefined);
  const framedByHost = await fetch(`${url}/pay/${newRefid()}?parent=${encodeURIComponent(url)}`);
  assert.match(await framedByHost.text(), /data-framed=""/, "visitors choose the Host that they send");
});

test("a form for an unknown link does not reach Next either", async () => {
  const body = new FormData();
  body.set("refid", newRefid());
  await (await fetch(`${url}/pay/${newRefid()}`)).text();
  for (const path of [`/pay/${newRefid()}`, "/pay/mistyped"]) {
    const response = await fetch(url + path, { method: "POST", body });
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), /<html/);
  }
  assert.equal(rendered.length, 1);
});

test("renders the page again after a rendering that failed", async () => {
  next = (_request, response) => response.writeHead(500).end("broken");
  const failed = await fetch(`${url}/pay/mistyped`);
  assert.deepEqual([failed.status, await failed.text()], [404, "not found\n"]);
  next = notFoundPage;
  const response = await fetch(`${url}/pay/mistyped`);
  assert.equal(response.status, 404);
  assert.match(await response.text(), /<html lang="en"/);
});

test("an unknown path of the console is the console's, in English, and rendered once", async () => {
  consoleUrl = `${OWN}/console`;
  const open = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { "accept-language": "fr", cookie: "a=1" } });
    assert.equal(response.status, 404, path);
    return (await response.text()).replace(/<script.*/, "");
  };
  const page = '<html lang="en" data-theme="" data-framed=""><p>console</p>';
  for (const path of ["/console/nothing", "/console/m/1/live", "/console/join/short", "/console/a/b?c"])
    assert.equal(await open(path), page, path);
  assert.equal(rendered.length, 1);
  assert.doesNotMatch(await open("/consoles"), /console</);
  served = "console";
  assert.equal(await open("/pay"), page, "a port of its own has the console alone");
  served = "payers";
  assert.doesNotMatch(await open("/console/nothing"), /console</);
  served = "all";
  consoleUrl = null;
  assert.doesNotMatch(
    await open("/console/nothing"),
    /console</,
    "without a console the page does not lead back to it",
  );
});

test("an action reaches Next with the host of its origin, whatever Host a proxy writes, and only at its own page", async () => {
  consoleUrl = "https://pay.example.com/console";
  const action = "0".repeat(42);
  const post = (path: string, headers: Record<string, string>) => {
    const body = new FormData();
    body.set(`$ACTION_ID_${action}`, "");
    return fetch(url + path, { method: "POST", body, headers });
  };
  const own = { origin: "https://pay.example.com", "x-forwarded-host": "evil.example" };
  for (const one of ["all", "console"] as const) {
    served = one;
    rendered = [];
    await (await post("/console/sign-in", own)).text();
    assert.equal(rendered[0]?.headers["x-forwarded-host"], "pay.example.com", one);
  }
  rendered = [];
  // Next would run it for this machine's address, not for the caller's.
  const forwarded = await post("/console/sign-in", { ...own, "x-action-forwarded": "1" });
  assert.deepEqual([forwarded.status, rendered.length], [400, 0]);
  served = "all";
  consoleUrl = null;
});

test("a malformed action is refused at every path but the one that takes a file", async () => {
  consoleUrl = `${OWN}/console`;
  const base = "/console/m/3f2b0c1e-1f7d-4a58-9c55-0a4b6c1d2e3f/test";
  for (const path of [`${base}/x/settings/logo`, `${base}/money/settings/logo`, `${base}/settings`]) {
    const body = new FormData();
    body.set("$ACTION_REF_1", "");
    body.set("$ACTION_1:0", "{");
    const response = await fetch(url + path, { method: "POST", body, headers: { origin: OWN } });
    assert.equal(response.status, 400, path);
  }
  assert.equal(rendered.length, 0);
  consoleUrl = null;
});
