import { createPaylinkClient } from "@paylink/client";
import { PaylinkButton, PaylinkCheckout } from "@paylink/widget/react";

const headers = { "content-type": "application/json" };
const answer = '{"data":{"payment_link":"https://pay.example/pay/x","amount_required":0.10}}';

// A page of the server. The components of the widget run in the browser.
export default async function Page() {
  const paylink = createPaylinkClient({
    baseUrl: "https://pay.example/v1",
    apiKey: "pl_test_x",
    fetch: async () => new Response(answer, { headers }),
  });
  const { data } = await paylink.GET("/payment-links/{refid}", { params: { path: { refid: "x" } } });
  const { payment_link: link, amount_required: amount } = data.data;
  return (
    <main>
      <p>{amount}</p>
      <PaylinkButton link={link}>Pay</PaylinkButton>
      <PaylinkCheckout link={link} className="checkout" />
    </main>
  );
}
