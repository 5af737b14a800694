"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { keepSocket } from "#lib/web/realtime/keep-socket.ts";

/** A busy shop changes many times a second. Its list changes once. */
const EVERY_MS = 1_000;

/** Keeps a list of a merchant's payments in step with the server. `desk`: "<merchant's code>/<env>". */
export function LivePayments({ desk }: { desk: string }) {
  const router = useRouter();
  useEffect(() => {
    const stopped = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasJoined = false;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        router.refresh();
      }, EVERY_MS);
    };
    keepSocket({
      origin: window.location.origin,
      room: { desk },
      signal: stopped.signal,
      onEvent(name) {
        // After a lost connection, anything may have changed.
        if (name === "changed" || (name === "joined" && hasJoined)) refresh();
        if (name === "joined") hasJoined = true;
      },
      onDisconnect() {},
    });
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [desk, router]);
  return null;
}
