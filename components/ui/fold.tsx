import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** A question whose answer shows when it is pressed. Works without scripts. */
export function Fold({
  title,
  className = "",
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details className={`group/fold text-sm ${className}`}>
      <summary className="flex min-h-9 cursor-pointer list-none items-center justify-between gap-3 font-medium">
        {title}
        <Icon
          name="next"
          className="size-4 text-muted group-open/fold:rotate-90 rtl:rotate-180 rtl:group-open/fold:rotate-90 print:hidden"
        />
      </summary>
      <div className="grid gap-2 pt-1 pb-4 text-muted">{children}</div>
    </details>
  );
}
