/** One of the processes that hold a crowd of open payment pages: opens the addresses it is sent, tells what they meet. */
import { setMaxListeners } from "node:events";
import { type CrowdPage, type Met, openCrowdPage } from "./crowd-page.ts";

/** Documents asked for at once, as visitors come: not all in one moment. */
const AT_ONCE = 8;

// What the follower finds in every browser; here all pages share it.
Object.assign(globalThis, { window: new EventTarget(), document: new EventTarget() });
Object.assign(document, { visibilityState: "visible" });
Object.defineProperty(navigator, "onLine", { value: true });
setMaxListeners(0, window, document);
// No page has the connections of another. (Those that the server closes after five seconds would be tripped over.)
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

const pages: CrowdPage[] = [];
async function open(urls: readonly string[]): Promise<void> {
  const waiting = [...urls];
  const next = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      pages.push(await openCrowdPage(url, tell));
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
