import { MAX_REASON } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { type FieldProblem, Problem } from "./field-problem.tsx";
import { Field } from "./plain-page.tsx";

/** Why staff refund. */
export function ReasonField({ problem }: { problem: FieldProblem | null }) {
  return (
    <>
      <Field
        label="Reason (optional)"
        hint="For your own people. The customer does not see it."
        name="reason"
        maxLength={MAX_REASON}
        autoComplete="off"
      />
      <Problem of="reason" problem={problem} />
    </>
  );
}
