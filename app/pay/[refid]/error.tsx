"use client";

import { useEffect } from "react";
import { useErrorTexts } from "#app/error-texts.tsx";
import { MessagePage } from "#components/ui/message-page.tsx";
import { fetchVersion } from "#lib/web/realtime/follow-link.ts";

const RETRY_MS = 5_000;

/** Retries by itself until the server answers again. Only the server's log says what failed. */
export default function ErrorPage({ retry }: { retry: () => void }) {
  const { title, text, retry: again } = useErrorTexts();
  useEffect(() => {
    const timer = setInterval(async () => {
      if ((await fetchVersion()) !== null) retry();
    }, RETRY_MS);
    return () => clearInterval(timer);
  }, [retry]);
  return (
    <MessagePage icon="alert" title={title}>
      <p className="text-muted">{text}</p>
      <button type="button" className="button" onClick={retry}>
        {again}
      </button>
    </MessagePage>
  );
}
