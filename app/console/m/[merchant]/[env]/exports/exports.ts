import { linksOf, type PaymentFilter } from "#app/console/m/read-payment-filter.ts";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { exportDeposits } from "#lib/domain/deposits/recorded-queries.ts";
import { exportEntries } from "#lib/domain/ledger/statements.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import { exportLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { exportWithdrawals } from "#lib/domain/withdrawals/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { SheetColumn, SheetRow } from "#lib/platform/sheets.ts";
import { depositRows, entryRows, paymentRows, withdrawalRow } from "./rows.ts";

interface ExportDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly settings: PaymentLinkDeps["settings"];
}

/** Whose rows, and from when (included) until when (excluded). */
interface ExportRequest {
  readonly env: Env;
  readonly merchantId: number;
  /** The address of the merchant's pages, "https://pay.example.com/console/m/…/test". */
  readonly base: string;
  /** The time zone of the filter's days. */
  readonly timeZone: string;
  readonly from: Date;
  readonly to: Date;
  /** Payments alone have more to choose by. */
  readonly filter: PaymentFilter;
}

interface Export {
  readonly title: string;
  readonly columns: readonly SheetColumn[];
  readonly read: (deps: ExportDeps, request: ExportRequest) => AsyncGenerator<readonly SheetRow[]>;
}

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
      ["network", "text"],
      ["token", "text"],
      ["coin_amount", "amount"],
      ["rate", "amount"],
      ["rate_source", "text"],
      ["value", "amount"],
      ["fee", "amount"],
      ["payment_status", "text"],
      ["paid_at", "time"],
      ["tx_hash", "text"],
    ],
    read: ({ db, networks, settings }, { env, merchantId, timeZone, from, to, filter }) => {
      const links = linksOf({ merchantId, env, timeZone }, filter);
      const range = { from, to, search: filter.search };
      return rowsOf(exportLinks({ db, networks, settings }, links, range), (part) => paymentRows(db, part));
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
      ["usd", "amount"],
      ["usd_rate", "amount"],
      ["usd_source", "text"],
    ],
    read: ({ db, networks }, request) =>
      rowsOf(exportDeposits(db, request, request), (part) => depositRows(db, networks, part)),
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
      ["reason", "text"],
    ],
    read: ({ db, networks }, request) =>
      rowsOf(exportWithdrawals(db, request, request), async (part) =>
        part.map((row) => withdrawalRow(row, networks)),
      ),
  },
  entries: {
    title: "Ledger entries",
    columns: [
      ["time", "time"],
      ["entry", "text"],
      ["refid", "text"],
      ["tx_hash", "text"],
      ["token", "text"],
      ["kind", "text"],
      ["reversal", "text"],
      ["amount", "amount"],
      ["balance_after", "amount"],
      ["usd", "amount"],
      ["usd_source", "text"],
      ["reference", "text"],
      ["page", "text"],
    ],
    read: ({ db }, request) => rowsOf(exportEntries(db, request), (part) => entryRows(db, part, request)),
  },
} as const satisfies Readonly<Record<string, Export>>;

export type ExportName = keyof typeof EXPORTS;

async function* rowsOf<T>(
  parts: AsyncIterable<readonly T[]>,
  toRows: (part: readonly T[]) => Promise<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[]> {
  for await (const part of parts) yield await toRows(part);
}
