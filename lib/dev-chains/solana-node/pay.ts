import {
  type Address,
  type AddressesByLookupTableAddress,
  appendTransactionMessageInstructions,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import { rpc } from "../rpc.ts";
import { FAUCET_USDT, faucet, USDT_DECIMALS, USDT_MINT } from "./genesis.ts";

export interface SolanaSendOptions {
  /** Default 0. */
  readonly version?: "legacy" | 0 | 1;
  /** Only for version 0: accounts that lookup tables hold. */
  readonly tables?: AddressesByLookupTableAddress;
  /** Sends it although the node foresees a failure. */
  readonly skipPreflight?: boolean;
}

/**
 * Signs a transaction as a wallet does, broadcasts it and returns its signature. Throws the node's error
 * message.
 */
export async function sendInstructions(
  url: string,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  { version = 0, tables = {}, skipPreflight = false }: SolanaSendOptions = {},
): Promise<string> {
  const answer = (await rpc(url, "getLatestBlockhash", [{ commitment: "confirmed" }])) as {
    value: { blockhash: Blockhash; lastValidBlockHeight: number };
  };
  const { blockhash, lastValidBlockHeight } = answer.value;
  const lifetime = { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
  const unsigned =
    version === 0
      ? compressTransactionMessageUsingAddressLookupTables(
          appendTransactionMessageInstructions(instructions, createTransactionMessage({ version })),
          tables,
        )
      : version === 1
        ? appendTransactionMessageInstructions(instructions, budgeted(createTransactionMessage({ version })))
        : appendTransactionMessageInstructions(instructions, createTransactionMessage({ version }));
  const paid = setTransactionMessageFeePayerSigner(payer, unsigned);
  const message = setTransactionMessageLifetimeUsingBlockhash(lifetime, paid);
  const signed = await signTransactionMessageWithSigners(message);
  const options = { encoding: "base64", skipPreflight };
  return String(await rpc(url, "sendTransaction", [getBase64EncodedWireTransaction(signed), options]));
}

/** A version 1 transaction states its limits. Without them it may use nothing. */
const budgeted = setTransactionMessageConfig.bind(null, {
  computeUnitLimit: 200_000,
  loadedAccountsDataSizeLimit: 64 * 1024 * 1024,
});

/** Pays lamports from the faucet. */
export async function sendSol(
  url: string,
  payments: readonly (readonly [to: string, lamports: bigint])[],
  options?: SolanaSendOptions,
): Promise<string> {
  const source = await faucet();
  const instructions = payments.map(([to, amount]) =>
    getTransferSolInstruction({ source, destination: to as Address, amount }),
  );
  return sendInstructions(url, source, instructions, options);
}

/** Pays units of the test USDT from the faucet. Creates missing token accounts. */
export async function sendSolanaUsdt(
  url: string,
  payments: readonly (readonly [to: string, units: bigint])[],
  options?: SolanaSendOptions,
): Promise<string> {
  const payer = await faucet();
  const parts = payments.map(async ([to, amount]) => {
    const owner = to as Address;
    const tokenProgram = TOKEN_PROGRAM_ADDRESS;
    const [ata] = await findAssociatedTokenPda({ owner, mint: USDT_MINT, tokenProgram });
    return [
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint: USDT_MINT }),
      getTransferCheckedInstruction({
        source: FAUCET_USDT,
        mint: USDT_MINT,
        destination: ata,
        authority: payer,
        amount,
        decimals: USDT_DECIMALS,
      }),
    ];
  });
  return sendInstructions(url, payer, (await Promise.all(parts)).flat(), options);
}
