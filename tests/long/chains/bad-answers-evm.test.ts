/** Answers of EVM nodes that are wrong by chance. */
import { test } from "node:test";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { surviveBadAnswers } from "./bad-answers.ts";

test("EVM logs: every payment is credited once", async (t) => {
  const driver = await DRIVERS.bep20!();
  t.after(driver.close);
  await surviveBadAnswers(driver, {
    ...{ reader: "EVM logs", chance: 0.3, blocks: 40 },
    after: { passes: 12, blocks: 30 },
  });
});

test("EVM coin: every payment is credited once", async (t) => {
  const driver = await DRIVERS["bep20 (bnb)"]!();
  t.after(driver.close);
  await surviveBadAnswers(driver, { reader: "EVM coin", chance: 0.1, blocks: 20 });
});
