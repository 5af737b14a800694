/**
 * One contract for all networks: the same cases for each adapter, on a real node of its network (TRON: our
 * emulator; dogecoin: a bitcoind with its parameters), then through the watcher into the ledger. The quickest node of
 * each family is in tests/chains/contract.
 */
import { contractRow, DRIVERS, QUICKEST } from "#tests/chains/contract/drivers/drivers.ts";
import { keepContract } from "#tests/chains/contract/suite.ts";

keepContract(
  Object.keys(DRIVERS)
    .filter((name) => !QUICKEST.includes(name))
    .map(contractRow),
);
