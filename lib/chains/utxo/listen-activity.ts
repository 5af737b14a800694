import type { Logger } from "pino";
import type { NodeNews } from "../mempool-reader.ts";
import type { MempoolChanges } from "./mempool-changes.ts";

export interface Listening {
  /** Minimum time between two wakes for the same kind of news: a busy chain has news all the time. */
  readonly quietMs: number;
  /** Filled with the messages of the topic `sequence`. */
  readonly changes: MempoolChanges;
  readonly log: Logger | undefined;
}

/** A connection that answers no heartbeat is made again. */
const HEARTBEAT_MS = 5_000;

/**
 * Calls `wake` after anything that the node publishes over ZMQ. All topics count. The library reconnects by itself.
 * Returns a function that stops it.
 */
export function listenActivity(
  url: string,
  wake: (news: NodeNews) => void,
  { quietMs, changes, log }: Listening,
): () => void {
  let stopped = false;
  let close = () => {};
  const listen = async () => {
    // Loaded only when needed: the package is native code.
    const { Subscriber } = await import("zeromq");
    const socket = new Subscriber({
      receiveHighWaterMark: 1_000,
      linger: 0,
      heartbeatInterval: HEARTBEAT_MS,
    });
    close = () => socket.close();
    if (stopped) return close();
    socket.events.on("handshake", changes.connect);
    socket.events.on("disconnect", changes.disconnect);
    socket.connect(url);
    socket.subscribe();
    const wakeRarely = {
      block: throttle(() => wake("block"), quietMs),
      transaction: throttle(() => wake("transaction"), quietMs),
    };
    for await (const [topic, body, count] of socket) {
      if (stopped) return;
      if (body && topic?.toString("latin1") === "sequence") changes.push(body, count);
      wakeRarely[readNews(topic, body)]();
    }
  };
  listen().catch((error: unknown) => {
    if (!stopped) log?.warn({ err: error }, "news over ZMQ ended; polling continues");
  });
  return () => {
    stopped = true;
    changes.disconnect();
    close();
  };
}

/** Where a message of the topic `sequence` has its kind: after the hash. */
const SEQUENCE_KIND = 32;

/** Returns what a message is about (Core's doc/zmq.md). C and D: a block was connected or disconnected. */
function readNews(topic: Buffer | undefined, body: Buffer | undefined): NodeNews {
  const name = topic?.toString("latin1") ?? "";
  const kind = name === "sequence" ? body?.toString("latin1", SEQUENCE_KIND, SEQUENCE_KIND + 1) : name;
  return kind === "C" || kind === "D" || name.endsWith("block") ? "block" : "transaction";
}

/** Runs at once, and once more after the pause if it was called meanwhile. */
function throttle(run: () => void, ms: number): () => void {
  let timer: NodeJS.Timeout | null = null;
  let again = false;
  const start = () => {
    run();
    timer = setTimeout(() => {
      timer = null;
      if (again) start();
      again = false;
    }, ms);
    timer.unref();
  };
  return () => {
    if (timer === null) start();
    else again = true;
  };
}
