/** An hour of TRON is 1,200 blocks. */
import { keepWithinPlans } from "./suite.ts";

const SIZE = { payments: 1_000, countMs: 90_000 };

keepWithinPlans({
  ...SIZE,
  ...{ driver: "trc20", network: "trc20", behind: 1_200, tokens: [["usdt"], undefined] },
});
