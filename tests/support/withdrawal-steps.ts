import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Logger } from "pino";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { correctTransaction } from "#lib/domain/withdrawals/correct-transaction.ts";
import type { WithdrawalDeps } from "#lib/domain/withdrawals/create-withdrawal.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { followWithdrawals } from "#lib/domain/withdrawals/follow-withdrawals.ts";
import { markSent } from "#lib/domain/withdrawals/mark-sent.ts";
import { replaceTransaction } from "#lib/domain/withdrawals/replace-transaction.ts";
import { settleWithdrawal } from "#lib/domain/withdrawals/settle-withdrawal.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { ACTOR } from "./withdrawals.ts";

/** What an operator and the worker do with withdrawals of the test environment. */
export function withdrawalSteps(deps: WithdrawalDeps, log: Logger) {
  const naming = (refid: string, txHash: string) => ({ env: "test", refid, txHash, actor: ACTOR }) as const;
  return {
    sent: (refid: string, hash: string, at = new Date()) => markSent(deps, naming(refid, hash), at),
    replace: (refid: string, hash: string) => replaceTransaction(deps, naming(refid, hash), new Date()),
    correct: (refid: string, hash: string) => correctTransaction(deps, naming(refid, hash), new Date()),
    settle: (refid: string, hash: string, abandonOthers = false) =>
      settleWithdrawal(deps, { ...naming(refid, hash), abandonOthers }, new Date()),
    fail: (refid: string, reason: string | null = null) =>
      failWithdrawal(deps, { env: "test", refid, reason, actor: ACTOR }, new Date()),
    follow: (now = new Date()) => followWithdrawals({ ...deps, log, now: () => now }),
    async row(id: number) {
      const [row] = await deps.db.select().from(withdrawals).where(eq(withdrawals.id, id));
      if (!row) throw new Error(`withdrawal ${id} does not exist`);
      return row;
    },
    booksAgree: async () => assert.deepEqual((await checkLedger(deps.db)).problems, []),
  };
}
