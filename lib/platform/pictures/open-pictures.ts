import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Card, Drawing, Pictures } from "./types.ts";

/** Pictures kept: some 40 kB each. */
const KEPT = 200;
/** How many may wait for their turn; each takes some 100 ms. */
const WAITING = 20;
const LONGEST_MS = 10_000;

type Draw = (card: Card) => Promise<Uint8Array>;

interface Limits {
  readonly kept: number;
  readonly waiting: number;
}

/** Pictures of links: kept while their key stands, drawn one at a time in a thread that starts with the first. */
export function openPictures(log: Logger): Pictures {
  const thread = drawThread();
  return queuePictures(thread.draw, log, { kept: KEPT, waiting: WAITING }, thread.close);
}

/**
 * One drawing at a time, the same one once for all who ask, the newest kept, and a limit to how many wait: however
 * many links are asked for at once, this costs the server no more than one thread.
 */
export function queuePictures(
  draw: Draw,
  log: Pick<Logger, "error">,
  { kept, waiting }: Limits,
  close: () => Promise<void> = async () => {},
): Pictures {
  const done = new Map<string, Uint8Array>();
  const underWay = new Map<string, Promise<Drawing>>();
  let turn: Promise<unknown> = Promise.resolve();

  const keep = (key: string, png: Uint8Array) => {
    const [oldest] = done.keys();
    if (done.size >= kept && oldest !== undefined) done.delete(oldest);
    done.set(key, png);
  };
  const drawOne = async (key: string, card: Card): Promise<Drawing> => {
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
    async picture(key, load) {
      const png = done.get(key);
      if (png !== undefined) return { ok: true, png };
      const same = underWay.get(key);
      if (same !== undefined) return same;
      if (underWay.size > waiting) return { ok: false, reason: "busy" };
      const drawing = turn.then(async () => drawOne(key, await load())).finally(() => underWay.delete(key));
      underWay.set(key, drawing);
      turn = drawing.catch(() => {});
      return drawing;
    },
    close,
  };
}

/** The thread: started by the first card, and anew after it died or hung. */
function drawThread(): { draw: Draw; close(): Promise<void> } {
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
        return await answerOf(worker, card);
      } catch (error) {
        await end();
        throw error;
      }
    },
    close: end,
  };
}

function answerOf(worker: Worker, card: Card): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(() => reject(new Error("drawing took too long")), LONGEST_MS);
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
