/** The columns of exported files, which an accountant needs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  depositRows,
  entryRows,
  paymentCells,
  valueCells,
} from "#app/console/m/[merchant]/[env]/exports/rows.ts";
import { exportDeposits } from "#lib/domain/deposits/recorded-queries.ts";
import { exportEntries } from "#lib/domain/ledger/statements.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";

const { db } = await databaseOfFile();
const networks = bep20("http://127.0.0.1:9");
const MONTH = { from: new Date("2000-01-01Z"), to: new Date("2100-01-01Z") };

test("a payment has its coins, the price that the payer had, its value, its fee and its transaction", () => {
  const at = new Date("2026-11-24T12:00:00Z");
  const payment = {
    ...({ network: "bep20", token: "usdt", amount: 10_123_456n * 10n ** 12n } as const),
    ...({ rate: "1612.5", rateSource: "kraken", rateAt: at, status: "credited", txHash: "0xaa" } as const),
    ...({ firstSeenAt: at, confirmedAt: at } as const),
  };
  const cells = paymentCells({ currency: "ngn" }, payment as unknown as Parameters<typeof paymentCells>[1]);
  assert.deepEqual(cells, [
    ...["bep20", "usdt", "10.123456", "1612.5", "kraken", "16324.07", "0", "credited"],
    ...[at, "0xaa"],
  ]);
});

test("a deposit has its value in USD and the price of one token", () => {
  const usdt = { token: "usdt", amount: 4n * USDT } as const;
  assert.deepEqual(valueCells(usdt, { usd: 399_600_000n, priceSource: "kraken" }), [
    "3.996",
    "0.999",
    "kraken",
  ]);
  assert.deepEqual(valueCells(usdt, null), [null, null, null]);
  assert.deepEqual(valueCells(usdt, { usd: null, priceSource: null }), [null, null, null]);
});

test("an entry names the withdrawal or deposit that it is about, and the transaction", async () => {
  const merchantId = await aMerchant(db, "shop@example.com");
  const adapter = networks.find("test", "bep20")!;
  await fund(db, adapter, merchantId, 100n * USDT);
  const { refid } = await aWithdrawal({ db, networks }, "shop@example.com");
  const owner = { env: "test", merchantId } as const;
  const deposits = (await Array.fromAsync(exportDeposits(db, owner, MONTH))).flat();
  const hash = deposits[0]?.deposit.txHash;
  const rows = [];
  for await (const part of exportEntries(db, { ...owner, ...MONTH }))
    rows.push(
      ...(await entryRows(db, part, { merchantId, base: "https://pay.example.com/console/m/x/test" })),
    );
  assert.deepEqual(
    rows.map((row) => [row[5], row[2], row[3], row[11], row[12]]),
    [
      [
        "withdrawal",
        refid,
        null,
        refid,
        `https://pay.example.com/console/m/x/test/money/withdrawals/${refid}`,
      ],
      ["deposit", null, hash, null, null],
    ],
  );
  const [row] = await depositRows(db, networks, deposits);
  assert.equal(row?.length, 15);
});
