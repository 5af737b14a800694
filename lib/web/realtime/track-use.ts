/** Longer than a working day. */
const UNUSED_MS = 12 * 3_600_000;
const USES = ["pointerdown", "keydown", "wheel", "visibilitychange"];

/**
 * Browser side: returns whether somebody has used the page in the last 12 hours. To read a page again counts as a use of its
 * session, which would otherwise not end where a page stays open.
 */
export function trackUse(signal: AbortSignal): () => boolean {
  let usedAt = Date.now();
  const options = { signal, capture: true, passive: true };
  const use = () => {
    usedAt = Date.now();
  };
  for (const event of USES) document.addEventListener(event, use, options);
  return () => Date.now() - usedAt < UNUSED_MS;
}
