// A shop with Express 5 and the typed client (docs/integrate/client.md). Start it with: node express.mjs
import { randomBytes } from "node:crypto";
import { createPaylinkClient, verifyWebhook, WebhookError } from "@paylink/client";
import express from "express";

const { PAYLINK_URL, PAYLINK_KEY, PAYLINK_WEBHOOK_SECRET, SHOP_URL, PORT } = process.env;
const paylink = createPaylinkClient({ baseUrl: `${PAYLINK_URL}/v1`, apiKey: PAYLINK_KEY });
const orders = new Map(); // by id; in production a table of your database
const app = express();

app.post("/buy", async (_request, response) => {
  const id = randomBytes(8).toString("hex");
  const order = { id, amount: "12.50", refid: null, state: "new", seq: 0, isPaid: false };
  orders.set(id, order);
  const { data, error } = await paylink.POST("/payment-links", {
    params: { header: { "idempotency-key": id } },
    body: {
      amount: order.amount, // from your books, never from the browser
      amount_currency: "usd",
      payment_reference: id,
      customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
      success_url: `${SHOP_URL}/orders/${id}`,
      cancel_url: `${SHOP_URL}/orders/${id}`,
    },
  });
  if (error) return response.status(502).send("The payment page is not available. Try again.");
  order.refid = data.data.refid;
  response.redirect(303, data.data.payment_link);
});

// The raw bytes are what was signed: no JSON parser may come before this route.
app.post("/webhooks", express.raw({ type: "*/*", limit: "1mb" }), (request, response) => {
  let event;
  try {
    event = verifyWebhook(PAYLINK_WEBHOOK_SECRET, request.body, request.headers);
  } catch (problem) {
    if (!(problem instanceof WebhookError)) throw problem;
    return response.sendStatus(401);
  }
  handle(event.data);
  response.sendStatus(204);
});

// An event of a link has a seq, and a repeated or older one no higher one. The state says whether the whole amount is paid and final.
function handle({ payment_reference, refid, seq, state }) {
  const order = orders.get(payment_reference);
  if (order === undefined || order.refid !== refid || !(seq > order.seq)) return;
  Object.assign(order, { seq, state });
  const isPaid = state === "completed" || state === "overpaid";
  if (order.isPaid && !isPaid) console.log(`order ${order.id} is not paid any more`); // a reorganization: stop it until it is again
  if (order.isPaid || !isPaid) return;
  order.isPaid = true;
  console.log(`order ${order.id} is paid`); // ship it
}

app.get("/orders/:id", (request, response) => {
  const order = orders.get(request.params.id);
  if (order === undefined) return response.sendStatus(404);
  response.type("text").send(order.state);
});

app.listen(PORT, "127.0.0.1");
