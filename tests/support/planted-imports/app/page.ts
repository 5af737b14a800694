// store-is-not-for-pages
import { rows } from "../lib/deposits/store.ts";

export const bad = rows;
