import type { networkSettings, tokenSettings } from "#lib/db/schema.ts";

/** What a network may do in an environment. */
export type NetworkSettings = typeof networkSettings.$inferSelect;
/** What may be done with a token in an environment; amounts in its ledger units, `minimumFee` in those of USDT. */
export type TokenSettings = typeof tokenSettings.$inferSelect;
