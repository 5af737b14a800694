import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { handleEvent, openOrders } from "#lib/demo/orders.ts";
import { webhookInbox } from "#lib/demo/webhook-inbox.ts";
import { signWebhook } from "#lib/domain/webhooks/sign-webhook.ts";
import { temporaryFolder } from "#tests/support/database.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true }));

/** The demo's shop, with its own file of orders. `send` delivers a signed event. */
function aShop(name: string) {
  const path = join(folder, `${name}.json`);
  const open = () => webhookInbox(SECRET, openOrders(path));
  let inbox = open();
  return {
    async send(id: number, seq: number, state: string, refid = "A") {
      const data = { refid, payment_reference: `ORDER${refid}`, seq, state };
      const body = JSON.stringify({ type: "payment_link_completed", timestamp: new Date(), data });
      const time = Math.floor(Date.now() / 1_000);
      const headers = {
        "webhook-id": `evt_${id}`,
        "webhook-timestamp": String(time),
        "webhook-signature": signWebhook(SECRET, `evt_${id}`, time, body),
      };
      const answer = await inbox.request("/webhooks/receive", { method: "POST", body, headers });
      assert.equal(answer.status, 200);
    },
    restart() {
      inbox = open();
    },
    orders: () =>
      openOrders(path)
        .list()
        .map(({ reference, status, shipments }) => `${reference} ${status} ${shipments}`),
  };
}

test("ships once when a restore repeats the events with other ids", async () => {
  const shop = aShop("restore");
  await shop.send(1, 1, "completed");
  await shop.send(1_000_001, 1, "completed");
  shop.restart();
  await shop.send(1_000_002, 1, "completed");
  assert.deepEqual(shop.orders(), ["ORDERA shipped 1"]);
});

test("handles an event only if its seq is higher than the highest handled one", () => {
  const event = (seq: number) => ({ seq, state: "completed" as const, payment_reference: "ORDERA" });
  const order = handleEvent(undefined, event(2));
  assert.ok(order);
  assert.deepEqual(
    [1, 2, 3].map((seq) => handleEvent(order, event(seq)) !== null),
    [false, false, true],
  );
});

test("follows the newest event of each link, whatever order they arrive in", async () => {
  const shop = aShop("order");
  await shop.send(2, 2, "completed");
  await shop.send(1, 1, "awaiting");
  await shop.send(3, 1, "expired", "B");
  assert.deepEqual(shop.orders(), ["ORDERA shipped 1", "ORDERB released 0"]);
});

test("stops an order when its payment is reverted, and ships it again with the next completion", async () => {
  const shop = aShop("reverted");
  await shop.send(1, 1, "completed");
  await shop.send(2, 2, "awaiting");
  assert.deepEqual(shop.orders(), ["ORDERA stopped 1"]);
  await shop.send(3, 3, "overpaid");
  assert.deepEqual(shop.orders(), ["ORDERA shipped 2"]);
});
