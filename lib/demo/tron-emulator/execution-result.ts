import { type Engine, EngineError } from "./engine.ts";
import { type SignedTronTransaction, targetOf } from "./transaction.ts";

/** Sun per unit of energy. */
export const ENERGY_PRICE = 100;
/** Largest gas of one transaction that the EVM accepts. */
const GAS_MAX = 16_000_000n;

/** Result of a transaction, in java-tron's words. */
export interface ExecutionResult {
  readonly result: "SUCCESS" | "REVERT" | "OUT_OF_ENERGY";
  /** About the energy that TRON uses: the EVM's gas without the charge for the transaction and its data. */
  readonly energy: number;
}

/** Gas for call data (0x…) so that the contract can use the energy that `feeLimit` sun buy. */
export function energyGas(data: string, feeLimit: bigint): bigint {
  const gas = dataGas(data) + feeLimit / BigInt(ENERGY_PRICE);
  return gas < GAS_MAX ? gas : GAS_MAX;
}

/** The EVM's charge for a transaction and its call data (including EIP-7623's floor). */
function dataGas(data: string): bigint {
  const bytes = Buffer.from(data.slice(2), "hex");
  const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  return BigInt(21_000 + 10 * zeros + 40 * (bytes.length - zeros));
}

/** A transaction as a call of the EVM, with its TRON id after the call data, where contracts do not look. */
export function toEvmCall({ txId, raw: { action, feeLimit } }: SignedTronTransaction) {
  const isCall = action.type === "TriggerSmartContract";
  const sun = action.type === "TransferContract" ? action.amount : 0n;
  const data = `0x${isCall ? action.data : ""}${txId}`;
  return {
    from: action.owner,
    to: targetOf(action),
    data,
    value: `0x${(isCall ? action.callValue : sun).toString(16)}`,
    gas: `0x${energyGas(data, feeLimit).toString(16)}`,
    gasPrice: "0x0",
  };
}

export function executionResult(
  signed: SignedTronTransaction,
  receipt: { readonly status: string; readonly gasUsed: string },
): ExecutionResult {
  const { action, feeLimit } = signed.raw;
  if (action.type !== "TriggerSmartContract") return { result: "SUCCESS", energy: 0 };
  const data = `0x${action.data}${signed.txId}`;
  const used = BigInt(receipt.gasUsed);
  const failed = used >= energyGas(data, feeLimit) ? "OUT_OF_ENERGY" : "REVERT";
  const energy = used - dataGas(data);
  return {
    result: Number(receipt.status) === 1 ? "SUCCESS" : failed,
    energy: energy > 0n ? Number(energy) : 0,
  };
}

/**
 * What the contract returned, hex without 0x. Empty when the EVM was restarted since: it no longer has the
 * state.
 */
export async function fetchReturnData(engine: Engine, evmHash: string): Promise<string> {
  try {
    const trace = await engine.call("debug_traceTransaction", [evmHash, { tracer: "callTracer" }]);
    return ((trace as { output?: string }).output ?? "0x").slice(2);
  } catch (error) {
    if (error instanceof EngineError) return "";
    throw error;
  }
}
