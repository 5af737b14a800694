import type { AccountCode, LedgerAccount, LedgerAccountRef, NewLedgerTransfer } from "./types.ts";

/** A posting: the change of one account by a transfer. Ledger units. */
interface Posting {
  readonly accountId: number;
  readonly amount: bigint;
  readonly balanceBefore: bigint;
  readonly balanceAfter: bigint;
}

/** A transfer with its two postings. Their amounts add up to zero. */
export interface JournalEntry {
  readonly transfer: NewLedgerTransfer;
  /** First the negative posting of the source account, then the positive posting of the target account. */
  readonly postings: readonly [Posting, Posting];
}

/** The identity of an account as text. */
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

/** The merchant id in merchant:{id} or receivable:{id}. Null for any other account. */
export function parseMerchantId(code: AccountCode): number | null {
  const match = /^(?:merchant|receivable):(\d+)$/.exec(code);
  return match ? Number(match[1]) : null;
}

/** False for merchant and reserved accounts, so that their money cannot be spent twice. True for all others. */
function canBeNegative(code: AccountCode): boolean {
  return !/^(merchant|reserved):/.test(code);
}

/** The credit of a merchant in one token. */
interface MerchantCredit extends Pick<NewLedgerTransfer, "env" | "token" | "amount"> {
  readonly merchantId: number;
}

/** The account of what a merchant owes in a token: a credit was reversed after it was spent. */
export function receivableAccount({
  env,
  token,
  merchantId,
}: Pick<MerchantCredit, "env" | "token" | "merchantId">): LedgerAccountRef {
  return { env, token, code: `receivable:${merchantId}` };
}

/**
 * Repays what a merchant owes out of what was just credited to it. The batch has both accounts. `cause` is the cause of the
 * repayment.
 */
export function postRepayment(batch: LedgerBatch, credit: MerchantCredit, cause: string): void {
  const { env, token, merchantId } = credit;
  const receivable = receivableAccount(credit);
  let amount = -batch.balance(receivable);
  if (credit.amount < amount) amount = credit.amount;
  if (amount > 0n)
    batch.post({ env, token, from: `merchant:${merchantId}`, to: receivable.code, amount, cause });
}

/** Locked accounts with their balances, and the entries posted to them in order, before they are written. */
export class LedgerBatch {
  readonly #accounts: Map<string, { id: number; balance: bigint; code: AccountCode }>;
  readonly #entries: JournalEntry[] = [];

  constructor(accounts: readonly LedgerAccount[]) {
    this.#accounts = new Map(
      accounts.map(({ id, balance, ...ref }) => [accountName(ref), { id, balance, code: ref.code }]),
    );
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** The balance in ledger units. Zero for an account that does not exist. */
  balance(account: LedgerAccountRef): bigint {
    return this.#accounts.get(accountName(account))?.balance ?? 0n;
  }

  /** Returns false and posts nothing if the balance is insufficient. Throws if an account is not in the batch. */
  post(transfer: NewLedgerTransfer): boolean {
    const [from, to] = transferAccounts(transfer).map((ref) => {
      const account = this.#accounts.get(accountName(ref));
      if (!account) throw new Error(`the ledger account is not in the batch: ${accountName(ref)}`);
      return account;
    });
    if (!from || !to || from === to || transfer.amount <= 0n) {
      throw new Error(`invalid transfer: ${transfer.cause} of ${transfer.amount}`);
    }
    if (from.balance < transfer.amount && !canBeNegative(from.code)) return false;
    const change = (account: { id: number; balance: bigint }, amount: bigint): Posting => {
      const balanceBefore = account.balance;
      account.balance += amount;
      return { accountId: account.id, amount, balanceBefore, balanceAfter: account.balance };
    };
    this.#entries.push({ transfer, postings: [change(from, -transfer.amount), change(to, transfer.amount)] });
    return true;
  }
}
