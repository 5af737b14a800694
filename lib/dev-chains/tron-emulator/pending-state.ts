import { type Engine, EngineError } from "./engine.ts";
import { toEvmCall } from "./execution-result.ts";
import type { SignedTronTransaction } from "./transaction.ts";

/** A call of the EVM. Absent fields have the EVM's defaults. */
export type EvmCall = Readonly<Record<string, unknown>>;

interface SimulatedCall {
  readonly status: string;
  readonly returnData: string;
  readonly gasUsed: string;
}

/** Holds the code that reads a balance. No transaction uses this address. */
const READER = `0x${"0".repeat(34)}ba1a2c`;
/** Largest gas of one transaction that the EVM accepts. */
const GAS = "0xf42400";

/**
 * Returns what a call returns after these transactions on the newest block: java-tron answers for `latest`
 * from a state that counts the transactions it accepted. Throws EngineError when the call reverts.
 */
export async function callAfter(
  engine: Engine,
  waiting: readonly SignedTronTransaction[],
  call: EvmCall,
): Promise<string> {
  if (waiting.length === 0) return String(await engine.call("eth_call", [call, "latest"]));
  return simulate(engine, waiting, call);
}

/** A call that reads a balance, for simulateCalls. */
export const readBalanceCall = (address: string): EvmCall => ({
  to: READER,
  data: `0x${address.slice(2).padStart(64, "0")}`,
  gas: GAS,
});

/** An address's TRX after these transactions on the newest block, in sun. */
export async function balanceAfter(
  engine: Engine,
  waiting: readonly SignedTronTransaction[],
  address: string,
): Promise<bigint> {
  if (waiting.length === 0) return BigInt(String(await engine.call("eth_getBalance", [address, "latest"])));
  return BigInt(await simulate(engine, waiting, readBalanceCall(address)));
}

async function simulate(
  engine: Engine,
  waiting: readonly SignedTronTransaction[],
  call: EvmCall,
): Promise<string> {
  const before = waiting.map((transaction) => toEvmCall(transaction));
  const last = (await simulateCalls(engine, [...before, { gas: GAS, ...call }])).at(-1);
  if (Number(last?.status) !== 1) throw new EngineError({ message: "reverted", data: last?.returnData });
  return last?.returnData ?? "0x";
}

/** Executes calls one after the other on the newest block, and keeps nothing. */
export async function simulateCalls(
  engine: Engine,
  calls: readonly EvmCall[],
): Promise<readonly SimulatedCall[]> {
  // PUSH0, CALLDATALOAD, BALANCE, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
  const stateOverrides = { [READER]: { code: "0x5f35315f5260205ff3" } };
  const [block] = (await engine.call("eth_simulateV1", [
    { blockStateCalls: [{ stateOverrides, calls }] },
    "latest",
  ])) as { calls: SimulatedCall[] }[];
  return block?.calls ?? [];
}
