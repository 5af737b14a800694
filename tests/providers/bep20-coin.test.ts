/** The same with BNB, for which every block is read whole. */
import { keepWithinPlans } from "./suite.ts";

const SIZE = { payments: 1_000, countMs: 45_000 };

keepWithinPlans({
  ...SIZE,
  ...{ driver: "bep20", network: "bep20", behind: 8_000, tokens: [undefined] },
  only: ["dRPC", "Chainstack", "PublicNode"],
});
