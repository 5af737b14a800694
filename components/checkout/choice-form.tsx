"use client";

import type { ReactNode } from "react";

interface ChoiceFormProps {
  action: (form: FormData) => Promise<void>;
  /** Address of the choice itself, "?choose=1…". */
  here: string;
  children: ReactNode;
}

/**
 * The form of the choice. Before it is sent, the entry of the browser's history gets the address of the choice. Without that, Back
 * would lead to the link's bare address, which shows the pair that was just chosen.
 */
export function ChoiceForm({ action, here, children }: ChoiceFormProps) {
  return (
    <form
      action={action}
      className="grid gap-2.5"
      onSubmit={() => window.history.replaceState(null, "", here)}
    >
      {children}
    </form>
  );
}
