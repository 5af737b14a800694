/** Workers that come, are killed and freeze, in virtual time. Each decides by share-rules.ts, from looks at different times. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decideShare,
  FAILING_MS,
  NO_SHARE_MEMORY,
  REST_MS,
  type ShareMemory,
} from "#lib/domain/deposits/watch/share-rules.ts";

const LOOK_MS = 300;
/** How long a worker still is in a pass when it gives a network up, in turns. */
const PASSES_MS = [0, 40, 700, 2_000];
/** PostgreSQL ends a session that is silent for so long. */
const SILENT_MS = 10_000;
const MINUTE = 60_000;

interface Worker {
  nextLook: number;
  memory: ShareMemory;
  /** The networks that it watches, with the time at which it releases each. Infinity: it keeps it. */
  readonly watched: Map<string, number>;
  isFrozen: boolean;
  /** The networks whose nodes do not answer this worker, and since when it has failed to read each. */
  readonly unreadable: Map<string, number>;
  /** The networks that it declines. */
  readonly declined: Set<string>;
}

class World {
  now = 0;
  /** Networks that were taken by another worker than their last one. */
  moves = 0;
  /** The longest time that a network was free since the last change. */
  longestFree = 0;
  /** The longest time that a network was held by a worker that cannot read it. */
  longestUnread = 0;
  lastMove = 0;
  readonly workers = new Map<number, Worker>();
  readonly #holders: Map<string, number | null>;
  readonly #last = new Map<string, number>();
  readonly #freeAt = new Map<string, number>();
  #passes = 0;

  constructor(networks: number) {
    this.#holders = new Map(Array.from({ length: networks }, (_, i) => [`n${i}`, null]));
  }

  add(id: number): void {
    const nextLook = this.now + ((id * 97) % LOOK_MS);
    this.workers.set(id, {
      nextLook,
      memory: NO_SHARE_MEMORY,
      watched: new Map(),
      isFrozen: false,
      unreadable: new Map(),
      declined: new Set(),
    });
  }

