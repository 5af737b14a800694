/** An hour of Base is 1,800 blocks. */
import { keepWithinPlans } from "./suite.ts";

const SIZE = { payments: 1_000, countMs: 45_000 };

keepWithinPlans({
  ...SIZE,
  ...{ driver: "base", network: "base", behind: 1_800, tokens: [undefined] },
  tooSmall: ["GetBlock"],
});
