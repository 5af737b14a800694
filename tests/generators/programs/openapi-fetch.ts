/** openapi-typescript with openapi-fetch. */
import createClient from "openapi-fetch";
import type { paths } from "./schema.ts";

const { BASE_URL = "", API_KEY = "" } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { "x-staging-api-key": API_KEY } });
const created = await client.POST("/payment-links", {
  body: {
    amount: "38250.5",
    customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
    payment_reference: "ORDER1001",
    success_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/cart",
    metadata: { order: 1001 },
    wallets: [{ network: "bep20", token: "USDT" }],
  },
});
const refid = created.data?.data.refid ?? "";
const read = await client.GET("/payment-links/{refid}", { params: { path: { refid } } });
const link = read.data?.data;
console.log(JSON.stringify([refid, link?.refid, link?.state, link?.amount_required, link?.reason]));
