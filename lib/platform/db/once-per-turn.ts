import { setImmediate as endOfTurn } from "node:timers/promises";

/**
 * Joins what is asked about one key in one turn of the event loop into a single question, put when the turn ends. It
 * never goes out before somebody who waits for it has asked, so that nobody is told what was true earlier.
 */
export function coalescePerTurn<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (key) => {
    const joined = waiting.get(key);
    if (joined !== undefined) return joined;
    const answer = endOfTurn().then(() => {
      waiting.delete(key);
      return ask(key);
    });
    waiting.set(key, answer);
    return answer;
  };
}
