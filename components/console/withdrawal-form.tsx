"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { type FieldProblem, Problem } from "./field-problem.tsx";
import { Notice } from "./notice.tsx";
import { type Pair, PairFields } from "./pair-field.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { Field } from "./plain-page.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useAction } from "./use-action.ts";

/** The withdrawal to check, as texts. */
interface Review {
  readonly amount: string;
  readonly network: string;
  readonly to: string;
  readonly fee: string;
  readonly total: string;
  /** The balance after it. */
  readonly left: string;
}

export interface WithdrawalState {
  readonly problem: FieldProblem<"pair" | "to" | "amount" | "reason"> | null;
  readonly review: Review | null;
}

/**
 * Asks for a withdrawal, or for the refund of a payment (`place.link`) or an unmatched deposit (`place.deposit`), in two steps: what to send, then everything once
 * more to check. Nothing is created before that.
 */
export function WithdrawalForm({
  action,
  place,
  pairs,
  idempotencyKey,
}: {
  action: (posted: FormData) => Promise<WithdrawalState | undefined>;
  place: {
    readonly merchant: string;
    readonly env: string;
    readonly link?: string;
    readonly deposit?: string;
  };
  pairs: readonly Pair[];
  idempotencyKey: string;
}) {
  const isRefund = place.link !== undefined || place.deposit !== undefined;
  const form = useRef<HTMLFormElement>(null);
  const [{ problem, review }, setState] = useState<WithdrawalState>({ problem: null, review: null });
  const { call, isReady, isWaiting, isLost } = useAction(action);
  const send = (step: "review" | "ask") => {
    if (form.current === null) return;
    const posted = new FormData(form.current);
    posted.set("step", step);
    call(posted, setState);
  };
  const check = (event: FormEvent) => {
    event.preventDefault();
    send("review");
  };
  return (
    <form ref={form} onSubmit={check} className="panel needs-script max-w-xl">
      <PlaceFields of={{ ...place, key: idempotencyKey }} />
      <Notice code={isLost ? "no_answer" : null} />
      <div className={review === null ? "grid gap-4" : "hidden"}>
        <Question pairs={pairs} isReady={isReady} isRefund={isRefund} problem={problem} />
        {isRefund && <ReasonField problem={problem} />}
        <button type="submit" className="button cursor-pointer" disabled={isWaiting || !isReady}>
          {isWaiting ? "Checking …" : "Check it"}
        </button>
      </div>
      {review !== null && (
        <ReviewPart
          review={review}
          verb={isRefund ? "Refund" : "Withdraw"}
          isWaiting={isWaiting}
          ask={() => send("ask")}
          change={() => setState({ problem: null, review: null })}
        />
      )}
    </form>
  );
}

/** The fields of a withdrawal: balance, address and amount. */
function Question({
  pairs,
  isReady,
  isRefund,
  problem,
}: {
  pairs: readonly Pair[];
  isReady: boolean;
  isRefund: boolean;
  problem: WithdrawalState["problem"];
}) {
  return (
    <PairFields
      label={isRefund ? "What was paid" : "Balance and network"}
      pairs={pairs}
      isReady={isReady}
      problem={problem}
      between={
        <>
          <Field
            label="To the address"
            hint={
              isRefund
                ? "An address of this network that the customer has sent you. The address that paid may belong to an exchange."
                : "An address of this network, in a wallet of yours. What is sent elsewhere is lost."
            }
            name="to"
            required
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
          />
          <Problem of="to" problem={problem} />
        </>
      }
    />
  );
}

function ReviewPart({
  review,
  verb,
  isWaiting,
  ask,
  change,
}: {
  review: Review;
  verb: string;
  isWaiting: boolean;
  ask: () => void;
  change: () => void;
}) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const lines = [
    ["Receives", review.amount],
    ["Network", review.network],
    ["Fee", review.fee],
    ["Taken from the balance", review.total],
    ["Balance after it", review.left],
  ];
  return (
    <div className="grid gap-4">
      <h2 ref={title} tabIndex={-1} className="font-semibold">
        Is this right?
      </h2>
      <p className="text-sm text-muted">
        To the address. Compare all of it with{" "}
        {verb === "Refund" ? "what the customer sent you" : "your wallet"}.
      </p>
      <p className="rounded-lg bg-accent-soft p-3 font-mono leading-7 break-all" data-testid="to">
        {review.to.match(/.{1,4}/g)?.map((four, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
          <span key={at} className={at % 2 === 0 ? "" : "text-accent"}>
            {four}
          </span>
        ))}
      </p>
      <dl className="grid gap-2 text-sm">
        {lines.map(([name, text]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">What was sent cannot be brought back.</p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button cursor-pointer" disabled={isWaiting} onClick={ask}>
          {isWaiting ? "Sending …" : verb}
        </button>
        <button type="button" className="button-quiet" disabled={isWaiting} onClick={change}>
          Change it
        </button>
      </div>
    </div>
  );
}
