/** An hour of Ethereum is 300 blocks. */
import { keepWithinPlans } from "./suite.ts";

const SIZE = { payments: 1_000, countMs: 45_000 };

keepWithinPlans({ ...SIZE, driver: "erc20", network: "erc20", behind: 300, tokens: [undefined] });
