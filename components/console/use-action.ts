import { unstable_rethrow } from "next/navigation";
import { useState, useTransition } from "react";
import { useReady } from "#components/use-ready.ts";

/**
 * Calls a server action. An answer that is lost on the way does not replace the page by an error: `isLost` is true until the
 * next call, and what was typed stays. Before `isReady` the page's script does not run yet: a button that is pressed would load the
 * page again, without what was typed.
 */
export function useAction<T>(action: (posted: FormData) => Promise<T | undefined>) {
  const [isWaiting, startWaiting] = useTransition();
  const [isLost, setLost] = useState(false);
  const isReady = useReady();
  const call = (posted: FormData, onAnswer: (answer: T) => void) => {
    setLost(false);
    startWaiting(async () => {
      try {
        const answer = await action(posted);
        // Without an answer the browser goes to another page.
        if (answer !== undefined) onAnswer(answer);
      } catch (error) {
        unstable_rethrow(error);
        setLost(true);
      }
    });
  };
  return { call, isReady, isWaiting, isLost };
}
