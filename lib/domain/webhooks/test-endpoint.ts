import { randomUUID } from "node:crypto";
import type { Dispatcher } from "undici";
import type { Db } from "#lib/platform/db/connection.ts";
import { writeJson } from "#lib/platform/json-text.ts";
import { findEndpointToTest } from "./endpoint-store.ts";
import { composeWebhookHeaders, sendRequest } from "./send-request.ts";
import type { SendOutcome } from "./types.ts";

/** As the worker waits. */
const TIMEOUT_MS = 15_000;

export interface TestEndpointDeps {
  readonly db: Db;
  readonly secrets: { open(sealed: Buffer): string };
  /** Opened by openGuardedAgent. */
  readonly agent: Dispatcher;
}

export type TestEndpointResult =
  | {
      readonly ok: true;
      readonly url: string;
      readonly webhookId: string;
      readonly durationMs: number;
      readonly outcome: SendOutcome;
    }
  | {
      readonly ok: false;
      readonly reason: "endpoint_not_found" | "endpoint_without_url" | "secret_unreadable";
    };

/**
 * Sends one signed request of the type `webhook_test` to an endpoint, also to a disabled one. Nothing is stored, and the
 * endpoint's state does not change. Its webhook-id begins with "test_", so that it is never an event's.
 */
export async function testEndpoint(
  { db, secrets, agent }: TestEndpointDeps,
  id: number,
  now: Date,
): Promise<TestEndpointResult> {
  const endpoint = await findEndpointToTest(db, id);
  if (endpoint === null) return { ok: false, reason: "endpoint_not_found" };
  const { url, env, secret } = endpoint;
  if (url === null) return { ok: false, reason: "endpoint_without_url" };
  let opened: string;
  try {
    opened = secrets.open(secret);
  } catch {
    return { ok: false, reason: "secret_unreadable" };
  }
  const webhookId = `test_${randomUUID()}`;
  const data = { id, environment: env };
  const body = writeJson({ type: "webhook_test", timestamp: now, data });
  const headers = composeWebhookHeaders([opened], webhookId, body, now);
  const began = performance.now();
  const options = { agent, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
  const outcome = await sendRequest({ url, headers, body }, options);
  return { ok: true, url, webhookId, durationMs: Math.round(performance.now() - began), outcome };
}
