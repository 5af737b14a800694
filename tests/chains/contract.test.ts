/**
 * One contract for all networks: the same cases for each adapter, on a real node of its network (TRON: our
 * emulator; XRP: our fake; Solana: LiteSVM behind our front; dogecoin: a bitcoind with its parameters), then
 * through the watcher into the ledger. Tests of single networks are in the other files of this folder.
 */
import { DRIVERS, UNABLE } from "#tests/support/contract-drivers/drivers.ts";
import { keepContract } from "#tests/support/contract-suite.ts";

keepContract(
  Object.entries(DRIVERS).map(([name, open]) => ({ name, open, unable: UNABLE[name] ?? [], lacks: [] })),
);
