/** Why a field was refused. */
export interface FieldProblem<Name extends string = string> {
  readonly field: Name;
  readonly text: string;
}

/** The message below a field that was refused. Empty for every other field. */
export function Problem({ of, problem }: { of: string; problem: FieldProblem | null }) {
  return problem?.field === of ? (
    <p role="alert" className="-mt-2 text-sm text-bad">
      {problem.text}
    </p>
  ) : null;
}
