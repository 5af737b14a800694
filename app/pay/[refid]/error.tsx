"use client";

import { useEffect } from "react";
import { english } from "#components/checkout/texts.ts";
import { MessagePage } from "#components/ui/message-page.tsx";
import { fetchVersion } from "#lib/realtime/follow-link.ts";

const RETRY_MS = 5_000;

/** Comes back by itself once the server answers again. What happened is in the server's log only. */
export default function ErrorPage({ retry }: { retry: () => void }) {
  useEffect(() => {
    const timer = setInterval(async () => {
      if ((await fetchVersion()) !== null) retry();
    }, RETRY_MS);
    return () => clearInterval(timer);
  }, [retry]);
  return (
    <MessagePage icon="alert" title={english.broken.title}>
      <p className="text-muted">{english.broken.text}</p>
      <button type="button" className="button" onClick={retry}>
        {english.broken.retry}
      </button>
    </MessagePage>
  );
}
