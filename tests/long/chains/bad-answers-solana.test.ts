/** Answers of Solana nodes that are wrong by chance. */
import { test } from "node:test";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { surviveBadAnswers } from "./bad-answers.ts";

/** After it, each address is asked about: one in 32 slots. */
const SIZE = { chance: 0.15, blocks: 20, addresses: 10, after: { passes: 12, blocks: 32 } };

test("Solana tokens: every payment is credited once", async (t) => {
  const driver = await DRIVERS.solana!();
  t.after(driver.close);
  await surviveBadAnswers(driver, { ...SIZE, reader: "Solana tokens" });
});

test("SOL: every payment is credited once", async (t) => {
  const driver = await DRIVERS["solana (sol)"]!();
  t.after(driver.close);
  await surviveBadAnswers(driver, { ...SIZE, reader: "SOL" });
});
