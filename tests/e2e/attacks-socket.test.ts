/** Attacks on the socket, over real connections to a real server process. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { io, type Socket as PageSocket } from "socket.io-client";
import { sendRaw } from "#tests/support/raw-http.ts";
import { newAddress } from "#tests/support/stranger.ts";
import { until } from "#tests/support/until.ts";
import { test as base, expect, SOCKETS } from "./fixtures.ts";
import { FRAME, frame, openRaw, type RawWebsocket } from "./raw-websocket.ts";

interface Attack {
  readonly origin: string;
  /** The attacked link, and the attacker's own link. */
  readonly victim: string;
  readonly own: string;
  /** The victim's page, open all the time, and the versions that it was notified of. */
  readonly page: PageSocket;
  readonly versions: readonly number[];
  /** A socket of an attacker at a new address. */
  attacker(target?: string, headers?: Record<string, string>): Promise<RawWebsocket>;
  /** A socket from what the proxy and the visitor say is its address. */
  from(forwarded: string): Promise<RawWebsocket>;
  /** A change of the victim's link reaches the victim's page. No other socket may receive it. */
  pageIsNudged(): Promise<void>;
}

const test = base.extend<{ attack: Attack }>({
  attack: async ({ shop }, use) => {
    const { origin } = new URL(shop.pageUrl);
    const [{ refid: victim }, { refid: own }] = [await shop.createLink(), await shop.createLink()];
    const page = io(origin, { path: "/realtime", transports: ["websocket"], auth: { refid: victim } });
    const versions: number[] = [];
    page.on("version", (version: number) => versions.push(version));
    await until("the victim's page to join", () => versions.length >= 1);
    const opened: RawWebsocket[] = [];
    const open = async (target: string | undefined, headers: Record<string, string>) => {
      const socket = await openRaw(origin, target, headers);
      opened.push(socket);
      return socket;
    };
    await use({
      ...{ origin, victim, own, page, versions },
      attacker: (target, headers = {}) => open(target, { "x-forwarded-for": newAddress(), ...headers }),
      from: (forwarded) => open(undefined, { "x-forwarded-for": forwarded }),
      async pageIsNudged() {
        const next = Number(versions.at(-1)) + 1;
        await shop.db.db.execute(sql`select pg_notify('paylink_links', ${`${victim}:${next}`})`);
        await until("the victim's page to be nudged", () => versions.at(-1) === next);
      },
    });
    page.close();
    for (const { tcp } of opened) tcp.destroy();
  },
});

/** Completes the handshake before the first test, and sends nothing until the last one. */
let silent: RawWebsocket;
test.beforeAll(async ({ world }) => {
  silent = await openRaw(new URL(world.pageUrl).origin);
});

const joined = ({ heard }: RawWebsocket) => heard.some((text) => text.startsWith("40{"));
const received = ({ heard }: RawWebsocket, event = "") =>
  heard.filter((text) => text.startsWith(`42${event}`));
/** Messages that a page receives about its own link. It also receives those about networks. */
const VERSION = '["version",';

