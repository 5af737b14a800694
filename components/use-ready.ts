import { useEffect, useState } from "react";

/** False in the server's HTML, and until the page's script runs: what only a script can do is disabled so long. */
export function useReady(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return isReady;
}
