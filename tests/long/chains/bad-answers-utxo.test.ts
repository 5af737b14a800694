/** Answers of nodes of Bitcoin's family, and of Electrum servers, that are wrong by chance. */
import { test } from "node:test";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import type { FakeCall } from "#tests/support/fake-node.ts";
import { surviveBadAnswers } from "./bad-answers.ts";

const isOfMempool = ({ method }: FakeCall) => /mempool|getrawtransaction/.test(method);

test("bitcoin blocks: every payment is credited once", async (t) => {
  const driver = await DRIVERS.bitcoin!();
  t.after(driver.close);
  await surviveBadAnswers(driver, { reader: "bitcoin blocks", chance: 0.2, blocks: 40 });
});

test("bitcoin mempool: every payment is credited once", async (t) => {
  const driver = await DRIVERS.bitcoin!();
  t.after(driver.close);
  await surviveBadAnswers(driver, {
    ...{ reader: "bitcoin mempool", chance: 0.6, blocks: 20, passesBefore: 8 },
    spoils: isOfMempool,
  });
});

test("Electrum histories and mempool: every payment is credited once", async (t) => {
  const driver = await DRIVERS["bitcoin (electrum)"]!();
  t.after(driver.close);
  await surviveBadAnswers(driver, {
    ...{ reader: "Electrum", chance: 0.05, blocks: 10, passesBefore: 2, addresses: 10 },
    ...{ leavesUnanswered: false },
  });
});
