import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { exportDeposits } from "#lib/domain/deposits/export-deposits.ts";
import type { RecordedDeposit } from "#lib/domain/deposits/recorded-queries.ts";
import type { DepositStatus } from "#lib/domain/deposits/types.ts";
import { type ExportedEntry, exportEntries } from "#lib/domain/ledger/statements.ts";
import type { PaymentLinkDeps, PaymentLinkSummary } from "#lib/domain/payment-links/types.ts";
import { exportLinks } from "#lib/domain/payment-links/view/export-links.ts";
import { exportWithdrawals } from "#lib/domain/withdrawals/export-withdrawals.ts";
import type { WithdrawalRow, WithdrawalStatus } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { SheetColumn, SheetRow } from "#lib/platform/sheets.ts";

interface ExportDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly settings: PaymentLinkDeps["settings"];
}

/** Whose rows, and the month. */
interface ExportRequest {
  readonly env: Env;
  readonly merchantId: number;
  readonly from: Date;
  readonly to: Date;
}

interface Export {
  readonly title: string;
  readonly columns: readonly SheetColumn[];
  readonly read: (deps: ExportDeps, request: ExportRequest) => AsyncGenerator<readonly SheetRow[]>;
}

const USD_DECIMALS = 8;

/** Everything that can be exported, by its name in URLs and of files. */
export const EXPORTS = {
  payments: {
    title: "Payments",
    columns: [
      ["created_at", "time"],
      ["refid", "text"],
      ["payment_reference", "text"],
      ["state", "text"],
      ["reason", "text"],
      ["amount", "amount"],
      ["currency", "text"],
      ["email", "text"],
      ["first_name", "text"],
      ["last_name", "text"],
      ["completed_at", "time"],
    ],
    read: ({ db, networks, settings }, { env, merchantId, ...range }) => {
      const filter = { merchantId, env, state: null, paymentReference: null };
      return rowsOf(exportLinks({ db, networks, settings }, filter, range), paymentRow);
    },
  },
  deposits: {
    title: "Deposits",
    columns: [
      ["created_at", "time"],
      ["deposit", "text"],
      ["network", "text"],
      ["token", "text"],
      ["amount", "amount"],
      ["status", "text"],
      ["unmatched_reason", "text"],
      ["refid", "text"],
      ["email", "text"],
      ["address", "text"],
      ["tx_hash", "text"],
      ["confirmed_at", "time"],
    ],
    read: ({ db, networks }, request) =>
      rowsOf(exportDeposits(db, request, request), (row) => depositRow(row, networks)),
  },
  withdrawals: {
    title: "Withdrawals",
    columns: [
      ["created_at", "time"],
      ["refid", "text"],
      ["network", "text"],
      ["token", "text"],
      ["amount", "amount"],
      ["fee", "amount"],
      ["status", "text"],
      ["to", "text"],
      ["tx_hash", "text"],
      ["processed_at", "time"],
    ],
    read: ({ db, networks }, request) =>
      rowsOf(exportWithdrawals(db, request, request), (row) => withdrawalRow(row, networks)),
  },
  entries: {
    title: "Ledger entries",
    columns: [
      ["time", "time"],
      ["entry", "text"],
      ["token", "text"],
      ["kind", "text"],
      ["reversal", "text"],
      ["amount", "amount"],
      ["balance_after", "amount"],
      ["usd", "amount"],
      ["usd_source", "text"],
    ],
    read: ({ db }, request) => rowsOf(exportEntries(db, request), entryRow),
  },
} as const satisfies Readonly<Record<string, Export>>;

export type ExportName = keyof typeof EXPORTS;

async function* rowsOf<T>(
  parts: AsyncIterable<readonly T[]>,
  toRow: (one: T) => SheetRow,
): AsyncGenerator<readonly SheetRow[]> {
  for await (const part of parts) yield part.map(toRow);
}

const tokenAmount = (units: bigint, token: TokenCode) => formatAmount(units, TOKENS[token].ledgerDecimals);

function paymentRow(link: PaymentLinkSummary): SheetRow {
  const { customer, currency } = link;
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

const DEPOSIT_STATUSES: Readonly<Record<DepositStatus, string>> = {
  0: "seen",
  1: "credited",
  2: "dropped",
  3: "held",
};

function depositRow(row: RecordedDeposit, networks: NetworkRegistry): SheetRow {
  const { deposit, address, refid, customerEmail } = row;
  const { env, network, token, amount, status } = deposit;
  return [
    deposit.createdAt,
    String(deposit.id),
    network,
    token,
    tokenAmount(amount, token),
    DEPOSIT_STATUSES[status],
    deposit.unmatchedReason,
    refid,
    customerEmail,
    networks.find(env, network)?.displayAddress(address) ?? address,
    deposit.txHash,
    deposit.confirmedAt,
  ];
}

const WITHDRAWAL_STATUSES: Readonly<Record<WithdrawalStatus, string>> = {
  0: "pending",
  1: "processing",
  2: "failed",
  3: "completed",
  5: "refund queued",
};

function withdrawalRow(row: WithdrawalRow, networks: NetworkRegistry): SheetRow {
  const { env, network, token, amount, fee, status, toAddress } = row;
  return [
    row.createdAt,
    row.refid,
    network,
    token,
    tokenAmount(amount, token),
    tokenAmount(fee, token),
    WITHDRAWAL_STATUSES[status],
    networks.find(env, network)?.displayAddress(toAddress) ?? toAddress,
    row.txHash,
    row.processedAt,
  ];
}

function entryRow({
  at,
  id,
  token,
  kind,
  isReversal,
  amount,
  balanceAfter,
  ...entry
}: ExportedEntry): SheetRow {
  return [
    at,
    String(id),
    token,
    kind,
    isReversal ? "yes" : "no",
    tokenAmount(amount, token),
    tokenAmount(balanceAfter, token),
    entry.usd === null ? null : formatAmount(entry.usd, USD_DECIMALS),
    entry.priceSource,
  ];
}
