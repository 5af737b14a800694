/** Connections to an Electrum server that end at the worst time, and histories that change then. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { createAddressSync } from "#lib/chains/electrum/address-sync.ts";
import { createElectrumServer, shareSweep } from "#lib/chains/electrum/electrum-server.ts";
import { parseHeaders } from "#lib/chains/electrum/headers.ts";
import { type ElectrumAnswer, openLineConnection } from "#lib/chains/electrum/line-connection.ts";
import { createHeaderBudget } from "#lib/chains/electrum/old-headers.ts";
import { createProvenPayments } from "#lib/chains/electrum/proven-payments.ts";
import { createGroup } from "#lib/chains/electrum/server-group.ts";
import type { ElectrumSession } from "#lib/chains/electrum/session.ts";
import { CERTIFICATES } from "#tests/support/electrum-certificates.ts";
import { mineHeaders } from "./mine-headers.ts";

const SYNC = {
  ...{ blockExtra: undefined, proven: createProvenPayments(), onNews: () => {} },
  findRecordedBlocks: async () => new Map(),
};

function answersOf(headers: readonly Buffer[]): Record<string, unknown> {
  const hex = (some: readonly Buffer[]) => Buffer.concat(some).toString("hex");
  return {
    "server.version": ["test", "1.4"],
    "blockchain.block.header": hex(headers.slice(0, 1)),
    "blockchain.headers.subscribe": { height: headers.length - 1, hex: hex(headers.slice(-1)) },
    "blockchain.block.headers": { hex: hex(headers) },
  };
}

/** Listens until the test ends. Returns the port. */
async function listen(t: TestContext, accept: (socket: Socket) => void): Promise<number> {
  const server = createServer(accept).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Keeps busy the threads that compute scrypt: each waits for the writer of a pipe. Returns what releases them. */
function holdThreads(t: TestContext): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-threads-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const count = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  const pipes = Array.from({ length: count }, (_, nth) => join(folder, String(nth)));
  execFileSync("mkfifo", pipes);
  const waiting = pipes.map((pipe) => open(pipe, "r"));
  return async () => {
    const writers = pipes.map((pipe) => openSync(pipe, "r+"));
    for (const file of await Promise.all(waiting)) await file.close();
    for (const writer of writers) closeSync(writer);
  };
}

test("a connection that ends while its headers are checked is not used, and is opened again", async (t) => {
  const headers = mineHeaders(4, "scrypt");
  const answers = answersOf(headers);
  let connections = 0;
  const port = await listen(t, (socket) => {
    connections += 1;
    const isFirst = connections === 1;
    socket.on("data", (chunk) => {
      const { id, method } = JSON.parse(String(chunk)) as { id: number; method: string };
      const line = `${JSON.stringify({ id, result: answers[method] })}\n`;
      if (!isFirst || method !== "blockchain.block.headers") return socket.write(line);
      const release = holdThreads(t);
      socket.once("close", () => void release());
      return socket.end(line);
    });
  });
  const server = createElectrumServer(`electrum+tcp://127.0.0.1:${port}`, {
    ...{ scope: { env: "test", network: "litecoin" }, chainName: "test", settleMs: 0, sync: SYNC },
    ...{ genesis: parseHeaders(headers[0]!)[0]!.hash, rules: { work: "scrypt", easiestBits: null } },
    ...{ live: () => null, hashOf: (address) => address },
  });
  await assert.rejects(server.open(), /closed the connection/);
  assert.equal(server.current(), null);
  assert.match(server.report().error!, /closed the connection/);
  const { session } = await server.open();
  t.after(() => session.close({} as never));
  assert.deepEqual([connections, session.chain().height], [2, headers.length - 1]);
});

test("after a long outage a server is asked again within ten seconds while no other one is connected", async (t) => {
  let connections = 0;
  const port = await listen(t, (socket) => {
    connections += 1;
    socket.destroy();
  });
  const server = createElectrumServer(`electrum+tcp://127.0.0.1:${port}`, {
    ...{ scope: { env: "test", network: "bitcoin" }, chainName: "test", settleMs: 0, sync: SYNC },
    ...{ genesis: "00".repeat(32), rules: { work: "sha256d", easiestBits: null } },
    ...{ live: () => null, hashOf: (address) => address },
  });
  const group = createGroup([server]);
  // Whole, as sums of fractions are rounded: the limit is met exactly.
  let now = Math.ceil(performance.now());
  t.mock.method(performance, "now", () => now);
  for (let outages = 0; outages < 12; outages++) {
    await assert.rejects(group.best());
    now += 60_000;
  }
  await assert.rejects(group.best());
  const before = connections;
  await assert.rejects(group.best());
  assert.equal(connections, before);
  now += 10_000;
  await assert.rejects(group.best());
  assert.equal(connections, before + 1);
  // Another one is connected: this one is left alone for longer.
  now += 10_000;
  await assert.rejects(server.open());
  assert.equal(connections, before + 1);
});

