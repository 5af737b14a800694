import { eq } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { depositCause } from "#lib/domain/deposits/rules.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { createWithdrawal, type WithdrawalDeps } from "#lib/domain/withdrawals/create-withdrawal.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { WithdrawalRequest, WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { anAddress } from "./unmatched.ts";

export const ACTOR = "operator:ada";
/** None of our addresses is derived like this one. */
export const DESTINATION = "0x976EA74026E726554dB657fA54763abd0C3a0aa9";
export const USDT = 10n ** 18n;

let transactions = 0;
/** A hash that is on no chain. */
export const aHash = (): string => {
  transactions += 1;
  return `0x${(2 ** 40 + transactions).toString(16).padStart(64, "0")}`;
};

/** A credited deposit of a merchant, as the watcher stores it. */
export async function fund(
  db: Db,
  adapter: NetworkAdapter,
  merchantId: number,
  amount: bigint,
  token: TokenCode = "usdt",
): Promise<void> {
  const { id: addressId } = await anAddress(db, adapter, merchantId);
  const { env, network } = adapter;
  const at = new Date();
  const [row] = await db
    .insert(deposits)
    .values({
      ...{ env, network, token, merchantId, addressId, amount },
      txHash: aHash(),
      position: 0,
      status: 1,
      blockHeight: 1,
      blockHash: aHash(),
      blockTime: at,
      confirmations: 1,
      requiredConfirmations: 1,
      creditRound: 1,
      firstSeenAt: at,
      confirmedAt: at,
    })
    .returning({ id: deposits.id });
  const cause = depositCause({ id: row!.id, creditRound: 1 });
  const credit = { env, network, token, amount, merchantId, cause };
  await db.transaction((tx) => creditMerchants(tx, [credit], at));
}

/** A withdrawal of 10 USDT on the test environment's bep20, unless changed. Throws when it is refused. */
export async function aWithdrawal(
  deps: WithdrawalDeps,
  email: string,
  changes: Partial<WithdrawalRequest> = {},
  at = new Date(),
): Promise<WithdrawalRow> {
  const request: WithdrawalRequest = {
    ...{ env: "test", email, token: "usdt", network: "bep20", to: DESTINATION },
    ...{ amount: 10n * USDT, refundOf: null, paymentLink: null, idempotencyKey: null },
    ...changes,
  };
  const made = await createWithdrawal(deps, request, ACTOR, at);
  if (!made.ok) throw new Error(made.reason);
  return made.withdrawal;
}

export async function statusOf(db: Db, id: number): Promise<number> {
  const [row] = await db.select().from(withdrawals).where(eq(withdrawals.id, id));
  return row!.status;
}

/** Every account of an environment that is not empty. */
export async function accountsOf(db: Db, env: "live" | "test" = "test"): Promise<Record<string, bigint>> {
  const rows = await listLedgerAccounts(db, env);
  return Object.fromEntries(
    rows.filter(({ balance }) => balance !== 0n).map(({ code, balance }) => [code, balance]),
  );
}
