import { Icon } from "#components/ui/icon.tsx";
import type { Stage } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/** Index of the current step of four; 4 when all are done. A failed payment has no step. */
const STEP_OF_STAGE: Partial<Record<Stage, number>> = {
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

/**
 * Shows a step as done, current or to come by an icon, by weight and by color, so that color is never the
 * only sign.
 */
export function ProgressSteps({ stage, texts }: { stage: Stage; texts: Texts }) {
  const at = STEP_OF_STAGE[stage];
  if (at === undefined) return null;
  const { label, choose, send, confirm, done } = texts.steps;
  return (
    <ol aria-label={label} className="grid grid-cols-4 gap-2 text-xs print:hidden">
      {[choose, send, confirm, done].map((name, index) => (
        <li
          key={name}
          aria-current={index === at ? "step" : undefined}
          className={`flex min-w-0 items-start gap-1 border-t-4 pt-2 ${look(index, at)}`}
        >
          {index < at && <Icon name="check" className="size-4 max-[24rem]:hidden" />}
          <span className="min-w-0 break-words">{name}</span>
        </li>
      ))}
    </ol>
  );
}

function look(index: number, at: number): string {
  if (index < at) return "border-good font-medium text-muted";
  if (index === at) return "border-accent font-semibold text-accent forced-colors:border-[Highlight]";
  return "border-line font-medium text-muted forced-colors:border-dotted";
}
