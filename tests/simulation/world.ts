import { createHash } from "node:crypto";
import { NodeError } from "#lib/chains/node-error.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { findOutage } from "#lib/platform/db/availability.ts";
import { listCauses } from "#lib/platform/error-causes.ts";
import { BranchMonitor } from "./branch-monitor.ts";
import type { Lane } from "./lane.ts";
import { type KnownClaim, type KnownLink, type KnownWithdrawal, learnAll } from "./learn.ts";
import { ModelChain, type ModelTransaction } from "./model-chain.ts";
import type { NodeFaults } from "./model-network.ts";
import type { SimulatedNetwork } from "./networks.ts";
import { Prices } from "./prices.ts";
import { Random } from "./random.ts";
import type { Receiver } from "./receiver.ts";
import { type Fault, type FaultKind, Scheduler } from "./scheduler.ts";
import { openService, type Service, type ServiceDeps } from "./service.ts";
import type { Side } from "./side.ts";

const START = Date.parse("2030-01-01T10:00:00.000Z");

/** How often things go wrong in one history. Each history has its own mix, so that rare combinations occur too. */
export interface FaultMix {
  readonly nodes: NodeFaults;
  /** A work meets a crash, or loses its connection. */
  readonly crashing: number;
  /** Two works run at the same time. */
  readonly concurrent: number;
  /** The receiver of webhooks refuses or breaks off. */
  readonly receiver: number;
}

/** A transaction of a payer. */
export interface SentPayment {
  readonly side: Side;
  readonly transaction: ModelTransaction;
  readonly sentAt: number;
  /** The price that the payer saw: its first output is exactly what the page asked for. null: another amount. */
  readonly shown: {
    readonly address: string;
    readonly asked: bigint;
    readonly full: bigint;
    readonly until: number;
  } | null;
}

/** A request of a merchant. */
export interface WithdrawalRequest {
  readonly key: string;
  readonly side: Side;
  /** Ledger units. */
  readonly amount: bigint;
  /** The refid of the link whose payments go back. null: the money is the merchant's. */
  readonly paymentLink: string | null;
}

/** One piece of work of the program. `label` is for the trace. */
export interface Work {
  readonly label: string;
  /** It changes what people know: links, addresses or withdrawals. */
  readonly learns?: boolean;
  run(service: Service): Promise<unknown>;
}

/** The state of one history: the chains, the payers, the processes and the clock. */
export class World {
  readonly random: Random;
  readonly lane: Lane;
  readonly merchant: Merchant;
  readonly scheduler: Scheduler;
  readonly sides: readonly Side[];
  readonly receiver: Receiver;
  readonly prices = new Prices();
  readonly faults: FaultMix;
  readonly moves: string[] = [];
  readonly problems: string[] = [];
  readonly #monitor = new BranchMonitor(this.problems);
  readonly payments: SentPayment[] = [];
  readonly services: Service[] = [];
  /** The withdrawals that the program was asked for. */
  readonly requests: WithdrawalRequest[] = [];
  /** The transactions that the operator has broadcast, by the refid of the withdrawal, oldest first. */
  readonly sent = new Map<string, readonly ModelTransaction[]>();
  /** Hashes of transactions that the database refused to write for some time. */
  readonly refused = new Set<string>();
  /** When the program was first known to have dropped a transaction that was in no block before. By its hash. */
  readonly droppedAt = new Map<string, number>();
  /** When people knew an address. It was allocated before: its request may have waited, and the answer, too. */
  readonly knownAt = new Map<string, number>();
  /** When a payer last sent a transaction again that no node had any more. By its hash in the model. */
  readonly sentAgainAt = new Map<string, number>();
  links: readonly KnownLink[] = [];
  withdrawals: readonly KnownWithdrawal[] = [];
  claims: readonly KnownClaim[] = [];
  /** Ids of unmatched deposits that wait for the operator. */
  held: readonly number[] = [];
  watched: readonly string[] = [];
  now = START;
  /** False: everything works. */
  isFaulty = true;
  #started = 0;
  #deps: ServiceDeps;

