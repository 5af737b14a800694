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
  /** See ClaimsAhead. Default: false. */
  readonly mayClaimAhead?: boolean;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  /** The receiver accepted the delivery. */
  readonly accepted: boolean;
  /** Settles when the result is stored. The lane does not wait for it, but counts it in the total until then. */
  readonly stored: Promise<void>;
}

/** A lane that accepts its deliveries at once has more of them claimed, so that its next requests do not wait for the database. */
export interface ClaimsAhead<Claimed> {
  /** How many more. */
  readonly limit: number;
  /** Gives claims back whose attempts have not started: the lane has failed, is slow, or is stopped. */
  release(claimed: readonly Claimed[]): Promise<void>;
}

export interface LaneWork<Claimed> {
  /** Claims up to `limit` due deliveries of a lane. */
  claim(id: number, limit: number): Promise<LaneClaim<Claimed>>;
  /** Makes one attempt. */
  deliver(claimed: Claimed): Promise<EndedAttempt>;
  readonly ahead?: ClaimsAhead<Claimed>;
  onError(error: unknown): void;
}

/** An attempt that is accepted within this time is quick: 30 of them, ten at a time, take 0.3 s. */
const QUICK_MS = 100;
/** A delivery that was claimed ahead and waits longer is released: its address or secret may have changed. */
const AHEAD_MS = 1_000;

/** The state of one lane. An idle one has none. */
interface Lane<Claimed> {
  running: number;
  /** Claimed ahead, and when, in milliseconds of a monotonic clock: they start when requests of the lane end. */
  ready: { readonly delivery: Claimed; readonly at: number }[];
  /** The last attempt of the lane was accepted at once. */
  quick: boolean;
  mayClaimAhead: boolean;
  /** Deliveries may be due that were not claimed yet. */
  hasDue: boolean;
  claiming: boolean;
  failing: boolean;
  /** Attempts that the receiver did not accept. */
  refusals: number;
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
 * request each. Deliveries are claimed only when there is capacity, or a few ahead, so they wait in the database. `now` is monotonic, in
 * milliseconds.
 */
export function openLanes<Claimed>(
  limits: LaneLimits,
  work: LaneWork<Claimed>,
  now: () => number = () => performance.now(),
): Lanes {
  return new LaneScheduler(limits, work, now);
}

class LaneScheduler<Claimed> implements Lanes {
  readonly #limits: LaneLimits;
  readonly #work: LaneWork<Claimed>;
  readonly #now: () => number;
  readonly #lanes = new Map<number, Lane<Claimed>>();
  /** Lanes that wait for shared capacity or for their turn, in order. */
  readonly #waiting = new Set<number>();
  readonly #running = { total: 0, failing: 0 };
  readonly #allEnded = Promise.withResolvers<void>();
  #stopping = false;

  constructor(limits: LaneLimits, work: LaneWork<Claimed>, now: () => number) {
    this.#limits = limits;
    this.#work = work;
    this.#now = now;
  }

  wake(id: number): void {
    if (this.#stopping) return;
    const lane: Lane<Claimed> = this.#lanes.get(id) ?? {
      running: 0,
      ready: [],
      quick: false,
      mayClaimAhead: false,
      hasDue: false,
      claiming: false,
      failing: false,
      refusals: 0,
    };
    this.#lanes.set(id, lane);
    lane.hasDue = true;
    void this.#fill(id, lane);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#waiting.clear();
    for (const [id, lane] of this.#lanes) {
      this.#release(id, lane);
      this.#settle(id, lane);
    }
    this.#endStop();
    await this.#allEnded.promise;
  }

  /** Capacity of the lane itself. */
  #ownCapacity(lane: Lane<Claimed>): number {
    return (lane.failing ? 1 : this.#limits.perLane) - lane.running;
  }

  /**
   * How many the lane may claim ahead. None until half of them can be: a claim should be worth its statement. None if many lanes work: then
   * the claims of some run during the requests of others.
   */
  #aheadCapacity(lane: Lane<Claimed>): number {
    const limit = this.#work.ahead?.limit ?? 0;
    const isBusy = this.#running.total * 10 > this.#limits.total;
    if (lane.failing || !lane.quick || !lane.mayClaimAhead || isBusy) return 0;
    const left = limit - lane.ready.length;
    return left * 2 < limit ? 0 : left;
  }

