import { Hono } from "hono";
import { html } from "hono/html";
import { createPaylinkClient } from "#packages/client/src/client.ts";
import { layout } from "./layout.ts";

export interface ShopSettings {
  /** Ends with /v1. */
  readonly baseUrl: string;
  readonly testKey: string;
  readonly shopUrl: string;
}

const GOODS = [
  {
    id: "beans",
    name: "Coffee beans, 1 kg",
    note: "washed, medium roast",
    naira: "16000",
    shown: "16,000.00",
  },
  { id: "cup", name: "Clay cup", note: "made by hand in Kaduna", naira: "4500.50", shown: "4,500.50" },
  {
    id: "tasting",
    name: "Tasting for two",
    note: "an hour at the roastery",
    naira: "32000",
    shown: "32,000.00",
  },
] as const;

/** Creates a payment link with the shop's test key, as a merchant's server does. Throws the API's message. */
export async function createLink(settings: ShopSettings, naira: string, reference: string): Promise<string> {
  const paylink = createPaylinkClient({ baseUrl: settings.baseUrl, apiKey: settings.testKey });
  const { data, error } = await paylink.POST("/payment-links", {
    params: { header: { "idempotency-key": crypto.randomUUID() } },
    body: {
      amount: naira,
      amount_currency: "ngn",
      payment_reference: reference,
      customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
      success_url: `${settings.shopUrl}/thanks`,
      cancel_url: `${settings.shopUrl}/`,
      metadata: { order: reference },
    },
  });
  if (error !== undefined) throw new Error(`the API refused the shop's link: ${error.message}`);
  return data.data.payment_link;
}

/** "Pay here": the shop's server creates the link and the widget shows its page over the shop's. */
const PAY_HERE = html`<script>
addEventListener("click", async ({ target }) => {
  const { item } = target.dataset ?? {};
  if (item === undefined) return;
  const answer = await fetch("/buy/" + item, { method: "POST", headers: { accept: "application/json" } });
  const { payment_link: link } = await answer.json();
  if (window.Paylink) Paylink.open(link);
  else location.assign(link);
});
</script>`;

/** The shop's pages: goods, a checkout that creates a link, and the page after the payment. */
export function shop(settings: ShopSettings): Hono {
  const app = new Hono();
  app.get("/", (c) =>
    c.html(
      layout(
        "Shop",
        html`<section><h1>Good coffee, paid your way</h1>
<p class="soft">Every price is in naira; you pay in crypto on development chains. No real money anywhere.</p>
<p class="soft">“Pay with crypto” goes to the payment page. “Pay here” shows it over the shop.</p></section>
${GOODS.map(
  (item) => html`<section><div class="row"><div><h2>${item.name}</h2><p class="soft">${item.note}</p></div>
<form method="post" action="/buy/${item.id}"><div class="row"><strong>₦${item.shown}</strong><div class="row"><button>Pay with crypto</button>
<button type="button" data-item="${item.id}">Pay here</button></div></div></form></div></section>`,
)}<script async src="${new URL("/checkout.js", settings.baseUrl).href}"></script>${PAY_HERE}`,
      ),
    ),
  );
  app.post("/buy/:id", async (c) => {
    const item = GOODS.find((one) => one.id === c.req.param("id"));
    if (item === undefined) return c.notFound();
    const reference = `${item.id.toUpperCase()}${Date.now()}`.slice(0, 20);
    const link = await createLink(settings, item.naira, reference);
    return c.req.header("accept") === "application/json"
      ? c.json({ payment_link: link })
      : c.redirect(link, 303);
  });
  app.get("/thanks", (c) =>
    c.html(
      layout(
        "Thank you",
        html`<section><h1>Thank you!</h1><p>Your order is on its way. The shop's server trusts the signed webhook, not this page:
see <a href="/webhooks">what it received</a>.</p><p><a class="button" href="/">Back to the shop</a></p></section>`,
      ),
    ),
  );
  return app;
}
