import { boolean, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { env, token } from "#lib/domain/columns.ts";
import { createdAt, id, units, updatedAt } from "#lib/platform/db/columns.ts";

/** The uses of a network that the operator allows in an environment. Every network of the service has a row. */
export const networkSettings = pgTable(
  "network_settings",
  {
    id: id(),
    env: env(),
    /** One of NETWORK_CODES. */
    network: text("network").notNull(),
    status: boolean("status").notNull().default(true),
    send: boolean("send").notNull().default(true),
    receive: boolean("receive").notNull().default(true),
    generate: boolean("generate").notNull().default(true),
    /** Unpaid addresses that a merchant may have. Each paid address adds to it (address-limit-rules.ts). */
    unpaidAddresses: integer("unpaid_addresses").notNull().default(10_000),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex("network_settings_identity").on(t.env, t.network)],
);

/** The uses of a token that the operator allows in an environment, and the limits of amounts. Every token has a row. */
export const tokenSettings = pgTable(
  "token_settings",
  {
    id: id(),
    env: env(),
    token: token(),
    status: boolean("status").notNull(),
    send: boolean("send").notNull(),
    receive: boolean("receive").notNull(),
    buy: boolean("buy").notNull(),
    sell: boolean("sell").notNull(),
    swap: boolean("swap").notNull(),
    /** All amounts but minimumFee are in ledger units of the token. */
    minimumTrade: units("minimum_trade").notNull(),
    maximumTrade: units("maximum_trade").notNull(),
    minimumSend: units("minimum_send").notNull(),
    maximumSend: units("maximum_send").notNull(),
    minimumReceive: units("minimum_receive").notNull(),
    maximumReceive: units("maximum_receive").notNull(),
    sendFee: units("send_fee").notNull(),
    /** The smallest fee of a buy, in ledger units of USDT. */
    minimumFee: units("minimum_fee").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex("token_settings_identity").on(t.env, t.token)],
);
