import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { DrawingResult, LinkCard, LinkPictures } from "./types.ts";

/** Pictures kept: some 40 kB each. */
const CACHE_SIZE = 200;
/** How many may wait for their turn; each takes some 100 ms. */
const MAX_QUEUED = 20;
const DRAW_TIMEOUT_MS = 10_000;

type Draw = (card: LinkCard) => Promise<Uint8Array>;

interface QueueLimits {
  readonly cacheSize: number;
  readonly maxQueued: number;
}

/** Pictures of links: kept while their key stands, drawn one at a time in a thread that starts with the first. */
export function openPictures(log: Logger): LinkPictures {
  const thread = startDrawThread();
  return queuePictures(thread.draw, log, { cacheSize: CACHE_SIZE, maxQueued: MAX_QUEUED }, thread.close);
}

/**
 * One drawing at a time, the same one once for all who ask, the newest kept, and a limit to how many wait: however
 * many links are asked for at once, this costs the server no more than one thread.
 */
export function queuePictures(
  draw: Draw,
  log: Pick<Logger, "error">,
  { cacheSize, maxQueued }: QueueLimits,
  close: () => Promise<void> = async () => {},
): LinkPictures {
  const done = new Map<string, Uint8Array>();
  const underWay = new Map<string, Promise<DrawingResult>>();
  let turn: Promise<unknown> = Promise.resolve();

  const keep = (key: string, png: Uint8Array) => {
    const [oldest] = done.keys();
    if (done.size >= cacheSize && oldest !== undefined) done.delete(oldest);
    done.set(key, png);
  };
  const drawOne = async (key: string, card: LinkCard): Promise<DrawingResult> => {
    try {
      const png = await draw(card);
      keep(key, png);
      return { ok: true, png };
    } catch (error) {
      log.error({ err: error }, "a link's picture could not be drawn");
      return { ok: false, reason: "failed" };
    }
  };
  return {
    async getPicture(key, load) {
      const png = done.get(key);
      if (png !== undefined) return { ok: true, png };
      const same = underWay.get(key);
      if (same !== undefined) return same;
      if (underWay.size > maxQueued) return { ok: false, reason: "busy" };
      const drawing = turn.then(async () => drawOne(key, await load())).finally(() => underWay.delete(key));
      underWay.set(key, drawing);
      turn = drawing.catch(() => {});
      return drawing;
    },
    close,
  };
}

/** The thread: started by the first card, and anew after it died or hung. */
function startDrawThread(): { draw: Draw; close(): Promise<void> } {
  let worker: Worker | null = null;
  const end = async () => {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };
  return {
    async draw(card) {
      // The library under sharp must be loaded here, too, or it goes away with the thread (sharp, "Worker threads").
      await import("sharp");
      worker ??= new Worker(new URL("./draw-thread.ts", import.meta.url));
      worker.unref();
      try {
        return await requestDrawing(worker, card);
      } catch (error) {
        await end();
        throw error;
      }
    },
    close: end,
  };
}

function requestDrawing(worker: Worker, card: LinkCard): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(() => reject(new Error("drawing took too long")), DRAW_TIMEOUT_MS);
  const died = (code: number) => reject(new Error(`the drawing thread ended with ${code}`));
  const answered = ({ png, problem }: { png?: Uint8Array; problem?: string }) =>
    png === undefined ? reject(new Error(problem)) : resolve(png);
  worker.once("message", answered).once("error", reject).once("exit", died);
  worker.postMessage({ card });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", answered).off("error", reject).off("exit", died);
  });
}
