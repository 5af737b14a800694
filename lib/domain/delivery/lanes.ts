/** How many requests may be in progress at the same time in this process. */
export interface LaneLimits {
  readonly perLane: number;
  readonly total: number;
  /** Part of the total for lanes whose last attempt failed. Each of them gets one request at a time. */
  readonly failing: number;
}

/** Deliveries of a lane that this process may send now. `more`: further deliveries may be due now. */
export interface LaneClaim<Claimed> {
  readonly claimed: readonly Claimed[];
  readonly failing: boolean;
  readonly more: boolean;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  /** The receiver accepted the delivery. */
  readonly accepted: boolean;
  /** Settles when the result is stored. The lane does not wait for it, but counts it in the total until then. */
  readonly stored: Promise<void>;
}

export interface LaneWork<Claimed> {
  /** Claims up to `limit` due deliveries of a lane. */
  claim(id: number, limit: number): Promise<LaneClaim<Claimed>>;
  /** Makes one attempt. */
  deliver(claimed: Claimed): Promise<EndedAttempt>;
  onError(error: unknown): void;
}

/** The state of one lane. An idle one has none. */
interface Lane {
  running: number;
  /** Deliveries may be due that were not claimed yet. */
  hasDue: boolean;
  claiming: boolean;
  failing: boolean;
}

export interface Lanes {
  /** Deliveries may be due in this lane. */
  wake(id: number): void;
  /** Starts no more requests. Resolves when all requests in progress have ended and their results are stored. */
  stop(): Promise<void>;
}

/**
 * Gives every receiver its own lane, so that a slow or dead one does not delay the others. A failing lane gets one request
 * at a time, and all failing lanes share a part of the total. If the total is full, waiting lanes take turns with one
 * request each. Deliveries are claimed only when there is capacity, so they wait in the database.
 */
export function openLanes<Claimed>(limits: LaneLimits, work: LaneWork<Claimed>): Lanes {
  return new LaneScheduler(limits, work);
}

class LaneScheduler<Claimed> implements Lanes {
  readonly #limits: LaneLimits;
  readonly #work: LaneWork<Claimed>;
  readonly #lanes = new Map<number, Lane>();
  /** Lanes that wait for shared capacity or for their turn, in order. */
  readonly #waiting = new Set<number>();
  readonly #running = { total: 0, failing: 0 };
  readonly #allEnded = Promise.withResolvers<void>();
  #stopping = false;

  constructor(limits: LaneLimits, work: LaneWork<Claimed>) {
    this.#limits = limits;
    this.#work = work;
  }

  wake(id: number): void {
    if (this.#stopping) return;
    const lane = this.#lanes.get(id) ?? {
      running: 0,
      hasDue: false,
      claiming: false,
      failing: false,
    };
    this.#lanes.set(id, lane);
    lane.hasDue = true;
    void this.#fill(id, lane);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#waiting.clear();
    for (const [id, lane] of this.#lanes) this.#settle(id, lane);
    this.#endStop();
    await this.#allEnded.promise;
  }

  /** Capacity of the lane itself. */
  #ownCapacity(lane: Lane): number {
    return (lane.failing ? 1 : this.#limits.perLane) - lane.running;
  }

  #capacity(lane: Lane): number {
    const { total, failing } = this.#limits;
    const shared = lane.failing ? failing - this.#running.failing : total;
    return Math.min(this.#ownCapacity(lane), shared, total - this.#running.total);
  }

  async #fill(id: number, lane: Lane): Promise<void> {
    if (lane.claiming) return;
    lane.claiming = true;
    while (lane.hasDue && !this.#stopping) {
      const capacity = this.#capacity(lane);
      if (capacity <= 0) {
        // If the lane's own requests use its capacity, the end of one of them continues here.
        if (this.#ownCapacity(lane) > 0) this.#waiting.add(id);
        break;
      }
      lane.hasDue = false;
      // Reserves the capacity while the claim runs, because other lanes claim at the same time.
      this.#running.total += capacity;
      const { claimed, failing, more } = await this.#claim(id, capacity);
      this.#running.total -= capacity;
      lane.failing = failing;
      lane.hasDue ||= more;
      for (const delivery of claimed) void this.#run(id, lane, delivery);
    }
    lane.claiming = false;
    this.#settle(id, lane);
  }

  async #claim(id: number, limit: number) {
    try {
      return await this.#work.claim(id, limit);
    } catch (error) {
      // The sweep wakes the lane again.
      this.#work.onError(error);
      return { claimed: [], failing: false, more: false };
    }
  }

  async #run(id: number, lane: Lane, delivery: Claimed): Promise<void> {
    const { failing } = lane;
    lane.running += 1;
    this.#running.total += 1;
    if (failing) this.#running.failing += 1;
    let stored = Promise.resolve();
    try {
      const ended = await this.#work.deliver(delivery);
      lane.failing = !ended.accepted;
      stored = ended.stored;
    } catch (error) {
      this.#work.onError(error);
    }
    lane.running -= 1;
    if (failing) this.#running.failing -= 1;
    // Queues behind the lanes that already wait. Otherwise a slow one would keep its capacity forever.
    if (lane.hasDue) this.#waiting.add(id);
    this.#settle(id, lane);
    await stored.catch((error: unknown) => this.#work.onError(error));
    this.#running.total -= 1;
    this.#endStop();
    if (this.#waiting.size > 0) this.#wakeWaiting();
  }

  /** The last request and the last stored result end the wait of stop(). */
  #endStop(): void {
    if (this.#stopping && this.#lanes.size === 0 && this.#running.total === 0) this.#allEnded.resolve();
  }

  /** Removes an idle lane and wakes waiting ones. */
  #settle(id: number, lane: Lane): void {
    const isIdle = lane.running === 0 && !lane.claiming;
    if (isIdle && (this.#stopping || (!lane.hasDue && !this.#waiting.has(id)))) {
      this.#lanes.delete(id);
    }
    this.#endStop();
    if (this.#waiting.size > 0) this.#wakeWaiting();
  }

  #wakeWaiting(): void {
    for (const id of [...this.#waiting]) {
      if (this.#running.total >= this.#limits.total) return;
      const lane = this.#lanes.get(id);
      if (lane !== undefined && this.#capacity(lane) <= 0) continue;
      this.#waiting.delete(id);
      this.wake(id);
    }
  }
}
