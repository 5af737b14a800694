import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { createUsualFees } from "#lib/domain/payment-links/view/usual-fees.ts";
import { fixedRate, parseFixedRates } from "#lib/domain/rates/rules.ts";
import { fraction } from "#lib/platform/money/fraction.ts";
import { log } from "#tests/support/watched-network.ts";

const NOW = new Date("2026-07-01T12:00:00Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const USDT = { network: "bep20", token: "usdt" } as const;
const LINK = { env: "live", currency: "usd" } as const;

/** The fees of a network whose node answers with `fee` BNB in wei, or fails. */
function feesOf(fetchTransferFee: () => Promise<{ coin: "bnb"; fee: bigint }>) {
  const adapter = { env: "live", network: "bep20", fees: { fetchTransferFee } } as unknown as NetworkAdapter;
  const parsed = parseFixedRates("bnb/usd=600");
  assert.ok(parsed.ok);
  const current = (token: "bnb", currency: "usd", now: Date) => fixedRate(parsed.rates, token, currency, now);
  const deps = { networks: { find: () => adapter }, rates: { current }, log };
  return createUsualFees(deps as unknown as Parameters<typeof createUsualFees>[0]);
}

test("asks a node once a minute, however many pages are opened, and converts to the link's currency", async () => {
  let asked = 0;
  const fees = feesOf(async () => {
    asked += 1;
    return { coin: "bnb", fee: 65_000n * 10n ** 8n };
  });
  assert.equal(fees.find(LINK, USDT, NOW), null, "a page does not wait for a node");
  await Promise.resolve();
  for (let i = 0; i < 1_000; i++) fees.find(LINK, USDT, later(59));
  assert.equal(asked, 1);
  assert.deepEqual(fees.find(LINK, USDT, later(1)), fraction(39n, 10_000n));
  const coin = fees.find(LINK, { network: "bep20", token: "bnb" }, later(1));
  assert.deepEqual(coin, fraction(126n, 100_000n), "21,000 of 65,000 gas");
  fees.find(LINK, USDT, later(60));
  assert.equal(asked, 2);
});

test("keeps a fee for an hour while its node fails", async () => {
  let fails = false;
  const fees = feesOf(async () => {
    if (fails) throw new Error("unreachable");
    return { coin: "bnb", fee: 1n };
  });
  fees.find(LINK, USDT, NOW);
  await Promise.resolve();
  fails = true;
  assert.notEqual(fees.find(LINK, USDT, later(3_599)), null);
  await Promise.resolve();
  assert.equal(fees.find(LINK, USDT, later(3_600)), null);
});
