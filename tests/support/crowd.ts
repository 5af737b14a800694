import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Met } from "./open-page.ts";
import { until } from "./until.ts";

const PROCESS = join(import.meta.dirname, "crowd-process.ts");

/** Many open payment pages in separate processes, so that a measurement covers only the server. */
export interface Crowd {
  /** Opens the pages. Resolves once each has its document and has joined over its socket. */
  open(urls: readonly string[]): Promise<void>;
  /** The first events since the last `forget`, by refid and `Date.now()`, for versions from `above` on. */
  first(what: Met["what"], above?: (refid: string) => number): ReadonlyMap<string, number>;
  /** The version that each page shows. */
  readonly shown: ReadonlyMap<string, number>;
  forget(): void;
  close(): Promise<void>;
}

/** Starts the processes that share the pages. */
export function openCrowd(processes: number): Crowd {
  const shown = new Map<string, number>();
  let met: Met[] = [];
  const children: ChildProcess[] = Array.from({ length: processes }, () => {
    const child = fork(PROCESS, { serialization: "advanced" });
    child.on("message", (message: { met: readonly Met[] }) => {
      met.push(...message.met);
      for (const { what, refid, version } of message.met) if (what === "shown") shown.set(refid, version);
    });
    return child;
  });
  const first: Crowd["first"] = (what, above = () => 0) => {
    const found = new Map<string, number>();
    for (const one of met) {
      if (one.what !== what || one.version < above(one.refid) || found.has(one.refid)) continue;
      found.set(one.refid, one.at);
    }
    return found;
  };
  return {
    shown,
    first,
    async open(urls) {
      const refids = urls.map((url) => url.slice(url.lastIndexOf("/") + 1));
      const shares = children.map((_, n) => urls.filter((_url, i) => i % processes === n));
      for (const [n, child] of children.entries()) child.send({ open: shares[n] });
      const joined = () => {
        const ended = children.find(({ exitCode }) => exitCode !== null);
        if (ended !== undefined) throw new Error("a process of the crowd ended");
        const nudged = first("nudge");
        return refids.every((refid) => nudged.has(refid));
      };
      await until("every page to be open", joined, { withinMs: 600_000, everyMs: 50 });
    },
    forget() {
      met = [];
    },
    async close() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null) return;
          const ended = once(child, "exit");
          child.disconnect();
          await ended;
        }),
      );
    },
  };
}
