/** Money in the console: limits and the address book of an owner, and the exports of an accountant. */
import assert from "node:assert/strict";
import { buffer as readBuffer, text as readText } from "node:stream/consumers";
import { streamXlsxRows } from "hucre/xlsx";
import { test } from "#tests/e2e/fixtures.ts";
import { DESKTOP, PHONE } from "#tests/support/console.ts";
import { paidLink, sendUnmatched } from "#tests/support/link-states.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";

test("an owner limits withdrawals and keeps an address book; nobody who works there gets past them", async ({
  shop,
  desk,
}) => {
  await paidLink(shop);
  const { page, shot } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/money/withdrawals`);
  await page.getByRole("link", { name: "Limits and address book" }).click();
  const limits = page.getByRole("region", { name: "Limits" });
  const save = async (perTransfer: string, notice: string) => {
    await limits.getByLabel("Token").selectOption("usdt");
    await limits.getByLabel("At once").fill(perTransfer);
    await limits.getByRole("button", { name: "Save limits" }).click();
    await page.getByText(notice).waitFor();
  };
  await limits.getByLabel("In 24 hours").fill("5");
  await save("abc", "Enter an amount such as 25.50");
  assert.equal(await limits.getByLabel("In 24 hours").inputValue(), "5", "what was typed stays");
  await limits.getByLabel("In 24 hours").fill("");
  await save("2", "The settings are saved.");
  await limits.getByText("2 USDT at once, no limit in 24 hours").waitFor();
  await save("3", "Only the operator raises or removes a limit.");
  const book = page.getByRole("region", { name: "Address book" });
  await book.getByLabel("Network").selectOption("bep20");
  await book.getByLabel("Address", { exact: true }).fill("0x12");
  await book.getByLabel("Whose it is").fill("The shop's safe");
  await book.getByRole("button", { name: "Add the address" }).click();
  await book.getByRole("alert").filter({ hasText: "This is not an address of this network." }).waitFor();
  await shot("console-rules-refused");
  const typed = ["network", "address", "name"].map((name) => book.locator(`[name=${name}]`).inputValue());
  assert.deepEqual(await Promise.all(typed), ["bep20", "0x12", "The shop's safe"]);
  await book.getByLabel("Address", { exact: true }).fill(DESTINATION);
  await book.getByRole("button", { name: "Add the address" }).click();
  await page.getByText("The address was added.").waitFor();
  await book.getByText("Usable from").waitFor();
  assert.equal(await book.getByLabel("Whose it is").inputValue(), "", "an added address empties the form");
  await book.getByRole("button", { name: "Switch the address book on" }).click();
  await book.getByText("On: withdrawals go to these addresses alone.").waitFor();
  await shot("console-rules");
  const { page: manager } = await desk.tabOf("manager", PHONE);
  await manager.goto(`${desk.base}/money/withdrawals/new`);
  await manager.getByLabel("Balance and network").selectOption("bep20/usdt");
  await manager.getByLabel("To the address").fill(DESTINATION);
  for (const [amount, message] of [
    ["3", "This is above your limit for one withdrawal."],
    ["1", "This address was added less than 24 hours ago."],
  ] as const) {
    await manager.getByLabel("Amount").fill(amount);
    await manager.getByRole("button", { name: "Check it" }).click();
    await manager.getByRole("alert").filter({ hasText: message }).waitFor();
  }
  await shop.run("withdrawal", "limit", shop.email, "--env", "test", "--token", "usdt");
  await shop.run("withdrawal", "address-book", shop.email, "off");
  await page.reload();
  await book.getByText("Off: withdrawals go to any address.").waitFor();
});

test("an accountant exports each kind of row in both formats, sees a cut download, and repeats it", async ({
  shop,
  desk,
}) => {
  const { address } = await paidLink(shop);
  const terms = ["--token", "usdt", "--network", "bep20", "--env", "test", "--amount", "5"];
  await shop.run("withdrawal", "create", "--merchant", shop.email, ...terms, "--to", DESTINATION);
  for (const id of await sendUnmatched(shop, address, "0.25"))
    await shop.run("deposits", "resolve", String(id), "--to", shop.email);
  const { page, shot } = await desk.tabOf("accountant", DESKTOP);
  await page.goto(`${desk.base}/money`);
  await page.getByRole("link", { name: "Exports" }).click();
  // Before its script runs the form downloads as a plain one, and says nothing.
  await page.waitForFunction(() => {
    const form = document.querySelector("form[aria-label=Export]");
    return form !== null && Object.keys(form).some((key) => key.startsWith("__reactProps$"));
  });
  const ask = async (what: string, format: string) => {
    await page.getByLabel("What").selectOption(what);
    await page.getByLabel("File").selectOption(format);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    await page.getByText("Complete:").waitFor();
    return file;
  };
  const heads: Record<string, string[]> = {};
  for (const what of ["payments", "deposits", "withdrawals", "entries"]) {
    const csv = await readText(await (await ask(what, "csv")).createReadStream());
    const [head = "", ...lines] = csv.trimEnd().split("\r\n");
    heads[what] = head.split(",");
    const xlsx = await readBuffer(await (await ask(what, "xlsx")).createReadStream());
    const rows = (await Array.fromAsync(streamXlsxRows(xlsx))).map(({ values }) => values);
    assert.deepEqual(rows[0], heads[what]);
    assert.equal(rows.length - 1, lines.length, what);
    assert.ok(lines.length > 0, what);
  }
  await page.getByLabel("What").selectOption("entries");
  const entries = await readText(await (await ask("entries", "csv")).createReadStream());
  assert.match(entries, /,usdt,withdrawal,no,-6,/);
  assert.match(
    entries,
    /,usdt,payment,no,[0-9.]+,[0-9.]+,[0-9.]+,[a-z, "]+,[^,]+,http[^,]+\/payments\/\w+\r\n/,
    "the price has its source",
  );
  const deposits = await readText(await (await ask("deposits", "csv")).createReadStream());
  assert.match(deposits, /,bep20,bnb,0\.25,credited,other_token,/);
  await page.route("**/exports/file**", (route) => route.abort());
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText("The download was cut.").waitFor();
  await shot("console-exports");
  await page.unroute("**/exports/file**");
  await ask("payments", "xlsx");
  assert.equal(await page.getByText("The download was cut.").count(), 0);
});