  kill(id: number): void {
    this.workers.delete(id);
    for (const [name, holder] of this.#holders) if (holder === id) this.#release(name);
  }

  /** From now on the nodes of a network do not answer these workers. */
  breakNodes(name: string, ids: readonly number[]): void {
    for (const id of ids) this.workers.get(id)?.unreadable.set(name, this.now);
  }

  holderOf(name: string): number | null {
    return this.#holders.get(name) ?? null;
  }

  freeze(id: number): void {
    const worker = this.workers.get(id);
    assert.ok(worker);
    worker.isFrozen = true;
  }

  /** How many networks each worker holds, the most first. */
  counts(): number[] {
    const counts = new Map([...this.workers.keys()].map((id) => [id, 0]));
    for (const holder of this.#holders.values())
      if (holder !== null) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    return [...counts.values()].sort((a, b) => b - a);
  }

  /** Runs for `ms`, with counters that begin again. */
  run(ms: number): void {
    Object.assign(this, { moves: 0, longestFree: 0, longestUnread: 0, lastMove: this.now });
    for (const end = this.now + ms; this.now < end; this.now += 10)
      for (const [id, worker] of this.workers) if (!worker.isFrozen) this.#step(id, worker);
    for (const [name, holder] of this.#holders) if (holder === null) this.#noteFree(name);
  }

  #step(id: number, worker: Worker): void {
    for (const [name, releaseAt] of worker.watched)
      if (releaseAt <= this.now) {
        worker.watched.delete(name);
        this.#release(name);
      }
    if (worker.nextLook > this.now) return;
    worker.nextLook = this.now + LOOK_MS;
    const declined = new Map(
      [...this.#holders.keys()].map((name) => {
        const by = [...this.workers].filter(([, one]) => one.declined.has(name)).map(([worker]) => worker);
        return [name, new Set(by)];
      }),
    );
    const workers = [...this.workers.keys()];
    const holdings = { own: id, workers, holders: new Map(this.#holders), declined };
    const names = [...worker.watched].flatMap(([name, releaseAt]) => (releaseAt === Infinity ? [name] : []));
    const unreadMs = (name: string) => this.now - (worker.unreadable.get(name) ?? this.now);
    for (const name of names) this.longestUnread = Math.max(this.longestUnread, unreadMs(name));
    const failing = new Set(names.filter((name) => unreadMs(name) >= FAILING_MS));
    const decided = decideShare(holdings, { names, failing }, worker.memory, this.now);
    const { take, takeOver, decline, accept, leave } = decided;
    worker.memory = decided.memory;
    for (const name of decline) {
      assert.ok(
        !worker.declined.has(name),
        "a lock that is taken twice is not free when it is released once",
      );
      worker.declined.add(name);
    }
    for (const name of accept) worker.declined.delete(name);
    for (const name of take.names.slice(0, take.most)) this.#take(name, id, worker);
    for (const name of takeOver) if (this.#holders.get(name) === null) this.#take(name, id, worker);
    for (const name of leave) {
      const passMs = PASSES_MS[this.#passes++ % PASSES_MS.length] ?? 0;
      worker.watched.set(name, this.now + passMs);
    }
  }

  #take(name: string, id: number, worker: Worker): void {
    assert.equal(this.#holders.get(name), null, "no two hold a network");
    this.#noteFree(name);
    this.#holders.set(name, id);
    worker.watched.set(name, Infinity);
    if (worker.unreadable.has(name)) worker.unreadable.set(name, this.now);
    if (this.#last.get(name) !== id) Object.assign(this, { moves: this.moves + 1, lastMove: this.now });
    this.#last.set(name, id);
  }

  #release(name: string): void {
    this.#holders.set(name, null);
    this.#freeAt.set(name, this.now);
  }

  #noteFree(name: string): void {
    this.longestFree = Math.max(this.longestFree, this.now - (this.#freeAt.get(name) ?? this.now));
  }
}

/** A world of workers 1 to `count` that share all networks. */
function sharedWorld(networks: number, count: number): World {
  const world = new World(networks);
  for (let id = 1; id <= count; id++) world.add(id);
  world.run(MINUTE);
  return world;
}

const spread = (world: World) => Math.max(...world.counts()) - Math.min(...world.counts());

for (const [networks, count] of [
  [9, 3],
  [18, 4],
  [5, 2],
  [2, 3],
] as const) {
  test(`${count} workers of ${networks} networks: ten quiet minutes move nothing`, () => {
    const world = sharedWorld(networks, count);
    assert.ok(spread(world) <= 1, world.counts().join());
    world.run(10 * MINUTE);
    assert.deepEqual([world.moves, world.longestFree], [0, 0]);
  });

  test(`${count} workers of ${networks} networks: a new one gets its share, and nothing else moves`, () => {
    const world = sharedWorld(networks, count);
    const startedAt = world.now;
    world.add(count + 1);
    world.run(10 * MINUTE);
    assert.ok(spread(world) <= 1, world.counts().join());
    assert.equal(world.moves, Math.floor(networks / (count + 1)));
    assert.ok(world.lastMove - startedAt <= 3_000, `${world.lastMove - startedAt} ms`);
    assert.ok(world.longestFree <= 2 * LOOK_MS, `${world.longestFree} ms`);
  });

  test(`${count} workers of ${networks} networks: those of a killed one are taken at once, and nothing else moves`, () => {
    const world = sharedWorld(networks, count);
    const [most = 0] = world.counts();
    const killed = [...world.workers].find(([, { watched }]) => watched.size === most)?.[0] ?? 0;
    world.kill(killed);
    world.run(10 * MINUTE);
    assert.ok(spread(world) <= 1, world.counts().join());
    assert.equal(world.moves, most);
    assert.ok(world.longestFree <= 2 * LOOK_MS, `${world.longestFree} ms`);
  });
}

test("a worker that freezes keeps its networks until its session ends, and delays nothing else", () => {
  const world = sharedWorld(9, 3);
  world.freeze(3);
  world.run(SILENT_MS);
  assert.equal(world.moves, 0);
  world.kill(3);
  world.run(10 * MINUTE);
  assert.deepEqual([world.moves, world.counts()], [3, [5, 4]]);
});

test("a worker is killed while another one is frozen: its networks are taken all the same, within two seconds", () => {
  const world = sharedWorld(9, 3);
  world.freeze(3);
  world.kill(2);
  world.run(SILENT_MS);
  assert.deepEqual([world.moves, world.counts()], [3, [6, 3]]);
  assert.ok(world.longestFree < 2_000, `${world.longestFree} ms`);
});

test("a new worker that freezes gets nothing: what was given up for it comes back, and stays for a while", () => {
  const world = sharedWorld(9, 2);
  world.add(3);
  world.freeze(3);
  world.run(REST_MS);
  assert.ok(world.moves <= 3, `${world.moves} moves`);
  assert.ok(world.longestFree < 2_000, `${world.longestFree} ms`);
  world.kill(3);
  world.run(10 * MINUTE);
  assert.ok(spread(world) <= 1, world.counts().join());
});

test("a network that one worker cannot read is read by another one, and tried again there once in ten minutes", () => {
  const world = sharedWorld(9, 3);
  const worker = world.holderOf("n0") ?? 0;
  world.breakNodes("n0", [worker]);
  world.run(2 * MINUTE);
  assert.notEqual(world.holderOf("n0"), worker);
  assert.ok(world.longestUnread <= FAILING_MS + LOOK_MS, `${world.longestUnread} ms`);
  world.run(60 * MINUTE);
  assert.ok(world.longestUnread <= FAILING_MS + LOOK_MS, `${world.longestUnread} ms`);
  assert.ok(world.longestFree <= 3_000, `${world.longestFree} ms`);
  assert.ok(world.moves <= 30, `${world.moves} moves in an hour`);
});

test("a network that no worker can read moves seldom", () => {
  const world = sharedWorld(9, 3);
  world.breakNodes("n0", [1, 2, 3]);
  world.run(60 * MINUTE);
  assert.ok(world.moves <= 40, `${world.moves} moves in an hour`);
  assert.ok(world.longestFree <= 8_000, `${world.longestFree} ms`);
});

test("a worker that can read nothing any more leaves everything to the others", () => {
  const world = sharedWorld(9, 3);
  for (let n = 0; n < 9; n++) world.breakNodes(`n${n}`, [1]);
  world.run(2 * MINUTE);
  assert.equal(world.counts().at(-1), 0);
  assert.equal(
    world.counts().reduce((sum, count) => sum + count, 0),
    9,
  );
});
