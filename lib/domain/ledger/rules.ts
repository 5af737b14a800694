import type { Account, AccountCode, AccountKey, NewTransfer } from "./types.ts";

/** One side of a transfer. */
export interface Side {
  readonly accountId: number;
  readonly amount: bigint;
  readonly before: bigint;
  readonly after: bigint;
}

export interface Entry {
  readonly transfer: NewTransfer;
  /** Minus on the account it leaves, plus on the one it reaches. */
  readonly sides: readonly [Side, Side];
}

/** Identity of an account as text. */
export function accountName({ env, token, code }: AccountKey): string {
  return `${env} ${token} ${code}`;
}

/** The two accounts of a transfer. */
export function accountsOf({ env, token, from, to }: NewTransfer): readonly [AccountKey, AccountKey] {
  return [
    { env, token, code: from },
    { env, token, code: to },
  ];
}

/** The merchant of an account that is a merchant's own, else null. */
export function merchantOf(code: AccountCode): number | null {
  const match = /^(?:merchant|receivable):(\d+)$/.exec(code);
  return match ? Number(match[1]) : null;
}

/** Merchant and reserved money cannot be spent twice; every other account may go below zero. */
export function mayGoBelowZero(code: AccountCode): boolean {
  return !/^(merchant|reserved):/.test(code);
}

/** Accounts with their balances while transfers are laid on them, in order. */
export class Book {
  readonly #accounts: Map<string, { id: number; balance: bigint; code: AccountCode }>;
  readonly #entries: Entry[] = [];

  constructor(accounts: readonly Account[]) {
    this.#accounts = new Map(
      accounts.map(({ id, balance, ...key }) => [accountName(key), { id, balance, code: key.code }]),
    );
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Zero for an account that does not exist. */
  balance(key: AccountKey): bigint {
    return this.#accounts.get(accountName(key))?.balance ?? 0n;
  }

  /** False, and nothing is laid, when the money is not there. Throws on an account that was not opened. */
  post(transfer: NewTransfer): boolean {
    const [from, to] = accountsOf(transfer).map((key) => {
      const account = this.#accounts.get(accountName(key));
      if (!account) throw new Error(`ledger account not opened: ${accountName(key)}`);
      return account;
    });
    if (!from || !to || from === to || transfer.amount <= 0n) {
      throw new Error(`no transfer: ${transfer.cause} of ${transfer.amount}`);
    }
    if (from.balance < transfer.amount && !mayGoBelowZero(from.code)) return false;
    const side = (account: { id: number; balance: bigint }, amount: bigint): Side => {
      const before = account.balance;
      account.balance += amount;
      return { accountId: account.id, amount, before, after: account.balance };
    };
    this.#entries.push({ transfer, sides: [side(from, -transfer.amount), side(to, transfer.amount)] });
    return true;
  }
}
