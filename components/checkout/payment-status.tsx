import { Icon, type IconName } from "#components/ui/icon.tsx";
import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { CheckoutModel, Stage } from "./checkout-model.ts";
import { explanationText } from "./status-text.ts";
import type { Texts } from "./texts.ts";

type Tone = "accent" | "good" | "warn" | "bad";

const LOOKS: Record<Stage, { icon: IconName; tone: Tone }> = {
  choose: { icon: "wallet", tone: "accent" },
  noChoice: { icon: "clock", tone: "warn" },
  pay: { icon: "send", tone: "accent" },
  noPrice: { icon: "clock", tone: "warn" },
  topUp: { icon: "send", tone: "warn" },
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
  const { icon, tone } = LOOKS[stage];
  const names = { merchant: model.merchantName };
  const paid = stage === "paid" || stage === "overpaid";
  // The notice about the late payment replaces the explanation, which would contradict it.
  const held = !paid && model.ended && model.late;
  return (
    <div className="grid gap-4">
      <div
        className={
          paid
            ? "grid justify-items-center gap-3 pt-2 text-center"
            : "grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 sm:gap-y-1"
        }
      >
        <span
          className={`grid shrink-0 place-items-center rounded-full border border-transparent ${paid ? "size-16" : "size-9 sm:row-span-2 sm:size-12 sm:self-start"} ${TONES[tone]} ${WORKING.has(stage) ? "motion-safe:animate-pulse" : ""}`}
        >
          <Icon name={icon} className={paid ? "size-8" : "size-5"} />
        </span>
        <h1 id="status" tabIndex={-1} className="text-xl/7 font-semibold tracking-tight">
          {texts.titles[stage]}
        </h1>
        <div
          className={`grid gap-1 text-muted ${paid ? "" : "col-span-2 sm:col-span-1 sm:col-start-2"} ${stage === "pay" ? "max-sm:sr-only" : ""}`}
        >
          {!held && <p>{explanationText(model, texts)}</p>}
          {model.waitEstimate !== null && <p>{texts.usualWait(model.waitEstimate)}</p>}
          {paid && model.late && <p>{texts.lateAccepted(names)}</p>}
        </div>
      </div>
      {held && (
        <NoticeBox tone="warn" icon="alert">
          {texts.lateHeld(names)}
        </NoticeBox>
      )}
    </div>
  );
}
