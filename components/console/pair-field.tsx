import { type RefObject, useRef, useState } from "react";
import { type FieldProblem, Problem } from "./field-problem.tsx";
import { Field } from "./plain-page.tsx";

/** A balance on a network. */
export interface Pair {
  readonly code: string;
  /** Short: a list of choices cuts what is too long. */
  readonly name: string;
  /** How much of it there is. */
  readonly limit: string;
  /** The largest amount, which the button "Max" enters. */
  readonly most?: string;
  /** The amount that the form begins with. */
  readonly amount?: string;
}

/** A balance and an amount of it, without a choice if there is one balance. Another balance begins with its own amount. */
export function PairFields({
  label,
  pairs,
  isReady,
  problem,
  amountHint,
  between,
}: {
  label: string;
  pairs: readonly Pair[];
  /** Until then no other balance can be chosen: React would return to the first one. */
  isReady: boolean;
  problem: FieldProblem | null;
  amountHint?: string;
  /** The fields between the two. */
  between?: React.ReactNode;
}) {
  const [code, setCode] = useState(pairs[0]?.code);
  const amount = useRef<HTMLInputElement>(null);
  const chosen = pairs.find((one) => one.code === code);
  return (
    <>
      <div>
        {pairs.length === 1 ? (
          <>
            <p className="label">{label}</p>
            <p>{chosen?.name}</p>
            <input type="hidden" name="pair" value={code} />
          </>
        ) : (
          <label className="block">
            <span className="label block">{label}</span>
            <select
              name="pair"
              className="input"
              value={code}
              disabled={!isReady}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
            >
              {pairs.map((one) => (
                <option key={one.code} value={one.code}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        )}
        <p className={pairs.length === 1 ? "text-sm text-muted" : "hint"} aria-live="polite">
          {chosen?.limit}
        </p>
      </div>
      <Problem of="pair" problem={problem} />
      {between}
      <Field
        ref={amount}
        key={chosen?.amount === undefined ? "" : code}
        label="Amount"
        hint={amountHint}
        name="amount"
        defaultValue={chosen?.amount}
        required
        inputMode="decimal"
        maxLength={40}
        autoComplete="off"
      />
      {chosen?.most !== undefined && <Max amount={amount} most={chosen.most} isReady={isReady} />}
      <Problem of="amount" problem={problem} />
    </>
  );
}

/** Enters the largest amount. */
function Max({
  amount,
  most,
  isReady,
}: {
  amount: RefObject<HTMLInputElement | null>;
  most: string;
  isReady: boolean;
}) {
  const enter = () => {
    if (amount.current !== null) amount.current.value = most;
  };
  return (
    <button
      type="button"
      className="button-quiet -mt-2 justify-self-start"
      disabled={!isReady}
      onClick={enter}
    >
      Max: {most}
    </button>
  );
}
