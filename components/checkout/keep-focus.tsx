"use client";

import { useEffect, useRef } from "react";

/**
 * Where the page is drawn anew under the focus, hands it on: to the same control where it is there again, by its id,
 * else to the heading that says how things stand. Without this a keyboard would start over at the top.
 */
export function KeepFocus() {
  const last = useRef<{ element: Element; byKeyboard: boolean } | null>(null);

  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element) {
        last.current = { element: target, byKeyboard: target.matches(":focus-visible") };
      }
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);

  // After every rendering.
  useEffect(() => {
    const lost = last.current;
    if (lost === null || lost.element.isConnected || document.activeElement !== document.body) return;
    last.current = null;
    const again = lost.element.id === "" ? null : document.getElementById(lost.element.id);
    // Who points with a finger or a mouse has not lost the place, and is not to be scrolled away from it.
    (again ?? document.getElementById("status"))?.focus({ preventScroll: !lost.byKeyboard });
  });

  return null;
}
