import { randomUUID } from "node:crypto";
import type { Dispatcher } from "undici";
import type { Env } from "#lib/chains/network-data.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { findEndpointToTest } from "./endpoint-store.ts";
import { getFormat } from "./formats.ts";
import { sendRequest } from "./send-request.ts";
import type { SendOutcome, WebhookFormat } from "./types.ts";

/** As the worker waits. */
const TIMEOUT_MS = 15_000;

/** Where a test request goes. */
export interface EndpointToTest {
  readonly id: number;
  readonly env: Env;
  readonly format: WebhookFormat;
  readonly url: string;
  /** Opened. */
  readonly secret: string;
}

/**
 * Opens an endpoint, also a disabled one, for a test request. It is recorded before the request is sent: no transaction waits for the
 * receiver.
 */
export const openEndpointToTest = defineVerb(
  "webhook.test",
  async (
    { tx, merchantId, env },
    { id, secrets }: { readonly id: number; readonly secrets: { open(sealed: Buffer): string } },
  ) => {
    const found = await findEndpointToTest(tx, { merchantId, env, id });
    if (found === null) return refuse("endpoint_not_found");
    const { url, format, secret: sealed } = found;
    if (url === null) return refuse("endpoint_without_url");
    const secret = tryTo(() => secrets.open(sealed));
    if (secret === null) return refuse("secret_unreadable");
    const endpoint: EndpointToTest = { id, env, format, url, secret };
    return done({ endpoint }, { subject: `webhook_endpoint:${id}`, details: { url } });
  },
);

function tryTo(open: () => string): string | null {
  try {
    return open();
  } catch {
    return null;
  }
}

export interface TestRequestResult {
  readonly webhookId: string;
  readonly durationMs: number;
  readonly outcome: SendOutcome;
}

/**
 * Sends one signed request with an agent of openGuardedAgent: of the type `webhook_test`, or as the endpoint's format tests. The endpoint's
 * state does not change. Its webhook-id begins with "test_", so that it is never an event's.
 */
export async function sendTestRequest(
  agent: Dispatcher,
  { id, env, format, url, secret }: EndpointToTest,
  now: Date,
): Promise<TestRequestResult> {
  const unique = randomUUID();
  const webhookId = `test_${unique}`;
  const { composeTest, sign } = getFormat(format);
  const body = composeTest(unique, { id, env }, now);
  const headers = sign([secret], webhookId, body, now);
  const began = performance.now();
  const options = { agent, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
  const outcome = await sendRequest({ url, headers, body }, options);
  return { webhookId, durationMs: Math.round(performance.now() - began), outcome };
}
