import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

const TONES = {
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  good: "bg-good-soft text-good",
} as const;

/** A highlighted paragraph. */
export function NoticeBox({
  tone,
  icon,
  children,
}: {
  tone: keyof typeof TONES;
  icon: IconName;
  children: ReactNode;
}) {
  return (
    // The border is visible in forced colors only.
    <div
      className={`flex gap-2.5 rounded-xl border border-transparent px-3.5 py-2.5 sm:gap-3 sm:px-4 sm:py-3 text-sm/5 ${TONES[tone]}`}
    >
      <Icon name={icon} />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
