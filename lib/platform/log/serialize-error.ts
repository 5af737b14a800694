/** An error in the log. */
export interface SerializedError {
  readonly type: string;
  readonly message: string;
  /** The stack without the message. */
  readonly stack?: string;
  readonly cause?: SerializedError;
  /** The first errors of an AggregateError. */
  readonly errors?: readonly SerializedError[];
  readonly [field: string]: unknown;
}

/**
 * Fields of an error that are logged with its message. All others are left out: PostgreSQL's `detail` and
 * `where` quote rows, Drizzle's `params` contain e-mails, hashes of keys and encrypted secrets, and the
 * error of a request may contain its headers.
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
/** The rest of a longer message is not read. */
const LONGEST_READ = 10_000;
const MOST_ERRORS = 5;
const DEEPEST = 5;

/** The serializer of `err` for pino. */
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

/** The message without the values that some libraries include. */
export function getSafeMessage(error: {
  readonly message: string;
  readonly [field: string]: unknown;
}): string {
  const { query, params, code } = error;
  const message = error.message.slice(0, LONGEST_READ);
  // Drizzle's message contains the statement and all its parameters.
  if (typeof query === "string" && params !== undefined) return cut(`Failed query: ${query}`);
  // V8 quotes the invalid JSON text; PostgreSQL a value that it cannot parse (class 22, data exception).
  if (message.endsWith("is not valid JSON")) return "a text is not valid JSON";
  const quotes = typeof code === "string" && /^22...$/.test(code);
  return cut(redactSecrets(quotes ? message.replace(/"[\s\S]*"/g, '"…"') : message));
}

function cut(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`;
}

/** The stack starts with the unredacted message, so only its frames are used. */
function framesOf({ stack }: Error): { stack?: string } {
  const frames = (stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return frames.length === 0 ? {} : { stack: frames.join("\n") };
}

/** Secrets in the text of libraries, with their replacements. No pattern backtracks. */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  // The address of a refund claim or an invitation is the permission to use it, also in a path that is not its own.
  [/((?:\/|%2f)(?:refund|join)(?:\/|%2f))[\w-]{32,43}/gi, "$1[hidden]"],
  [/(\/|%2f)[0-9a-f]{32}(?![\w-])/gi, "$1[hidden]"],
  // Parameters of a statement in Drizzle's message.
  [/\nparams: [\s\S]*/g, ""],
  // Only the host of a URL: hosted nodes and webhooks have keys in user, path and query.
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

/**
 * The text without keys and e-mail addresses, and with URLs cut to their host. For the log and the terminal.
 */
export function redactSecrets(text: string): string {
  return HIDDEN.reduce((shown, [secret, instead]) => shown.replace(secret, instead), text);
}
