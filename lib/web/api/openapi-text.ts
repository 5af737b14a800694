import { type AmountForm, ANSWER_TYPES } from "./amount-form.ts";

const AMOUNTS: Readonly<Record<AmountForm, string>> = {
  number: `are decimal numbers of whole tokens (or of the currency), exact to the last digit: \`x-decimal\`. Most
JSON parsers round them to 64-bit floats. A request with the header \`accept: ${ANSWER_TYPES.string}\` gets them as strings, and
\`openapi.json?amounts=string\` describes these answers. The typed client returns strings too.`,
  string: `are decimal numbers of whole tokens (or of the currency) as strings, exact to the last digit: \`x-decimal\`. Answers
have strings if the request has the header \`accept: ${ANSWER_TYPES.string}\`. Clients that are generated from this document
send it. Without it the same amounts are JSON numbers.`,
};

/** The description at the start of the OpenAPI document, in CommonMark. */
export const introduction = (
  amounts: AmountForm,
): string => `Payment links, deposits, withdrawals, balances and webhooks of one merchant.

**Envelope.** Every response is \`{status, message, data}\`. On success, HTTP is 200 and \`status\` is \`success\`. On failure
there is no \`data\`, \`status\` is \`fail\`, and \`message\` is one of the texts listed under the HTTP status, word for word.
\`{name}\` is replaced by the name of the field.

**Keys.** \`x-api-key\` for live, \`x-staging-api-key\` for test. Send one of them. Every record belongs to one merchant and
one environment. Records of others are not found.

**Bodies.** JSON, or a form (\`application/x-www-form-urlencoded\`) with the same fields, UTF-8, at most 64 KiB. The schemas describe the
JSON. In a form field, a JSON value is sent as its text. An empty text counts as absent, in the query too. A field must not be repeated.

**Amounts** ${AMOUNTS[amounts]}
In a request, an amount may be a JSON number or a string. The schemas say string, so that no client sends a float.

**Times** are ISO 8601 in UTC.

**Lists** are newest first, at most 500 rows per page. \`meta\` next to \`data\` says if more rows follow (\`has_more\`) and
has the \`cursor\` of the next page (\`next_cursor\`). With \`count=1\` it has the \`total\`.

**Idempotency.** Calls that create something accept the header \`Idempotency-Key\` where their parameters name it. A repeated request
with the same key and body gets the same response for 24 hours and creates nothing new. The same key with another body is refused.

**Rate limits.** Each key has a limit of requests per second. The headers \`RateLimit-Policy\` and \`RateLimit\` report how many
requests are left. Every response to an accepted key has them, except \`internal error\`. \`Retry-After\` of a 429 is the
number of seconds to wait.`;

/** Texts of the tags, which group the operations. */
export const TAG_TEXTS: Readonly<Record<string, string>> = {
  "Payment links": "Create links for your customers to pay, and see how they are paid.",
  Forms: "Pages that sell without a server of yours: each submission creates a payment link.",
  Transactions: "Deposits, withdrawals, and transactions on the chain.",
  Deposits: "Deposits that were not credited.",
  Withdrawals: "Money out of your balance, to you or back to a customer.",
  Balances: "Balances, their movements and totals.",
  "Wallets and networks": "Addresses that receive deposits, and the networks that they are on.",
  Tokens: "Tokens with their prices and limits.",
  Trading: "Buy a token.",
  "Customers and IPs": "Your customers, and the addresses that your live keys may be used from.",
  Merchant: "What customers see of you, how you are paid, and who works for you.",
  Keys: "The API keys of the environment.",
  "Webhook endpoints": "Where events are sent.",
  Webhooks: "The log of webhook deliveries, and sending events again.",
  Sandbox: "Test payments on development chains.",
  Events: "The requests that your webhook endpoints receive.",
};

export interface PathParameterText {
  readonly description: string;
  readonly example: string;
}

/** Texts of path parameters, by name. Body fields with the same name use the examples too. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameterText>> = {
  tx_hash: {
    description: "Hash of the transaction. Upper and lower case, with `0x` and without, are the same.",
    example: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
  },
  refid: { description: "The `refid` of the payment link.", example: "FkoNcGetqqBJUU5Xo4A6gN" },
  form: { description: "The `form` of the form.", example: "9hLDyJm4vYQ7nWq2RkTzBc" },
  network: { description: "Network code.", example: "bep20" },
  id: { description: "The `id` of the record.", example: "12" },
};

const requestId = {
  description: "Identifies this request in the log of the service.",
  schema: { type: "string" },
} as const;

const rateLimitPolicy = {
  description:
    "Number of requests (`q`) that a key may send within a number of seconds (`w`), as in draft-ietf-httpapi-ratelimit-headers.",
  schema: { type: "string" },
  example: '"key";q=200;w=2',
} as const;

const rateLimit = {
  description: "Number of requests left (`r`), and seconds until one more is available (`t`).",
  schema: { type: "string" },
  example: '"key";r=199;t=1',
} as const;

const retryAfter = {
  description: "Seconds to wait before the next request.",
  schema: { type: "integer" },
  example: 1,
} as const;

const hint = {
  description:
    "What the message does not say, in English, for the person who reads it. With a 401: what is probably wrong with the key. " +
    "With any status: fields of the request that the operation does not have.",
  schema: { type: "string" },
  example: "This is a key of the test environment. Send it in x-staging-api-key.",
} as const;

/** Response headers, by the name of their component. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": requestId,
  "RateLimit-Policy": rateLimitPolicy,
  RateLimit: rateLimit,
  "Retry-After": retryAfter,
  "X-Paylink-Hint": hint,
} as const;
