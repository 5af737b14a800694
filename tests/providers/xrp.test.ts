/** An hour of the XRP Ledger is about 920 ledgers. */
import { keepWithinPlans } from "./suite.ts";

const SIZE = { payments: 1_000, countMs: 45_000 };

keepWithinPlans({ ...SIZE, driver: "xrp", network: "xrp", behind: 920, tokens: [undefined] });
