import {
  type Abi,
  concat,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  pad,
} from "viem";
import { NodeError } from "#lib/chains/node-error.ts";
import compiled from "./sweeper.json" with { type: "json" };

/** The deterministic deployment proxy, which has the same address on every EVM network (github.com/Arachnid). */
export const PROXY = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const SALT = pad("0x");
const COIN = "0x0000000000000000000000000000000000000000";
const ABI = compiled.abi as Abi;
const FAILED = 2n ** 256n - 1n;

/** No contract: an authorization for it removes a delegation. */
export const NO_DELEGATE = COIN;

/** The contract's address, canonical. It follows from its bytecode and the address that it pays to. */
export function sweeperAddress(vault: string): string {
  const bytecode = encodeInit(vault);
  return getContractAddress({ opcode: "CREATE2", from: PROXY, salt: SALT, bytecode }).toLowerCase();
}

/** The call that deploys the contract. A second one fails. */
export function encodeDeployment(vault: string): { readonly to: Hex; readonly data: Hex } {
  return { to: PROXY, data: concat([SALT, encodeInit(vault)]) };
}

const encodeInit = (vault: string): Hex =>
  encodeDeployData({ abi: ABI, bytecode: compiled.bytecode as Hex, args: [vault] });

/** The code of an account that is delegated to a contract (EIP-7702). */
export const delegationCode = (contract: string): string => `0xef0100${contract.slice(2).toLowerCase()}`;

/** The call of the contract that sweeps a token, or the coin (null), from these accounts. */
export function encodeSweep(contract: string | null, accounts: readonly string[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName: "sweepMany", args: [contract ?? COIN, accounts] });
}

/** The result of a sweep at one account. */
export interface SweepResult {
  /** In the token's unit on this chain. Null if it fails. */
  readonly moved: bigint | null;
  readonly gas: bigint;
}

/** Reads the answer of a sweep of this many accounts. Throws a NodeError on one that the contract does not give. */
export function decodeSweep(answer: string, accounts: number): readonly SweepResult[] {
  const results = decodeAnswer(answer);
  if (results?.length !== accounts)
    throw new NodeError("malformed", "the node sent no answer of the sweeper");
  return results.map(([moved, gas]) => ({ moved: moved === FAILED ? null : moved, gas }));
}

function decodeAnswer(answer: string): readonly (readonly [bigint, bigint])[] | null {
  try {
    const data = answer as Hex;
    return decodeFunctionResult({ abi: ABI, functionName: "sweepMany", data }) as [bigint, bigint][];
  } catch {
    return null;
  }
}
