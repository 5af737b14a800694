import type { NodeErrorKind } from "./node-error.ts";

/** A node's answer to one HTTP request. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** The path of the request below the node's second URL, like "wallet/getnowblock". Absent or empty: the node's URL itself. */
  readonly path?: string;
}

/** How much of an answer is searched for words and shown. */
const SEARCHED = 1_000;
const SHOWN = 200;

/**
 * How nodes and providers say that our requests are too many, in any kind of answer: java-tron ("lack of
 * computing resources"), TronGrid ("exceeds the frequency limit", "suspended for 30 s"), hosted nodes. Too many
 * results is another error.
 */
const LIMITED = new RegExp(
  [
    "rate.?limit",
    "too many requests",
    "request limit",
    "requests? per second",
    "\\brps limit",
    "compute units",
    "daily (request|credit|limit)",
    "frequency limit",
    "lack of computing resources",
    "exceeded the .{0,20}(quota|throughput|capacity)",
    "is suspended for",
  ].join("|"),
  "i",
);
/** Error codes of providers: 429, Infura and others (-32005), Ankr and Chainstack (-32012, -32097). */
const LIMITED_CODES: ReadonlySet<unknown> = new Set([429, -32_012, -32_097]);

/** Returns whether an error of a JSON-RPC answer says that our requests are too many. */
export function isLimitError({ code, message }: Readonly<Record<string, unknown>>): boolean {
  const text = String(message ?? "").slice(0, SEARCHED);
  if (LIMITED_CODES.has(code) || LIMITED.test(text)) return true;
  // The same code refuses requests for too many logs, and on Solana it reports a node that is behind.
  return code === -32_005 && !/results|logs|range|blocks|response|behind|unhealthy/i.test(text);
}

/** Returns whether an HTTP answer says, outside of JSON-RPC, that our requests are too many. */
export function isLimitAnswer({ status, text }: HttpAnswer): boolean {
  // 402: Infura, when the credits of the day are used up.
  if (status === 402 || status === 429 || status === 503) return true;
  const start = text.slice(0, SEARCHED);
  return (status >= 400 || /^\s*\{\s*"Error"/.test(start)) && LIMITED.test(start);
}

/** Milliseconds. A number without a unit counts seconds. */
const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1, us: 0.001 };
const DURATION = /(\d{1,6}(?:\.\d{1,9})?)\s?(h|ms|m|s|[uµμ]s)?/gi;
const NAMED_WAIT = new RegExp(
  `(?:suspended for|try.?again.?(?:in|after)|retry.?(?:in|after)|wait)[\\s":]{0,4}((?:${DURATION.source}){1,3})`,
  "i",
);

/**
 * The wait that a text names ("suspended for 30 s", "try again in 743.5ms", "retry in 1m30s"), in whole milliseconds. 0: none.
 */
export function parseNamedWait(text: string): number {
  const named = NAMED_WAIT.exec(text.slice(0, SEARCHED))?.[1] ?? "";
  const parts = [...named.matchAll(DURATION)].map(([, count, unit = "s"]) => {
    return Number(count) * (UNITS[unit.toLowerCase().replace(/[µμ]/, "u")] ?? 1_000);
  });
  return Math.ceil(parts.reduce((sum, ms) => sum + ms, 0));
}

/** Returns whether the answer can be the node's own, also with an error status: Core sends 404 and 500. */
export function isReadable({ status, text }: HttpAnswer): boolean {
  return status < 400 || /^\s*[[{][\s\S]{0,2000}"(error|result)"\s*:/i.test(text.slice(0, 2 * SEARCHED));
}

/** Nothing behind this answer is a node: a proxy or the node refuses us. */
const NOT_A_NODE: ReadonlySet<number> = new Set([401, 403, 404, 405]);
/** A proxy cannot reach the node, or the node ended this one long answer. */
const BAD_GATEWAY = 502;

/** Text of a refusal, and what the operator can do. The text is not yet free of secrets. */
export function describeRefusal(answer: HttpAnswer): {
  kind: NodeErrorKind;
  isPassing: boolean;
  said: string;
  advice: string;
} {
  const { status, path = "" } = answer;
  const html = /^\s*<(!doctype|html)/i.test(answer.text);
  const said = plainText(answer.text, html);
  // The node itself may work, and lacks only its second interface.
  if (path !== "" && (status === 404 || status === 405)) {
    return {
      kind: "refused",
      isPassing: false,
      said,
      advice: `/${path} is not here: set …_WALLET_URL to the node's HTTP API`,
    };
  }
  const kind = NOT_A_NODE.has(status) ? "unreachable" : "malformed";
  return { kind, isPassing: status === BAD_GATEWAY, said, advice: advise(status, said, html) };
}

/** The part of a body that is worth a line: of a page its title, or its text. */
function plainText(text: string, html: boolean): string {
  const start = text.slice(0, 4 * SEARCHED);
  const title = html ? /<title>([^<]+)</i.exec(start)?.[1] : undefined;
  return (title ?? start.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " ")).replace(/\s+/g, " ").trim();
}

function advise(status: number, said: string, html: boolean): string {
  if (/invalid host specified/i.test(said)) {
    return "The node refuses this host name: add it to its --http.vhosts, or use the node's IP address in the URL";
  }
  if (status === 401 && /missing token|token is expired|jwt/i.test(said)) {
    return "This is the port for the consensus client (--authrpc.port): use the node's --http.port";
  }
  if (status === 401) {
    return "Wrong or missing user, password or key: check them in …_RPC_URL and …_RPC_HEADERS";
  }
  if (status === 403) {
    return "Access refused: check the key, and the addresses that may call (Core: rpcallowip; hosted: its settings)";
  }
  if (status === 404) {
    return "Nothing answers here: check the URL's path, and that the port is not for websockets only";
  }
  if (status === 405) {
    return "Another service answers here: check port and path (java-tron has JSON-RPC and /wallet on two ports)";
  }
  return html && status < 500 ? "That is a web page, not a node: check the URL" : "";
}

/** One line for logs and `paylink networks`. `said` is free of secrets. */
export function refusalLine(name: string, status: number, said: string, advice: string): string {
  const quoted = said === "" ? "nothing" : `"${said.slice(0, SHOWN)}"`;
  return `${name} answered ${status} with ${quoted}${advice === "" ? ", not JSON" : `. ${advice}`}`;
}
