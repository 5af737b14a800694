import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { DrawingResult, LinkCard, LinkPictures } from "./types.ts";

/** Number of cached pictures, about 40 kB each. */
const CACHE_SIZE = 200;
/** Number of pictures that may wait; each takes about 100 ms. */
const MAX_QUEUED = 20;
const DRAW_TIMEOUT_MS = 10_000;

type Draw = (card: LinkCard) => Promise<Uint8Array>;

interface QueueLimits {
  readonly cacheSize: number;
  readonly maxQueued: number;
}

/**
 * Pictures of links, cached by key. They are drawn one at a time in a thread that starts with the first one.
 */
export function openPictures(log: Logger): LinkPictures {
  const thread = startDrawThread();
  return queuePictures(thread.draw, log, { cacheSize: CACHE_SIZE, maxQueued: MAX_QUEUED }, thread.close);
}

/**
 * Draws one picture at a time. Concurrent requests for the same key share one drawing. The newest pictures
 * are cached and the queue is limited, so that any number of requests costs the server at most one thread.
 */
export function queuePictures(
  draw: Draw,
  log: Pick<Logger, "error">,
  { cacheSize, maxQueued }: QueueLimits,
  close: () => Promise<void> = async () => {},
): LinkPictures {
  const cached = new Map<string, Uint8Array>();
  const pending = new Map<string, Promise<DrawingResult>>();
  let queue: Promise<unknown> = Promise.resolve();

  const keep = (key: string, png: Uint8Array) => {
    const [oldest] = cached.keys();
    if (cached.size >= cacheSize && oldest !== undefined) cached.delete(oldest);
    cached.set(key, png);
  };
  const drawOne = async (key: string, card: LinkCard): Promise<DrawingResult> => {
    try {
      const png = await draw(card);
      keep(key, png);
      return { ok: true, png };
    } catch (error) {
      log.error({ err: error }, "link picture could not be drawn");
      return { ok: false, reason: "failed" };
    }
  };
  return {
    async getPicture(key, load) {
      const png = cached.get(key);
      if (png !== undefined) return { ok: true, png };
      const concurrent = pending.get(key);
      if (concurrent !== undefined) return concurrent;
      if (pending.size > maxQueued) return { ok: false, reason: "busy" };
      const drawing = queue.then(async () => drawOne(key, await load())).finally(() => pending.delete(key));
      pending.set(key, drawing);
      queue = drawing.catch(() => {});
      return drawing;
    },
    close,
  };
}

/** The drawing thread. Starts with the first card, and again after it died or hung. */
function startDrawThread(): { draw: Draw; close(): Promise<void> } {
  let worker: Worker | null = null;
  const end = async () => {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };
  const start = () => {
    const started = new Worker(new URL("./draw-thread.ts", import.meta.url));
    // Without a listener, an error between two drawings would end the process.
    started.on("error", () => {});
    started.on("exit", () => {
      if (worker === started) worker = null;
    });
    started.unref();
    return started;
  };
  return {
    async draw(card) {
      // sharp's native library must also be loaded in this thread, or it is unloaded with the worker (sharp,
      // "Worker threads").
      await import("sharp");
      worker ??= start();
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
  const timer = setTimeout(() => reject(new Error("drawing the picture took too long")), DRAW_TIMEOUT_MS);
  const died = (code: number) => reject(new Error(`the drawing thread exited with code ${code}`));
  const answered = ({ png, errorText }: { png?: Uint8Array; errorText?: string }) =>
    png === undefined ? reject(new Error(errorText)) : resolve(png);
  worker.once("message", answered).once("error", reject).once("exit", died);
  worker.postMessage({ card });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", answered).off("error", reject).off("exit", died);
  });
}
