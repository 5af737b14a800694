import { createHash } from "node:crypto";
import { type NetworkAdapter, NodeError } from "#lib/chains/network.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { findOutage } from "#lib/platform/db/availability.ts";
import { listCauses } from "#lib/platform/error-causes.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Lane } from "./lane.ts";
import { type ChainKind, ModelChain, type ModelTransaction } from "./model-chain.ts";
import type { ModelNodes, NodeFaults } from "./model-network.ts";
import { Random } from "./random.ts";
import type { Receiver } from "./receiver.ts";
import { type Fault, type FaultKind, Scheduler } from "./scheduler.ts";
import { openService, type Service, type ServiceDeps } from "./service.ts";

const START = Date.parse("2030-01-01T10:00:00.000Z");

/** A network that histories use. */
export interface SimulatedNetwork extends ChainKind {
  readonly adapter: NetworkAdapter;
  readonly token: TokenCode;
  /** Ledger units that are worth one. */
  readonly dollar: bigint;
  /** An address that is not ours, for withdrawals. Canonical. */
  readonly destination: string;
}

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

/** A link that a payer can pay. */
export interface KnownLink {
  readonly id: number;
  readonly refid: string;
  /** Canonical. null: no network is selected yet. */
  readonly address: string | null;
  /** Ledger units that pay it whole, by its first quote. */
  readonly due: bigint;
  readonly expiresAt: Date;
}

/** What a merchant asks for. */
export interface WithdrawalRequest {
  readonly key: string;
  /** Ledger units. */
  readonly amount: bigint;
  /** The refid of the link whose payments go back. null: the money is the merchant's. */
  readonly paymentLink: string | null;
}

/** A withdrawal as its operator knows it. */
export interface KnownWithdrawal {
  readonly id: number;
  readonly refid: string;
  readonly status: number;
  /** Ledger units. */
  readonly amount: bigint;
}

/** One piece of work of the program. `label` is for the trace. */
export interface Work {
  readonly label: string;
  /** It changes what people know: links, addresses or withdrawals. */
  readonly learns?: boolean;
  run(service: Service): Promise<unknown>;
}

/** What one history is about: the chain, the payers, the processes and the clock. */
export class World {
  readonly random: Random;
  readonly lane: Lane;
  readonly network: SimulatedNetwork;
  readonly merchant: Merchant;
  readonly scheduler: Scheduler;
  readonly chain: ModelChain;
  readonly nodes: ModelNodes;
  readonly receiver: Receiver;
  readonly faults: FaultMix;
  readonly moves: string[] = [];
  readonly problems: string[] = [];
  readonly payments: ModelTransaction[] = [];
  readonly services: Service[] = [];
  /** What was asked of the program to withdraw. */
  readonly requests: WithdrawalRequest[] = [];
  /** What the operator has broadcast, by the refid of the withdrawal, oldest first. */
  readonly sent = new Map<string, readonly ModelTransaction[]>();
  links: readonly KnownLink[] = [];
  withdrawals: readonly KnownWithdrawal[] = [];
  now = START;
  /** False: everything works. */
  isFaulty = true;
  #started = 0;
  #deps: ServiceDeps;

  constructor(
    seed: number,
    { lane, networks, merchant }: { lane: Lane; networks: readonly SimulatedNetwork[]; merchant: Merchant },
  ) {
    const random = new Random(seed);
    this.random = random;
    this.lane = lane;
    this.merchant = merchant;
    this.network = random.pick(networks);
    this.faults = drawFaults(random);
    this.scheduler = new Scheduler(random, lane.isBlocked);
    const now = () => this.now;
    this.chain = new ModelChain(this.network, random, now);
    this.receiver = { received: [], random, failing: this.faults.receiver };
    this.nodes = {
      base: this.network.adapter,
      token: this.network.token,
      chain: this.chain,
      random,
      scheduler: this.scheduler,
      faults: this.faults.nodes,
      states: Array.from({ length: random.between(1, 2) }, () => this.chain.state),
      now,
      disturb: () => this.disturb(),
    };
    this.#deps = { lane, scheduler: this.scheduler, nodes: this.nodes, receiver: this.receiver };
    this.services.push(this.#startService(), this.#startService());
  }

  /** Something happens on the chain by itself. */
  disturb(): void {
    const { chain, random } = this;
    this.now += 500;
    if (random.chance(0.7)) chain.mine();
    else if (chain.deepest > 0) chain.reorganize(random.between(1, chain.deepest), 0.1);
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

  /** Learns the links and withdrawals that exist, as shops, customers and operators know them. */
  async learn(): Promise<void> {
    const { admin } = this.lane;
    const links = await admin.query({
      name: "known_links",
      text: `select l.id, l.refid, a.address, q.amount, l.expires_at from payment_links l
        left join payment_link_wallets w on w.payment_link_id = l.id left join addresses a on a.id = w.address_id
        left join lateral (select amount from quotes where payment_link_id = l.id order by id limit 1) q on true
        order by l.id`,
    });
    this.links = links.rows.map(({ id, refid, address, amount, expires_at }) => ({
      id: Number(id),
      refid,
      address,
      due: BigInt(amount ?? 0),
      expiresAt: expires_at,
    }));
    const text = "select id, refid, status, amount from withdrawals order by id";
    const withdrawals = await admin.query({ name: "known_withdrawals", text });
    this.withdrawals = withdrawals.rows.map(({ id, amount, ...row }) => ({
      ...row,
      id: Number(id),
      amount: BigInt(amount),
    }));
  }

  /** The addresses whose money is ours. */
  ourAddresses(): ReadonlySet<string> {
    return new Set(this.links.flatMap(({ address }) => address ?? []));
  }

  /** Time passes. The nodes of a network that works learn its blocks meanwhile. */
  pass(ms: number): void {
    for (const i of this.nodes.states.keys()) this.nodes.states[i] = this.chain.state;
    this.now += ms;
  }

  /** Ends the faults: from here on everything must come right. */
  calm(): void {
    this.isFaulty = false;
    Object.assign(this.nodes, { faults: { failing: 0, changing: 0, lagging: 0 } });
    this.receiver.failing = 0;
    for (const i of this.nodes.states.keys()) this.nodes.states[i] = this.chain.state;
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
