import { verifyWebhook, WebhookError } from "@paylink/client";

export async function POST(request) {
  try {
    verifyWebhook(process.env.WEBHOOK_SECRET, await request.text(), request.headers);
  } catch (problem) {
    if (!(problem instanceof WebhookError)) throw problem;
    return new Response(null, { status: 401 });
  }
  return new Response(null, { status: 204 });
}
