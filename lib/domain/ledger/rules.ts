import type { AccountCode, LedgerAccount, LedgerAccountRef, NewLedgerTransfer } from "./types.ts";

/** One side of a transfer. */
export interface Posting {
  readonly accountId: number;
  readonly amount: bigint;
  readonly before: bigint;
  readonly after: bigint;
}

export interface JournalEntry {
  readonly transfer: NewLedgerTransfer;
  /** Minus on the account it leaves, plus on the one it reaches. */
  readonly postings: readonly [Posting, Posting];
}

/** Identity of an account as text. */
export function accountName({ env, token, code }: LedgerAccountRef): string {
  return `${env} ${token} ${code}`;
}

/** The two accounts of a transfer. */
export function transferAccounts({
  env,
  token,
  from,
  to,
}: NewLedgerTransfer): readonly [LedgerAccountRef, LedgerAccountRef] {
  return [
    { env, token, code: from },
    { env, token, code: to },
  ];
}

/** The merchant of an account that is a merchant's own, else null. */
export function parseMerchantId(code: AccountCode): number | null {
  const match = /^(?:merchant|receivable):(\d+)$/.exec(code);
  return match ? Number(match[1]) : null;
}

/** Merchant and reserved money cannot be spent twice; every other account may go below zero. */
export function canBeNegative(code: AccountCode): boolean {
  return !/^(merchant|reserved):/.test(code);
}

/** Accounts with their balances while transfers are laid on them, in order. */
export class LedgerBatch {
  readonly #accounts: Map<string, { id: number; balance: bigint; code: AccountCode }>;
  readonly #entries: JournalEntry[] = [];

  constructor(accounts: readonly LedgerAccount[]) {
    this.#accounts = new Map(
      accounts.map(({ id, balance, ...key }) => [accountName(key), { id, balance, code: key.code }]),
    );
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** Zero for an account that does not exist. */
  balance(key: LedgerAccountRef): bigint {
    return this.#accounts.get(accountName(key))?.balance ?? 0n;
  }

  /** False, and nothing is laid, when the money is not there. Throws on an account that was not opened. */
  post(transfer: NewLedgerTransfer): boolean {
    const [from, to] = transferAccounts(transfer).map((key) => {
      const account = this.#accounts.get(accountName(key));
      if (!account) throw new Error(`ledger account not opened: ${accountName(key)}`);
      return account;
    });
    if (!from || !to || from === to || transfer.amount <= 0n) {
      throw new Error(`no transfer: ${transfer.cause} of ${transfer.amount}`);
    }
    if (from.balance < transfer.amount && !canBeNegative(from.code)) return false;
    const side = (account: { id: number; balance: bigint }, amount: bigint): Posting => {
      const before = account.balance;
      account.balance += amount;
      return { accountId: account.id, amount, before, after: account.balance };
    };
    this.#entries.push({ transfer, postings: [side(from, -transfer.amount), side(to, transfer.amount)] });
    return true;
  }
}
