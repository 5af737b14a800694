/** Answers of servers of the XRP Ledger that are wrong by chance. */
import { test } from "node:test";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { surviveBadAnswers } from "./bad-answers.ts";

test("XRP: every payment is credited once", async (t) => {
  const driver = await DRIVERS.xrp!();
  t.after(driver.close);
  await surviveBadAnswers(driver, { reader: "XRP account_tx", chance: 0.2, blocks: 25 });
});