  #capacity(lane: Lane<Claimed>): number {
    const { total, failing } = this.#limits;
    const own = this.#ownCapacity(lane) + this.#aheadCapacity(lane);
    const shared = lane.failing ? failing - this.#running.failing : total;
    return Math.min(own, shared, total - this.#running.total);
  }

  async #fill(id: number, lane: Lane<Claimed>): Promise<void> {
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
      const { refusals } = lane;
      const { claimed, failing, more, mayClaimAhead = false } = await this.#claim(id, capacity);
      this.#running.total -= capacity - claimed.length;
      // The claim may have been asked before a failure was stored.
      const hasFailed = this.#work.ahead !== undefined && lane.refusals > refusals;
      lane.failing = failing || (hasFailed && lane.failing);
      lane.hasDue ||= more;
      lane.mayClaimAhead = mayClaimAhead;
      const at = this.#now();
      if (failing) this.#release(id, lane);
      lane.ready.push(...claimed.map((delivery) => ({ delivery, at })));
      if (hasFailed || this.#stopping) this.#release(id, lane);
      this.#startReady(id, lane);
    }
    lane.claiming = false;
    this.#settle(id, lane);
  }

  async #claim(id: number, limit: number): Promise<LaneClaim<Claimed>> {
    try {
      return await this.#work.claim(id, limit);
    } catch (error) {
      // The sweep wakes the lane again.
      this.#work.onError(error);
      return { claimed: [], failing: false, more: false };
    }
  }

  #startReady(id: number, lane: Lane<Claimed>): void {
    const places = this.#limits.perLane - lane.running;
    for (const { delivery } of lane.ready.splice(0, places)) void this.#run(id, lane, delivery);
  }

  #release(id: number, lane: Lane<Claimed>): void {
    const { ahead } = this.#work;
    if (ahead === undefined || lane.ready.length === 0) return;
    const released = lane.ready.splice(0).map(({ delivery }) => delivery);
    void ahead
      .release(released)
      // The claims expire by themselves.
      .catch((error: unknown) => this.#work.onError(error))
      .then(() => {
        this.#free(released.length);
        this.wake(id);
      });
  }

  async #run(id: number, lane: Lane<Claimed>, delivery: Claimed): Promise<void> {
    const { failing } = lane;
    lane.running += 1;
    if (failing) this.#running.failing += 1;
    const started = this.#now();
    let accepted = false;
    let stored = Promise.resolve();
    try {
      const ended = await this.#work.deliver(delivery);
      accepted = ended.accepted;
      lane.failing = !accepted;
      if (!accepted) lane.refusals += 1;
      stored = ended.stored;
    } catch (error) {
      this.#work.onError(error);
    }
    const ended = this.#now();
    lane.quick = accepted && ended - started < QUICK_MS;
    lane.running -= 1;
    if (failing) this.#running.failing -= 1;
    const [oldest] = lane.ready;
    if (!accepted || (oldest !== undefined && ended - oldest.at > AHEAD_MS)) this.#release(id, lane);
    this.#startReady(id, lane);
    // Queues behind the lanes that already wait. Otherwise a slow one would keep its capacity forever.
    if (lane.hasDue) this.#waiting.add(id);
    this.#settle(id, lane);
    await stored.catch((error: unknown) => {
      // Each of them would be sent again, too.
      lane.quick = false;
      this.#release(id, lane);
      this.#work.onError(error);
    });
    this.#free(1);
  }

  #free(count: number): void {
    this.#running.total -= count;
    this.#endStop();
    if (this.#waiting.size > 0) this.#wakeWaiting();
  }

  /** The last request and the last stored result end the wait of stop(). */
  #endStop(): void {
    if (this.#stopping && this.#lanes.size === 0 && this.#running.total === 0) this.#allEnded.resolve();
  }

  /** Removes an idle lane and wakes waiting ones. */
  #settle(id: number, lane: Lane<Claimed>): void {
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
