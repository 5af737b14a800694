import type { EntryKind } from "#lib/domain/ledger/entry-rules.ts";

const KIND_TEXTS: Readonly<Record<EntryKind, string>> = {
  payment: "Payment",
  deposit: "Deposit",
  withdrawal: "Withdrawal",
  refund: "Refund",
  buy: "Buy",
  fee: "Fee of a buy",
  advance: "Debt for a reversal",
  repayment: "Debt repaid",
  correction: "Correction",
};

/** The kind of an entry in words, such as "Payment, reversed". Debts have words of their own. */
export function entryText({
  kind,
  isReversal,
}: {
  readonly kind: EntryKind;
  readonly isReversal: boolean;
}): string {
  const isDebt = kind === "advance" || kind === "repayment";
  return `${KIND_TEXTS[kind]}${isReversal && !isDebt ? ", reversed" : ""}`;
}