  constructor(
    seed: number,
    {
      lane,
      networkSets,
      merchant,
    }: {
      readonly lane: Lane;
      readonly networkSets: readonly (readonly SimulatedNetwork[])[];
      readonly merchant: Merchant;
    },
  ) {
    const random = new Random(seed);
    this.random = random;
    this.lane = lane;
    this.merchant = merchant;
    this.faults = drawFaults(random);
    this.scheduler = new Scheduler(random, lane.isBlocked);
    this.receiver = { received: [], random, failing: this.faults.receiver };
    this.sides = random.pick(networkSets).map((network) => this.#openSide(network));
    const { scheduler, sides, receiver } = this;
    const now = () => this.now;
    const rates = this.prices.rates();
    this.#deps = { lane, scheduler, sides, receiver, rates, random, now, monitor: this.#monitor };
    this.services.push(this.#startService(), this.#startService());
  }

  #openSide(network: SimulatedNetwork): Side {
    const { random, scheduler } = this;
    const now = () => this.now;
    const chain = new ModelChain(network, random, now);
    const { adapter: base, token } = network;
    const states = Array.from({ length: random.between(1, 2) }, () => chain.state);
    const disturb = () => this.#disturb(chain);
    const faults = this.faults.nodes;
    const monitor = this.#monitor;
    const nodes = { base, token, chain, random, scheduler, faults, states, now, disturb, monitor };
    return { network, chain, nodes: { ...nodes, stuck: new Set<number>() } };
  }

  /** Something happens on the chain by itself. */
  #disturb(chain: ModelChain): void {
    const { random } = this;
    this.now += 500;
    if (chain.deepest === 0 || random.chance(0.7)) chain.mine();
    else
      chain.reorganize(random.between(1, chain.deepest), { forgets: 0.1, more: random.chance(0.7) ? 1 : 0 });
  }

  /** Runs works at the same time, each in a process of its own. Starts a new process in place of one that crashed. */
  async work(works: readonly Work[]): Promise<void> {
    const running = works.map(({ label, run }, i) => {
      const service = this.services[i] as Service;
      service.process.steps = 0;
      service.process.fault = this.#drawFault();
      this.moves.push(`  ${service.process.name}: ${label}${describeFault(service.process.fault)}`);
      return { process: service.process, start: async () => void (await run(service)) };
    });
    const results = await this.scheduler.run(running);
    for (const [i, result] of results.entries()) {
      if (result.kind === "crashed") this.services[i] = this.#startService();
      if (result.kind === "failed") this.#checkError(works[i] as Work, result.error);
    }
    if (this.scheduler.hasDeadlocked) this.problems.push("transactions waited for each other in a circle");
    this.now += this.random.between(0, 1_500);
  }

  /** Learns what exists, as shops, customers and operators know it. */
  async learn(): Promise<void> {
    if (!this.lane.hasChanged) return;
    this.lane.hasChanged = false;
    const { dropped, ...known } = await learnAll(this.lane, this.sides);
    Object.assign(this, known);
    for (const { address } of this.links.flatMap(({ places }) => places))
      if (!this.knownAt.has(address)) this.knownAt.set(address, this.now);
    for (const hash of dropped) if (!this.droppedAt.has(hash)) this.droppedAt.set(hash, this.now);
  }

  /** Time passes. The nodes of a network that works learn its blocks meanwhile. */
  pass(ms: number): void {
    this.#updateNodes();
    this.now += ms;
  }

  /** Ends the faults: from here on everything must come right. */
  async calm(): Promise<void> {
    this.isFaulty = false;
    for (const { nodes } of this.sides)
      Object.assign(nodes, { faults: { failing: 0, changing: 0, lagging: 0 } });
    this.receiver.failing = 0;
    this.#updateNodes();
    if (this.refused.size > 0) await this.lane.acceptAll();
    await this.lane.retryAll(new Date(this.now));
  }

  #updateNodes(): void {
    for (const { nodes, chain } of this.sides) {
      nodes.stuck.clear();
      for (const i of nodes.states.keys()) nodes.states[i] = chain.state;
    }
  }

  async close(): Promise<void> {
    for (const service of this.services) {
      service.stop();
      await service.process.kill();
    }
  }

  /** Identifies everything that happened. */
  traceHash(): string {
    return createHash("sha256")
      .update([...this.scheduler.trace, ...this.moves].join("\n"))
      .digest("hex");
  }

  #startService(): Service {
    this.#started += 1;
    return openService(this.#deps, `p${this.#started}`);
  }

  #drawFault(): Fault | null {
    const { random, faults } = this;
    if (!this.isFaulty || !random.chance(faults.crashing)) return null;
    const kind = random.pick<FaultKind>(["crash", "crash_after", "lose", "lose_answer"]);
    return { kind, at: Math.ceil(2 ** (random.next() * 5.5)) };
  }

  /** A work may fail only because a node or the database failed. */
  #checkError({ label }: Work, error: unknown): void {
    const errors = error instanceof AggregateError ? error.errors : [error];
    for (const one of errors) {
      // After a fork a node is refused for a while, also when it works again.
      if (listCauses(one).some((cause) => cause instanceof NodeError)) continue;
      if (this.isFaulty && findOutage(one) !== null) continue;
      const cause = listCauses(one).at(-1);
      this.problems.push(
        `${label} failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(one)}`,
      );
    }
  }
}

function drawFaults(random: Random): FaultMix {
  const some = (most: number) => (random.chance(0.4) ? 0 : random.next() * most);
  return {
    nodes: { failing: some(0.08), changing: some(0.15), lagging: some(0.5) },
    crashing: some(0.7),
    concurrent: some(0.9),
    receiver: some(0.5),
  };
}

const describeFault = (fault: Fault | null) => (fault === null ? "" : `, ${fault.kind} at step ${fault.at}`);
