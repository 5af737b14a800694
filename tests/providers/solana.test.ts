/** An hour of Solana is 9,000 slots. */
import { keepWithinPlans } from "./suite.ts";

const SIZE = { payments: 1_000, countMs: 45_000 };

keepWithinPlans({ ...SIZE, driver: "solana", network: "solana", behind: 9_000, tokens: [undefined] });
