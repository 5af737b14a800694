import { priceText } from "#components/checkout/money-text.ts";
import type { DaySales, Sale } from "#lib/domain/pos/types.ts";
import { dateFormat } from "#lib/platform/formats.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";

/** The state of a sale for the cashier. */
export type SaleStatus = "waiting" | "partPaid" | "onItsWay" | "paid" | "notPaid" | "canceled";

export interface SaleLine {
  readonly refid: string;
  /** Path of the payment's page. */
  readonly path: string;
  readonly amount: string;
  /** The time of the day, in the device's time zone. */
  readonly time: string;
  readonly status: SaleStatus;
}

export interface DayList {
  /** Newest first. */
  readonly sales: readonly SaleLine[];
  readonly count: number;
  readonly paidCount: number;
  readonly paidAmount: string;
}

interface DayContext {
  readonly currency: CurrencyCode;
  readonly locale: string;
  readonly timeZone: string;
  readonly linkPath: (refid: string) => string;
}

export function listSales(day: DaySales, { currency, locale, timeZone, linkPath }: DayContext): DayList {
  const clock = dateFormat(locale, { timeZone, hour: "2-digit", minute: "2-digit" });
  return {
    sales: day.newest.map((sale) => ({
      refid: sale.refid,
      path: linkPath(sale.refid),
      amount: priceText(sale.amount, currency, locale),
      time: clock.format(sale.createdAt),
      status: statusOf(sale),
    })),
    count: day.count,
    paidCount: day.paidCount,
    paidAmount: priceText(day.paidAmount, currency, locale),
  };
}

function statusOf({ state, isCanceled }: Sale): SaleStatus {
  switch (state) {
    case "open":
    case "awaiting":
      return "waiting";
    case "partial":
      return "partPaid";
    case "detected":
      return "onItsWay";
    case "completed":
    case "overpaid":
      return "paid";
    case "failed":
    case "expired":
      return isCanceled ? "canceled" : "notPaid";
  }
}
