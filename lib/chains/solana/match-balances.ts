import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { NodeError } from "../node-error.ts";
import { type ChainToken, toLedgerUnits } from "../units.ts";
import type { TokenBalance, TransactionBalances } from "./parse-block.ts";

export interface SolanaToken extends ChainToken {
  /** Null for the network's own coin. */
  readonly mint: string | null;
}

/** How much more one address has after a transaction than before it. */
export interface BalanceGain {
  /** See POSITION_OF_TOKENS. */
  readonly position: number;
  readonly token: TokenCode;
  readonly address: string;
  /** The account that lost the most. Null for a mint, where no account lost any. */
  readonly sender: string | null;
  /** Ledger units. */
  readonly amount: () => bigint;
}

/**
 * The position of a coin gain is its account's index in the transaction, which has at most 256 accounts. The
 * position of a token gain is this number plus the index of the first token account that has tokens after
 * it. An address gains each token at most once in a transaction, so no two gains share a position.
 */
export const POSITION_OF_TOKENS = 256;

/**
 * Lists the gains of all addresses in a transaction. A failed one has none: it only cost its fee. Balances
 * include what programs moved, and exclude what a token's transfer fee kept back.
 */
export function listGains(
  balances: TransactionBalances,
  tokens: readonly SolanaToken[],
): readonly BalanceGain[] {
  if (balances.failed) return [];
  return tokens.flatMap((listed) =>
    listed.mint === null ? coinGains(balances, listed) : tokenGains(balances, listed, listed.mint),
  );
}

/**
 * Owners of tokens in a transaction whose answer may lack a part. A token account that is named only before or only after it, although the account
 * existed before and after, was empty of tokens, or is lacking once. Where a mint's accounts gain and lose different sums, tokens were made,
 * destroyed or kept back as a fee, or an account is lacking.
 */
export function listDoubtfulOwners({
  before,
  after,
  tokensBefore,
  tokensAfter,
}: TransactionBalances): readonly string[] {
  const lacking = (some: readonly TokenBalance[], others: readonly TokenBalance[]) =>
    some.filter(({ accountIndex }) => others.every((other) => other.accountIndex !== accountIndex));
  const once = [...lacking(tokensBefore, tokensAfter), ...lacking(tokensAfter, tokensBefore)].filter(
    ({ accountIndex: i }) => (before[i] ?? 0) > 0 && (after[i] ?? 0) > 0,
  );
  const changes = new Map<string, bigint>();
  const add = ({ mint, amount }: TokenBalance, sign: bigint) =>
    changes.set(mint, (changes.get(mint) ?? 0n) + sign * amount);
  for (const balance of tokensBefore) add(balance, -1n);
  for (const balance of tokensAfter) add(balance, 1n);
  const uneven = [...tokensBefore, ...tokensAfter].filter(({ mint }) => changes.get(mint) !== 0n);
  return [...once, ...uneven].map(({ owner }) => owner);
}

function coinGains(balances: TransactionBalances, listed: SolanaToken): readonly BalanceGain[] {
  const { accounts, before, after } = balances;
  let loser = -1;
  let most = 0;
  const gained: number[] = [];
  for (let i = 0; i < accounts.length; i++) {
    const change = (after[i] ?? 0) - (before[i] ?? 0);
    if (change > 0) gained.push(i);
    if (change < most) [loser, most] = [i, change];
  }
  const sender = accounts[loser] ?? null;
  return gained.map((i) => ({
    position: i,
    token: listed.token,
    address: accounts[i] ?? "",
    sender,
    amount: () => toLedgerUnits(exactChange(balances, i), listed),
  }));
}

/** Throws NodeError where a balance is too large for a JSON number to keep its digits. */
function exactChange({ signature, before, after }: TransactionBalances, i: number): bigint {
  const [had, has] = [before[i] ?? 0, after[i] ?? 0];
  if (!Number.isSafeInteger(had) || !Number.isSafeInteger(has)) {
    throw new NodeError("malformed", `a balance in ${signature} is too large to be read exactly`);
  }
  return BigInt(has) - BigInt(had);
}

interface Holding {
  change: bigint;
  /** Index of its first token account that has tokens after the transaction. */
  first: number;
}

function tokenGains(
  { tokensBefore, tokensAfter }: TransactionBalances,
  listed: SolanaToken,
  mint: string,
): readonly BalanceGain[] {
  if (tokensAfter.length === 0) return [];
  const byOwner = new Map<string, Holding>();
  const add = ({ owner, amount, accountIndex }: TokenBalance, sign: bigint, first: number) => {
    const holding = byOwner.get(owner) ?? { change: 0n, first: Number.POSITIVE_INFINITY };
    holding.change += sign * amount;
    if (amount > 0n) holding.first = Math.min(holding.first, first + accountIndex);
    byOwner.set(owner, holding);
  };
  for (const balance of tokensBefore) {
    if (balance.mint === mint) add(balance, -1n, Number.POSITIVE_INFINITY);
  }
  for (const balance of tokensAfter) if (balance.mint === mint) add(balance, 1n, 0);
  let sender: string | null = null;
  let most = 0n;
  for (const [owner, { change }] of byOwner) {
    if (change < most) [sender, most] = [owner, change];
  }
  return [...byOwner].flatMap(([address, { change, first }]) =>
    change <= 0n
      ? []
      : {
          position: POSITION_OF_TOKENS + first,
          token: listed.token,
          address,
          sender,
          amount: () => toLedgerUnits(change, listed),
        },
  );
}

/**
 * The same for token accounts, by their own addresses. A payer may know only the token account, not its
 * owner.
 */
export function listTokenAccountGains(
  { failed, accounts, tokensBefore, tokensAfter }: TransactionBalances,
  tokens: readonly SolanaToken[],
): readonly Omit<BalanceGain, "sender">[] {
  if (failed) return [];
  const before = new Map(tokensBefore.map(({ accountIndex, amount }) => [accountIndex, amount]));
  return tokensAfter.flatMap(({ accountIndex, mint, amount }) => {
    const listed = tokens.find((token) => token.mint === mint);
    const change = amount - (before.get(accountIndex) ?? 0n);
    if (!listed || change <= 0n) return [];
    return {
      position: POSITION_OF_TOKENS + accountIndex,
      token: listed.token,
      address: accounts[accountIndex] ?? "",
      amount: () => toLedgerUnits(change, listed),
    };
  });
}
