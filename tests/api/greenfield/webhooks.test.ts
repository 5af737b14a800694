/** Webhooks of shops: made, changed, shown and removed by a key, and their deliveries. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, describe, test } from "node:test";
import { asc, eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { sendDueAt } from "#tests/api/send-due.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { type GreenfieldStore, startTestGreenfield } from "#tests/support/greenfield.ts";
import { refused, successOf } from "#tests/support/says.ts";
import { startReceiver, status } from "#tests/unit/domain/webhooks/receiver.ts";
import { emitInvoice } from "#tests/unit/domain/webhooks/shop.ts";

const greenfield = await startTestGreenfield();
const { api, send } = greenfield;
const { db } = api.database;
const receiver = await startReceiver();
after(() => receiver.close());
const SHOP = "https://shop.example.com";
const URL_OF_SHOP = `${SHOP}/?wc-api=btcpaygf_default`;
const EVERYTHING = { everything: true, specificEvents: [] };

/** A live key of a shop, whose merchant has no IP list. */
async function liveShop(origin: string | null = SHOP) {
  const merchant = await api.merchant();
  const key = await greenfield.key(merchant, { env: "live", origin });
  const ask = (method: string, path: string, json?: unknown) =>
    send({ method, path: `/api/v1${path}`, key, json });
  return { merchant, key, ask };
}

const aWebhook = async (store: GreenfieldStore, json: unknown = { url: URL_OF_SHOP }) =>
  (await store.send("POST", "/webhooks", json)).body;

