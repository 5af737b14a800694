/** @hey-api/openapi-ts. */
import { client } from "./generated/client.gen";
import { createPaymentLink, getPaymentLink } from "./generated/sdk.gen";

const { BASE_URL = "", API_KEY = "" } = process.env;
client.setConfig({
  baseUrl: BASE_URL,
  auth: ({ name }) => (name === "x-staging-api-key" ? API_KEY : undefined),
});
const created = await createPaymentLink({
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
const read = await getPaymentLink({ path: { refid } });
const link = read.data?.data;
console.log(JSON.stringify([refid, link?.refid, link?.state, link?.amount_required, link?.reason]));
