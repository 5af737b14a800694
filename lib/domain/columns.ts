import { text } from "drizzle-orm/pg-core";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** Columns that many tables have. */
export const env = () => text("env").$type<Env>().notNull();
export const network = () => text("network").$type<NetworkCode>().notNull();
export const token = () => text("token").$type<TokenCode>().notNull();
