// ledger-comes-after, store-is-private
import { rows } from "../deposits/store.ts";

export const bad = rows;
