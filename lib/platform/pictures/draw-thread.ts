/** A thread that draws cards, one after another: laying one out takes longer than a server may stand still. */
import { parentPort } from "node:worker_threads";
import { drawCard } from "./draw-card.ts";
import type { LinkCard } from "./types.ts";

// The drawing library fetches fonts and pictures of characters that it lacks: from here nothing is fetched, whatever
// a merchant is called. What it carries itself comes as a data URL.
const { fetch } = globalThis;
globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.startsWith("data:")) throw new Error("nothing is fetched to draw a picture");
  return fetch(input, init);
};

parentPort?.on("message", async ({ card }: { card: LinkCard }) => {
  try {
    const png = await drawCard(card);
    parentPort?.postMessage({ png });
  } catch (error) {
    parentPort?.postMessage({
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
});
