/** What an attacker may try on the socket, over real connections to a real server process. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { io, type Socket as PageSocket } from "socket.io-client";
import { sendRaw } from "#tests/support/raw-http.ts";
import { FRAME, frame, openRaw, type RawWebsocket } from "#tests/support/raw-websocket.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

/** Limit of one client address. Tests use addresses of their own, as reported by a trusted proxy. */
const MOST = 40;

let stack: Stack;
let origin: string;
/** The attacked link, and the attacker's own link. */
let victim: string;
let own: string;
/** The victim's page, open all the time. */
let page: PageSocket;
const versions: number[] = [];
const opened: RawWebsocket[] = [];
/** Completes the handshake and sends nothing. */
let silent: RawWebsocket;

before(async () => {
  stack = await startStack({ TRUSTED_PROXIES: "127.0.0.1", SOCKETS_PER_ADDRESS: String(MOST) });
  origin = new URL(stack.pageUrl).origin;
  [victim, own] = [(await stack.createLink()).refid, (await stack.createLink()).refid];
  page = io(origin, { path: "/realtime", transports: ["websocket"], auth: { refid: victim } });
  page.on("version", (version: number) => versions.push(version));
  await until("the victim's page to join", () => versions.length === 1);
  silent = await openRaw(origin);
});
after(async () => {
  page?.close();
  for (const { tcp } of opened) tcp.destroy();
  await stack?.close();
});

let addresses = 0;
/** An attacker at a new address. */
async function stranger(target?: string, headers: Record<string, string> = {}): Promise<RawWebsocket> {
  addresses += 1;
  const socket = await openRaw(origin, target, { "x-forwarded-for": `198.51.100.${addresses}`, ...headers });
  opened.push(socket);
  return socket;
}

/** A change of the victim's link reaches the victim's page. No other socket may receive it. */
async function pageIsNudged(): Promise<void> {
  const next = Number(versions.at(-1)) + 1;
  await stack.db.db.execute(sql`select pg_notify('paylink_links', ${`${victim}:${next}`})`);
  await until("the victim's page to be nudged", () => versions.at(-1) === next, { withinMs: 2_000 });
}

const joined = ({ heard }: RawWebsocket) => heard.some((text) => text.startsWith("40{"));
const received = ({ heard }: RawWebsocket, event = "") =>
  heard.filter((text) => text.startsWith(`42${event}`));
/** Messages that a page receives about its own link. It also receives those about networks. */
const VERSION = '["version",';

describe("a greeting that is not a link's refid", () => {
  const greetings = (): Record<string, string[]> => ({
    nothing: ["40"],
    "no refid": ["40{}"],
    "a number": ['40{"refid":1}'],
    null: ['40{"refid":null}'],
    "an array": [`40{"refid":["${victim}"]}`],
    "an object": ['40{"refid":{"$ne":1}}'],
    "an unknown link": ['40{"refid":"1111111111111111111111"}'],
    SQL: [`40{"refid":"' or refid='${victim}"}`],
    wildcards: ['40{"refid":"%"}'],
    "a room's name": [`40{"refid":"link:${victim}"}`],
    "a prototype": [`40{"__proto__":{"refid":"${victim}"}}`],
    "no object": [`40"${victim}"`],
    "broken JSON": [`40{"refid":"${victim}"`],
    "another namespace": [`40/admin,{"refid":"${victim}"}`],
    "an event first": [`42["join","${victim}"]`, `42["join","link:${victim}"]`],
    "no packet at all": ["hello"],
    "an unknown packet": ["9", "4z", "47"],
    "an upgrade": ["5", "2probe"],
    "two greetings": ['40{"refid":"x"}', `40{"refid":"${victim}"}`],
  });

  test("joins nothing and receives nothing", async () => {
    const sockets: [string, RawWebsocket][] = [];
    for (const [name, texts] of Object.entries(greetings())) {
      const socket = await stranger();
      assert.equal(socket.status, 101, name);
      socket.say(...texts);
      sockets.push([name, socket]);
    }
    const elsewhere = await stranger(
      `/realtime/?EIO=4&transport=websocket&refid=${victim}&auth[refid]=${victim}`,
      {
        cookie: `refid=${victim}; io=${victim}`,
      },
    );
    elsewhere.say("40");
    sockets.push(["in query and cookie", elsewhere]);
    for (const [name, socket] of sockets) {
      await until(
        `an answer: ${name}`,
        () => socket.closed() || socket.heard.some((text) => text.startsWith("44")),
      );
    }
    await pageIsNudged();
    for (const [name, socket] of sockets) {
      assert.deepEqual([joined(socket), received(socket)], [false, []], name);
      const refusal = socket.heard.find((text) => text.startsWith("44"));
      if (refusal !== undefined) assert.match(refusal, /unknown payment link|Invalid namespace/, name);
    }
  });

  test("in 1,025 bytes or in binary is disconnected unread", async () => {
    for (const bytes of [
      frame(FRAME.text, `40{"refid":"${"x".repeat(1_025)}"}`),
      frame(FRAME.binary, `40{"refid":"${victim}"}`),
    ]) {
      const socket = await stranger();
      socket.write(bytes);
      await until("the refusal", () => socket.closed() || socket.heard.length > 1);
      assert.ok(!joined(socket));
    }
  });
});

