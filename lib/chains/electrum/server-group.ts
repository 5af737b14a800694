import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "#lib/platform/clock.ts";
import { NodeError } from "../node-error.ts";
import type { ElectrumServer } from "./electrum-server.ts";
import { compareWork, tipOf } from "./header-chain.ts";

/** A scan waits this long after the first server has read what it knows. Reports of the others that come later are listed as late. */
const OTHERS_MS = 3_000;

/** While none is connected, each is asked again after this time at most: an outage of all may end at any time. */
const LONGEST_ALONE_MS = 10_000;

/** All servers of a network. */
export interface ServerGroup {
  /** The server whose chain has the most work, the first of several. Throws NodeError when none is connected. */
  best(): Promise<ElectrumServer>;
  /**
   * Waits until one server that shows the best one's newest block has read what it knows, and for the others a while. So
   * the best one may be busy or silent. Returns that block: if it is replaced meanwhile, the payments in the new one may be
   * unread. Throws NodeError when all such servers fail.
   */
  settle(best: ElectrumServer): Promise<{ readonly height: number; readonly hash: string }>;
}

/** Keeps no process alive. */
const WAITS: Pick<Clock, "sleep"> = { sleep: (ms) => delay(ms, undefined, { ref: false }) };

export function createGroup(servers: readonly ElectrumServer[], { sleep } = WAITS): ServerGroup {
  let isFirst = true;
  /** Servers that still synchronize their addresses since an earlier scan. */
  const reading = new Set<ElectrumServer>();
  /** Connects what is not connected. Waits for all of them at first, later only when there is none. */
  async function connect(): Promise<void> {
    const areAllAway = servers.every((server) => server.current() === null);
    const attempts = servers.map((server) => server.open(areAllAway ? LONGEST_ALONE_MS : undefined));
    const all = Promise.allSettled(attempts);
    if (!isFirst && servers.some((server) => server.current() !== null)) return;
    const any = Promise.any(attempts).then(() => sleep(OTHERS_MS));
    await Promise.race([all, any.catch(() => all)]);
    if (servers.some((server) => server.current() !== null)) isFirst = false;
    else throw combine((await all).flatMap((one) => (one.status === "rejected" ? [one.reason] : [])));
  }
  return {
    async best() {
      await connect();
      let best: ElectrumServer | null = null;
      for (const server of servers) {
        const chain = server.current()?.session.chain();
        const most = best?.current()?.session.chain();
        if (chain && (!most || compareWork(chain, most) > 0)) best = server;
      }
      if (best === null) throw new NodeError("unreachable", "no server is connected");
      return best;
    },
    async settle(best) {
      const { session } = await best.open();
      const { height } = session.chain();
      const { hash } = tipOf(session.chain());
      const connected = servers.filter((server) => server === best || server.current() !== null);
      const slow = new Set(reading);
      const settling = new Map(
        connected.map((server) => {
          reading.add(server);
          return [server, server.settle().finally(() => reading.delete(server))] as const;
        }),
      );
      const first = Promise.any(
        [...settling].map(async ([server, settled]) => {
          const reported = await settled;
          const shows = reported.at(height)?.hash === hash;
          if (server !== best && !shows) throw new NodeError("behind", `${server.name} has other blocks`);
        }),
      );
      await first.catch(() => settling.get(best));
      const others = connected.filter((server) => !slow.has(server)).map((server) => settling.get(server));
      await Promise.race([Promise.allSettled(others), sleep(OTHERS_MS)]);
      return { height, hash };
    },
  };
}

function combine(errors: readonly unknown[]): unknown {
  const [first] = errors;
  if (!(first instanceof NodeError) || errors.length === 1) return first;
  const text = errors.map((error) => (error as Error).message).join("; ");
  return new NodeError(first.kind, text, { cause: first });
}
