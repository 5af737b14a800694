/** Answers of TRON nodes that are wrong by chance. */
import { test } from "node:test";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { surviveBadAnswers } from "./bad-answers.ts";

test("TRON logs: every payment is credited once", async (t) => {
  const driver = await DRIVERS.trc20!();
  t.after(driver.close);
  await surviveBadAnswers(driver, {
    reader: "TRON logs",
    chance: 0.2,
    blocks: 25,
    after: { passes: 12, blocks: 6 },
  });
});

test("TRX: every payment is credited once", async (t) => {
  const driver = await DRIVERS["trc20 (trx)"]!();
  t.after(driver.close);
  await surviveBadAnswers(driver, { reader: "TRX", chance: 0.1, blocks: 15 });
});
