"use client";

import type { ReactNode } from "react";
import { useFormStatus } from "react-dom";

/** Turns from `children` into a wheel while its form is on its way by the button of this name and value. */
export function SubmitSpinner({
  name,
  value,
  children,
}: {
  name: string;
  value: string;
  children: ReactNode;
}) {
  const { data } = useFormStatus();
  if (data?.get(name) !== value) return children;
  return (
    <span className="size-5 shrink-0 rounded-full border-2 border-line border-t-accent motion-safe:animate-spin" />
  );
}
