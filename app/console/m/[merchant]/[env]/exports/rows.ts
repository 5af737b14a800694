import { describeEntries } from "#app/console/m/describe-entries.ts";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { RecordedDeposit } from "#lib/domain/deposits/recorded-queries.ts";
import { depositCause, resolutionCause } from "#lib/domain/deposits/rules.ts";
import { listTransferValues, type TransferValue } from "#lib/domain/ledger/queries.ts";
import type { ExportedEntry } from "#lib/domain/ledger/statements.ts";
import { listNewestPayments, type PaymentRow } from "#lib/domain/payment-links/payment-queries.ts";
import type { PaymentLinkSummary } from "#lib/domain/payment-links/types.ts";
import type { WithdrawalRow, WithdrawalStatus } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { valueAtRate } from "#lib/platform/money/value-at-rate.ts";
import type { SheetRow } from "#lib/platform/sheets.ts";

const USD_DECIMALS = 8;
/** Payments of one link in a file. A link with more gets the newest. */
const MOST_PAYMENTS = 1_000;

const WITHDRAWAL_STATUSES: Readonly<Record<WithdrawalStatus, string>> = {
  pending: "pending",
  processing: "processing",
  failed: "failed",
  completed: "completed",
  refund_queued: "refund queued",
};

const tokenAmount = (units: bigint, token: TokenCode) => formatAmount(units, TOKENS[token].ledgerDecimals);

/** A row for each payment of the links, and one for each link without a payment. */
export async function paymentRows(db: Db, links: readonly PaymentLinkSummary[]): Promise<SheetRow[]> {
  const ids = links.map(({ id }) => id);
  const all = ids.length === 0 ? [] : await listNewestPayments(db, ids, MOST_PAYMENTS);
  const byLink = Map.groupBy(all, ({ linkId }) => linkId);
  return links.flatMap((link) => {
    const payments = byLink.get(link.id) ?? [];
    const cells =
      payments.length === 0 ? [NO_PAYMENT] : payments.map((payment) => paymentCells(link, payment));
    return cells.map((paid) => [...linkCells(link), ...paid]);
  });
}

function linkCells({ customer, currency, ...link }: PaymentLinkSummary): SheetRow {
  return [
    link.createdAt,
    link.refid,
    link.paymentReference,
    link.state,
    link.reason,
    formatAmount(link.amount, CURRENCIES[currency]),
    currency,
    customer.email,
    customer.firstName,
    customer.lastName,
    link.completedAt,
  ];
}

const NO_PAYMENT: SheetRow = [null, null, null, null, null, null, null, null, null, null];

/** A payment has the amount that came, its value in the link's currency at the payer's price, and no fee taken from it. */
export function paymentCells(
  { currency }: Pick<PaymentLinkSummary, "currency">,
  payment: Omit<PaymentRow, "linkId" | "depositId">,
): SheetRow {
  const { network, token, amount, rate, rateSource, status, txHash, firstSeenAt, confirmedAt } = payment;
  const value =
    rate === null ? null : formatAmount(valueAtRate({ token, amount }, rate, currency), CURRENCIES[currency]);
  const cells = [network, token, tokenAmount(amount, token), rate, rateSource, value];
  return [...cells, "0", status, confirmedAt ?? firstSeenAt, txHash];
}

export async function depositRows(
  db: Db,
  networks: NetworkRegistry,
  part: readonly RecordedDeposit[],
): Promise<SheetRow[]> {
  const causes = part.flatMap(({ deposit }) => [depositCause(deposit), resolutionCause(deposit)]);
  const values = await listTransferValues(db, causes);
  return part.map((row) => {
    const { deposit } = row;
    const value = values.get(resolutionCause(deposit)) ?? values.get(depositCause(deposit)) ?? null;
    return [...depositCells(row, networks), ...valueCells(deposit, value)];
  });
}

function depositCells(row: RecordedDeposit, networks: NetworkRegistry): SheetRow {
  const { deposit, address, refid, customerEmail } = row;
  const { env, network, token, amount, status } = deposit;
  return [
    deposit.createdAt,
    String(deposit.id),
    network,
    token,
    tokenAmount(amount, token),
    status,
    deposit.unmatchedReason,
    refid,
    customerEmail,
    networks.find(env, network)?.addresses.display(address) ?? address,
    deposit.txHash,
    deposit.confirmedAt,
  ];
}

/** The value in USD when it was credited, what one token was worth then, and where that price is from. */
export function valueCells(
  { token, amount }: { readonly token: TokenCode; readonly amount: bigint },
  value: TransferValue | null,
): SheetRow {
  if (value === null || value.usd === null || amount === 0n) return [null, null, null];
  const rate = (value.usd * 10n ** BigInt(TOKENS[token].ledgerDecimals)) / amount;
  return [formatAmount(value.usd, USD_DECIMALS), formatAmount(rate, USD_DECIMALS), value.priceSource];
}

export function withdrawalRow(row: WithdrawalRow, networks: NetworkRegistry): SheetRow {
  const { env, network, token, amount, fee, status, toAddress } = row;
  return [
    row.createdAt,
    row.refid,
    network,
    token,
    tokenAmount(amount, token),
    tokenAmount(fee, token),
    WITHDRAWAL_STATUSES[status],
    networks.find(env, network)?.addresses.display(toAddress) ?? toAddress,
    row.txHash,
    row.processedAt,
    row.reason,
  ];
}

/** Ledger entries, each with the link or withdrawal and the transaction that it is about. `base`: the address of the merchant's pages. */
export async function entryRows(
  db: Db,
  part: readonly ExportedEntry[],
  { merchantId, base }: { readonly merchantId: number; readonly base: string },
): Promise<SheetRow[]> {
  const described = await describeEntries(
    db,
    merchantId,
    part.map(({ cause }) => cause),
  );
  return described.map(({ kind, isReversal, refid, txHash, reference, page }, i) => {
    const entry = part[i] as ExportedEntry;
    const { token } = entry;
    return [
      entry.at,
      String(entry.id),
      refid,
      txHash,
      token,
      kind,
      isReversal ? "yes" : "no",
      tokenAmount(entry.amount, token),
      tokenAmount(entry.balanceAfter, token),
      entry.usd === null ? null : formatAmount(entry.usd, USD_DECIMALS),
      entry.priceSource,
      reference,
      page === null ? null : `${base}/${page}`,
    ];
  });
}