test.describe("a greeting that is not a link's refid", () => {
  const greetings = (victim: string): Record<string, string[]> => ({
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

  test("joins nothing and receives nothing", async ({ attack: { victim, attacker, pageIsNudged } }) => {
    const sockets: [string, RawWebsocket][] = [];
    for (const [name, texts] of Object.entries(greetings(victim))) {
      const socket = await attacker();
      assert.equal(socket.status, 101, name);
      socket.say(...texts);
      sockets.push([name, socket]);
    }
    const elsewhere = await attacker(
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
      if (name === "an unknown link") assert.ok(refusal, "the page is notified of the reason");
    }
  });

  test("in 1,025 bytes or in binary is disconnected unread", async ({ attack: { victim, attacker } }) => {
    for (const bytes of [
      frame(FRAME.text, `40{"refid":"${"x".repeat(1_025)}"}`),
      frame(FRAME.binary, `40{"refid":"${victim}"}`),
    ]) {
      const socket = await attacker();
      socket.write(bytes);
      await until("the refusal", () => socket.closed() || socket.heard.length > 1);
      assert.ok(!joined(socket));
    }
  });
});

test.describe("a socket that has joined a link", () => {
  const more = (victim: string): Record<string, Buffer[]> => {
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

  test("is disconnected when it sends another message, and no one receives it", async ({
    attack: { victim, own, page, versions, attacker, pageIsNudged },
  }) => {
    const sockets: [string, RawWebsocket][] = [];
    for (const [name, frames] of Object.entries(more(victim))) {
      const socket = await attacker();
      socket.say(`40{"refid":"${own}"}`);
      await until("its own link's version", () => received(socket, VERSION).length >= 1);
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

test.describe("a handshake", () => {
  const handshakes =
    ({ attacker }: Attack) =>
    async (target: string, headers: Record<string, string> = {}) =>
      (await attacker(target, headers)).status;
  const GOOD = "/realtime/?EIO=4&transport=websocket";

  test("of another origin is refused; of our origin, or of a program without one, it is accepted", async ({
    attack,
  }) => {
    const handshake = handshakes(attack);
    const { origin } = attack;
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

  test("of another transport, protocol or session, or at another path, is refused", async ({ attack }) => {
    const handshake = handshakes(attack);
    const { origin, victim, own, attacker } = attack;
    const first = await attacker();
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
    const old = await attacker("/realtime/?EIO=3&transport=websocket");
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

  test("that is broken is refused without harm", async ({ attack }) => {
    const handshake = handshakes(attack);
    const { origin, pageIsNudged } = attack;
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

test.describe("a flood", () => {
  const memoryOf = (pid: number) => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
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

  test("of any kind of frame ends the connection; memory stays the same and pages are notified", async ({
    world,
    attack: { own, attacker, pageIsNudged },
  }) => {
    await pageIsNudged();
    const { pid } = world.server();
    const before = memoryOf(pid);
    for (const [name, make] of Object.entries(floods)) {
      for (let round = 0; round < 3; round++) {
        const socket = await attacker(undefined, {
          "sec-websocket-extensions": "permessage-deflate; client_max_window_bits",
        });
        socket.say(`40{"refid":"${own}"}`);
        await until("its version", () => received(socket, VERSION).length >= 1);
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
    // The memory that the server no longer uses stays its own until it is collected.
    const grown = () => memoryOf(pid) - before;
    await expect.poll(grown, "the server's memory has grown, MB").toBeLessThan(60);
  });
});

test.describe("sockets of one client address", () => {
  test(`are ${SOCKETS} at a time and ${SOCKETS} new ones a minute, whatever its headers say`, async ({
    attack: { own, from, pageIsNudged },
  }) => {
    /** Opens a socket that stays: one that does not greet is disconnected after five seconds. */
    const join = async (forwarded: string) => {
      const socket = await from(forwarded);
      if (socket.status === 101) socket.say(`40{"refid":"${own}"}`);
      return socket;
    };
    /** A socket that was cut meanwhile would leave its place to another one. */
    const allStay = async (sockets: readonly RawWebsocket[]) => {
      await until("all to join", () => sockets.every((one) => joined(one) || one.closed()));
      assert.equal(sockets.filter((one) => one.closed()).length, 0, "sockets that were cut");
    };
    const began = performance.now();
    const first = await Promise.all(Array.from({ length: SOCKETS }, () => join("203.0.113.7")));
    assert.ok(first.every(({ status }) => status === 101));
    await allStay(first);
    for (const forged of ["203.0.113.7", "9.9.9.9, 203.0.113.7", "::ffff:203.0.113.7", "203.0.113.7:1234"]) {
      assert.equal((await from(forged)).status, 429, forged);
    }
    assert.equal((await from("203.0.113.8")).status, 101, "another address");
    for (const { tcp } of first) tcp.destroy();
    // A minute allows as many again, so a second allows a few.
    const again = await Promise.all(Array.from({ length: 40 }, () => from("203.0.113.7")));
    const opened = again.filter(({ status }) => status !== 429).length;
    const seconds = (performance.now() - began) / 1_000;
    assert.ok(opened <= 1 + (seconds * SOCKETS) / 60, `${opened} of 40 are opened after ${seconds} s`);

    const network = await Promise.all(
      Array.from({ length: SOCKETS + 1 }, (_, i) => join(`2001:db8:0:1:${i.toString(16)}::1`)),
    );
    await allStay(network.filter(({ status }) => status !== 429));
    assert.equal(network.filter(({ status }) => status === 429).length, 1, "one IPv6 network");
    await pageIsNudged();
  });
});

test("a socket that never greets after the handshake is disconnected after five seconds", async ({
  attack: { page },
}) => {
  await silent.waitForEnd("the silent one");
  assert.equal(page.connected, true);
});
