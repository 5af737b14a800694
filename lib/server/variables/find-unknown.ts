import type { Logger } from "pino";
import { isNetworkCode, NETWORK_CODES } from "#lib/chains/networks.ts";
import { READ_NAMES, VARIABLE_NAMES } from "./names.ts";
import { NETWORK_VARIABLE_NAMES } from "./network-variables.ts";
import type { GivenTexts } from "./variable.ts";

/** A short name is like many others: it must be closer. */
const SHORT = 6;

/** Variables that the system, Node and its libraries read, and that may be in an env file. */
const FOREIGN =
  /^(TZ|LANG|LANGUAGE|LC_\w+|PATH|HOME|USER|TMPDIR|TERM|NO_COLOR|FORCE_COLOR|DEBUG|PG[A-Z]+|(NODE|NPM|UV|SSL|OPENSSL|NEXT|COMPOSE|DOCKER)_\w+|(HTTPS?|NO|ALL)_PROXY)$/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** Logs the variables that have no effect, if there are any. `ours` are the names in our env file. */
export function logUnknown(log: Logger, env: Environment, ours: readonly string[]): void {
  const variables = findUnknown(env, ours);
  if (variables.length > 0) log.warn({ variables }, "variables have no effect and may be misspelled");
}

/**
 * Variables that have no effect: those with almost the name of a variable that is read, with that name, and those that only our
 * env file (its names are `ours`) has. Without a message, nobody would notice that a setting is not used.
 */
export function findUnknown(env: Environment, ours: readonly string[]): readonly string[] {
  const known = new Set(VARIABLE_NAMES);
  const isOurs = new Set(ours);
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || !/^[A-Za-z][A-Za-z0-9_]{2,60}$/.test(name)) return [];
    const nearest = READ_NAMES.find(
      (one) => distance(name.toUpperCase(), one) <= (one.length < SHORT ? 1 : 2),
    );
    if (nearest !== undefined) return [`${name} (${nearest}?)`];
    // A value on a line of its own is read as a name: a secret must not be printed.
    return isOurs.has(name) && /^[A-Z][A-Z0-9_]*$/.test(name) && !FOREIGN.test(name) ? [name] : [];
  });
}

/**
 * Variables of networks that do not exist, each with its problem. They stop the start: a typing error would otherwise switch a
 * network off.
 */
export function findRefusedVariables(given: GivenTexts): string[] {
  const known = new Set(NETWORK_VARIABLE_NAMES);
  return Object.keys(given).flatMap((name) => {
    const match = /^(?:LIVE|TEST)_([A-Z0-9]+)_(\w+)$/.exec(name);
    if (match === null || known.has(name)) return [];
    const code = match[1]?.toLowerCase() ?? "";
    if (isNetworkCode(code) && match[2] === "CONFIRMATIONS")
      return [
        `${name} cannot be set: on ${code} payments count when their block is final, whatever the amount`,
      ];
    if (/_(CHAIN_ID|CHAIN|CONTRACT)$/.test(name) && known.has(name.replace(/^LIVE_/, "TEST_")))
      return [`${name} cannot be set: another chain or another token is for the test environment (TEST_…)`];
    if (isNetworkCode(code)) return [`${name} is not a variable of ${code}`];
    return /^(RPC_URL|XPUB|ACCOUNT)$/.test(match[2] ?? "")
      ? [`${name} names no network (${NETWORK_CODES.join(", ")})`]
      : [];
  });
}

/** Changed, added and missing characters, and neighbors that are swapped. More than 2 may be any larger number. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (r: number, c: number) => rows[r]?.[c] ?? 3;
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          (row[j - 1] ?? 3) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 3;
}
