/** An error as the log has it. */
export interface SerializedError {
  readonly type: string;
  readonly message: string;
  /** Where it was thrown; without the message. */
  readonly stack?: string;
  readonly cause?: SerializedError;
  /** Of several at once, the first. */
  readonly errors?: readonly SerializedError[];
  readonly [field: string]: unknown;
}

/**
 * What an error may say beside its message. All else is left out: PostgreSQL's `detail` and `where` quote rows, Drizzle's
 * `params` are e-mails, hashes of keys and sealed secrets, a request's error may hold its headers.
 */
const KEPT = [
  "code",
  "kind",
  "status",
  "height",
  "retryAfterMs",
  "digest",
  "syscall",
  "address",
  "port",
  "hostname",
  "severity",
  "schema",
  "table",
  "column",
  "dataType",
  "constraint",
  "routine",
] as const;
const LONGEST_MESSAGE = 1_000;
/** What is longer is not even read to its end. */
const LONGEST_READ = 10_000;
const MOST_ERRORS = 5;
const DEEPEST = 5;

/** pino's serializer of `err`. */
export function serializeError(error: unknown): SerializedError {
  return show(error, 0);
}

function show(error: unknown, depth: number): SerializedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: getSafeMessage({ message: String(error) }) };
  const own = error as Error & Record<string, unknown>;
  const kept = KEPT.flatMap((field) => {
    const value = own[field];
    return typeof value === "string" || typeof value === "number" ? [[field, value] as const] : [];
  });
  const deeper = depth < DEEPEST;
  return {
    type: error.name === "Error" ? error.constructor.name : error.name,
    message: getSafeMessage(own),
    ...framesOf(error),
    ...Object.fromEntries(kept),
    ...(deeper && error.cause !== undefined && { cause: show(error.cause, depth + 1) }),
    ...(deeper &&
      error instanceof AggregateError && {
        errors: error.errors.slice(0, MOST_ERRORS).map((one) => show(one, depth + 1)),
      }),
  };
}

/** The message without the values that some libraries write into theirs. */
export function getSafeMessage(error: {
  readonly message: string;
  readonly [field: string]: unknown;
}): string {
  const { query, params, code } = error;
  const message = error.message.slice(0, LONGEST_READ);
  // Drizzle's is the statement and everything that was bound to it.
  if (typeof query === "string" && params !== undefined) return cut(`Failed query: ${query}`);
  // V8 quotes the text that is no JSON; PostgreSQL a value that it cannot read (class 22, data exception).
  if (message.endsWith("is not valid JSON")) return "a text is not valid JSON";
  const quotes = typeof code === "string" && /^22...$/.test(code);
  return cut(redactSecrets(quotes ? message.replace(/"[\s\S]*"/g, '"…"') : message));
}

function cut(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`;
}

/** The stack begins with the message, as it was before anything was left out of it. */
function framesOf({ stack }: Error): { stack?: string } {
  const frames = (stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return frames.length === 0 ? {} : { stack: frames.join("\n") };
}

/** What a text that others wrote may hold, and what is shown of it. No pattern looks back over a text again and again. */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  // What was bound to a statement, in Drizzle's words.
  [/\nparams: [\s\S]*/g, ""],
  // Of a URL its host alone: hosted nodes and webhooks carry keys in user, path and query.
  [
    /\b(?!file:|node:)([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s"'`<>/?#]*@)?([^\s"'`<>/?#@),;]*)[^\s"'`<>),;]*/gi,
    "$1$2",
  ],
  [/\b(pl_(?:live|test)_)[0-9A-Za-z]+/g, "$1[hidden]"],
  [/\b(whsec_)[0-9A-Za-z+/=]+/g, "$1[hidden]"],
  [/\b([xtyzuv]prv)[1-9A-HJ-NP-Za-km-z]{20,}/g, "$1[hidden]"],
  [/\b(bearer|basic)\s+[0-9A-Za-z+/=._~-]{6,}/gi, "$1 [hidden]"],
  [/[0-9A-Za-z.!#$%&'*+/=?^_{|}~-]{1,64}@[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)+/g, "[e-mail]"],
];

/** A text as the log and the terminal may show it: no keys, no e-mail addresses, URLs cut to their host. */
export function redactSecrets(text: string): string {
  return HIDDEN.reduce((shown, [secret, instead]) => shown.replace(secret, instead), text);
}