describe("a webhook", () => {
  test("of a URL alone receives everything, and shows its secret once", async () => {
    const store = await greenfield.store();
    const made = await store.send("POST", "/webhooks", { url: URL_OF_SHOP });
    assert.equal(made.status, 200);
    const { id, secret } = made.body;
    const shown = {
      id,
      enabled: true,
      automaticRedelivery: true,
      url: URL_OF_SHOP,
      authorizedEvents: EVERYTHING,
    };
    assert.deepEqual(made.body, { ...shown, secret });
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.deepEqual((await store.send("GET", "/webhooks")).body, [shown]);
    assert.deepEqual((await store.send("GET", `/webhooks/${id}`)).body, shown);
    const short = await send({ path: `/api/v1/webhooks/${id}`, key: store.key });
    assert.deepEqual(short.body, shown);
  });

  test("keeps the events and the secret that a plugin gives", async () => {
    const store = await greenfield.store();
    const specificEvents = ["InvoiceReceivedPayment", "InvoiceSettled", "PayoutCreated"];
    const authorizedEvents = { everything: false, specificEvents };
    const given = {
      url: URL_OF_SHOP,
      secret: "own",
      authorizedEvents,
      automaticRedelivery: false,
      enabled: false,
    };
    const made = await store.send("POST", "/webhooks", { ...given, unknown: null, id: "x" });
    assert.deepEqual(made.body, { ...given, id: made.body.id });
    const all = { everything: true, specificEvents };
    const other = await store.send("POST", "/webhooks", {
      url: URL_OF_SHOP,
      authorizedEvents: all,
      secret: null,
    });
    assert.deepEqual(other.body.authorizedEvents, EVERYTHING);
  });

  test("is replaced as a whole, and keeps its secret without another", async () => {
    const store = await greenfield.store();
    const { id, secret } = await aWebhook(store, { url: `${receiver.url}`, secret: "first" });
    assert.equal(secret, "first");
    const put = (json: unknown) => store.send("PUT", `/webhooks/${id}`, json);
    const authorizedEvents = { everything: false, specificEvents: ["InvoiceSettled"] };
    const changed = await put({ url: receiver.url, authorizedEvents, enabled: true, secret: null });
    assert.equal(changed.status, 200);
    const shown = { id, enabled: true, automaticRedelivery: true, url: receiver.url, authorizedEvents };
    assert.deepEqual(changed.body, shown);
    const owner = { merchantId: store.merchant.id, env: "test" } as const;
    const signedWith = async () => {
      await emitInvoice(db, owner, "INV1", ["InvoiceProcessing", "InvoiceSettled"], new Date());
      await sendDueAt(api, Number(id));
      const { headers, body } = receiver.received.at(-1)!;
      assert.equal(JSON.parse(body).type, "InvoiceSettled");
      return ["first", "second"].find(
        (key) => headers["btcpay-sig"] === `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
      );
    };
    assert.equal(await signedWith(), "first");
    await put({ url: receiver.url, authorizedEvents, secret: "second" });
    assert.equal(await signedWith(), "second");
    assert.equal((await put({ url: receiver.url, enabled: false })).body.enabled, false);
  });

  test("is removed with an empty answer of the status 200", async () => {
    const store = await greenfield.store();
    const { id } = await aWebhook(store);
    const removed = await store.send("DELETE", `/webhooks/${id}/`);
    assert.deepEqual([removed.status, removed.text], [200, ""]);
    const again = await store.send("DELETE", `/webhooks/${id}`);
    assert.deepEqual([again.status, again.body.code], [404, "webhook-not-found"]);
  });

  test("is refused with what is wrong", async () => {
    const store = await greenfield.store();
    for (const url of [
      undefined,
      "",
      "ftp://shop.example.com",
      "http://user:word@shop.example.com",
      "x",
      7,
      [],
      {},
    ]) {
      const { status: code, body } = await store.send("POST", "/webhooks", { url });
      assert.deepEqual([code, body[0]?.path], [422, "url"], String(url));
    }
    for (const secret of ["ü", "x".repeat(257)]) {
      const { status: code, body } = await store.send("POST", "/webhooks", { url: URL_OF_SHOP, secret });
      assert.deepEqual([code, body[0]?.path], [422, "secret"]);
    }
    for (const id of ["0", "x", "99999999", "1e3", "-1", "%00", "999999999999999999999"])
      assert.equal((await store.send("GET", `/webhooks/${id}`)).body.code, "webhook-not-found");
  });

  test("is one of sixteen at most", async () => {
    const store = await greenfield.store();
    let refused = await store.send("POST", "/webhooks", { url: URL_OF_SHOP });
    for (let n = 0; n < 20 && refused.status === 200; n++)
      refused = await store.send("POST", "/webhooks", { url: URL_OF_SHOP });
    assert.deepEqual([refused.status, refused.body.code], [400, "too-many-webhooks"]);
  });
});

describe("a key", () => {
  test("of a shop makes live webhooks at the shop without an IP list, and nowhere else", async () => {
    const { ask, merchant } = await liveShop();
    const made = await ask("POST", "/webhooks", { url: URL_OF_SHOP });
    assert.equal(made.status, 200);
    const elsewhere = [
      "https://other.example.com/",
      "http://shop.example.com/",
      "https://shop.example.com:8443/",
      "https://shop.example.com@other.example.com/",
      "https://a.shop.example.com/",
    ];
    for (const url of elsewhere) {
      const created = await ask("POST", "/webhooks", { url });
      assert.deepEqual(
        created.body,
        [{ path: "url", message: `The key is for webhooks at ${SHOP} alone.` }],
        url,
      );
      const moved = await ask("PUT", `/webhooks/${made.body.id}`, { url });
      assert.deepEqual([moved.status, moved.body[0].path], [422, "url"], url);
    }
    const [{ url }] = (await ask("GET", "/webhooks")).body;
    assert.equal(url, URL_OF_SHOP);
    const rows = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.merchantId, merchant.id))
      .orderBy(asc(auditLog.id));
    assert.deepEqual(
      rows.map(({ action }) => action).filter((one) => one.startsWith("webhook")),
      ["webhook.endpoint.add"],
    );
  });

  test("without a shop makes live webhooks only while the merchant has an IP list", async () => {
    const { ask } = await liveShop(null);
    const refused = await ask("POST", "/webhooks", { url: URL_OF_SHOP });
    assert.deepEqual([refused.status, refused.body.code], [403, "ip-list-required"]);
  });

  test("of a shop takes at most eight of the places for webhooks", async () => {
    const { merchant, ask } = await liveShop();
    const answers: number[] = [];
    for (let n = 0; n < 9; n++) answers.push((await ask("POST", "/webhooks", { url: URL_OF_SHOP })).status);
    assert.deepEqual(answers, [...Array(8).fill(200), 400]);
    const other = await greenfield.key(merchant, { env: "live", origin: "https://other.example.com" });
    const json = { url: "https://other.example.com/hook" };
    assert.equal((await send({ path: "/api/v1/webhooks", key: other, json })).status, 200);
  });

  test("sees and changes neither the webhooks of another shop nor those of another format", async () => {
    const { merchant, ask } = await liveShop();
    const owner = { merchantId: merchant.id, env: "live" } as const;
    await db.transaction((tx) => setEndpointUrl(tx, { ...owner, url: `${SHOP}/standard` }));
    const other = await greenfield.key(merchant, { env: "live", origin: "https://other.example.com" });
    const path = "/api/v1/webhooks";
    const theirs = await send({
      method: "POST",
      path,
      key: other,
      json: { url: "https://other.example.com/a" },
    });
    assert.equal(theirs.status, 200);
    assert.deepEqual((await ask("GET", "/webhooks")).body, []);
    for (const [method, tail] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["GET", "/deliveries"],
    ] as const) {
      const json = method === "PUT" ? { url: URL_OF_SHOP } : undefined;
      const answer = await ask(method, `/webhooks/${theirs.body.id}${tail}`, json);
      assert.deepEqual([answer.status, answer.body.code], [404, "webhook-not-found"], method + tail);
    }
  });

  test("of another merchant, or without the permission, does nothing", async () => {
    const store = await greenfield.store();
    const { id } = await aWebhook(store);
    const rival = await greenfield.store();
    assert.equal((await rival.send("GET", `/webhooks/${id}`)).status, 404);
    const path = `/api/v1/stores/${store.id}/webhooks`;
    assert.equal((await send({ path, key: rival.key })).body.code, "store-not-found");
    const viewer = await greenfield.key(store.merchant, { permissions: ["btcpay.store.canviewinvoices"] });
    const refused = await send({ method: "POST", path, key: viewer, json: { url: URL_OF_SHOP } });
    assert.deepEqual(
      [refused.status, refused.body.missingPermission],
      [403, "btcpay.store.webhooks.canmodifywebhooks"],
    );
  });
});

describe("the interface /v1", () => {
  test("shows and sends again the events of standard endpoints alone", async () => {
    const store = await greenfield.store();
    await aWebhook(store, { url: receiver.url });
    const owner = { merchantId: store.merchant.id, env: "test" } as const;
    await emitInvoice(db, owner, "INV7", ["InvoicePaymentSettled"], new Date(), ["0xabc7"]);
    const v1 = api.client(store.merchant.test);
    const retrigger = () => v1.POST("/webhooks/retrigger", { body: { transaction_hash: "0xabc7" } });
    refused(await retrigger(), 500, "no webhook events found for the provided transaction");
    await db.transaction((tx) => setEndpointUrl(tx, { ...owner, url: receiver.url }));
    const event = { ...owner, type: "deposit_credited", dataJson: "{}", txHashes: ["0xabc7"] } as const;
    const { id } = await db.transaction((tx) => emitRawEvent(tx, event, new Date()));
    assert.deepEqual(successOf(await retrigger()).data.webhook_ids, [id]);
    const list = successOf(await v1.GET("/webhooks/deliveries", { params: { query: { count: "1" } } }));
    assert.deepEqual([list.data.map((one) => one.webhook_id), list.meta?.total], [[id], 1]);
  });
});

describe("the deliveries of a webhook", () => {
  test("are shown with their requests, and sent again under another id", async () => {
    const store = await greenfield.store();
    const { id } = await aWebhook(store, { url: receiver.url });
    const owner = { merchantId: store.merchant.id, env: "test" } as const;
    receiver.reply(status(400), status(200));
    await emitInvoice(db, owner, "INV9", ["InvoiceSettled"], new Date());
    assert.deepEqual(
      (await store.send("GET", `/webhooks/${id}/deliveries`)).body,
      [],
      "nothing was sent yet",
    );
    await sendDueAt(api, Number(id));
    const [failed] = (await store.send("GET", `/webhooks/${id}/deliveries`)).body;
    assert.equal(typeof failed.timestamp, "number");
    assert.deepEqual(failed, {
      ...{ id: failed.id, timestamp: failed.timestamp, httpCode: 400, errorMessage: "answered 400" },
      status: "HttpError",
    });
    const request = await store.send("GET", `/webhooks/${id}/deliveries/${failed.id}/request`);
    assert.equal(request.text, receiver.received.at(-1)?.body);

    const again = await store.send("POST", `/webhooks/${id}/deliveries/${failed.id}/redeliver`);
    assert.deepEqual([again.status, typeof again.body], [200, "string"]);
    await sendDueAt(api, Number(id));
    const { deliveryId, originalDeliveryId, isRedelivery } = JSON.parse(receiver.received.at(-1)!.body);
    assert.deepEqual([deliveryId, originalDeliveryId, isRedelivery], [again.body, failed.id, true]);
    const one = await store.send("GET", `/webhooks/${id}/deliveries/${again.body}`);
    assert.deepEqual([one.body.status, one.body.httpCode, one.body.errorMessage], ["HttpSuccess", 200, null]);
    const newest = await store.send("GET", `/webhooks/${id}/deliveries?count=1`);
    assert.deepEqual(newest.body, [one.body]);
  });

  test("that do not exist are not found", async () => {
    const store = await greenfield.store();
    const { id } = await aWebhook(store, { url: receiver.url });
    for (const delivery of ["999999", "x", "0", "1-2-3"])
      for (const [method, tail] of [
        ["GET", ""],
        ["GET", "/request"],
        ["POST", "/redeliver"],
      ] as const) {
        const answer = await store.send(method, `/webhooks/${id}/deliveries/${delivery}${tail}`);
        assert.deepEqual([answer.status, answer.body.code], [404, "webhookdelivery-not-found"]);
      }
  });
});
