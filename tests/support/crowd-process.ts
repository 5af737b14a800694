/** One of the processes that hold a crowd of open payment pages: opens the addresses it is sent, tells what they meet. */
import { type Met, type OpenPage, openPage } from "./open-page.ts";

/** Documents asked for at once, as visitors come: not all in one moment. */
const AT_ONCE = 8;

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
