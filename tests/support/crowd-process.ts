/**
 * One of the processes that hold open payment pages. Opens the addresses that it receives and reports the
 * pages' events.
 */
import { type Met, type OpenPage, openPage } from "./open-page.ts";

/** Documents that are requested at the same time. */
const AT_ONCE = 8;

// Each page has its own connections. The server closes idle ones after five seconds, so that reuse would
// fail.
const { fetch } = globalThis;
globalThis.fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), connection: "close" } });

let unsaid: Met[] = [];
function tell(met: Met): void {
  if (unsaid.length === 0) setImmediate(say);
  unsaid.push(met);
}
function say(): void {
  process.send?.({ met: unsaid });
  unsaid = [];
}

const pages: OpenPage[] = [];
async function open(urls: readonly string[]): Promise<void> {
  const waiting = [...urls];
  const next = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      pages.push(await openPage(url, tell));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

process.on("message", ({ open: urls }: { open: readonly string[] }) => {
  open(urls).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.on("disconnect", () => process.exit(0));
