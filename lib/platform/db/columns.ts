import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/** An amount: an integer of ledger units of a token or of the smallest unit of a currency. Never a float. */
export const units = customType<{ data: bigint; driverData: string }>({
  dataType: () => "numeric(78,0)",
  fromDriver: (value) => BigInt(value),
  toDriver: (value) => value.toString(),
});

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A timestamp with time zone and millisecond precision. */
export const timestampMs = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const id = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
export const createdAt = () => timestampMs("created_at").notNull().defaultNow();
export const updatedAt = () => timestampMs("updated_at").notNull().defaultNow();
