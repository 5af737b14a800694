import { Hono } from "hono";
import { html } from "hono/html";
import { verifyWebhook } from "#packages/client/src/client.ts";
import { layout } from "./layout.ts";
import type { OrderBook } from "./orders.ts";

interface Received {
  readonly at: string;
  readonly id: string;
  readonly verified: boolean;
  readonly body: string;
}

/** Keeps the demo merchant's newest webhooks and handles its orders. The client verifies each with the secret. */
export function webhookInbox(secret: string, orders: OrderBook): Hono {
  const app = new Hono();
  const received: Received[] = [];
  app.post("/webhooks/receive", async (c) => {
    const body = await c.req.text();
    const headers = c.req.header();
    let verified = true;
    try {
      const { data } = verifyWebhook(secret, body, headers);
      if ("seq" in data) orders.handle(data);
    } catch {
      verified = false;
    }
    received.unshift({ at: new Date().toISOString(), id: headers["webhook-id"] ?? "", verified, body });
    received.length = Math.min(received.length, 50);
    return verified ? c.text("ok") : c.text("signature does not verify", 401);
  });
  app.get("/webhooks.json", (c) => c.json(received));
  app.get("/webhooks", (c) =>
    c.html(
      layout(
        "Webhooks",
        html`<section><h1>Webhooks received</h1><p class="soft">${received.length === 0 ? "None yet. Pay something in the shop, then reload." : `The newest ${received.length}, each verified with the endpoint's secret. Reload for more.`}</p></section>
${orders
  .list()
  .map(
    ({ reference, status, seq }) =>
      html`<section><div class="row"><h2>Order ${reference}</h2><strong>${status}</strong></div><p class="soft">handled up to event ${seq}</p></section>`,
  )}
${received.map(
  (
    one,
  ) => html`<section><div class="row"><h2>${eventType(one.body)}</h2><strong>${one.verified ? "✓ signature verified" : "✗ NOT VERIFIED"}</strong></div>
<p class="soft">${one.id} · ${one.at}</p><pre>${pretty(one.body)}</pre></section>`,
)}`,
      ),
    ),
  );
  return app;
}

function eventType(body: string): string {
  return /^\{"type":"([a-z_]+)"/.exec(body)?.[1] ?? "unreadable";
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
