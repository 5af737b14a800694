import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import {
  addEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from "#lib/domain/webhooks/change-endpoints.ts";
import type { EventType } from "#lib/domain/webhooks/events.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { actOf } from "#tests/support/acts.ts";
import { collectWakened } from "./collect-wakened.ts";
import { openDeliveryBench } from "./delivery-bench.ts";
import { type Owner, type Received, status } from "./receiver.ts";

const bench = await openDeliveryBench();
const run = <T>(work: (tx: Tx) => Promise<T>) => bench.db.transaction(work);
const sealer = { seal: (secret: string) => Buffer.from(secret) };
const at = (tx: Tx, { merchantId, env }: Owner) => actOf(tx, merchantId, { env, now: bench.now });
const change = (of: Owner, update: Parameters<typeof updateEndpoint>[1]) =>
  run((tx) => updateEndpoint(at(tx, of), update));
const remove = (of: Owner, id: number) => run((tx) => removeEndpoint(at(tx, of), { id }));
const rotate = (of: Owner, id: number, overlapMs: number) =>
  run((tx) => rotateEndpointSecret(at(tx, of), { id, sealer, overlapMs }));
const wakened = (work: () => Promise<unknown>) => collectWakened(bench.base.url, work);
const later = (seconds: number) => new Date(bench.now.getTime() + seconds * 1_000);

async function add(of: Owner, eventTypes: EventType[] | null = null) {
  const added = await run((tx) => addEndpoint(at(tx, of), { sealer, url: bench.receiver.url, eventTypes }));
  assert.ok(added.ok);
  return added.endpoint;
}

test("each endpoint gets the events of its types, signed with its own secret", async () => {
  const of = await bench.owner();
  const first = of.endpointId;
  const second = await add(of, ["payment_link_failed"]);
  await bench.emit(of);
  await bench.emit(of, { type: "payment_link_failed" });
  const toFirst = await bench.send(first);
  assert.deepEqual(
    toFirst.map(({ verified }) => verified),
    [true, true],
  );
  const [toSecond, ...more] = await bench.send(second.id);
  assert.deepEqual(more, []);
  assert.ok(toSecond?.body.includes("payment_link_failed"));
  assert.equal(toSecond?.verified, false, "another secret");
});

test("both secrets verify during a rotation, then only the new one", async () => {
  const of = await bench.owner();
  const first = of.endpointId;
  const oldUntil = later(60);
  const rotated = await rotate(of, first, 60_000);
  assert.ok(rotated.ok);
  const fresh = rotated.secret;
  assert.deepEqual(rotated.endpoint.previousSecretUntil, oldUntil);
  const verifies = (secret: string, { body, headers }: Received) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  await bench.emit(of);
  const [during] = await bench.send(first);
  assert.match(during!.signature, /^v1,[^ ]+ v1,[^ ]+$/);
  assert.deepEqual([verifies(fresh, during!), verifies(bench.receiver.secret, during!)], [true, true]);

  bench.now = oldUntil;
  await bench.emit(of);
  const [last] = await bench.send(first);
  assert.match(last!.signature, /^v1,[^ ]+$/);
  assert.deepEqual([verifies(fresh, last!), verifies(bench.receiver.secret, last!)], [true, false]);

  // A second rotation during the first: the oldest secret does not sign any more.
  const again = await rotate(of, first, 1_000);
  assert.ok(again.ok);
  await bench.emit(of);
  const [twice] = await bench.send(first);
  assert.deepEqual(
    [again.secret, fresh, bench.receiver.secret].map((secret) => verifies(secret, twice!)),
    [true, true, false],
  );
});

test("a removed endpoint is not listed, gets nothing, and its due deliveries fail", async () => {
  const of = await bench.owner();
  const first = of.endpointId;
  const second = await add(of);
  const { id } = await bench.emit(of);
  assert.ok((await remove(of, second.id)).ok);
  assert.deepEqual(
    (await listEndpoints(bench.db, of)).map((endpoint) => endpoint.id),
    [first],
  );
  assert.deepEqual(await bench.send(second.id), []);
  assert.deepEqual(
    (await bench.rowsOf(id)).map(({ endpointId, status }) => [endpointId, status]),
    [
      [first, "due"],
      [second.id, "failed"],
    ],
  );
  await bench.emit(of);
  assert.deepEqual(await bench.send(second.id), []);
  for (const refused of [
    await remove(of, second.id),
    await change(of, { id: second.id, enabled: true }),
    await rotate(of, second.id, 0),
    await change(await bench.owner(), { id: first, enabled: false }),
  ])
    assert.deepEqual(refused, { ok: false, reason: "endpoint_not_found" });
});

test("a disabled endpoint gets nothing until it is enabled or has a new address", async () => {
  const of = await bench.owner();
  const first = of.endpointId;
  await change(of, { id: first, enabled: false });
  await bench.emit(of);
  assert.deepEqual(await bench.send(first), []);
  await change(of, { id: first, eventTypes: ["deposit_credited"] });
  await bench.emit(of);
  assert.deepEqual(await bench.send(first), []);
  // The console's form posts the address with the events.
  await change(of, { id: first, eventTypes: null, url: bench.receiver.url });
  await bench.emit(of);
  assert.deepEqual(await bench.send(first), []);
  await change(of, { id: first, url: `${bench.receiver.url}?new` });
  await bench.emit(of);
  assert.equal((await bench.send(first)).length, 1);
  await change(of, { id: first, enabled: false });
  await change(of, { id: first, enabled: true });
  await bench.emit(of);
  assert.equal((await bench.send(first)).length, 1);
});

describe("an endpoint with deliveries that wait after failures gets them at once", () => {
  /** An endpoint with two deliveries, each of which waits five minutes. */
  async function aFailingEndpoint() {
    const of = await bench.owner();
    const events = await bench.emitMany(of, 2);
    bench.receiver.reply(status(500));
    for (let n = 0; n < 4; n++) {
      await bench.send(of.endpointId);
      bench.advance(6);
    }
    bench.receiver.reply(status(200));
    assert.deepEqual(await bench.send(of.endpointId), [], "both wait");
    return { of, first: of.endpointId, ids: events.map(({ id }) => `evt_${id}`) };
  }
  const sent = async (endpointId: number) =>
    (await bench.send(endpointId)).map(({ headers }) => headers["webhook-id"]);

  test("after a new address", async () => {
    const { of, first, ids } = await aFailingEndpoint();
    const url = `${bench.receiver.url}?corrected`;
    assert.deepEqual(await wakened(() => change(of, { id: first, url })), [first]);
    assert.deepEqual(await sent(first), ids);
  });

  test("after several wrong addresses, which use up no attempts of the schedule", async () => {
    const { of, first, ids } = await aFailingEndpoint();
    const attempts = async () => {
      const { rows } = await bench.db.execute(sql`
        select max(attempts) as most from webhook_deliveries where endpoint_id = ${first}`);
      return rows[0]?.most;
    };
    const before = await attempts();
    bench.receiver.reply(status(404));
    for (let wrong = 0; wrong < 12; wrong++) {
      await change(of, { id: first, url: `${bench.receiver.url}?wrong${wrong}` });
      assert.deepEqual(await sent(first), ids);
    }
    assert.equal(await attempts(), before);
    bench.receiver.reply(status(200));
    await change(of, { id: first, url: `${bench.receiver.url}?right` });
    assert.deepEqual(await sent(first), ids);
  });

  test("after it is enabled", async () => {
    const { of, first, ids } = await aFailingEndpoint();
    await change(of, { id: first, enabled: false });
    assert.deepEqual(await wakened(() => change(of, { id: first, enabled: true })), [first]);
    assert.deepEqual(await sent(first), ids);
  });

  test("but not after a change of its types, a save that changes nothing, or the removal of its address", async () => {
    const { of, first, ids } = await aFailingEndpoint();
    await change(of, { id: first, eventTypes: ["deposit_credited"] });
    assert.deepEqual(await sent(first), []);
    await change(of, { id: first, url: bench.receiver.url, enabled: true });
    assert.deepEqual(await sent(first), []);
    await change(of, { id: first, url: null });
    assert.deepEqual(await sent(first), [], "none fails either");
    await change(of, { id: first, url: bench.receiver.url });
    assert.deepEqual(await sent(first), ids);
  });
});

test("the merchant's own address is that of its first endpoint", async () => {
  const of = await bench.owner();
  const first = of.endpointId;
  const second = await add(of);
  await run((tx) => setEndpointUrl(tx, { ...of, url: "https://shop.example/new" }));
  assert.deepEqual(
    (await listEndpoints(bench.db, of)).map(({ id, url }) => [id, url]),
    [
      [first, "https://shop.example/new"],
      [second.id, bench.receiver.url],
    ],
  );
  await remove(of, first);
  await run((tx) => setEndpointUrl(tx, { ...of, url: "https://shop.example/next" }));
  assert.deepEqual(
    (await listEndpoints(bench.db, of)).map(({ id, url }) => [id, url]),
    [[second.id, "https://shop.example/next"]],
  );
});

test("refuses a forbidden address", async () => {
  const of = await bench.owner();
  const another = (url: string) => run((tx) => addEndpoint(at(tx, of), { sealer, url, eventTypes: null }));
  for (const url of ["https://u:p@shop.example/", "https://shop.example:22/", "ftp://shop.example", "x"]) {
    const refused = { ok: false, reason: "invalid_webhookUrl" };
    assert.deepEqual(await another(url), refused);
    const [first] = await listEndpoints(bench.db, of);
    assert.deepEqual(await change(of, { id: first!.id, url }), refused);
  }
});
