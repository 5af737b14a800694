/** Style sheets within the pages of payers: they arrive whole however Next cuts its parts, compressed or not. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { accentSheet } from "#lib/domain/merchants/accent-sheet.ts";
import { compressed } from "#lib/web/compressed.ts";
import { inlineStyles } from "#lib/web/page/inline-styles.ts";

const STYLES = new Map([["/_next/static/chunks/a.css", "p{color:red}"]]);
const LINK = '<link rel="stylesheet" href="/_next/static/chunks/a.css" data-precedence="next"/>';
const OTHER = '<link rel="stylesheet" href="/_next/static/chunks/b.css" data-precedence="next"/>';
const STYLE = `<style nonce="n">p{color:red}</style>${LINK.replace("/>", ' disabled=""/>')}`;

/** Serves what `parts` are, as Next does: each part waits until the connection took the one before. */
async function serve(t: TestContext, parts: readonly Buffer[], headers: Record<string, string> = {}) {
  const next: RequestListener = async (request, response) => {
    const type = request.url === "/data" ? "text/x-component" : "text/html; charset=utf-8";
    response.setHeaders(new Headers({ "content-type": type, link: "</a.css>; rel=preload", ...headers }));
    let drained = Promise.withResolvers<void>();
    response.on("drain", () => drained.resolve());
    for (const part of parts) {
      if (response.write(part)) continue;
      await drained.promise;
      drained = Promise.withResolvers();
    }
    response.end();
  };
  const listener = compressed((request, response) => {
    request.headers["content-security-policy"] = "style-src 'nonce-n'";
    if (request.url === "/console") request.headers["x-paylink-console"] = "on";
    inlineStyles(next, STYLES)(request, response);
  });
  const server = createServer(listener).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  return async (path: string, encoding = "br") => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const response = await fetch(url, { headers: { "accept-encoding": encoding } });
    return { text: await response.text(), link: response.headers.get("link") };
  };
}

const HTML = `<html><head><title>日本</title>${LINK}${OTHER}</head><body>${LINK}日本</body></html>`;
const INLINED = HTML.replace(LINK, STYLE);

test("a sheet of the head is sent within the page, wherever the page is cut", async (t) => {
  const bytes = Buffer.from(HTML);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const ask = await serve(t, [bytes.subarray(0, cut), bytes.subarray(cut)]);
    assert.deepEqual(
      await ask("/pay", cut % 2 === 0 ? "br" : "identity"),
      { text: INLINED, link: null },
      `cut at ${cut}`,
    );
  }
});

test("the sheet of a merchant's color is sent within the page, and no other that has such a name", async (t) => {
  const { name, css } = accentSheet("#c81e1e");
  const link = `<link rel="stylesheet" href="/pay/accent/${name}" data-precedence="merchant"/>`;
  const wrong = link.replace("c81e1e", "c81e1f");
  const ask = await serve(t, [Buffer.from(`${link}${wrong}</head>`)]);
  const style = `<style nonce="n">${css}</style>${link.replace("/>", ' disabled=""/>')}`;
  assert.equal((await ask("/pay")).text, `${style}${wrong}</head>`);
});

test("a page that is longer than what the connection takes at once ends", async (t) => {
  const rest = Array.from({ length: 300 }, (_, nth) => Buffer.from(`<p>${String(nth).repeat(5_000)}</p>`));
  const ask = await serve(t, [Buffer.from(HTML), ...rest]);
  for (const encoding of ["br", "gzip", "identity"])
    assert.equal((await ask("/pay", encoding)).text, INLINED + Buffer.concat(rest).toString());
});

test("a page without an end of its head is sent as it is", async (t) => {
  for (const html of ["", "<p>short</p>", LINK.repeat(2_000)]) {
    const ask = await serve(t, [Buffer.from(html)]);
    assert.equal((await ask("/pay")).text, html);
  }
});

test("the console, data and answers of a known length keep their links", async (t) => {
  const ask = await serve(t, [Buffer.from(HTML)]);
  assert.deepEqual(await ask("/console"), { text: HTML, link: "</a.css>; rel=preload" });
  assert.deepEqual(await ask("/data"), { text: HTML, link: "</a.css>; rel=preload" });
  const known = await serve(t, [Buffer.from(HTML)], { "content-length": String(Buffer.byteLength(HTML)) });
  assert.equal((await known("/pay", "identity")).text, HTML);
});

test("a page that is asked for with HEAD ends", async (t) => {
  const next: RequestListener = (_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(null);
  };
  const server = createServer((request, response) => {
    request.headers["content-security-policy"] = "style-src 'nonce-n'";
    try {
      inlineStyles(next, STYLES)(request, response);
    } catch {
      response.destroy();
    }
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`;
  assert.equal((await fetch(url, { method: "HEAD" })).status, 200);
});
