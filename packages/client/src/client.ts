import createFetchClient, { type Client, type Middleware } from "openapi-fetch";
import { DECIMALS } from "./decimals.ts";
import { parseExactly } from "./exact-json.ts";
import type { components, paths } from "./schema.ts";

export type {
  DepositEvent,
  EventOf,
  EventType,
  PaymentLinkEvent,
  WebhookEndpointEvent,
  WebhookEvent,
  WithdrawalEvent,
} from "./events.ts";
export { verifyWebhook, WebhookError } from "./verify-webhook.ts";
export type { components, paths };

/** The service interface, one method per HTTP method: `paylink.POST("/payment-links", { body: {…} })`. */
export type PaylinkClient = Client<paths>;

/** The body of a POST: `RequestBody<"/payment-links">`. */
export type RequestBody<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody?: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The query of a GET: `RequestQuery<"/payment-links">`. For a POST, pass "post" as the second argument. */
export type RequestQuery<
  Path extends keyof paths,
  Method extends "get" | "post" = "get",
> = paths[Path][Method] extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

export interface PaylinkOptions {
  /** The base URL of the service, ending in /v1. */
  readonly baseUrl: string;
  /** `pl_live_…` or `pl_test_…`: the key selects the environment. Keep it on your server. */
  readonly apiKey: string;
  /** Used instead of the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a client of the service. A call returns `{data, error, response}`: `data` is the envelope of a
 * success, `error` the envelope of a failure, with `message`. Amounts are exact decimal strings. Send them
 * as strings too. A network error or timeout rejects. Throws TypeError if the key is malformed.
 */
export function createPaylinkClient({ baseUrl, apiKey, fetch }: PaylinkOptions): PaylinkClient {
  const client = createFetchClient<paths>({
    baseUrl,
    headers: { [getKeyHeader(apiKey)]: apiKey },
    ...(fetch && { fetch }),
  });
  client.use(exactDecimals);
  return client;
}

function getKeyHeader(apiKey: string): string {
  if (apiKey.startsWith("pl_live_")) return "x-api-key";
  if (apiKey.startsWith("pl_test_")) return "x-staging-api-key";
  throw new TypeError("The API key is malformed: it must begin with pl_live_ or pl_test_.");
}

/** Turns decimals of the response into strings before they are parsed as floats. */
const exactDecimals: Middleware = {
  async onResponse({ request, response, schemaPath }) {
    const places = DECIMALS[`${request.method} ${schemaPath}`];
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    if (places === undefined || !response.ok || !isJson) return undefined;
    const exact = parseExactly(await response.text(), places);
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    headers.delete("content-encoding");
    const { status, statusText } = response;
    return new Response(JSON.stringify(exact), { status, statusText, headers });
  },
};
