import { openBep20Driver } from "./bep20.ts";
import { openBitcoinDriver } from "./bitcoin.ts";
import type { ContractDriver, Inability } from "./driver.ts";
import { openTrc20Driver } from "./trc20.ts";
import { openXrpDriver } from "./xrp.ts";

/** Every network on a node of its own, by what the tables of runs call it. A network's line of tests stands here. */
export const DRIVERS: Readonly<Record<string, () => Promise<ContractDriver>>> = {
  bitcoin: openBitcoinDriver,
  trc20: openTrc20Driver,
  bep20: openBep20Driver,
  xrp: openXrpDriver,
};

/** What some of them cannot do by their nature. The cases that need it are left out there, and not counted. */
export const UNABLE: Readonly<Record<string, readonly Inability[]>> = {
  xrp: ["pay several addresses at once", "be reorganised"],
};
