// Uses everything that the packages export, however the caller has loaded them.
import { createHmac } from "node:crypto";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const SECRET = "whsec_cGF5bGluay10ZXN0LXNlY3JldA==";
const BODY = '{"type":"payment_link_completed","data":{"refid":"x","amount_required":"0.10"}}';

function sign() {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const digest = createHmac("sha256", key).update(`evt_1.${timestamp}.${BODY}`).digest("base64");
  return { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${digest}` };
}

export async function check(client, widget, react) {
  const headers = { "content-type": "application/json" };
  const paylink = client.createPaylinkClient({
    baseUrl: "https://pay.example/v1",
    apiKey: "pl_test_x",
    fetch: async ({ url }) =>
      new Response(`{"data":{"payment_link":"${url}","amount_required":0.10}}`, { headers }),
  });
  const { data } = await paylink.GET("/payment-links/{refid}", { params: { path: { refid: "x" } } });
  const { id, type } = client.verifyWebhook(SECRET, BODY, sign());
  let refused;
  try {
    client.verifyWebhook(SECRET, `${BODY} `, sign());
  } catch (error) {
    refused = error instanceof client.WebhookError;
  }
  const button = renderToStaticMarkup(createElement(react.PaylinkButton, { link: "x" }, "Pay"));
  const methods = Object.keys(widget.createPaylink("https://pay.example"));
  console.log(JSON.stringify({ data, event: { id, type }, refused, button, methods }));
}
