import type { NetworkFamily } from "./network-data.ts";

/** The most addresses that are asked about at once. They are read at one block. */
export const BALANCE_PAGES: Readonly<Record<NetworkFamily, number>> = {
  evm: 100,
  // The node knows its newest state alone: a page must fit between two blocks.
  tron: 25,
  // The node reads its whole set of outputs for each page.
  utxo: 10_000,
  // Three accounts each, of the 100 of one request.
  solana: 25,
  xrp: 1,
};
