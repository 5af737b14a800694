/** An hour of Bitcoin is 6 blocks; here 100. */
import { keepWithinPlans } from "#tests/support/provider-suite.ts";

const SIZE = { payments: 1_000, countMs: 45_000 };

for (const network of ["bitcoin", "litecoin"]) {
  keepWithinPlans({
    ...SIZE,
    ...{ driver: network, network, behind: 100, tokens: [undefined] },
    tooSmall: ["GetBlock"],
  });
}
