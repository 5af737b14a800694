import { type Hex, recoverAddress } from "viem";
import { tronAddressFromHex } from "#lib/chains/tron/address.ts";
import { PARAMETERS } from "./resources.ts";
import type { SignedTronTransaction } from "./transaction.ts";

/** A code of java-tron's broadcast answer, and its text. */
export interface BroadcastRefusal {
  readonly code:
    | "SIGERROR"
    | "TAPOS_ERROR"
    | "TRANSACTION_EXPIRATION_ERROR"
    | "DUP_TRANSACTION_ERROR"
    | "CONTRACT_VALIDATE_ERROR"
    | "BANDWITH_ERROR"
    | "OTHER_ERROR";
  readonly message: string;
}

/** The state of the chain at the time of the broadcast. */
export interface ChainFacts {
  readonly headTimeMs: number;
  /** Id of the newest block whose height ends with the reference's two bytes. null when there is none. */
  readonly referredId: string | null;
  /** It already waits or is in a block. */
  readonly known: boolean;
  /** The sender's balance, in sun. */
  readonly balance: bigint;
  /** The receiver, or the called address, has code. */
  readonly targetIsContract: boolean;
  /** Why its owner cannot have it in a block: no account, no TRX for it, a stake. Null if it can, or if no one pays on this chain. */
  readonly unpayable: string | null;
  /** Transactions that freeze TRX or delegate resources are accepted. */
  readonly hasStakes: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The first reason, in java-tron's order, why a node refuses the transaction. null when it accepts it. */
export async function checkTransaction(
  signed: SignedTronTransaction,
  facts: ChainFacts,
): Promise<BroadcastRefusal | null> {
  const { raw } = signed;
  const signature = await signatureProblem(signed);
  if (signature !== null) return { code: "SIGERROR", message: `Validate signature error: ${signature}` };
  if (facts.referredId?.slice(16, 32) !== raw.refBlockHash) {
    return { code: "TAPOS_ERROR", message: "Tapos check error." };
  }
  if (raw.expiration <= facts.headTimeMs || raw.expiration > facts.headTimeMs + DAY_MS) {
    return { code: "TRANSACTION_EXPIRATION_ERROR", message: "Transaction expired" };
  }
  if (facts.known) return { code: "DUP_TRANSACTION_ERROR", message: "Dup transaction." };
  const contract = contractProblem(signed, facts);
  if (contract !== null)
    return { code: "CONTRACT_VALIDATE_ERROR", message: `Contract validate error : ${contract}` };
  if (facts.unpayable === null) return null;
  const isContract = facts.unpayable.startsWith("Contract validate error");
  return { code: isContract ? "CONTRACT_VALIDATE_ERROR" : "BANDWITH_ERROR", message: facts.unpayable };
}

/** Checks for one signature by the owner's key over the hash of the bytes. */
async function signatureProblem({ txId, raw, signatures }: SignedTronTransaction): Promise<string | null> {
  const [signature] = signatures;
  if (signature === undefined) return "miss sig or contract";
  if (raw.permissionId !== 0) return "permission isn't exit";
  if (signatures.length > 1)
    return `Signature count is ${signatures.length} more than key counts of permission : 1`;
  const digits = signature.replace(/^0x/, "");
  if (!/^[0-9a-fA-F]{130}$/.test(digits)) return `Signature size is ${digits.length / 2}`;
  const signer = await recoverAddress({ hash: `0x${txId}`, signature: `0x${digits}` as Hex }).catch(
    () => null,
  );
  if (signer === null) return "java.lang.IllegalArgumentException: Invalid point compression";
  if (signer.toLowerCase() === raw.action.owner) return null;
  return `${digits} is signed by ${tronAddressFromHex(signer.toLowerCase())} but it is not contained of permission.`;
}

function contractProblem(
  { raw: { action, feeLimit } }: SignedTronTransaction,
  facts: ChainFacts,
): string | null {
  if (action.type === "TransferContract") {
    if (action.amount === 0n) return "Amount must be greater than 0.";
    if (action.to === action.owner) return "Cannot transfer TRX to yourself.";
    if (facts.targetIsContract) return "Cannot transfer TRX to a smartContract.";
    if (facts.balance === 0n) return `account [${tronAddressFromHex(action.owner)}] does not exist`;
    if (facts.balance < action.amount) return "Validate TransferContract error, balance is not sufficient.";
    return null;
  }
  if (action.type === "TransferAssetContract") {
    if (action.amount === 0n) return "Amount must be greater than 0.";
    if (action.to === action.owner) return "Cannot transfer asset to yourself.";
    return facts.targetIsContract ? "Cannot transfer asset to smartContract." : null;
  }
  if (action.type === "FreezeBalanceV2Contract" && facts.balance < action.amount)
    return "frozenBalance must be less than or equal to accountBalance";
  if (action.type !== "TriggerSmartContract") return facts.hasStakes ? null : "no stakes are emulated here";
  if (!facts.targetIsContract) return "No contract or not a valid smart contract";
  if (feeLimit < 0n || feeLimit > BigInt(PARAMETERS.getMaxFeeLimit))
    return `feeLimit must be >= 0 and <= ${PARAMETERS.getMaxFeeLimit}`;
  return facts.balance < action.callValue
    ? "Validate InternalTransfer error, balance is not sufficient."
    : null;
}
