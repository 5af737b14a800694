import { createLines } from "#lib/platform/lines.ts";
import { SITE_BYTES } from "./visitor-queries.ts";
import { SITE_SHARE, VISITOR_LIMIT } from "./visitor-rules.ts";

/** A lock makes the requests for one target wait for each other anyway: one has it, one has prepared for it, and one is finishing. */
const MAX_RUNNING = 3;
/** More than a visitor may start within the window is refused at last. */
const MAX_WAITING = VISITOR_LIMIT;

/**
 * Makes the requests of visitors that take locks wait in this process. In the database each would keep a connection while it waits, and a
 * stranger's flood would take all of them.
 */
export interface VisitorLines {
  /**
   * Runs `work`, after earlier work of the same visitor and site, whose transactions would wait for each other (lockVisitor), and after that for
   * the same target if too much of it is running. Rethrows its errors. Null, and nothing runs: too many requests of the visitor, or of its site, wait.
   */
  run<T>(visitor: Buffer, target: string, work: () => Promise<T>): Promise<T> | null;
}

export function createVisitorLines(): VisitorLines {
  const visitors = createLines(1);
  const sites = createLines(1);
  const targets = createLines(MAX_RUNNING);
  /** The requests of a site that run or wait, in whatever line. */
  const ofSites = new Map<string, number>();
  return {
    run(visitor, target, work) {
      const name = visitor.toString("base64");
      const site = visitor.toString("base64", 0, SITE_BYTES);
      const ofSite = ofSites.get(site) ?? 0;
      const isFull = ofSite > MAX_WAITING * SITE_SHARE;
      if (isFull || visitors.countWaiting(name) >= MAX_WAITING) return null;
      ofSites.set(site, ofSite + 1);
      const ran = visitors.run(name, () => sites.run(site, () => targets.run(target, work)));
      return ran.finally(() => {
        const rest = (ofSites.get(site) ?? 0) - 1;
        if (rest > 0) ofSites.set(site, rest);
        else ofSites.delete(site);
      });
    },
  };
}