describe("a socket that has joined a link", () => {
  const more = (): Record<string, Buffer[]> => {
    const text = (...texts: string[]) => texts.map((one) => frame(FRAME.text, one));
    return {
      "asks for another link": text(`42["join","${victim}"]`),
      "asks for a room": text(`420["joinRoom",{"room":"link:${victim}"}]`),
      "plays the server": text('42["version",999]'),
      "acknowledges what nobody sent": text("430[1]"),
      "greets again": text(`40{"refid":"${victim}"}`),
      "greets another namespace": text("40/admin,"),
      "names an event of the library": text('42["disconnecting"]', '42["connect"]', '42["__proto__",{}]'),
      "promises attachments": text('4599-["x",{"_placeholder":true,"num":0}]'),
      "sends an attachment": [frame(FRAME.binary, Buffer.alloc(100))],
      "pings as the server does": text("2"),
      "sends nothing, framed": text("", ""),
      "says goodbye": text("41"),
      "sends reserved bits": [frame(FRAME.text, "3", 0xf0)],
      "sends a frame of no kind": [frame(5, "x")],
      "continues what it never began": [frame(FRAME.more, "x")],
    };
  };

  test("is disconnected when it sends another message, and no one receives it", async () => {
    const sockets: [string, RawWebsocket][] = [];
    for (const [name, frames] of Object.entries(more())) {
      const socket = await stranger();
      socket.say(`40{"refid":"${own}"}`);
      await until("its own link's version", () => received(socket, VERSION).length === 1);
      socket.write(Buffer.concat(frames));
      sockets.push([name, socket]);
    }
    for (const [name, socket] of sockets) await socket.waitForEnd(name);
    await pageIsNudged();
    for (const [name, socket] of sockets) assert.equal(received(socket, VERSION).length, 1, name);
    assert.ok(!versions.includes(999));
    assert.equal(page.connected, true);
  });
});

describe("a handshake", () => {
  const handshake = async (target: string, headers: Record<string, string> = {}) =>
    (await stranger(target, headers)).status;
  const GOOD = "/realtime/?EIO=4&transport=websocket";

  test("of another origin is refused; of our origin, or of a program without one, it is accepted", async () => {
    const { host } = new URL(origin);
    const foreign = [
      "https://evil.example",
      "null",
      "http://localhost",
      `https://${host}.evil.example`,
      `http://evil.example@${host}`,
      `${origin}, https://evil.example`,
      `${origin}/`,
      "file://",
    ];
    for (const each of foreign) assert.equal(await handshake(GOOD, { origin: each }), 403, each);
    assert.equal(await handshake(GOOD, { origin }), 101);
    assert.equal(await handshake(GOOD), 101);
  });

  test("of another transport, protocol or session, or at another path, is refused", async () => {
    const first = await stranger();
    await until("its session", () => first.heard.length > 0);
    const { sid } = JSON.parse(first.heard[0]?.slice(1) ?? "{}") as { sid: string };
    for (const query of [
      "",
      "?EIO=4",
      "?EIO=4&transport=polling",
      "?EIO=4&transport=webtransport",
      "?EIO=4&transport=__proto__",
      `?EIO=4&transport=websocket&sid=${sid}`,
      "?EIO=4&transport=websocket&sid=x",
    ]) {
      assert.equal(await handshake(`/realtime/${query}`), 400, query);
    }
    const old = await stranger("/realtime/?EIO=3&transport=websocket");
    await old.waitForEnd("an older protocol");
    // Not an upgrade at all: answered like any other request.
    for (const path of ["/realtimes", "/realtime/x", "/socket.io/", "/_next/webpack-hmr", "/nothing"]) {
      assert.equal(await handshake(`${path}?EIO=4&transport=websocket`), 404, path);
    }
    assert.equal(await handshake(`/pay/${own}`), 200);
    for (const target of [`http://evil.example${GOOD}`, `/${GOOD}`, "http://169.254.169.254/"]) {
      assert.equal(await handshake(target), 400, target);
    }
    for (const method of ["GET", "POST"]) {
      const body = method === "POST" ? `40{"refid":"${victim}"}` : undefined;
      const polled = await fetch(`${origin}/realtime/?EIO=4&transport=polling`, { method, body });
      assert.equal(polled.status, 426, method);
    }
  });

  test("that is broken is refused without harm", async () => {
    assert.equal(await handshake(GOOD, { "sec-websocket-version": "1" }), 400);
    assert.equal(await handshake(GOOD, { "sec-websocket-key": "x" }), 400);
    const posted = await sendRaw(
      origin,
      `POST ${GOOD} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n`,
    );
    assert.notEqual(posted.status, 101);
    await pageIsNudged();
  });
});

