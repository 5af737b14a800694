import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
} from "@solana/kit";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import type { LiteSVM } from "litesvm";

/** The newer token program, which supports transfer fees among other things. */
const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" as Address;

export interface Decoded {
  readonly bytes: Uint8Array;
  readonly transaction: Transaction;
  readonly message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
  /** Base58, in the order of the signers. */
  readonly signatures: readonly string[];
}

/** The same without its signatures, which may be missing. Throws on bytes that are not a transaction. */
export function decodeUnsigned(bytes: Uint8Array): Pick<Decoded, "transaction" | "message"> {
  const transaction = getTransactionDecoder().decode(bytes);
  return { transaction, message: getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) };
}

/** Throws on bytes that are not a signed transaction. */
export function decode(bytes: Uint8Array): Decoded {
  const { transaction, message } = decodeUnsigned(bytes);
  const signatures = Object.values(transaction.signatures).map((signature) => {
    if (signature === null) throw new Error("a signature is missing");
    return getBase58Decoder().decode(signature);
  });
  return { bytes, transaction, message, signatures };
}

const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
/** The compute units for each instruction of a transaction that sets no limit (docs.anza.xyz, compute budget). */
const DEFAULT_UNITS = 200_000;

/** The value of the instruction of the compute budget program with this number. Null if the transaction lacks it. */
function budgetOf({ message }: Pick<Decoded, "message">, number: number): DataView | null {
  const instructions = "instructions" in message ? message.instructions : [];
  for (const { programAddressIndex, data } of instructions) {
    if (message.staticAccounts[programAddressIndex] !== COMPUTE_BUDGET || data?.[0] !== number) continue;
    return new DataView(Uint8Array.from(data).buffer, 1);
  }
  return null;
}

/** Micro-lamports for a compute unit. */
export const unitPriceOf = (decoded: Pick<Decoded, "message">): bigint =>
  budgetOf(decoded, 3)?.getBigUint64(0, true) ?? 0n;

/** Lamports on top of the fee for the signatures. */
export function priorityFeeOf(decoded: Pick<Decoded, "message">): bigint {
  const { message } = decoded;
  const count = "instructions" in message ? message.instructions.length : 0;
  const units = budgetOf(decoded, 2)?.getUint32(0, true) ?? DEFAULT_UNITS * count;
  return (unitPriceOf(decoded) * BigInt(units) + 999_999n) / 1_000_000n;
}

export interface Accounts {
  /** In the order of the indexes: first the message's own accounts, then those of lookup tables. */
  readonly all: readonly Address[];
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] };
}

/** Offset of the first address in a lookup table's account. */
const TABLE_HEADER = 56;

/** Throws where a lookup table is absent or too short. */
export function listTransactionAccounts(svm: LiteSVM, { message }: Decoded): Accounts {
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const lookup of ("addressTableLookups" in message && message.addressTableLookups) || []) {
    const table = svm.getAccount(lookup.lookupTableAddress);
    if (!table.exists) throw new Error("AddressLookupTableNotFound");
    const at = (index: number): Address => {
      const start = TABLE_HEADER + 32 * index;
      if (table.data.length < start + 32) throw new Error("InvalidAddressLookupTableIndex");
      return getBase58Decoder().decode(table.data.slice(start, start + 32)) as Address;
    };
    writable.push(...lookup.writableIndexes.map(at));
    readonly.push(...lookup.readonlyIndexes.map(at));
  }
  return { all: [...message.staticAccounts, ...writable, ...readonly], loaded: { writable, readonly } };
}

/** As accounts of a transaction are annotated: what it may write to, and who signed it. */
export function annotate({ message }: Decoded, { all, loaded }: Accounts) {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  const own = message.staticAccounts.length;
  return all.map((pubkey, i) => {
    const signer = i < numSignerAccounts;
    const writable =
      i >= own
        ? i < own + loaded.writable.length
        : signer
          ? i < numSignerAccounts - numReadonlySignerAccounts
          : i < own - numReadonlyNonSignerAccounts;
    return { pubkey, signer, source: i < own ? "transaction" : "lookupTable", writable };
  });
}

interface ParsedTokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: ReturnType<typeof uiAmount>;
}

export interface BalanceSnapshot {
  readonly lamports: readonly number[];
  readonly tokens: readonly ParsedTokenBalance[];
}

/** The balances of the accounts now. */
export function snapshot(svm: LiteSVM, accounts: readonly Address[]): BalanceSnapshot {
  return {
    lamports: accounts.map((address) => Number(svm.getBalance(address) ?? 0n)),
    tokens: accounts.flatMap((address, accountIndex) => tokenBalance(svm, address, accountIndex) ?? []),
  };
}

const ACCOUNT_SIZE = 165;

/** Returns null if the account is not a token account that was set up. */
function tokenBalance(svm: LiteSVM, address: Address, accountIndex: number): ParsedTokenBalance | null {
  const account = svm.getAccount(address);
  if (!account.exists || account.data.length < ACCOUNT_SIZE) return null;
  const { data, programAddress } = account;
  if (programAddress !== TOKEN_PROGRAM_ADDRESS && programAddress !== TOKEN_2022) return null;
  // A longer one says what it is behind its end: 2 is an account, 1 a mint. A state of 0 was not set up.
  if ((data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] !== 2) || data[108] === 0) return null;
  const key = (start: number) => getBase58Decoder().decode(data.slice(start, start + 32));
  const mint = key(0);
  const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(64, true);
  const decimals = mintDecimals(svm, mint as Address) ?? 0;
  return {
    accountIndex,
    mint,
    owner: key(32),
    programId: programAddress,
    uiTokenAmount: uiAmount(amount, decimals),
  };
}

/** Returns null if the address is not a mint. */
export function mintDecimals(svm: LiteSVM, mint: Address): number | null {
  const account = svm.getAccount(mint);
  if (!account.exists || account.data.length < 82) return null;
  const { data, programAddress } = account;
  if (programAddress !== TOKEN_PROGRAM_ADDRESS && programAddress !== TOKEN_2022) return null;
  const isMint = data.length === 82 || data[ACCOUNT_SIZE] === 1;
  return isMint && data[45] === 1 ? (data[44] ?? null) : null;
}

export function uiAmount(amount: bigint, decimals: number) {
  const text = amount.toString().padStart(decimals + 1, "0");
  const whole = text.slice(0, text.length - decimals);
  const fraction = text.slice(text.length - decimals).replace(/0+$/, "");
  const uiAmountString = fraction === "" ? whole : `${whole}.${fraction}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}
