import { pgTable, text } from "drizzle-orm/pg-core";
import { token } from "#lib/domain/columns.ts";
import { timestampMs } from "#lib/platform/db/columns.ts";

/**
 * The last known price of each token in USD. It survives a restart. Only confirmations and what a fee is worth are decided with it: no quote, no
 * value of the books.
 */
export const tokenPrices = pgTable("token_prices", {
  token: token().primaryKey(),
  /** USD for one whole token, decimal text as in Rate.price. */
  price: text("price").notNull(),
  source: text("source").notNull(),
  /** The time of the oldest price in it. */
  at: timestampMs("at").notNull(),
});
