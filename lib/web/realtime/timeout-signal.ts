/** Aborts after this time. Browsers before 2022 have no AbortSignal.timeout: without this, every request of theirs would fail. */
export function timeoutSignal(ms: number): AbortSignal {
  if (typeof AbortSignal.timeout === "function") return AbortSignal.timeout(ms);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
