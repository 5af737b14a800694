import type { Logger } from "pino";

/** The findings that only a changed or restored database explains, and their words in the log. They cause no payment. */
const ALARMS = {
  approval_invalid: "an approval is not of what it is stored for",
  transaction_changed: "the database has other bytes of a signed transaction",
  transaction_missing: "the database lacks a signed transaction: it is stored again",
  withdrawal_missing: "the database lacks the withdrawal of a payment in the journal",
} as const;
export type AlarmReason = keyof typeof ALARMS;

export interface Alarms {
  /** How often each was found since the process began. */
  readonly counts: ReadonlyMap<AlarmReason, number>;
  /** Counts it, and logs it once for each `subject`: a withdrawal or a transaction. */
  raise(
    reason: AlarmReason,
    subject: { readonly refid: string } | { readonly txHash: string },
    details?: Readonly<Record<string, string>>,
  ): void;
}

export function openAlarms(log: Logger): Alarms {
  const reasons = Object.keys(ALARMS) as AlarmReason[];
  const counts = new Map(reasons.map((reason) => [reason, 0]));
  const logged = new Set<string>();
  return {
    counts,
    raise(reason, subject, details = {}) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      const key = JSON.stringify([reason, subject]);
      if (!logged.has(key)) log.error({ reason, ...subject, ...details }, ALARMS[reason]);
      logged.add(key);
    },
  };
}
