import { ed25519 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import type { SolanaKey } from "./hot-key.ts";

/** Bytes of the largest transaction that nodes forward (docs.anza.xyz, transactions). */
const LARGEST = 1_232;
/** For a simulation, which finds out how many are needed. */
export const MOST_UNITS = 400_000;

/** A transaction before it is signed. */
export interface SolanaPlan {
  readonly feePayer: string;
  readonly instructions: readonly Instruction[];
  readonly blockhash: string;
  readonly units: number;
  /** Micro-lamports for a compute unit. */
  readonly unitPrice: bigint;
}

/** The associated token account of an owner, of the token program that all listed mints belong to. */
export async function tokenAccountOf(owner: string, mint: string): Promise<string> {
  const seeds = { owner: owner as Address, mint: mint as Address, tokenProgram: TOKEN_PROGRAM_ADDRESS };
  return (await findAssociatedTokenPda(seeds))[0];
}

export const transferSol = (from: string, to: string, amount: bigint): Instruction =>
  getTransferSolInstruction({
    source: createNoopSigner(from as Address),
    destination: to as Address,
    amount,
  });

/** A mint with its decimals. */
export interface Mint {
  readonly mint: string;
  readonly decimals: number;
}

/** Moves tokens between token accounts. The mint and its decimals are checked by the program. */
export const transferTokens = (
  { mint, decimals }: Mint,
  from: { readonly owner: string; readonly account: string },
  to: string,
  amount: bigint,
): Instruction =>
  getTransferCheckedInstruction({
    source: from.account as Address,
    authority: createNoopSigner(from.owner as Address),
    mint: mint as Address,
    destination: to as Address,
    amount,
    decimals,
  });

/** Creates the token account of an owner if it does not exist. Fails if it exists and belongs to somebody else. */
export const createTokenAccount = (
  payer: string,
  { owner, account, mint }: { readonly owner: string; readonly account: string; readonly mint: string },
): Instruction =>
  getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(payer as Address),
    ata: account as Address,
    owner: owner as Address,
    mint: mint as Address,
  });

/** Closes an empty token account. Its lamports go to `to`. */
export const closeTokenAccount = (owner: string, account: string, to: string): Instruction =>
  getCloseAccountInstruction({
    account: account as Address,
    destination: to as Address,
    owner: createNoopSigner(owner as Address),
  });

function compile({ feePayer, instructions, blockhash, units, unitPrice }: SolanaPlan): Transaction {
  // The height is used by kit's own confirmation only.
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(feePayer as Address, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => setTransactionMessageComputeUnitLimit(units, message),
      (message) => setTransactionMessageComputeUnitPrice(unitPrice, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
}

/** The transaction in base64, with no signature in it: for a simulation. */
export const encodeUnsigned = (plan: SolanaPlan): string => getBase64EncodedWireTransaction(compile(plan));

/** The account that pays for a signed transaction. */
export const feePayerOf = (raw: string): string =>
  Object.keys(getTransactionDecoder().decode(Buffer.from(raw, "base64")).signatures)[0] ?? "";

/** Whether nodes forward a transaction of this size. */
export const isForwarded = (plan: SolanaPlan): boolean =>
  getTransactionEncoder().encode(compile(plan)).length <= LARGEST;

/**
 * Signs with every key that the transaction needs. Returns its signature by the fee payer, which identifies it, and its bytes in base64.
 * Throws if a key is missing.
 */
export function signPlan(
  plan: SolanaPlan,
  keys: readonly SolanaKey[],
): { readonly hash: string; readonly raw: string } {
  const transaction = compile(plan);
  const message = Uint8Array.from(transaction.messageBytes);
  const signatures = Object.keys(transaction.signatures).map((address) => {
    const key = keys.find((one) => one.address === address);
    if (key === undefined) throw new Error(`no key of ${address}`);
    return [address, ed25519.sign(message, key.secret)] as const;
  });
  const signed = { ...transaction, signatures: Object.fromEntries(signatures) };
  const [, first = new Uint8Array(0)] = signatures[0] ?? [];
  return { hash: base58.encode(first), raw: getBase64EncodedWireTransaction(signed as Transaction) };
}
