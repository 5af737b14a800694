import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { followLink, followWatchStatus } from "#lib/web/realtime/follow-link.ts";
import type { PageWatchStatus } from "#lib/web/realtime/rules.ts";

/**
 * A page of bep20 that shows no unwatched network, with its own clock. Its random delay is half of the
 * spread.
 */
function aPage(t: { after(work: () => void): void }) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const random = mock.method(Math, "random", () => 0.5);
  const page = { watchStatus: { networks: ["test:bep20"], unwatched: [] } as PageWatchStatus, refreshes: 0 };
  const followed = followWatchStatus({
    watchStatus: () => page.watchStatus,
    refresh() {
      page.refreshes += 1;
    },
  });
  t.after(() => {
    followed.stop();
    random.mock.restore();
    mock.timers.reset();
  });
  return { page, ...followed };
}

test("refreshes once within the spread when the report differs", (t) => {
  const { page, receive } = aPage(t);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(4_999);
  assert.equal(page.refreshes, 0);
  mock.timers.tick(1);
  assert.equal(page.refreshes, 1);
  mock.timers.tick(60_000);
  assert.equal(page.refreshes, 1);
});

test("ignores repeated reports and reports about other networks", (t) => {
  const { page, receive } = aPage(t);
  receive(["test:bitcoin"], 10_000);
  mock.timers.tick(10_000);
  assert.equal(page.refreshes, 0);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(4_000);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(1_000);
  assert.equal(page.refreshes, 1);
});

test("does not refresh if the report changes back or the connection ends before", (t) => {
  const { page, receive, reset } = aPage(t);
  receive(["test:bep20"], 10_000);
  receive([], 10_000);
  mock.timers.tick(10_000);
  receive(["test:bep20"], 10_000);
  reset();
  mock.timers.tick(10_000);
  assert.equal(page.refreshes, 0);
});

test("refreshes again after five seconds or more if the page still differs", (t) => {
  const { page, receive, rendered } = aPage(t);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(5_000);
  rendered();
  mock.timers.tick(9_999);
  assert.equal(page.refreshes, 1);
  mock.timers.tick(1);
  assert.equal(page.refreshes, 2);
  page.watchStatus = { networks: ["test:bep20"], unwatched: ["test:bep20"] };
  rendered();
  mock.timers.tick(60_000);
  assert.equal(page.refreshes, 2);
});

test("ignores malformed reports", (t) => {
  const { page, receive } = aPage(t);
  receive("test:bep20", 10_000);
  receive(["test:bep20"], "soon");
  mock.timers.tick(60_000);
  assert.equal(page.refreshes, 0);
});

/** A page whose server is away until `server.isUp`, with its own timers. The test sends the packets of its socket. */
function aPageWithoutServer(t: { after(work: () => void): void }) {
  const server = { isUp: false, requests: 0 };
  const sockets: FakeSocket[] = [];
  class FakeSocket {
    onmessage: ((event: { data: string }) => void) | null = null;
    constructor() {
      sockets.push(this);
    }
    send() {}
    close() {}
  }
  const { WebSocket: real, fetch: realFetch } = globalThis;
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  Object.assign(globalThis, { window: new EventTarget(), document, WebSocket: FakeSocket });
  Object.assign(globalThis, {
    fetch: async () => {
      server.requests += 1;
      if (!server.isUp) throw new TypeError("fetch failed");
      return Response.json({ version: 3 });
    },
  });
  Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const contact: boolean[] = [];
  const follower = followLink({
    refid: "4fRk9ZqWm2TgYx7LbNc3Vd",
    page: "http://pay.example/pay/4fRk9ZqWm2TgYx7LbNc3Vd",
    shownVersion: () => 3,
    refresh() {},
    watchStatus: () => ({ networks: [], unwatched: [] }),
    onContactChange: (isReachable) => contact.push(isReachable),
  });
  t.after(() => {
    follower.stop();
    mock.timers.reset();
    Object.assign(globalThis, { WebSocket: real, fetch: realFetch });
    for (const name of ["window", "document"]) Reflect.deleteProperty(globalThis, name);
    Reflect.deleteProperty(navigator, "onLine");
  });
  const packet = (data: string) => sockets.at(-1)?.onmessage?.({ data });
  return {
    server,
    contact,
    /** Five seconds pass, and the request of the connection check ends. */
    async check() {
      mock.timers.tick(5_000);
      await settle();
    },
    connect() {
      packet('0{"pingInterval":25000,"pingTimeout":20000}');
      packet("40");
    },
    packet,
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("asks at once when the socket joins after failed requests, although the page is up to date", async (t) => {
  const { server, contact, check, connect, packet } = aPageWithoutServer(t);
  await check();
  await check();
  assert.deepEqual(contact, [false]);
  server.isUp = true;
  connect();
  packet('42["version",3]');
  await settle();
  assert.deepEqual(contact, [false, true]);
  const { requests } = server;
  packet('42["version",3]');
  await check();
  assert.equal(server.requests, requests, "an answered page has nothing to ask");
});

test("asks again at the next check if the request failed while the socket was connected", async (t) => {
  const { server, contact, check, connect } = aPageWithoutServer(t);
  await check();
  connect();
  await check();
  assert.deepEqual(contact, [false]);
  server.isUp = true;
  await check();
  assert.deepEqual(contact, [false, true]);
});
