import { waitsForApproval } from "#lib/domain/withdrawals/approval-rules.ts";
import type { WithdrawalRow, WithdrawalStatus } from "#lib/domain/withdrawals/types.ts";

const STATES: Readonly<Record<WithdrawalStatus, readonly [text: string, colors: string]>> = {
  0: ["Pending", "border border-line text-muted"],
  1: ["Being sent", "bg-accent-soft text-accent"],
  2: ["Failed", "bg-bad-soft text-bad"],
  3: ["Sent", "bg-good-soft text-good"],
  5: ["To be refunded", "bg-warn-soft text-warn"],
};

export function WithdrawalState({ row }: { row: WithdrawalRow }) {
  const [text, colors] = waitsForApproval(row)
    ? ["To be approved", "bg-warn-soft text-warn"]
    : STATES[row.status];
  return <span className={`badge ${colors}`}>{text}</span>;
}

/** Whether a withdrawal changes without anybody's help. */
export const isOpen = ({ status }: WithdrawalRow): boolean => status === 0 || status === 1;
