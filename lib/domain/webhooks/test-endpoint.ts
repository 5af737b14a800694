import { randomUUID } from "node:crypto";
import type { Dispatcher } from "undici";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { writeJson } from "#lib/platform/json-text.ts";
import { findEndpointToTest } from "./endpoint-store.ts";
import { composeWebhookHeaders, sendRequest } from "./send-request.ts";
import type { SendOutcome } from "./types.ts";

/** As the worker waits. */
const TIMEOUT_MS = 15_000;

/** Where a test request goes. */
export interface EndpointToTest {
  readonly id: number;
  readonly env: Env;
  readonly url: string;
  /** Opened. */
  readonly secret: string;
}

export type EndpointToTestResult =
  | { readonly ok: true; readonly endpoint: EndpointToTest }
  | {
      readonly ok: false;
      readonly reason: "endpoint_not_found" | "endpoint_without_url" | "secret_unreadable";
    };

/** Finds an endpoint, also a disabled one, with its opened secret. */
export async function openEndpointToTest(
  db: Db | Tx,
  secrets: { open(sealed: Buffer): string },
  id: number,
): Promise<EndpointToTestResult> {
  const found = await findEndpointToTest(db, id);
  if (found === null) return { ok: false, reason: "endpoint_not_found" };
  const { url, env, secret: sealed } = found;
  if (url === null) return { ok: false, reason: "endpoint_without_url" };
  try {
    return { ok: true, endpoint: { id, env, url, secret: secrets.open(sealed) } };
  } catch {
    return { ok: false, reason: "secret_unreadable" };
  }
}

export interface TestRequestResult {
  readonly webhookId: string;
  readonly durationMs: number;
  readonly outcome: SendOutcome;
}

/**
 * Sends one signed request of the type `webhook_test` with an agent of openGuardedAgent. The endpoint's state does not
 * change. Its webhook-id begins with "test_", so that it is never an event's.
 */
export async function sendTestRequest(
  agent: Dispatcher,
  { id, env, url, secret }: EndpointToTest,
  now: Date,
): Promise<TestRequestResult> {
  const webhookId = `test_${randomUUID()}`;
  const data = { id, environment: env };
  const body = writeJson({ type: "webhook_test", timestamp: now, data });
  const headers = composeWebhookHeaders([secret], webhookId, body, now);
  const began = performance.now();
  const options = { agent, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
  const outcome = await sendRequest({ url, headers, body }, options);
  return { webhookId, durationMs: Math.round(performance.now() - began), outcome };
}
