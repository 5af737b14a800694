import { type Engine, EngineError } from "./engine.ts";
import { toEvmCall } from "./execution-result.ts";
import type { SignedTronTransaction } from "./transaction.ts";

/** A call of the EVM. Absent fields have the EVM's defaults. */
export type EvmCall = Readonly<Record<string, unknown>>;

interface SimulatedCall {
  readonly status: string;
  readonly returnData: string;
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
  return simulate(engine, waiting, call, {});
}

/** An address's TRX after these transactions on the newest block, in sun. */
export async function balanceAfter(
  engine: Engine,
  waiting: readonly SignedTronTransaction[],
  address: string,
): Promise<bigint> {
  if (waiting.length === 0) return BigInt(String(await engine.call("eth_getBalance", [address, "latest"])));
  // PUSH20 address, BALANCE, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
  const code = `0x73${address.slice(2)}315f5260205ff3`;
  return BigInt(await simulate(engine, waiting, { to: READER }, { [READER]: { code } }));
}

async function simulate(
  engine: Engine,
  waiting: readonly SignedTronTransaction[],
  call: EvmCall,
  stateOverrides: Readonly<Record<string, unknown>>,
): Promise<string> {
  const calls = [...waiting.map(toEvmCall), { gas: GAS, ...call }];
  const [block] = (await engine.call("eth_simulateV1", [
    { blockStateCalls: [{ stateOverrides, calls }] },
    "latest",
  ])) as { calls: SimulatedCall[] }[];
  const last = block?.calls.at(-1);
  if (Number(last?.status) !== 1) throw new EngineError({ message: "reverted", data: last?.returnData });
  return last?.returnData ?? "0x";
}
