import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** A page with a single message. */
export function MessagePage({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children: ReactNode;
}) {
  return (
    <main className="m-auto w-full max-w-md p-4">
      <div className="card justify-items-center text-center">
        <span className="grid size-14 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon name={icon} className="size-6" />
        </span>
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
    </main>
  );
}
