import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Browser, Frame, Page } from "playwright";
import { openBrowser } from "#tests/support/browser.ts";
import { type LinkState, reachStates } from "#tests/support/link-states.ts";
import { faultsOf, LOOKS, openLook } from "#tests/support/page-looks.ts";
import {
  headerFaults,
  keepViolations,
  REPORTED,
  slippedIn,
  tryWithin,
  watchNetwork,
} from "#tests/support/page-policy.ts";
import { PRIVATE_FIELDS, privateText } from "#tests/support/private-data.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

/** Where a frame is that its content refuses to be in. */
const REFUSED = "chrome-error://chromewebdata/";

let stack: Stack;
let browser: Browser;
let states: LinkState[];

before(async () => {
  stack = await startStack({ CONFIRM_GRACE_HOURS: "0" });
  [browser, states] = await Promise.all([openBrowser(), reachStates(stack, PRIVATE_FIELDS)]);
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

/** `npm run test:screens` takes every state in every look. */
test("every state once, each in another look", async () => {
  const faults: string[] = [];
  for (const [index, state] of states.entries()) {
    // Five and twelve have nothing in common: device, theme and language all change from one to the next.
    const look = LOOKS[(index * 5) % LOOKS.length];
    assert.ok(look);
    const visitor = await openLook(browser, look);
    faults.push(...(await faultsOf(visitor, look, state)));
    await visitor.page.context().close();
  }
  assert.equal(faults.join("\n"), "");
});

const violations = (page: Page) => page.evaluate(() => window.violations);
const hydrated = (page: Page) => page.waitForFunction(() => document.readyState === "complete");

async function openContext() {
  const context = await browser.newContext();
  await keepViolations(context);
  return context;
}

test("in no state does the page go against its own policy; every part of it has its headers", async () => {
  const context = await openContext();
  const page = await context.newPage();
  const watched = watchNetwork(page);
  const nonces: string[] = [];
  for (const { name, url, stage } of states) {
    watched.frames.length = 0;
    const response = await page.goto(url);
    await hydrated(page);
    if (stage !== null)
      await until(`the socket of ${name}`, () => watched.frames.some((text) => text.startsWith("42")));
    assert.deepEqual(await violations(page), [], name);
    const nonce = /'nonce-([^']+)'/.exec(response?.headers()["content-security-policy"] ?? "")?.[1] ?? "";
    const used = await page.evaluate(() => [...document.scripts].map((script) => script.nonce));
    assert.deepEqual([...new Set(used)].filter(Boolean), [nonce], name);
    nonces.push(nonce);
    for (const text of watched.frames) {
      assert.match(
        text,
        /^(?:2|0\{"sid":"[\w-]+","upgrades":\[\],[^[{]*\}|40\{"sid":"[\w-]+"\}|42\["version",[0-9]+\])$/,
      );
    }
  }
  assert.equal(new Set(nonces).size, states.length);
  assert.deepEqual(watched.complaints, []);
  assert.deepEqual([...new Set(watched.responses.flatMap(headerFaults))], []);
  assert.ok(watched.responses.some((response) => response.url().endsWith(".css")));
  await context.close();
});

test("what somebody slips into the page does nothing, in any state", async () => {
  const context = await openContext();
  const page = await context.newPage();
  let asked = 0;
  const server: Server = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const evil = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await page.route(
    (url) => url.pathname.startsWith("/pay/"),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replace("</body>", `${slippedIn(evil)}</body>`);
      return route.fulfill({ response, body });
    },
  );
  for (const { name, url } of states) {
    await page.goto(url);
    await tryWithin(page, evil);
    const reported = () =>
      violations(page).then((all) =>
        [...new Set(all.map((one) => one.replace(/(src|uri|action|attr|elem) .*/, "$1")))].sort(),
      );
    await until(`all reports of ${name}`, async () => (await reported()).length >= REPORTED.length).catch(
      () => {},
    );
    assert.deepEqual(await reported(), REPORTED, name);
    assert.deepEqual(await page.evaluate(() => window.ran), [], name);
    const styled = await page.evaluate(() => {
      const div = document.querySelector("#styled");
      return [
        div && getComputedStyle(div).position,
        getComputedStyle(document.body).getPropertyValue("--styled"),
      ];
    });
    assert.ok(styled[0] !== "fixed" && styled[1] === "", name);
  }
  assert.equal(asked, 0);
  server.close();
  await context.close();
});

test("the shop may frame its links in every state, and the page keeps to its policy there; others may not", async () => {
  const context = await openContext();
  const page = await context.newPage();
  const watched = watchNetwork(page);
  /** All states at once, on a page of that origin. */
  const frameAll = async (origin: string) => {
    const frames = states.map(
      ({ url }) => `<iframe src="${url}?parent=${encodeURIComponent(origin)}"></iframe>`,
    );
    const body = `<!doctype html><title>shop</title>${frames.join("")}`;
    await page.route(`${origin}/frames`, (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(`${origin}/frames`);
    await page.waitForLoadState("load");
    const inner = page.frames().filter((frame) => frame !== page.mainFrame());
    const nameOf = async (frame: Frame) => (await (await frame.frameElement()).getAttribute("name")) ?? "";
    return new Map(await Promise.all(inner.map(async (frame) => [await nameOf(frame), frame] as const)));
  };
  const inner = await frameAll(stack.merchantUrl);
  for (const { name, stage } of states) {
    const frame = inner.get(name);
    assert.ok(frame, name);
    // Of a link that is not there nobody knows who may frame it.
    if (stage === null) assert.equal(frame.url(), REFUSED, name);
    else {
      await frame.waitForSelector("[data-framed]", { state: "attached" });
      assert.deepEqual(await frame.evaluate(() => window.violations), [], name);
    }
  }
  assert.equal(watched.complaints.filter((text) => !/frame-ancestors|Framing/.test(text)).join("\n"), "");
  const foreign = await frameAll("http://shop.example");
  assert.equal(foreign.size, states.length);
  await until("all to be refused", () => [...foreign.values()].every((one) => one.url() === REFUSED));
  await context.close();
});

test("in no state does anything public show who pays, what the shop keeps with the link, a key or a number of ours", async () => {
  const links = states.filter(({ stage }) => stage !== null).map(({ url }) => url);
  const shop = encodeURIComponent(stack.merchantUrl);
  const chunks = new Set<string>();
  const look = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type") ?? "";
    assert.equal(privateText(stack, bytes, type), null, url);
    assert.equal(privateText(stack, [...response.headers].join()), null, url);
    for (const [path] of bytes.toString("latin1").matchAll(/\/_next\/static\/[\w./~-]+/g)) chunks.add(path);
    return { status: response.status, type };
  };
  for (const url of links) {
    for (const path of ["", "/version", `?parent=${shop}&theme=dark&lang=ar`]) {
      assert.equal((await look(`${url}${path}`)).status, 200, path);
    }
    assert.match((await look(url, { rsc: "1" })).type, /x-component/);
    assert.equal((await look(`${url}/preview.png`)).type, "image/png");
  }
  await look(`${stack.pageUrl}/1111111111111111111111`);
  assert.ok(chunks.size > 5);
  const origin = new URL(stack.pageUrl).origin;
  for (const path of chunks) {
    assert.equal((await look(`${origin}${path}`)).status, 200, path);
    assert.equal((await fetch(`${origin}${path}.map`)).status, 404, path);
  }
});

test("the page of a failure keeps to the policy as well, and says nothing of what failed", async () => {
  const { pool } = stack.db.database;
  const context = await openContext();
  const page = await context.newPage();
  const watched = watchNetwork(page);
  const awaiting = states.find(({ name }) => name === "awaiting")?.url ?? "";
  await pool.query("alter table quotes rename to quotes_away");
  try {
    await page.goto(awaiting);
    await page.getByRole("button", { name: "Try again" }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual([...watched.complaints, ...watched.responses.flatMap(headerFaults)], []);
    const text = await (await fetch(awaiting)).text();
    assert.doesNotMatch(text, /quotes|relation|postgres|select |node_modules|\.ts:[0-9]/i);
    assert.equal(privateText(stack, text), null);
  } finally {
    await pool.query("alter table quotes_away rename to quotes");
  }
  await context.close();
});

test("the bare page of the benches is in no other build", async () => {
  const { status } = await fetch(new URL("/bare", stack.pageUrl));
  assert.equal(status, 404);
});
