"use client";

import { useEffect } from "react";
import { MessagePage } from "#components/ui/message-page.tsx";
import { pageAnswers } from "#lib/web/realtime/page-answers.ts";

const RETRY_MS = 5_000;

interface LostPageProps {
  readonly texts: { readonly title: string; readonly text: string; readonly retry: string };
  /** Renders the page again. */
  readonly retry: () => void;
}

/** Shown in place of a page that failed. Renders the page once the server answers. Only the server's log says what failed. */
export function LostPage({ texts, retry }: LostPageProps) {
  useEffect(() => {
    const timer = setInterval(async () => {
      if (await pageAnswers()) retry();
    }, RETRY_MS);
    return () => clearInterval(timer);
  }, [retry]);
  return (
    <MessagePage icon="alert" title={texts.title}>
      <p className="text-muted">{texts.text}</p>
      <button type="button" className="button" onClick={retry}>
        {texts.retry}
      </button>
    </MessagePage>
  );
}
