import type { LinkState } from "#lib/domain/types.ts";

const STYLES: Readonly<Record<LinkState, readonly [text: string, colors: string]>> = {
  open: ["Not started", "border border-line text-muted"],
  awaiting: ["Awaiting payment", "bg-accent-soft text-accent"],
  partial: ["Paid in part", "bg-warn-soft text-warn"],
  detected: ["Seen", "bg-accent-soft text-accent"],
  completed: ["Paid", "bg-good-soft text-good"],
  overpaid: ["Overpaid", "bg-good-soft text-good"],
  failed: ["Failed", "bg-bad-soft text-bad"],
  expired: ["Expired", "border border-line text-muted"],
};

/** A payment link's state in a word. */
export function LinkStateBadge({ state, isCanceled }: { state: LinkState; isCanceled: boolean }) {
  const [text, colors] = STYLES[state];
  return <span className={`badge ${colors}`}>{isCanceled ? "Ended" : text}</span>;
}

export const LINK_STATE_TEXTS = Object.entries(STYLES).map(([state, [text]]) => [state, text] as const);
