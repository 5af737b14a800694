import { createHash } from "node:crypto";
import { decode, deriveAddress, hashes, verifySignature } from "xrpl";

export type Fields = Readonly<Record<string, unknown>>;

/** An amount of an issued token. XRP is a text of drops instead. */
export interface IssuedAmount {
  readonly currency: string;
  readonly issuer: string;
  readonly value: string;
}

/** A transaction signed by its account. */
export interface SignedXrpTransaction {
  readonly hash: string;
  /** Hex, upper case. */
  readonly blob: string;
  readonly fields: Fields;
  readonly account: string;
  readonly sequence: number;
  readonly fee: bigint;
  /** The last ledger that may hold it. Null: any may. */
  readonly lastLedger: number | null;
}

/**
 * Decodes a signed transaction with the ledger's own library. Checks the signature and that its key belongs
 * to the account. Throws a server's error message.
 */
export function readBlob(blob: string): SignedXrpTransaction {
  const fields: Fields = decode(blob);
  if (!verifySignature(blob)) throw new Error("fails local checks: Invalid signature.");
  const account = String(fields.Account);
  if (deriveAddress(String(fields.SigningPubKey)) !== account) throw new Error("badAuth");
  const { LastLedgerSequence: last } = fields;
  return {
    hash: hashes.hashSignedTx(blob),
    blob: blob.toUpperCase(),
    fields,
    account,
    sequence: Number(fields.Sequence),
    fee: BigInt(String(fields.Fee)),
    lastLedger: last === undefined ? null : Number(last),
  };
}

/** The first half of a SHA-512, which the ledger uses for all hashes. Hex, upper case. */
export function sha512Half(text: string): string {
  return createHash("sha512").update(text).digest("hex").slice(0, 64).toUpperCase();
}
