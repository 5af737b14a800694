"use client";

import { useEffect } from "react";

/** Scrolls to the top once, when it appears: the cashier may have scrolled to the code. */
export function ScrollToTop() {
  useEffect(() => window.scrollTo({ top: 0 }), []);
  return null;
}
