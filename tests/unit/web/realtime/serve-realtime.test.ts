import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import { io, type ManagerOptions, type Socket, type SocketOptions } from "socket.io-client";
import { members } from "#lib/domain/members/tables.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { countOpenPages, type Realtime, startRealtime } from "#lib/web/realtime/serve-realtime.ts";
import { addSignedIn } from "#tests/support/console.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

let base: TestDatabase;
let server: Server;
let realtime: Realtime;
let url: string;
const sockets: Socket[] = [];

before(async () => {
  base = await testDatabase();
  server = createServer((_request, response) => response.end("page"));
  realtime = await startRealtime(server, {
    database: base.database,
    publicOrigins: ["https://pay.example"],
    socketsPerAddress: 1_000,
    servedAt: () => "all",
    consoleUrl: "https://pay.example/console",
    addressOf: ({ socket }) => socket.remoteAddress ?? "",
    log: pino({ level: "silent" }),
    deskCheckMs: 20,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});
after(async () => {
  await realtime.stop();
  server.close();
  await base.close();
});

/** A link in the database at a version. Its other values have no effect. */
async function aLink(version: number): Promise<string> {
  const refid = newRefid();
  const [merchant] = await base.db
    .insert(merchants)
    .values({ email: `${refid}@shop.example`, name: "Shop" })
    .returning();
  const owner = { merchantId: merchant!.id, env: "test" as const };
  const [customer] = await base.db
    .insert(customers)
    .values({ ...owner, email: "ada@customer.example", firstName: "Ada", lastName: "Obi" })
    .returning();
  await base.db.insert(paymentLinks).values({
    ...owner,
    refid,
    version,
    customerId: customer!.id,
    customerEmail: "ada@customer.example",
    customerFirstName: "Ada",
    customerLastName: "Obi",
    paymentReference: "A1",
    amount: 100n,
    currency: "usd",
    successUrl: "https://shop.example/thanks",
    cancelUrl: "https://shop.example/cart",
    expiresAt: new Date("2030-01-01T00:00:00Z"),
    walletPreGenerated: false,
  });
  return refid;
}

/** The versions that a page of this link receives, in order of arrival. */
function visit(refid: string, options: Partial<ManagerOptions & SocketOptions> = {}) {
  const socket = io(url, {
    path: "/realtime",
    transports: ["websocket"],
    auth: { refid },
    forceNew: true,
    reconnection: false,
    ...options,
  });
  sockets.push(socket);
  const versions: number[] = [];
  const errors: string[] = [];
  const unwatched: (readonly string[])[] = [];
  socket.on("version", (version: number) => versions.push(version));
  socket.on("unwatched", (names: string[], spreadMs: number) => {
    assert.equal(spreadMs, 1_000, "for a handful of pages");
    unwatched.push(names);
  });
  socket.on("connect_error", (error) => errors.push(error.message));
  return { socket, versions, errors, unwatched };
}

const setVersion = (refid: string, version: number) =>
  base.db.update(paymentLinks).set({ version }).where(eq(paymentLinks.refid, refid));

const notify = (payload: string) => base.db.execute(sql`select pg_notify('paylink_links', ${payload})`);

test("sends the current version when a page joins", async () => {
  const { versions } = visit(await aLink(7));
  await until("the version", () => versions.length > 0);
  assert.deepEqual(versions, [7]);
});

test("sends a change to every page of its link and to no other", async () => {
  const refid = await aLink(1);
  const [first, second, other] = [visit(refid), visit(refid), visit(await aLink(1))];
  await until("all to join", () => [first, second, other].every((page) => page.versions.length === 1));
  await notify(`${refid}:2`);
  await until("both to hear", () => first.versions.length === 2 && second.versions.length === 2);
  assert.deepEqual(first.versions, [1, 2]);
  assert.deepEqual(other.versions, [1]);
});

test("counts open pages until they close", async () => {
  await until("those of other tests to be gone", () => countOpenPages() === 0);
  const pages = [visit(await aLink(1)), visit(await aLink(1))];
  await until("both to join", () => pages.every(({ versions }) => versions.length === 1));
  assert.equal(countOpenPages(), 2);
  for (const { socket } of pages) socket.close();
  await until("both to be gone", () => countOpenPages() === 0);
});

test("ignores a malformed notification", async () => {
  const refid = await aLink(1);
  const { versions } = visit(refid);
  await until("the version", () => versions.length === 1);
  for (const payload of ["", "x", `${refid}:x`, ":"]) await notify(payload);
  await notify(`${refid}:2`);
  await until("the change", () => versions.length === 2);
  assert.deepEqual(versions, [1, 2]);
});

test("after the listening connection was cut, sends every page what it missed and later changes", async () => {
  const [missed, later] = [await aLink(1), await aLink(1)];
  const pages = [visit(missed), visit(later)] as const;
  await until("both to join", () => pages.every((page) => page.versions.length === 1));
  await setVersion(missed, 2);
  const cut = await base.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'paylink listener' and datname = current_database()`,
  );
  assert.equal(cut.rowCount, 1);
  await until("the missed change", () => pages[0].versions.at(-1) === 2);
  await notify(`${later}:5`);
  await until("the next change", () => pages[1].versions.at(-1) === 5);
});

test("sends every page what it missed when the first query after the cut fails", async (t) => {
  const refid = await aLink(1);
  const page = visit(refid);
  await until("the page to join", () => page.versions.length === 1);
  await setVersion(refid, 2);
  const broken = () => {
    throw new Error("the pool's connection was cut too");
  };
  const select = t.mock.method(base.db, "select", broken, { times: 1 });
  await base.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'paylink listener' and datname = current_database()`,
  );
  await until("the missed change", () => page.versions.at(-1) === 2);
  assert.ok(select.mock.callCount() > 0);
});

test("sends every page the unwatched networks when it joins and when they change", async () => {
  const first = visit(await aLink(1));
  await until("the first to join", () => first.versions.length === 1);
  assert.deepEqual(first.unwatched, []);
  for (const names of [[], [], ["test:bep20"], ["test:bep20"]]) realtime.announceUnwatched(names);
  await until("the change to be announced", () => first.unwatched.length === 2);
  const second = visit(await aLink(1));
  await until("the second to be announced", () => second.unwatched.length === 1);
  realtime.announceUnwatched([]);
  await until("both to be announced", () => first.unwatched.length === 3 && second.unwatched.length === 2);
  assert.deepEqual(first.unwatched, [[], ["test:bep20"], []]);
  assert.deepEqual(second.unwatched, [["test:bep20"], []]);
});

test("leaves other requests to the server's own handler, and refuses other upgrades", async () => {
  for (const path of ["/realtime/?EIO=4&transport=polling", "/pay/x"]) {
    assert.equal(await (await fetch(`${url}${path}`)).text(), "page");
  }
  const { errors } = visit(await aLink(1), { path: "/realtimes" });
  await until("the refusal", () => errors.length > 0);
});

test("only people of a merchant are notified that its links have changed", async () => {
  const refid = await aLink(1);
  const { rows } = await base.database.pool.query(
    "select m.id, m.code from merchants m join payment_links l on l.merchant_id = m.id where l.refid = $1",
    [refid],
  );
  const merchantId = Number(rows[0].id);
  const { token, userId } = await addSignedIn(base.database, { merchantId, role: "cashier" });
  const follow = (desk: string, cookie: string) => {
    const events: unknown[] = [];
    const terms = { path: "/realtime", transports: ["websocket"], auth: { desk }, forceNew: true };
    const socket = io(url, { ...terms, extraHeaders: { cookie, origin: "https://pay.example" } });
    sockets.push(socket);
    socket.onAny((name) => events.push(name));
    socket.on("connect_error", ({ message }) => events.push(message));
    return events;
  };
  const cookie = `a=b; __Host-paylink_session=${token}`;
  const own = follow(`${rows[0].code}/test`, cookie);
  const live = follow(`${rows[0].code}/live`, cookie);
  await until("the sockets to join", async () => own.length > 0 && live.length > 0);
  const refused = [
    follow(`${rows[0].code}/test`, "a=b"),
    follow(`${rows[0].code}/test`, `paylink_session=${token}`),
    follow("00000000-0000-0000-0000-000000000000/test", cookie),
    follow(`${rows[0].code}/nowhere`, cookie),
  ];
  await until("the others to be refused", async () => refused.every((events) => events.length > 0));
  await base.db.execute(sql`select pg_notify('paylink_links', ${`${refid}:2:${merchantId}:test`})`);
  await until("the change to arrive", async () => own.includes("changed"));
  assert.deepEqual([own, live], [["joined", "changed"], ["joined"]]);
  assert.ok(refused.every((events) => events.every((event) => event === "unknown merchant")));

  const open = sockets.filter(({ connected }) => connected);
  assert.equal(open.length, 2);
  await base.db.delete(members).where(eq(members.userId, userId));
  await until("the removed person to be disconnected", async () => open.every(({ connected }) => !connected));
});
