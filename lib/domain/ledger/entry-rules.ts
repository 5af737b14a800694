/** The subject of an entry of a merchant's balance. */
export type EntrySubject = "deposit" | "withdrawal" | "buy" | "other";

/** The cause of a merchant's entry, read from the cause of its transfer. */
export interface EntryCause {
  readonly subject: EntrySubject;
  /** The id of the deposit, withdrawal or buy. Null for other subjects. */
  readonly id: number | null;
  /** `advance`: a debt that pays for a reversal. `repayment`: what a credit repays of a debt. */
  readonly part: "main" | "fee" | "advance" | "repayment";
  /** Returns an earlier entry, or belongs to what does. */
  readonly isReversal: boolean;
}

/** Reads the cause of a transfer on a merchant's account, such as "deposit:12:1:reversal" or "repayment:buy:3". */
export function readEntryCause(cause: string): EntryCause {
  const [, before = "", subject = "", id = "", after = ""] =
    /^(repayment:)?(deposit|withdrawal|buy):([1-9][0-9]{0,14})(:.*)?$/.exec(cause) ?? [];
  const isReversal = after.includes(":reversal");
  const isRepayment = before !== "" || after.endsWith(":repayment");
  if (subject === "") return { subject: "other", id: null, part: "main", isReversal };
  return {
    subject: subject as EntrySubject,
    id: Number(id),
    part: isRepayment
      ? "repayment"
      : after.endsWith(":cover")
        ? "advance"
        : after === ":fee"
          ? "fee"
          : "main",
    isReversal,
  };
}

/** The kinds of entries that people read. A deposit without a payment link is no payment. */
export const ENTRY_KINDS = [
  "payment",
  "deposit",
  "withdrawal",
  "refund",
  "buy",
  "fee",
  "advance",
  "repayment",
  "correction",
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The kind of an entry. `isOfLink`: its deposit pays a payment link. `isRefund`: its withdrawal pays a customer back. */
export function entryKind(
  { subject, part }: Pick<EntryCause, "subject" | "part">,
  { isOfLink, isRefund }: { readonly isOfLink: boolean; readonly isRefund: boolean },
): EntryKind {
  if (part !== "main") return part;
  switch (subject) {
    case "deposit":
      return isOfLink ? "payment" : "deposit";
    case "withdrawal":
      return isRefund ? "refund" : "withdrawal";
    case "buy":
      return "buy";
    case "other":
      return "correction";
  }
}
