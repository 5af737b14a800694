import type { Action } from "./contracts.ts";
import { type Engine, EngineError } from "./engine.ts";
import { PARAMETERS } from "./resources.ts";
import type { SignedTronTransaction } from "./transaction.ts";

/** Sun per unit of energy. */
export const ENERGY_PRICE = PARAMETERS.getEnergyFee;
/** Largest gas of one transaction that the EVM accepts. */
const GAS_MAX = 16_000_000n;

/** Result of a transaction, in java-tron's words. */
export interface ExecutionResult {
  readonly result: "SUCCESS" | "REVERT" | "OUT_OF_ENERGY";
  /** About the energy that TRON uses: the EVM's gas without the charge for the transaction and its data. */
  readonly energy: number;
}

/** Gas for call data (0x…) so that the contract can use the energy that `feeLimit` sun buy. */
function energyGas(data: string, feeLimit: bigint): bigint {
  const gas = dataGas(data) + feeLimit / BigInt(ENERGY_PRICE);
  return gas < GAS_MAX ? gas : GAS_MAX;
}

/** The EVM's charge for a transaction and its call data (including EIP-7623's floor). */
function dataGas(data: string): bigint {
  const bytes = Buffer.from(data.slice(2), "hex");
  const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  return BigInt(21_000 + 10 * zeros + 40 * (bytes.length - zeros));
}

/** Gets frozen TRX in the EVM, which knows no stakes. */
const STAKES = "0x0000000000000000000000000000000000057a4e";

/** Where an action goes in the EVM. */
export function targetOf(action: Action): string {
  if (action.type === "TriggerSmartContract") return action.contract;
  return "to" in action ? action.to : STAKES;
}

/**
 * A transaction as a call of the EVM, with its TRON id after the call data, where contracts do not look. `energySun`: what its energy may
 * cost.
 */
export function toEvmCall(transaction: SignedTronTransaction, energySun = transaction.raw.feeLimit) {
  const { action } = transaction.raw;
  const data = evmData(transaction);
  return {
    from: action.owner,
    to: targetOf(action),
    data,
    value: `0x${sunOf(action).toString(16)}`,
    gas: `0x${energyGas(data, energySun).toString(16)}`,
    gasPrice: "0x0",
  };
}

const evmData = ({ txId, raw: { action } }: SignedTronTransaction) =>
  `0x${action.type === "TriggerSmartContract" ? action.data : ""}${txId}`;

/** Sun that an action moves away from its owner. */
export function sunOf(action: Action): bigint {
  if (action.type === "TriggerSmartContract") return action.callValue;
  return action.type === "TransferContract" || action.type === "FreezeBalanceV2Contract" ? action.amount : 0n;
}

/** About the energy that TRON uses for a call that used this gas. */
export function energyOf(signed: SignedTronTransaction, gasUsed: string): number {
  if (signed.raw.action.type !== "TriggerSmartContract") return 0;
  const energy = BigInt(gasUsed) - dataGas(evmData(signed));
  return energy > 0n ? Number(energy) : 0;
}

/** `gas` is the EVM's limit for it. */
export function executionResult(
  signed: SignedTronTransaction,
  receipt: { readonly status: string; readonly gasUsed: string; readonly gas: string },
): ExecutionResult {
  if (signed.raw.action.type !== "TriggerSmartContract") return { result: "SUCCESS", energy: 0 };
  const failed = BigInt(receipt.gasUsed) >= BigInt(receipt.gas) ? "OUT_OF_ENERGY" : "REVERT";
  return {
    result: Number(receipt.status) === 1 ? "SUCCESS" : failed,
    energy: energyOf(signed, receipt.gasUsed),
  };
}

/**
 * Fetches the return data of the contract, hex without 0x. Empty when the EVM was restarted since: it no longer has the
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
