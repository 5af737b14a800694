/**
 * Worker thread that draws cards one after another. Laying out a card would block the server's main thread
 * too long.
 */
import { parentPort } from "node:worker_threads";
import { drawCard } from "./draw-card.ts";
import type { LinkCard } from "./types.ts";

// The drawing library fetches fonts and pictures for characters that it lacks. This blocks every such
// request, whatever a merchant's name contains. Only data URLs pass, which the library uses for its own
// files.
const { fetch } = globalThis;
globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.startsWith("data:")) throw new Error("network requests are blocked while a picture is drawn");
  return fetch(input, init);
};

parentPort?.on("message", async ({ card }: { card: LinkCard }) => {
  try {
    const png = await drawCard(card);
    parentPort?.postMessage({ png });
  } catch (error) {
    parentPort?.postMessage({
      errorText: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
});
