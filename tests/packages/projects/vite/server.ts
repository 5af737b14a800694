import { createPaylinkClient, type RequestBody, verifyWebhook, type WebhookEvent } from "@paylink/client";

const paylink = createPaylinkClient({ baseUrl: "https://pay.example/v1", apiKey: "pl_test_x" });

export async function createLink(body: RequestBody<"/payment-links">): Promise<string> {
  const { data, error } = await paylink.POST("/payment-links", { body });
  if (error) throw new Error(error.message);
  const amount: string = data.data.amount_required;
  // @ts-expect-error: an amount is no number
  const rounded: number = data.data.amount_required;
  return `${amount} ${rounded}`;
}

export function receive(body: string, headers: Headers): string {
  const event: WebhookEvent = verifyWebhook("whsec_AAAA", body, headers);
  return event.type === "payment_link_completed" ? event.data.refid : event.id;
}