describe("a flood", () => {
  const memory = () => {
    const status = readFileSync(`/proc/${stack.server().pid}/status`, "utf8");
    return Number(/VmRSS:\s+([0-9]+) kB/.exec(status)?.[1]) / 1_024;
  };
  const bomb = deflateRawSync(Buffer.alloc(5_000_000));
  const floods: Record<string, () => Buffer> = {
    "of pings, whose answers nobody reads": () => frame(FRAME.ping, Buffer.alloc(125)),
    "of pongs": () => frame(FRAME.pong, ""),
    "of answers to pings that never were": () => frame(FRAME.text, "3"),
    "of a message in pieces that never ends": () => frame(FRAME.more, "", 0),
    "of compressed zeros": () => frame(FRAME.text, bomb, 0xc0),
    "of bytes": () => Buffer.alloc(4_096, 0xff),
  };

  test("of any kind of frame ends the connection; memory stays the same and pages are notified", async () => {
    await pageIsNudged();
    const before = memory();
    for (const [name, make] of Object.entries(floods)) {
      for (let round = 0; round < 3; round++) {
        const socket = await stranger(undefined, {
          "sec-websocket-extensions": "permessage-deflate; client_max_window_bits",
        });
        socket.say(`40{"refid":"${own}"}`);
        await until("its version", () => received(socket, VERSION).length === 1);
        socket.tcp.pause();
        if (name.includes("pieces")) socket.write(frame(FRAME.text, "4", 0));
        const one = make();
        const many = Buffer.concat(Array.from({ length: Math.ceil(100_000 / one.length) }, () => one));
        // Until it is disconnected. Writes still succeed for a while, because the buffers of both sides have
        // room.
        for (let i = 0; i < 200 && !socket.tcp.destroyed; i++) {
          if (!socket.tcp.write(many)) {
            await Promise.race([once(socket.tcp, "drain"), once(socket.tcp, "close")]).catch(() => {});
          }
        }
        socket.tcp.resume();
        await socket.waitForEnd(name);
      }
      await pageIsNudged();
    }
    const grown = memory() - before;
    assert.ok(grown < 60, `the server grew by ${Math.round(grown)} MB`);
  });
});

describe("sockets of one client address", () => {
  const from = async (forwarded: string) => {
    const socket = await openRaw(origin, undefined, { "x-forwarded-for": forwarded });
    opened.push(socket);
    return socket;
  };

  test(`are ${MOST} at a time and ${MOST} new ones a minute, whatever its headers say`, async () => {
    const first = await Promise.all(Array.from({ length: MOST }, () => from("203.0.113.7")));
    assert.ok(first.every(({ status }) => status === 101));
    for (const forged of ["203.0.113.7", "9.9.9.9, 203.0.113.7", "::ffff:203.0.113.7", "203.0.113.7:1234"]) {
      assert.equal((await from(forged)).status, 429, forged);
    }
    assert.equal((await from("203.0.113.8")).status, 101, "another address");
    for (const { tcp } of first) tcp.destroy();
    assert.equal((await from("203.0.113.7")).status, 429, "as many again within the minute");

    const network = await Promise.all(
      Array.from({ length: MOST + 1 }, (_, i) => from(`2001:db8:0:1:${i.toString(16)}::1`)),
    );
    assert.equal(network.filter(({ status }) => status === 429).length, 1, "one IPv6 network");
    await pageIsNudged();
  });
});

test("a socket that never greets after the handshake is disconnected after five seconds", async () => {
  await silent.waitForEnd("the silent one", 10_000);
  assert.equal(page.connected, true);
});
