// A shop in one route handler of Next 16, app/shop/[...path]/route.js, with the typed client (docs/integrate/client.md).
import { randomBytes } from "node:crypto";
import { createPaylinkClient, verifyWebhook, WebhookError } from "@paylink/client";

const { PAYLINK_URL, PAYLINK_KEY, PAYLINK_WEBHOOK_SECRET, SHOP_URL } = process.env;
const orders = new Map(); // by id; in production a table of your database

export async function POST(request, { params }) {
  const [path] = (await params).path;
  if (path === "buy") return buy();
  if (path === "webhooks") {
    const length = request.headers.get("content-length"); // Paylink always names it
    if (length === null || Number(length) > 1_000_000) return new Response(null, { status: 413 });
    return receive(await request.text(), request.headers);
  }
  return new Response(null, { status: 404 });
}

export async function GET(_request, { params }) {
  const [path, id] = (await params).path;
  const order = path === "orders" ? orders.get(id) : undefined;
  return new Response(order?.state, { status: order === undefined ? 404 : 200 });
}

async function buy() {
  const id = randomBytes(8).toString("hex");
  const order = { id, amount: "12.50", refid: null, state: "new", seq: 0, isPaid: false };
  orders.set(id, order);
  const paylink = createPaylinkClient({ baseUrl: `${PAYLINK_URL}/v1`, apiKey: PAYLINK_KEY });
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
  if (error) return new Response("The payment page is not available. Try again.", { status: 502 });
  order.refid = data.data.refid;
  return Response.redirect(data.data.payment_link, 303);
}

// `body` is the text as it came: its bytes are what was signed.
function receive(body, headers) {
  try {
    handle(verifyWebhook(PAYLINK_WEBHOOK_SECRET, body, headers).data);
  } catch (problem) {
    if (!(problem instanceof WebhookError)) throw problem;
    return new Response(null, { status: 401 });
  }
  return new Response(null, { status: 204 });
}

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
