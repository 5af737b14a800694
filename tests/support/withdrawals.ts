import { eq } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { depositCause } from "#lib/domain/deposits/rules.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { answerClaim } from "#lib/domain/withdrawals/claims/answer-claim.ts";
import { findClaimBySecret } from "#lib/domain/withdrawals/claims/queries.ts";
import { createWithdrawal } from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type {
  WithdrawalDeps,
  WithdrawalRequest,
  WithdrawalRow,
  WithdrawalStatus,
} from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type By, performAs } from "./acts.ts";
import { anAddress } from "./unmatched.ts";

export const ADA = { kind: "operator", name: "ada" } as const;
/** How the audit log names her. */
export const ACTOR = "operator:ada";
/** An address that is derived like none of our addresses. */
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
      status: "credited",
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

/** A request for 10 USDT on bep20, unless changed. */
export const aRequest = (changes: Partial<WithdrawalRequest> = {}): WithdrawalRequest => ({
  token: "usdt",
  network: "bep20",
  to: DESTINATION,
  amount: 10n * USDT,
  refundOf: null,
  paymentLink: null,
  idempotencyKey: null,
  ...changes,
});

/** Ada asks for a withdrawal of 10 USDT on the test environment's bep20, if nothing else is said. */
export const askFor = ({ db, networks }: WithdrawalDeps, by: By, changes: Partial<WithdrawalRequest> = {}) =>
  performAs(db, { actor: ADA, ...by }, createWithdrawal, { networks, ...aRequest(changes) });

/** Ada asks at the merchant of an e-mail address. Throws when it is refused. */
export async function aWithdrawal(
  deps: WithdrawalDeps,
  email: string,
  changes: Partial<WithdrawalRequest> = {},
  now = new Date(),
): Promise<WithdrawalRow> {
  const merchant = await findMerchantByEmail(deps.db, email);
  if (merchant === null) throw new Error(`no merchant has ${email}`);
  const made = await askFor(deps, { merchantId: merchant.id, now }, changes);
  if (!made.ok) throw new Error(made.reason);
  return made.withdrawal;
}

/** A payer enters an address on the page of a refund claim. */
export async function answerAsPayer(
  { db, networks }: WithdrawalDeps,
  { secret, to = DESTINATION }: { readonly secret: string; readonly to?: string },
  now = new Date(),
) {
  const view = await findClaimBySecret(db, secret);
  if (view === null) return { ok: false, reason: "claim_not_found" } as const;
  const { id: claimId, merchantId, env } = view.claim;
  const by = { merchantId, env, now, actor: { kind: "payer", claimId } } as const;
  return performAs(db, by, answerClaim, { networks, secret, to });
}

export async function statusOf(db: Db, id: number): Promise<WithdrawalStatus> {
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
