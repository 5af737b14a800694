"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { StayCurrent } from "#components/stay-current.tsx";
import { keepSocket } from "#lib/web/realtime/keep-socket.ts";
import { pageAnswers } from "#lib/web/realtime/page-answers.ts";
import { trackUse } from "#lib/web/realtime/track-use.ts";

/** A busy shop changes many times a second. Its list changes once. */
const EVERY_MS = 1_000;
/** While the server cannot render the page, a change waits for this time. */
const RETRY_MS = 5_000;
/**
 * How often a page that is looked at is read again. A new link is not announced, because a notification holds up every other commit,
 * and a dead connection is noticed late.
 */
const LOOK_MS = 30_000;
/** After a restart of the server all pages ask. They spread over this time. */
const SPREAD_MS = 3_000;

/** Keeps a list of a merchant's payments in step with the server. `desk`: "<merchant's code>/<env>". */
export function LivePayments({ desk }: { desk: string }) {
  const router = useRouter();
  useEffect(() => {
    const stopped = new AbortController();
    const isUsed = trackUse(stopped.signal);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (afterMs = EVERY_MS) => {
      timer ??= setTimeout(async () => {
        const answers = isUsed() && (await pageAnswers());
        timer = undefined;
        if (stopped.signal.aborted || !isUsed()) return;
        if (answers) router.refresh();
        else refresh(RETRY_MS);
      }, afterMs);
    };
    keepSocket({
      origin: window.location.origin,
      room: { desk },
      signal: stopped.signal,
      onEvent(name) {
        if (name === "changed") refresh();
        // Anything may have changed since the page was rendered, or the connection was lost.
        if (name === "joined") refresh(EVERY_MS + Math.random() * SPREAD_MS);
      },
      onDisconnect() {},
    });
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [desk, router]);
  return <StayCurrent everyMs={LOOK_MS} />;
}
