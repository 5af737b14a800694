import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Logger } from "pino";
import type { Verb } from "#lib/domain/authority/define-verb.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { failWithdrawal, prepareFailure } from "#lib/domain/withdrawals/end/fail-withdrawal.ts";
import { prepareSettlement, settleWithdrawal } from "#lib/domain/withdrawals/end/settle-withdrawal.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import { correctTransaction, prepareCorrection } from "#lib/domain/withdrawals/send/correct-transaction.ts";
import { markSent, prepareSent } from "#lib/domain/withdrawals/send/mark-sent.ts";
import { prepareReplacement, replaceTransaction } from "#lib/domain/withdrawals/send/replace-transaction.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { WithdrawalDeps, WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { performAs } from "./acts.ts";
import { followAll } from "./follow-all.ts";
import { ADA } from "./withdrawals.ts";

type Prepared<Found> = Promise<({ ok: true } & Found) | { ok: false; reason: string }>;
interface Submission {
  readonly txHash: string;
  readonly abandonOthers: boolean;
}

/** The answer of a step that is refused. */
export const refused = (reason: string) => ({ ok: false, reason });

/** Ada's steps with withdrawals of the test environment, as the command does them. */
export function operatorSteps(deps: WithdrawalDeps) {
  const { db, networks } = deps;
  const missing = { ok: false, reason: "withdrawal_not_found" } as const;
  const find = (refid: string) => findWithdrawalByRefid(db, { merchantId: null, env: "test", refid });
  const submission =
    <Found extends object>(
      prepare: (deps: WithdrawalDeps, found: WithdrawalRow, given: Submission, now: Date) => Prepared<Found>,
      verb: Verb<
        NoInfer<Found> & { readonly networks: WithdrawalDeps["networks"]; readonly refid: string },
        { withdrawal: WithdrawalRow },
        string
      >,
    ) =>
    async (refid: string, txHash: string, now: Date, abandonOthers = false) => {
      const found = await find(refid);
      if (found === null) return missing;
      const prepared = await prepare(deps, found, { txHash, abandonOthers }, now);
      if (!prepared.ok) return prepared;
      return performAs(db, { ...found, now, actor: ADA }, verb, { ...prepared, networks, refid });
    };
  const [sent, replace, correct, settle] = [
    submission(prepareSent, markSent),
    submission(prepareReplacement, replaceTransaction),
    submission(prepareCorrection, correctTransaction),
    submission(prepareSettlement, settleWithdrawal),
  ];
  return {
    sent: (refid: string, hash: string, now = new Date()) => sent(refid, hash, now),
    replace: (refid: string, hash: string, now = new Date()) => replace(refid, hash, now),
    correct: (refid: string, hash: string, now = new Date()) => correct(refid, hash, now),
    settle: (refid: string, hash: string, abandonOthers = false) =>
      settle(refid, hash, new Date(), abandonOthers),
    async fail(refid: string, reason: string | null = null, now = new Date()) {
      const found = await find(refid);
      if (found === null) return missing;
      const prepared = await prepareFailure(deps, found, now);
      if (!prepared.ok) return prepared;
      const { proof } = prepared;
      return performAs(db, { ...found, now, actor: ADA }, failWithdrawal, { refid, reason, proof });
    },
  };
}

/** Steps of an operator and the worker for withdrawals of the test environment. */
export function withdrawalSteps(deps: WithdrawalDeps, log: Logger) {
  return {
    ...operatorSteps(deps),
    follow: (now = new Date()) => followAll({ ...deps, log, now: () => now }),
    async row(id: number) {
      const [row] = await deps.db.select().from(withdrawals).where(eq(withdrawals.id, id));
      if (!row) throw new Error(`withdrawal ${id} does not exist`);
      return row;
    },
    booksAgree: async () => assert.deepEqual((await checkLedger(deps.db)).problems, []),
  };
}