test("a connection that ends while reports are waited for has not reported what its newest block changed", async (t) => {
  const headers = mineHeaders(2);
  const answers = answersOf(headers);
  const sockets: Socket[] = [];
  const port = await listen(t, (socket) => {
    sockets.push(socket);
    socket.on("data", (chunk) => {
      const { id, method } = JSON.parse(String(chunk)) as { id: number; method: string };
      socket.write(`${JSON.stringify({ id, result: answers[method] })}\n`);
    });
  });
  const live = { hashes: () => new Map(), refresh: async () => false, listOthers: async () => [] };
  const server = createElectrumServer(`electrum+tcp://127.0.0.1:${port}`, {
    ...{ scope: { env: "test", network: "bitcoin" }, chainName: "test", settleMs: 1_000, sync: SYNC },
    ...{ genesis: parseHeaders(headers[0]!)[0]!.hash, rules: { work: "sha256d", easiestBits: null } },
    ...{ live: () => live, hashOf: (address) => address },
  });
  await server.open();
  const settled = server.settle();
  sockets[0]!.destroy();
  await assert.rejects(settled, /ended/);
});

test("a connection that ends while its certificate is checked is no connection", async (t) => {
  const [certificate] = CERTIFICATES;
  const server = createTlsServer(certificate!, (socket) => socket.on("error", () => {}).end());
  server.listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const opening = openLineConnection(
    { host: "127.0.0.1", port: (server.address() as AddressInfo).port, encrypted: true },
    {
      ...{ name: "test", timeoutMs: 1_000, connectMs: 5_000, onRequest: () => {}, onNotification: () => {} },
      onClose: () => {},
      checkCertificate: async (socket) => {
        await once(socket.resume(), "close");
        return null;
      },
    },
  );
  await assert.rejects(opening, /closed the connection/);
});

test("an address that is named at any time is asked for", async () => {
  for (let turns = 0; turns < 30; turns++) {
    const asked: unknown[] = [];
    const first = Promise.withResolvers<ElectrumAnswer>();
    const ask: ElectrumSession["ask"] = (_method, [scriptHash]) => {
      asked.push(scriptHash);
      return asked.length === 1 ? first.promise : Promise.resolve({ ok: true, result: null });
    };
    const memory = { statuses: new Map(), highest: new Map(), tooLong: new Set<string>() };
    const sync = createAddressSync({ name: "test", ask } as unknown as ElectrumSession, {
      ...{ ...SYNC, memory, budget: createHeaderBudget(), onTooLong: () => {} },
    });
    sync.watch(["first"]);
    first.resolve({ ok: true, result: null });
    for (let i = 0; i < turns; i++) await null;
    sync.watch(["second"]);
    await sync.idle();
    assert.deepEqual(asked, ["first", "second"], `after ${turns} turns`);
  }
});

test("a public server is asked for two histories a second, so that it does not limit us", () => {
  for (const own of ["127.0.0.1", "::1", "electrum.internal", "192.168.1.7"])
    assert.deepEqual(
      [shareSweep(own, 4_000, 1), shareSweep(own, 61, 1)],
      [
        { live: 5, others: 5 },
        { live: 2, others: 5 },
      ],
      own,
    );
  // e-x forgives one unit of cost a second. Two histories cost 0.8.
  for (const hosted of ["electrum.example.com", "8.8.8.8"]) {
    assert.deepEqual(shareSweep(hosted, 60, 1), { live: 1, others: 1 });
    const shares = [0, 1, 2, 3, 4].map((nth) => shareSweep(hosted, 61, nth));
    assert.deepEqual(
      shares.map(({ live }) => live),
      [1, 2, 2, 2, 2],
    );
    assert.deepEqual(
      shares.map(({ others }) => others),
      [1, 0, 0, 0, 0],
    );
  }
});
