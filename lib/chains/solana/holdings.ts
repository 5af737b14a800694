import { throwMalformed } from "../parse-json.ts";
import type { TokenBalance, TransactionBalances } from "./parse-block.ts";

/** The balance of an account after every transaction in final slots up to `slot`: lamports, or the token's units. */
export interface Holding {
  readonly slot: number;
  readonly units: bigint;
}

/** The balances of an account before and after one transaction. */
export interface Change {
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * Returns what an account held before these changes, given what it holds after them. Their order does not matter: nodes list
 * those of one slot in any order. Null: they do not follow one another, so at least one is missing.
 */
export function findStart(changes: readonly Change[], now: bigint): bigint | null {
  const counts = new Map([[now, 1]]);
  const count = (units: bigint, step: number) => counts.set(units, (counts.get(units) ?? 0) + step);
  for (const { before, after } of changes) {
    count(before, 1);
    count(after, -1);
  }
  const left = [...counts].filter(([, times]) => times !== 0);
  const [start] = left[0] ?? [];
  return left.length === 1 && start !== undefined ? start : null;
}

/** Reads the change of an account by a transaction: its lamports, or its tokens. Null: it does not name the account. */
export function readChange(
  balances: TransactionBalances,
  account: string,
  kind: "lamports" | "tokens",
): Change | null {
  const index = balances.accounts.indexOf(account);
  if (index < 0) return null;
  if (kind === "lamports") {
    return { before: readExact(balances.before[index]), after: readExact(balances.after[index]) };
  }
  const tokens = (list: readonly TokenBalance[]) =>
    list.find(({ accountIndex }) => accountIndex === index)?.amount ?? 0n;
  return { before: tokens(balances.tokensBefore), after: tokens(balances.tokensAfter) };
}

function readExact(lamports: number | undefined): bigint {
  return Number.isSafeInteger(lamports) ? BigInt(lamports as number) : throwMalformed("a balance", lamports);
}
