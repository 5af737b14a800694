/** How many requests may be under way at once, in this process. */
export interface LaneLimits {
  readonly perEndpoint: number;
  readonly total: number;
  /** Of the total, at most so many to endpoints that failed last, one to each. */
  readonly failing: number;
}

export interface LaneWork<Claimed> {
  /** Takes up to `limit` of what is due at an endpoint; fewer than that: nothing more is due now. */
  claim(
    endpointId: number,
    limit: number,
  ): Promise<{ claimed: readonly Claimed[]; failing: boolean; more: boolean }>;
  /** Makes one attempt; true when the endpoint took it. */
  deliver(claimed: Claimed): Promise<boolean>;
  onError(error: unknown): void;
}

/** What goes on at one endpoint. There is none for an endpoint at rest. */
interface Lane {
  running: number;
  /** Something may be due that was not asked for yet. */
  asked: boolean;
  claiming: boolean;
  failing: boolean;
}

export interface Lanes {
  /** Something may be due at this endpoint. */
  wake(endpointId: number): void;
  /** Begins nothing more; resolves when all that is under way has ended. */
  stop(): Promise<void>;
}

/**
 * Gives every endpoint a lane of its own, so that one that is slow or dead holds up nobody else: it fills its own lane,
 * is left with one request at a time once it has failed, and all that fail share a part of the total. Where the total is
 * full, those that want more take turns, a request each. An endpoint is asked for what is due only when there is room for
 * it: what waits, waits in the database.
 */
export function openLanes<Claimed>(limits: LaneLimits, work: LaneWork<Claimed>): Lanes {
  const lanes = new Map<number, Lane>();
  /** Endpoints that found no room but their own, or let others go first; in their order. */
  const waiting = new Set<number>();
  const busy = { total: 0, failing: 0 };
  let stopping = false;
  const { promise: atRest, resolve: rest } = Promise.withResolvers<void>();

  const ownRoom = (lane: Lane) => (lane.failing ? 1 : limits.perEndpoint) - lane.running;

  function roomOf(lane: Lane): number {
    const shared = lane.failing ? limits.failing - busy.failing : limits.total;
    return Math.min(ownRoom(lane), shared, limits.total - busy.total);
  }

  function wake(endpointId: number): void {
    if (stopping) return;
    const lane = lanes.get(endpointId) ?? { running: 0, asked: false, claiming: false, failing: false };
    lanes.set(endpointId, lane);
    lane.asked = true;
    void fill(endpointId, lane);
  }

  async function fill(endpointId: number, lane: Lane): Promise<void> {
    if (lane.claiming) return;
    lane.claiming = true;
    while (lane.asked && !stopping) {
      const room = roomOf(lane);
      if (room <= 0) {
        // Where its own requests fill it, their end asks again.
        if (ownRoom(lane) > 0) waiting.add(endpointId);
        break;
      }
      lane.asked = false;
      // Held until the claim says how many there are: others claim meanwhile.
      busy.total += room;
      const found = await claim(endpointId, room);
      busy.total -= room;
      lane.failing = found.failing;
      lane.asked ||= found.more;
      for (const one of found.claimed) void run(endpointId, lane, one);
    }
    lane.claiming = false;
    settle(endpointId, lane);
  }

  async function claim(endpointId: number, limit: number) {
    try {
      return await work.claim(endpointId, limit);
    } catch (error) {
      // The sweep asks again.
      work.onError(error);
      return { claimed: [], failing: false, more: false };
    }
  }

  async function run(endpointId: number, lane: Lane, one: Claimed): Promise<void> {
    const { failing } = lane;
    lane.running += 1;
    busy.total += 1;
    if (failing) busy.failing += 1;
    try {
      lane.failing = !(await work.deliver(one));
    } catch (error) {
      work.onError(error);
    }
    lane.running -= 1;
    busy.total -= 1;
    if (failing) busy.failing -= 1;
    // Behind those that wait already: one that is slow, and takes everything, would keep its places for ever.
    if (lane.asked) waiting.add(endpointId);
    settle(endpointId, lane);
  }

  /** Forgets a lane with nothing to do, and lets those in that wait; the last one ends the wait of stop(). */
  function settle(endpointId: number, lane: Lane): void {
    const idle = lane.running === 0 && !lane.claiming;
    if (idle && (stopping || (!lane.asked && !waiting.has(endpointId)))) lanes.delete(endpointId);
    if (stopping && lanes.size === 0) rest();
    if (waiting.size > 0) letIn();
  }

  function letIn(): void {
    for (const endpointId of [...waiting]) {
      if (busy.total >= limits.total) return;
      const lane = lanes.get(endpointId);
      if (lane !== undefined && roomOf(lane) <= 0) continue;
      waiting.delete(endpointId);
      wake(endpointId);
    }
  }

  return {
    wake,
    async stop() {
      stopping = true;
      waiting.clear();
      for (const [endpointId, lane] of lanes) settle(endpointId, lane);
      if (lanes.size === 0) rest();
      await atRest;
    },
  };
}
