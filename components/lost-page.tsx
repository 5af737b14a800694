"use client";

import { useEffect } from "react";
import { MessagePage } from "#components/ui/message-page.tsx";
import { pageAnswers } from "#lib/web/realtime/page-answers.ts";

const RETRY_MS = 5_000;
/** A page that fails again and again is rendered this seldom. */
const LONGEST_RETRY_MS = 60_000;
/** Kept while the page is replaced by what failed again. */
const last = { at: Number.NEGATIVE_INFINITY, pauseMs: RETRY_MS };

/** Returns the pause before a page that failed is rendered again. It doubles while the page fails soon after. */
function nextPause(now: number): number {
  const isAgain = now - last.at < 2 * LONGEST_RETRY_MS;
  last.pauseMs = isAgain ? Math.min(LONGEST_RETRY_MS, 2 * last.pauseMs) : RETRY_MS;
  last.at = now;
  return last.pauseMs;
}

interface LostPageProps {
  readonly texts: { readonly title: string; readonly text?: string; readonly retry: string };
  /** Renders the page again. */
  readonly retry: () => void;
}

/** Shown in place of a page that failed. Renders the page once the server answers. Only the server's log says what failed. */
export function LostPage({ texts, retry }: LostPageProps) {
  useEffect(() => {
    let isShown = true;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (ms: number) => {
      timer = setTimeout(async () => {
        const mayTry = document.visibilityState === "visible" && (await pageAnswers());
        if (!isShown) return;
        if (mayTry) retry();
        wait(mayTry ? LONGEST_RETRY_MS : RETRY_MS);
      }, ms);
    };
    wait(nextPause(performance.now()) * (1 + Math.random() / 5));
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [retry]);
  return (
    <MessagePage icon="alert" title={texts.title}>
      {texts.text && <p className="text-muted">{texts.text}</p>}
      <button type="button" className="button" onClick={retry}>
        {texts.retry}
      </button>
    </MessagePage>
  );
}
