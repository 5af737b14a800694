import type { Logger } from "pino";

/**
 * Calls `wake` after anything that the node publishes over ZMQ, with at least `quietMs` between two calls: a
 * busy chain has news all the time. All topics count. The library reconnects by itself. Returns a function
 * that stops it.
 */
export function listenActivity(
  url: string,
  wake: () => void,
  quietMs: number,
  log: Logger | undefined,
): () => void {
  let stopped = false;
  let close = () => {};
  const listen = async () => {
    // Loaded only when needed: the package is native code.
    const { Subscriber } = await import("zeromq");
    const socket = new Subscriber({ receiveHighWaterMark: 1_000, linger: 0 });
    close = () => socket.close();
    if (stopped) return close();
    socket.connect(url);
    socket.subscribe();
    const wakeRarely = throttle(wake, quietMs);
    for await (const _ of socket) {
      if (stopped) return;
      wakeRarely();
    }
  };
  listen().catch((error: unknown) => {
    if (!stopped) log?.warn({ err: error }, "news over ZMQ ended; polling continues");
  });
  return () => {
    stopped = true;
    close();
  };
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
