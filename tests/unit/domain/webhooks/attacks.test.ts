import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import type { Dispatcher } from "undici";
import { type SendOptions, sendRequest } from "#lib/domain/webhooks/send-request.ts";
import { openGuardedAgent } from "#lib/platform/http/guarded-agent.ts";
import { openResolver } from "#lib/platform/http/resolve-host.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { type NameServer, startNameServer } from "./name-server.ts";

/** An internal service that listens on every address of this machine and counts its connections. */
let inside: Server;
let port: number;
let visits: string[];
let names: NameServer;
/** The addresses of a name, per query. The last ones stay. */
const answers = new Map<string, (readonly string[])[]>();

before(async () => {
  inside = createServer((request, response) => {
    visits.push(request.socket.localAddress ?? "");
    if (request.url === "/away") response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` });
    response.end("the crown jewels");
  });
  await new Promise<void>((resolve) => inside.listen(0, "::", resolve));
  port = (inside.address() as AddressInfo).port;
  names = await startNameServer((name) => {
    const given = answers.get(name);
    if (name.startsWith("silent")) return "silence";
    if (given === undefined) return null;
    return (given.length > 1 ? given.shift() : given[0]) ?? [];
  });
});
after(() => {
  names.close();
  inside.closeAllConnections();
  inside.close();
});
beforeEach(() => {
  visits = [];
  answers.clear();
});

const guarded = (...allow: string[]) => openGuardedAgent({ allow, resolve: openResolver([names.address]) });

function call(url: string, agent: Dispatcher = guarded(), more: Partial<SendOptions> = {}) {
  const options = { agent, timeoutMs: 5_000, signal: new AbortController().signal, ...more };
  return sendRequest({ url, headers: {}, body: "{}" }, options);
}

async function refused(url: string, error: string, agent?: Dispatcher): Promise<void> {
  assert.deepEqual(await call(url, agent), { kind: "unreachable", error });
  assert.deepEqual(visits, [], "nothing was called");
}

const arrives = async (url: string, agent: Dispatcher) => {
  const outcome = await call(url, agent);
  assert.equal(outcome.kind === "answered" && outcome.status, 200, JSON.stringify(outcome));
};

for (const host of [
  ...["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1", "127.1", "127.0.1"],
  ...["0", "0.0.0.0", "0x0", "127.127.127.127", "%31%32%37.0.0.1", "127。0。0。1", "127.0.0.1."],
  ...["①②⑦.⓪.⓪.①", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]"],
  ...[
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[::127.0.0.1]",
    "[2002:7f00:1::1]",
    "[fe80::1]",
    "[fc00::1]",
  ],
  ...["169.254.169.254", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "100.100.100.200", "192.168.1.1"],
  ...["10.0.0.1", "172.16.0.1", "255.255.255.255", "224.0.0.1", "168.63.129.16", "[ff02::1]"],
]) {
  test(`does not call an internal address written as ${host}`, () =>
    refused(`http://${host}:${port}/`, "address_not_allowed"));
}

test("calls the same service if its address is allowed", async () => {
  await arrives(`http://127.0.0.1:${port}/`, guarded("127.0.0.0/8"));
  await arrives(`http://0x7f.1:${port}/`, guarded("127.0.0.0/8"));
  await arrives(`http://[::ffff:127.0.0.1]:${port}/`, guarded("127.0.0.0/8"));
  await arrives(`http://[::1]:${port}/`, guarded("::1/128"));
  assert.equal(visits.length, 4);
});

test("an allowed range allows no other address", async () => {
  await refused(`http://127.0.0.1:${port}/`, "address_not_allowed", guarded("127.0.0.2/32", "::1"));
  await refused(`http://[::1]:${port}/`, "address_not_allowed", guarded("127.0.0.0/8"));
});

for (const address of [
  "127.0.0.1",
  "10.0.0.1",
  "169.254.169.254",
  "::1",
  "::ffff:127.0.0.1",
  "fd00:ec2::254",
]) {
  test(`does not call a name of ${address}`, async () => {
    answers.set("shop.test", [[address]]);
    await refused(`http://shop.test:${port}/`, "address_not_allowed");
    assert.ok(names.asked.includes("shop.test A"));
  });
}

test("does not call localhost", () => refused(`http://localhost:${port}/`, "address_not_allowed"));
test("does not call localhost with a trailing dot", () =>
  refused(`http://localhost.:${port}/`, "address_not_allowed"));

test("does not call a name with one internal address among public ones", async () => {
  answers.set("mixed.test", [["8.8.8.8", "127.0.0.1", "1.1.1.1"]]);
  await refused(`http://mixed.test:${port}/`, "address_not_allowed");
  answers.set("six.test", [["8.8.8.8", "::1"]]);
  await refused(`http://six.test:${port}/`, "address_not_allowed");
});

test("does not call a name that changes to an internal address after an earlier call", async () => {
  const agent = guarded("127.0.0.2/32");
  // Each call queries A and AAAA.
  answers.set("rebound.test", [["127.0.0.2"], ["127.0.0.2"], ["127.0.0.1"]]);
  const closing = { url: `http://rebound.test:${port}/`, headers: { connection: "close" }, body: "{}" };
  const options = { agent, timeoutMs: 5_000, signal: new AbortController().signal };
  assert.equal((await sendRequest(closing, options)).kind, "answered");
  assert.equal(visits.length, 1);
  const second = await sendRequest(closing, options);
  assert.deepEqual(second, { kind: "unreachable", error: "address_not_allowed" });
  assert.equal(visits.length, 1);
});

test("resolves a name once per connection, so a second answer cannot change the address", async () => {
  const asked = names.asked.length;
  answers.set("once.test", [["127.0.0.2"], ["127.0.0.2"], ["127.0.0.1"]]);
  await arrives(`http://once.test:${port}/`, guarded("127.0.0.2/32"));
  // A query without an answer for two seconds is sent again.
  assert.deepEqual([...new Set(names.asked.slice(asked))].sort(), ["once.test A", "once.test AAAA"]);
  assert.deepEqual(visits, ["::ffff:127.0.0.2"]);
});

test("treats a redirect to an internal address as an answer and does not follow it", async () => {
  const outcome = await call(`http://127.0.0.2:${port}/away`, guarded("127.0.0.2/32"));
  assert.equal(outcome.kind === "answered" && outcome.status, 302);
  assert.deepEqual(visits, ["::ffff:127.0.0.2"]);
});

for (const closed of [1, 21, 22, 23, 25, 53, 110, 111, 135, 139, 389, 445, 636, 993, 1023]) {
  test(`does not call port ${closed}`, () =>
    refused(`http://127.0.0.1:${closed}/`, "url_port_closed", guarded("127.0.0.0/8")));
}

for (const [url, error] of [
  ["http://user:secret@127.0.0.1:PORT/", "url_with_credentials"],
  ["http://user@127.0.0.1:PORT/", "url_with_credentials"],
  ["http://8.8.8.8@127.0.0.1:PORT/", "url_with_credentials"],
  ["ftp://127.0.0.1:PORT/", "url_not_http"],
  ["file:///etc/passwd", "url_not_http"],
  ["unix:/var/run/docker.sock", "url_not_http"],
  ["no url", "url_malformed"],
] as const) {
  test(`does not call ${url}, whatever is allowed`, () =>
    refused(url.replace("PORT", String(port)), error, guarded("0.0.0.0/0", "::/0")));
}

test("ignores a proxy of the environment, because it would call unchecked addresses", async () => {
  const former = process.env.http_proxy;
  process.env.http_proxy = `http://127.0.0.1:${port}`;
  try {
    answers.set("inside.test", [["10.0.0.1"]]);
    await refused("http://inside.test/", "address_not_allowed");
  } finally {
    if (former === undefined) delete process.env.http_proxy;
    else process.env.http_proxy = former;
  }
});

test("an unknown name or a silent name server is a failed attempt", async () => {
  assert.deepEqual(await call("http://unknown.test/"), { kind: "unreachable", error: "ENOTFOUND" });
  assert.deepEqual(await call("http://silent.test/", guarded(), { timeoutMs: 300 }), {
    kind: "unreachable",
    error: "timeout",
  });
});

test("names of a dead name server delay no other endpoint", async () => {
  const agent = guarded("127.0.0.0/8");
  const { sleep, advance } = openManualClock();
  let ended = 0;
  const stuck = Array.from({ length: 50 }, async (_, n) => {
    const outcome = await call(`http://silent${n}.test/`, agent, { timeoutMs: 500, sleep });
    ended += 1;
    return outcome;
  });
  answers.set("alive.test", [["127.0.0.1"]]);
  await arrives(`http://alive.test:${port}/`, agent);
  await arrives(`http://localhost:${port}/`, guarded("127.0.0.0/8", "::1"));
  assert.equal(ended, 0, "the others still wait");
  await advance(500);
  assert.ok((await Promise.all(stuck)).every(({ kind }) => kind === "unreachable"));
});
