/** An hour of Bitcoin is 6 blocks, of Litecoin 24, of Dogecoin 60; here 100. */
import { keepWithinPlans } from "./suite.ts";

const SIZE = { payments: 1_000, countMs: 45_000, behind: 100, tokens: [undefined] };

keepWithinPlans({ ...SIZE, driver: "bitcoin", network: "bitcoin" });
keepWithinPlans({ ...SIZE, driver: "litecoin", network: "litecoin" });
keepWithinPlans({ ...SIZE, driver: "dogecoin", network: "dogecoin" });
