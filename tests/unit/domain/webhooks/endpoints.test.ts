import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import type { EventType } from "#lib/domain/webhooks/events.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import {
  addEndpoint,
  generateWebhookSecret,
  removeEndpoint,
  rotateEndpointSecret,
  setEndpointUrl,
  updateEndpoint,
} from "#lib/domain/webhooks/webhook-endpoints.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { deliverDeps, merchantWithEndpoint, type Receiver, startReceiver } from "./receiver.ts";

let base: TestDatabase;
let receiver: Receiver;
let now: Date;

before(async () => {
  base = await testDatabase();
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await base.close();
});

const run = <T>(work: (tx: Tx) => Promise<T>) => base.db.transaction(work);
const sealed = (secret = generateWebhookSecret()) => Buffer.from(secret);

async function owner() {
  now = new Date();
  const { merchantId, endpointId } = await merchantWithEndpoint(base.db, receiver);
  return { of: { merchantId, env: "test" } as const, first: endpointId };
}

const emit = (of: { merchantId: number; env: "test" }, type: EventType = "deposit_credited") =>
  run((tx) => emitRawEvent(tx, { ...of, type, dataJson: "{}", txHashes: [] }, now));

/** Sends what is due at an endpoint. Returns what arrived. */
async function send(endpointId: number) {
  const deps = deliverDeps(base.db, () => now);
  const before = receiver.received.length;
  const { claimed } = await claimDeliveries(deps, endpointId, 10);
  for (const one of claimed) await deliverWebhook(deps, one);
  return receiver.received.slice(before);
}

async function add(of: { merchantId: number; env: "test" }, eventTypes: EventType[] | null = null) {
  const added = await run((tx) =>
    addEndpoint(tx, of, { url: receiver.url, sealedSecret: sealed(), eventTypes }),
  );
  assert.ok(added.ok);
  return added.endpoint;
}

test("each endpoint gets the events of its types, signed with its own secret", async () => {
  const { of, first } = await owner();
  const second = await add(of, ["payment_link_failed"]);
  await emit(of);
  await emit(of, "payment_link_failed");
  const toFirst = await send(first);
  assert.deepEqual(
    toFirst.map(({ verified }) => verified),
    [true, true],
  );
  const [toSecond, ...more] = await send(second.id);
  assert.deepEqual(more, []);
  assert.ok(toSecond?.body.includes("payment_link_failed"));
  assert.equal(toSecond?.verified, false, "another secret");
});

test("both secrets verify during a rotation, then only the new one", async () => {
  const { of, first } = await owner();
  const fresh = generateWebhookSecret();
  const oldUntil = new Date(now.getTime() + 60_000);
  const rotated = await run((tx) =>
    rotateEndpointSecret(tx, first, { sealedSecret: sealed(fresh), oldUntil }, now),
  );
  assert.ok(rotated.ok);
  assert.deepEqual(rotated.endpoint.previousSecretUntil, oldUntil);
  const verifies = (secret: string, { body, headers }: (typeof receiver.received)[number]) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  await emit(of);
  const [during] = await send(first);
  assert.match(during!.signature, /^v1,[^ ]+ v1,[^ ]+$/);
  assert.deepEqual([verifies(fresh, during!), verifies(receiver.secret, during!)], [true, true]);

  now = new Date(oldUntil.getTime());
  await emit(of);
  const [later] = await send(first);
  assert.match(later!.signature, /^v1,[^ ]+$/);
  assert.deepEqual([verifies(fresh, later!), verifies(receiver.secret, later!)], [true, false]);

  // A second rotation during the first: the oldest secret does not sign any more.
  const third = generateWebhookSecret();
  await run((tx) =>
    rotateEndpointSecret(
      tx,
      first,
      { sealedSecret: sealed(third), oldUntil: new Date(now.getTime() + 1_000) },
      now,
    ),
  );
  await emit(of);
  const [again] = await send(first);
  assert.deepEqual(
    [third, fresh, receiver.secret].map((secret) => verifies(secret, again!)),
    [true, true, false],
  );
});

test("a removed endpoint is not listed, gets nothing, and its due deliveries fail", async () => {
  const { of, first } = await owner();
  const second = await add(of);
  const { id } = await emit(of);
  assert.ok((await run((tx) => removeEndpoint(tx, second.id, now))).ok);
  assert.deepEqual(
    (await listEndpoints(base.db, of)).map((endpoint) => endpoint.id),
    [first],
  );
  assert.deepEqual(await send(second.id), []);
  const rows = await base.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, id));
  assert.deepEqual(
    rows.map(({ endpointId, status }) => [endpointId, status]).sort(),
    [
      [first, "due"],
      [second.id, "failed"],
    ].sort(),
  );
  await emit(of);
  assert.deepEqual(await send(second.id), []);
  for (const change of [
    (tx: Tx) => removeEndpoint(tx, second.id, now),
    (tx: Tx) => updateEndpoint(tx, second.id, { enabled: true }, now),
    (tx: Tx) => rotateEndpointSecret(tx, second.id, { sealedSecret: sealed(), oldUntil: now }, now),
  ]) {
    assert.deepEqual(await run(change), { ok: false, reason: "endpoint_not_found" });
  }
});

test("a disabled endpoint gets nothing until it is enabled or has a new address", async () => {
  const { of, first } = await owner();
  await run((tx) => updateEndpoint(tx, first, { enabled: false }, now));
  await emit(of);
  assert.deepEqual(await send(first), []);
  await run((tx) => updateEndpoint(tx, first, { eventTypes: ["deposit_credited"] }, now));
  await emit(of);
  assert.deepEqual(await send(first), []);
  await run((tx) => updateEndpoint(tx, first, { url: receiver.url }, now));
  await emit(of);
  assert.equal((await send(first)).length, 1);
  await run((tx) => updateEndpoint(tx, first, { enabled: false }, now));
  await run((tx) => updateEndpoint(tx, first, { enabled: true }, now));
  await emit(of);
  assert.equal((await send(first)).length, 1);
});

test("the merchant's own address is that of its first endpoint", async () => {
  const { of, first } = await owner();
  const second = await add(of);
  await run((tx) => setEndpointUrl(tx, { ...of, url: "https://shop.example/new" }));
  assert.deepEqual(
    (await listEndpoints(base.db, of)).map(({ id, url }) => [id, url]),
    [
      [first, "https://shop.example/new"],
      [second.id, receiver.url],
    ],
  );
  await run((tx) => removeEndpoint(tx, first, now));
  await run((tx) => setEndpointUrl(tx, { ...of, url: "https://shop.example/next" }));
  assert.deepEqual(
    (await listEndpoints(base.db, of)).map(({ id, url }) => [id, url]),
    [[second.id, "https://shop.example/next"]],
  );
});

test("allows sixteen endpoints, and refuses a forbidden address", async () => {
  const { of } = await owner();
  for (let n = 1; n < 16; n++) await add(of);
  const one = { url: receiver.url, sealedSecret: sealed(), eventTypes: null };
  assert.deepEqual(await run((tx) => addEndpoint(tx, of, one)), { ok: false, reason: "too_many_endpoints" });
  for (const url of ["https://u:p@shop.example/", "https://shop.example:22/", "ftp://shop.example", "x"]) {
    const refused = { ok: false, reason: "invalid_webhookUrl" };
    assert.deepEqual(await run((tx) => addEndpoint(tx, of, { ...one, url })), refused);
    const [first] = await listEndpoints(base.db, of);
    assert.deepEqual(await run((tx) => updateEndpoint(tx, first!.id, { url }, now)), refused);
  }
});
