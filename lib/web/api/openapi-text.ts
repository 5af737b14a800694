/** What the OpenAPI document says before its first operation. CommonMark. */
export const INTRODUCTION = `Payment links, deposits, withdrawals, balances and webhooks of one merchant.

**Envelope.** Every answer is \`{status, message, data}\`. On success HTTP is 200 and \`status\` is \`success\`; on failure
there is no \`data\`, \`status\` is \`fail\` and \`message\` is one of the texts listed under each HTTP status, word for word;
\`{name}\` stands for the field spoken of.

**Keys.** \`x-api-key\` for live, \`x-staging-api-key\` for test; send one of them. Everything belongs to one merchant and
one environment: what is another's is unknown.

**Bodies.** Form fields or JSON, the same fields in both, UTF-8, at most 64 KiB. A JSON value inside a form field is its
text. An empty text counts as absent. A field may come once.

**Amounts** are decimal numbers of whole tokens (or of the currency), exact to the last digit: \`format: decimal\`. Most
JSON parsers round them to 64 bits, so read them from the text, or use the typed client, which gives them as strings.
An amount that you send may be a JSON number or a string.

**Times** are ISO 8601 in UTC.

**Lists** are newest first, at most 500 at a time. \`meta\` beside \`data\` says whether there is more (\`has_more\`) and
where it begins (\`next_cursor\`, to be sent as \`cursor\`); with \`count=1\` it has the \`total\`.

**Idempotency.** A POST that makes something takes an \`Idempotency-Key\`: a repeat with the same key and the same body
gets the same answer for 24 hours and makes nothing new. The same key with another body is refused.

**Rates.** Each key may make so many requests a second; the headers \`RateLimit-Policy\` and \`RateLimit\` of every answer
to an accepted key, \`internal error\` alone excepted, say how many are left, and \`Retry-After\` beside a 429 says for how many
seconds to wait.`;

export interface PathParameterText {
  readonly description: string;
  readonly example: string;
}

/** Values that stand in paths, by name; the examples serve fields of that name too. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameterText>> = {
  tx_hash: {
    description: "Hash of the transaction. Upper and lower case, with `0x` and without, are the same.",
    example: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
  },
  refid: { description: "The `refid` that the payment link has.", example: "FkoNcGetqqBJUU5Xo4A6gN" },
  network: { description: "Network code.", example: "bep20" },
};

const requestId = {
  description: "Names this request in the host's log.",
  schema: { type: "string" },
} as const;

const rateLimitPolicy = {
  description:
    "How many requests (`q`) a key may make in how many seconds (`w`): a draft of the IETF's HTTPAPI group.",
  schema: { type: "string" },
  example: '"key";q=200;w=2',
} as const;

const rateLimit = {
  description: "How many are left (`r`), and in how many seconds (`t`) there is one more.",
  schema: { type: "string" },
  example: '"key";r=199;t=1',
} as const;

const retryAfter = {
  description: "Seconds to wait before the next request.",
  schema: { type: "integer" },
  example: 1,
} as const;

/** Headers of answers, by the name of their component. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": requestId,
  "RateLimit-Policy": rateLimitPolicy,
  RateLimit: rateLimit,
  "Retry-After": retryAfter,
} as const;
