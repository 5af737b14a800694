/** An hour of BNB Smart Chain is 8,000 blocks. */
import { keepWithinPlans } from "./suite.ts";

const SIZE = { payments: 1_000, countMs: 45_000 };

keepWithinPlans({
  ...SIZE,
  ...{ driver: "bep20", network: "bep20", behind: 8_000, tokens: [["usdt"]] },
  tooSmall: ["GetBlock"],
});
