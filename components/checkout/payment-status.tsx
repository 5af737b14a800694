import { Icon, type IconName } from "#components/ui/icon.tsx";
import type { CheckoutModel, Stage } from "./checkout-model.ts";
import { explanationText, isHeldLate, titleText } from "./status-text.ts";
import type { Texts } from "./texts.ts";

type Tone = "accent" | "good" | "warn" | "bad";

/** A mark for stages in which the payer does nothing but read. */
const MARKS: Partial<Record<Stage, { icon: IconName; tone: Tone }>> = {
  noChoice: { icon: "clock", tone: "warn" },
  noPrice: { icon: "clock", tone: "warn" },
  confirming: { icon: "clock", tone: "accent" },
  checking: { icon: "search", tone: "warn" },
  paid: { icon: "check", tone: "good" },
  overpaid: { icon: "check", tone: "good" },
  underpaid: { icon: "alert", tone: "bad" },
  unconfirmed: { icon: "alert", tone: "bad" },
  expired: { icon: "cross", tone: "bad" },
  canceled: { icon: "cross", tone: "bad" },
};

const TONES: Record<Tone, string> = {
  accent: "bg-accent-soft text-accent",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
};

/** Stages in which the customer waits. */
const WORKING: ReadonlySet<Stage> = new Set(["noPrice", "confirming", "checking"]);

/** Status of the payment. KeepFocus (live.tsx) focuses the heading when the focused element is gone. */
export function PaymentStatusPanel({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const { stage } = model;
  const held = isHeldLate(model);
  const mark = held ? ({ icon: "check", tone: "warn" } as const) : MARKS[stage];
  const paid = stage === "paid" || stage === "overpaid";
  return (
    <div
      className={
        mark === undefined
          ? `grid gap-1 ${stage === "pay" ? "-mb-3" : ""}`
          : "grid justify-items-center gap-2 pt-2 text-center"
      }
    >
      {mark !== undefined && (
        <span
          className={`mb-1 grid size-14 place-items-center print:hidden rounded-full border border-transparent ${TONES[mark.tone]} ${WORKING.has(stage) ? "motion-safe:animate-pulse" : ""}`}
        >
          <Icon name={mark.icon} className="size-7" />
        </span>
      )}
      <h1 id="status" tabIndex={-1} className="text-lg/7 font-semibold tracking-tight">
        {titleText(model, texts)}
      </h1>
      {/* The amount, the address and the code say what to do. */}
      {stage !== "pay" && <p className="text-muted">{explanationText(model, texts)}</p>}
      {model.waitEstimate !== null && <p className="text-muted">{texts.usualWait(model.waitEstimate)}</p>}
      {paid && model.late && (
        <p className="text-muted">{texts.lateAccepted({ merchant: model.merchantName })}</p>
      )}
    </div>
  );
}
