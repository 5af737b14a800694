/** Browser side: calls `check` when the page becomes visible, and when the connection changes while it is visible. */
export function onBecomingVisible(signal: AbortSignal, check: (event: Event) => void): void {
  const checkIfVisible = (event: Event) => {
    if (document.visibilityState === "visible") check(event);
  };
  document.addEventListener("visibilitychange", checkIfVisible, { signal });
  for (const event of ["online", "offline", "pageshow"]) {
    window.addEventListener(event, checkIfVisible, { signal });
  }
}
