import { type SubmittableTransaction, type Wallet, xAddressToClassicAddress } from "xrpl";
import type { Result } from "./methods.ts";

export type TransactionFields = Readonly<Record<string, unknown>> & { readonly TransactionType: string };

/** More than the base fee, so that a replacement can pay more. */
const FEE = "12";
/** A payment that is not in one of the next ledgers, this many, never will be. */
const LIFE = 1_000;

/** Sends one call to a server of the XRP Ledger. Throws its error message. */
export async function askServer(url: string, method: string, params: Result = {}): Promise<Result> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ method, params: [{ ...params, api_version: 2 }] }),
  });
  const { result } = (await response.json()) as { result: Result };
  if (result.status !== "success") throw new Error(String(result.error_exception ?? result.error));
  return result;
}

/** The receiver of a transaction: account and tag, from an X-address or a classic one. */
export function destinationOf(address: string): Readonly<Record<string, unknown>> {
  if (address.startsWith("r")) return { Destination: address };
  const { classicAddress, tag } = xAddressToClassicAddress(address);
  return { Destination: classicAddress, ...(tag !== false && { DestinationTag: tag }) };
}

/** Signs as a wallet does. Fills in missing fields from the server's answers. */
export async function signTransaction(
  url: string,
  wallet: Wallet,
  fields: TransactionFields,
): Promise<{ readonly blob: string; readonly hash: string }> {
  const account = wallet.classicAddress;
  const { account_data } = await askServer(url, "account_info", { account, ledger_index: "current" });
  const { ledger_index } = await askServer(url, "ledger", { ledger_index: "validated" });
  const { Sequence } = account_data as { Sequence: number };
  const filled = {
    Account: account,
    Fee: FEE,
    Sequence,
    LastLedgerSequence: Number(ledger_index) + LIFE,
    ...fields,
  };
  const { tx_blob: blob, hash } = wallet.sign(filled as unknown as SubmittableTransaction);
  return { blob, hash };
}

/** Signs and broadcasts. Resolves to the hash. Throws if the server refuses it. */
export async function sendTransaction(
  url: string,
  wallet: Wallet,
  fields: TransactionFields,
): Promise<string> {
  const { blob, hash } = await signTransaction(url, wallet, fields);
  const { accepted, engine_result: result } = await askServer(url, "submit", { tx_blob: blob });
  if (accepted !== true) throw new Error(String(result));
  return hash;
}
