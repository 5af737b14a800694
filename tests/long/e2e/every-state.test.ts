import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Frame, Page } from "@playwright/test";
import { expect, test } from "#tests/e2e/fixtures.ts";
import { type LinkPage, reachStates } from "#tests/support/link-states.ts";
import { faultsOf, LOOKS, openLook } from "#tests/support/page-looks.ts";
import { PRIVATE_FIELDS, privateText } from "#tests/support/private-data.ts";
import { type ShopServer, startShopServer } from "#tests/support/shop-server.ts";
import type { Stack } from "#tests/support/stack.ts";
import { headerFaults, keepViolations, REPORTED, slippedIn, tryWithin, watchNetwork } from "./page-policy.ts";

/** Content of a frame whose page refuses to be framed. */
const REFUSED = "chrome-error://chromewebdata/";

let stack: Stack;
/** Where the links lead back to. Under its other host name it is another origin. */
let site: ShopServer;
let states: LinkPage[];

test.beforeAll(async ({ world }) => {
  [stack, site] = await Promise.all([world.openShop(), startShopServer()]);
  const back = { success_url: `${site.origin()}/thanks`, cancel_url: `${site.origin()}/cart` };
  states = await reachStates(stack, { ...PRIVATE_FIELDS, ...back });
});
test.afterAll(() => site?.close());
test.beforeEach(({ context }) => keepViolations(context));

/** `npm run test:screens` covers every state in every look. */
test("shows every state once, each in another look", async ({ browser }) => {
  const faults: string[] = [];
  for (const [index, state] of states.entries()) {
    // Five and twelve are coprime, so device, theme and language all change from one state to the next.
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

test("violates its own policy in no state, and serves every part with its headers", async ({ page }) => {
  const watched = watchNetwork(page);
  const nonces: string[] = [];
  for (const { name, url, stage } of states) {
    watched.frames.length = 0;
    const response = await page.goto(url);
    await hydrated(page);
    if (stage !== null)
      await expect.poll(() => watched.frames.join(), `the socket of ${name}`).toMatch(/(^|,)42/);
    assert.deepEqual(await violations(page), [], name);
    const nonce = /'nonce-([^']+)'/.exec(response?.headers()["content-security-policy"] ?? "")?.[1] ?? "";
    const used = await page.evaluate(() =>
      [...document.scripts, ...document.querySelectorAll("style")].map(({ nonce }) => nonce),
    );
    assert.deepEqual([...new Set(used)].filter(Boolean), [nonce], name);
    nonces.push(nonce);
    for (const text of watched.frames) {
      assert.match(
        text,
        /^(?:2|0\{"sid":"[\w-]+","upgrades":\[\],[^[{]*\}|40\{"sid":"[\w-]+"\}|42\["version",[0-9]+\]|42\["unwatched",\[[a-z0-9:",]*\],[0-9]{4,6}\])$/,
      );
    }
  }
  assert.equal(new Set(nonces).size, states.length);
  assert.deepEqual(watched.complaints, []);
  assert.deepEqual([...new Set(watched.responses.flatMap(headerFaults))], []);
  // The style sheet is part of the page. Scripts are files of their own.
  const [sheets, scripts] = [".css", ".js"].map((end) =>
    watched.responses.filter((one) => one.url().endsWith(end)),
  );
  assert.deepEqual([sheets?.length, scripts?.length !== 0], [0, true]);
});

test("runs nothing that is injected into the page, in any state", async ({ page }) => {
  let asked = 0;
  const server = createServer((_request, response) => {
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
    await expect.poll(reported, name).toEqual(REPORTED);
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
});

test("can be framed by the shop in every state within its policy, and by no one else", async ({ page }) => {
  const watched = watchNetwork(page);
  /** Frames all states at once on a page of that origin. Returns the frames by name. */
  const frameAll = async (origin: string): Promise<ReadonlyMap<string, Frame>> => {
    const parent = encodeURIComponent(origin);
    const frames = states.map(
      ({ name, url }) => `<iframe name="${name}" src="${url}?parent=${parent}"></iframe>`,
    );
    site.show("/frames", `<!doctype html><title>shop</title>${frames.join("")}`);
    await page.goto(`${origin}/frames`);
    const named = new Map<string, Frame>();
    for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
      named.set((await (await frame.frameElement()).getAttribute("name")) ?? "", frame);
    }
    return named;
  };
  const inner = await frameAll(site.origin());
  for (const { name, stage } of states) {
    const frame = inner.get(name);
    assert.ok(frame, name);
    // For a link that does not exist, no origin is allowed to frame it.
    if (stage === null) assert.equal(frame.url(), REFUSED, name);
    else {
      await frame.waitForSelector("[data-framed]", { state: "attached" });
      assert.deepEqual(await frame.evaluate(() => window.violations), [], name);
    }
  }
  const refusals = () => watched.complaints.filter((text) => text.includes("frame-ancestors")).length;
  assert.deepEqual([refusals(), watched.complaints.length], [1, 1], watched.complaints.join());
  const foreign = await frameAll(site.origin("127.0.0.1"));
  await expect.poll(refusals).toBe(1 + states.length);
  assert.equal(foreign.size, states.length);
  for (const [name, frame] of foreign) assert.equal(frame.url(), REFUSED, name);
});

test("publishes no payer, metadata, key or internal number in any state", async () => {
  const links = states.filter(({ stage }) => stage !== null).map(({ url }) => url);
  const parent = encodeURIComponent(site.origin());
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
    for (const path of ["", "/version", `?parent=${parent}&theme=dark&lang=ar`]) {
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

test("keeps the policy on the error page, and shows nothing of the error", async ({ page }) => {
  const { pool } = stack.db.database;
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
});
