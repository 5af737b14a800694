import type { Stage } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/** Which of the four steps is under way; one past the last when all are done. A failed payment has none. */
const AT: Partial<Record<Stage, number>> = {
  choose: 0,
  noChoice: 0,
  pay: 1,
  noPrice: 1,
  topUp: 1,
  checking: 1,
  confirming: 2,
  paid: 4,
  overpaid: 4,
};

export function Steps({ stage, texts }: { stage: Stage; texts: Texts }) {
  const at = AT[stage];
  if (at === undefined) return null;
  const { label, choose, send, confirm, done } = texts.steps;
  return (
    <ol aria-label={label} className="grid grid-cols-4 gap-2 text-xs font-medium">
      {[choose, send, confirm, done].map((name, index) => (
        <li
          key={name}
          aria-current={index === at ? "step" : undefined}
          className={`border-t-4 pt-2 ${index < at ? "border-good text-muted" : index === at ? "border-accent text-accent" : "border-line text-muted"}`}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
