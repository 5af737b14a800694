/** The short form of `npm run test:providers`. */
import { keepWithinPlans } from "#tests/support/provider-suite.ts";

const SIZE = { payments: 50, countMs: 0 };

keepWithinPlans({
  ...SIZE,
  ...{ driver: "bep20", network: "bep20", behind: 300, tokens: [["usdt"]] },
  only: ["dRPC", "Chainstack"],
});
keepWithinPlans({
  ...SIZE,
  ...{ driver: "trc20", network: "trc20", behind: 50, tokens: [["usdt"]] },
  only: ["TronGrid"],
});
