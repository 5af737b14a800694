import type { LinkState } from "#lib/domain/types.ts";
import type { posDevices } from "./tables.ts";

export type DeviceRow = typeof posDevices.$inferSelect;

/** A sale, as its device lists it. */
export interface Sale {
  readonly refid: string;
  /** Smallest unit of the form's currency. */
  readonly amount: bigint;
  readonly state: LinkState;
  readonly isCanceled: boolean;
  readonly createdAt: Date;
}

/** The sales of a device since its day began. */
export interface DaySales {
  /** Newest first, at most MAX_LISTED_SALES. */
  readonly newest: readonly Sale[];
  readonly count: number;
  readonly paidCount: number;
  /** The prices of the paid ones, in the smallest unit of the form's currency. */
  readonly paidAmount: bigint;
}
