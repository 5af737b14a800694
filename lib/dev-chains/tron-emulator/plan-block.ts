import { tronAddressFromHex } from "#lib/chains/tron/address.ts";
import { type Engine, EngineError } from "./engine.ts";
import { ENERGY_PRICE, energyOf, sunOf, toEvmCall } from "./execution-result.ts";
import { readBalanceCall, simulateCalls } from "./pending-state.ts";
import { type Charge, PARAMETERS, type Resources } from "./resources.ts";
import type { SignedTronTransaction } from "./transaction.ts";

/** A transaction that the next block takes up. */
export interface Planned<T> {
  readonly transaction: T;
  /** Sun that the energy of a call may cost, which its owner has. */
  readonly energySun: bigint;
  /** Null if no one pays on this chain. */
  readonly charge: Charge | null;
}

/** Plans the next block from the transactions that wait. */
export interface Plan<T> {
  readonly included: readonly Planned<T>[];
  readonly left: readonly { readonly transaction: T; readonly reason: string }[];
  /** Sun that each account pays for fees. */
  readonly fees: ReadonlyMap<string, bigint>;
  /** After the block. */
  readonly resources: Resources;
}

/**
 * Plans a block as java-tron makes one: each transaction in order, each with the energy that its owner has or can burn TRX for. A
 * transaction whose owner cannot pay for its bandwidth is left out.
 */
export async function planBlock<T extends SignedTronTransaction>(
  engine: Engine,
  before: Resources,
  waiting: readonly T[],
  headTimeMs: number,
): Promise<Plan<T>> {
  const resources = before.clone();
  const seen = await simulateEach(engine, waiting);
  const fees = new Map<string, bigint>();
  const included: Planned<T>[] = [];
  const left: { transaction: T; reason: string }[] = [];
  for (const [at, transaction] of waiting.entries()) {
    const { action, feeLimit } = transaction.raw;
    const paid = fees.get(action.owner) ?? 0n;
    const { balance = 0n, energy = 0 } = seen[at] ?? {};
    const problem = resources.problem(action, headTimeMs);
    if (problem !== null) {
      left.push({ transaction, reason: explain(problem, action.owner) });
      continue;
    }
    const sent = sunOf(action);
    const price = BigInt(ENERGY_PRICE);
    // Bandwidth is paid before the call runs.
    const { fee: first } = resources.clone().apply(transaction, 0, headTimeMs);
    const most =
      maximum(balance - paid - sent - first, 0n) / price + resources.left(action.owner, "ENERGY", headTimeMs);
    const energySun = minimum(feeLimit, most * price);
    const used = minimum(BigInt(energy), energySun / price);
    const next = resources.clone();
    const charge = next.apply(transaction, Number(used), headTimeMs);
    if (balance - paid < sent + charge.fee) {
      left.push({ transaction, reason: `Account resource insufficient error: ${charge.fee} sun are needed` });
      continue;
    }
    resources.apply(transaction, Number(used), headTimeMs);
    fees.set(action.owner, paid + charge.fee);
    included.push({ transaction, energySun, charge });
  }
  return { included, left, fees, resources };
}

const minimum = (one: bigint, other: bigint) => (one < other ? one : other);
const maximum = (one: bigint, other: bigint) => (one > other ? one : other);

function explain(problem: string, owner: string): string {
  const isMissing = problem === "does not exist";
  return `Contract validate error : ${isMissing ? `account [${tronAddressFromHex(owner)}] does not exist` : problem}`;
}

/** The balance of each transaction's owner before it, and the energy that it would use. Absent: the EVM refuses it. */
async function simulateEach(
  engine: Engine,
  transactions: readonly SignedTronTransaction[],
): Promise<({ readonly balance: bigint; readonly energy: number } | undefined)[]> {
  if (transactions.length === 0) return [];
  const most = BigInt(PARAMETERS.getMaxFeeLimit);
  const callsOf = (transaction: SignedTronTransaction) => [
    readBalanceCall(transaction.raw.action.owner),
    toEvmCall(transaction, minimum(transaction.raw.feeLimit, most)),
  ];
  const read = async (some: readonly SignedTronTransaction[]) => {
    const results = await simulateCalls(engine, some.flatMap(callsOf));
    return some.map((transaction, at) => ({
      balance: BigInt(results[2 * at]?.returnData ?? "0x0"),
      energy: energyOf(transaction, results[2 * at + 1]?.gasUsed ?? "0x0"),
    }));
  };
  try {
    return await read(transactions);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  // One of them makes the EVM refuse all: a balance that another one has spent.
  const valid: SignedTronTransaction[] = [];
  const found: ({ readonly balance: bigint; readonly energy: number } | undefined)[] = [];
  for (const transaction of transactions) {
    const result = await read([...valid, transaction]).catch((error: unknown) => {
      if (error instanceof EngineError) return [];
      throw error;
    });
    found.push(result.at(-1));
    if (result.length > 0) valid.push(transaction);
  }
  return found;
}
