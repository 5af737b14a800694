import createFetchClient, { type Client, type Middleware } from "openapi-fetch";
import { DECIMALS } from "./decimals.ts";
import { hasExactJsonParse, parseExactly } from "./exact-json.ts";
import type { components, paths } from "./schema.ts";

export type {
  DepositEvent,
  PaymentLinkEvent,
  WebhookEndpointEvent,
  WebhookEvent,
  WithdrawalEvent,
} from "./events.ts";
export { verifyWebhook, WebhookError } from "./verify-webhook.ts";
export type { components, paths };

/** The service's interface, one method per HTTP method: `paylink.POST("/payment-links", { body: {…} })`. */
export type PaylinkClient = Client<paths>;

/** The body of a POST: `RequestBody<"/payment-links">`. */
export type RequestBody<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody?: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The query of a GET: `RequestQuery<"/payment-links">`; of a POST with "post" as the second. */
export type RequestQuery<
  Path extends keyof paths,
  Method extends "get" | "post" = "get",
> = paths[Path][Method] extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

export interface PaylinkOptions {
  /** The host's address, ending in /v1. */
  readonly baseUrl: string;
  /** `pl_live_…` or `pl_test_…`: the key chooses the environment. Keep it on your server. */
  readonly apiKey: string;
  /** Instead of the runtime's own. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client of the service. A call answers `{data, error, response}`: `data` is the envelope of a success, `error` that
 * of a refusal, with `message`. Amounts come as decimal strings, exact to the last digit; send them as strings too.
 * What fails on the way (no connection, a timeout) rejects. Throws TypeError on a key that is none, and on a runtime
 * whose JSON.parse cannot read numbers exactly (Node before 22).
 */
export function createPaylinkClient({ baseUrl, apiKey, fetch }: PaylinkOptions): PaylinkClient {
  if (!hasExactJsonParse())
    throw new TypeError("this runtime rounds JSON numbers: Node 22 or later is needed");
  const client = createFetchClient<paths>({
    baseUrl,
    headers: { [headerOf(apiKey)]: apiKey },
    ...(fetch && { fetch }),
  });
  client.use(exactDecimals);
  return client;
}

function headerOf(apiKey: string): string {
  if (apiKey.startsWith("pl_live_")) return "x-api-key";
  if (apiKey.startsWith("pl_test_")) return "x-staging-api-key";
  throw new TypeError("an api key begins with pl_live_ or pl_test_");
}

/** Puts decimals into the answer as strings, before anybody parses them into floats. */
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
