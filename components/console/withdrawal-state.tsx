import { waitsForApproval } from "#lib/domain/withdrawals/approve/approval-rules.ts";
import type { WithdrawalRow, WithdrawalStatus } from "#lib/domain/withdrawals/types.ts";

const STATES: Readonly<Record<WithdrawalStatus, readonly [text: string, colors: string]>> = {
  pending: ["Pending", "border border-line text-muted"],
  processing: ["Being sent", "bg-accent-soft text-accent"],
  failed: ["Failed", "bg-bad-soft text-bad"],
  completed: ["Sent", "bg-good-soft text-good"],
  refund_queued: ["To be refunded", "bg-warn-soft text-warn"],
};

export function WithdrawalState({ row }: { row: WithdrawalRow }) {
  const [text, colors] = waitsForApproval(row)
    ? ["To be approved", "bg-warn-soft text-warn"]
    : STATES[row.status];
  return <span className={`badge ${colors}`}>{text}</span>;
}

/** Whether a withdrawal changes without anybody's help. */
export const isOpen = ({ status }: WithdrawalRow): boolean => status === "pending" || status === "processing";
