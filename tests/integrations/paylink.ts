import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";
import { type Relay, startRelay } from "./relay.ts";

/** Paylink with one merchant, whose webhooks go to a shop through a relay. */
export interface PaylinkWorld extends Stack {
  readonly relay: Relay;
  readonly webhookSecret: string;
  /** Pays a link on the development chain until the payment is final and recorded. */
  payLink(refid: string, scenario?: string): Promise<void>;
  call(method: string, path: string, body?: Record<string, string>): Promise<Record<string, unknown>>;
}

/** `shopUrl` is where the shop receives webhooks. */
export async function startPaylink(
  shopUrl: () => string,
  env: Record<string, string> = {},
): Promise<PaylinkWorld> {
  const stack = await startStack({ SANDBOX: "on", ...env });
  const relay = await startRelay(shopUrl);
  const call: PaylinkWorld["call"] = async (method, path, body) => {
    const response = await fetch(`${stack.baseUrl}${path}`, {
      method,
      headers: { "x-staging-api-key": stack.testKey, "idempotency-key": crypto.randomUUID() },
      ...(body && { body: new URLSearchParams(body) }),
    });
    const answer = (await response.json()) as { message: string; data: Record<string, unknown> };
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.message}`);
    return answer.data;
  };
  const endpoint = await call("POST", "/webhook-endpoints", { url: relay.url });
  return {
    ...stack,
    relay,
    webhookSecret: String(endpoint.webhook_secret),
    call,
    payLink: async (refid, scenario = "exact") => {
      await call("POST", "/sandbox/payments", { refid, scenario, network: "bep20", token: "usdt" });
      const isSeen = async () => ((await stack.getLink(refid)).payments as unknown[]).length > 0;
      await until(`a payment of ${refid}`, isSeen);
    },
    close: async () => {
      await relay.close();
      await stack.close();
    },
  };
}
