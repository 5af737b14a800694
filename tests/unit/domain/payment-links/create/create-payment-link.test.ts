import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { encodeRefid, newRefid } from "#lib/domain/payment-links/refid.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { minutes, START } from "../facts.ts";
import { aWorld, BEP20, usdt, worldOfFile } from "../world.ts";

const world = await worldOfFile();

test("creates unique refids of 22 base58 characters", () => {
  const refids = Array.from({ length: 1_000 }, newRefid);
  for (const refid of refids) assert.match(refid, /^[1-9A-HJ-NP-Za-km-z]{22}$/);
  assert.equal(new Set(refids).size, 1_000);
});

test("writes the bits of a refid as base58, as one number", () => {
  const asNumber = (bytes: Buffer) => {
    let [rest, text] = [BigInt(`0x${bytes.toString("hex")}`), ""];
    for (let i = 0; i < 22; i++) {
      text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".charAt(Number(rest % 58n)) + text;
      rest /= 58n;
    }
    return text;
  };
  const limb = fc.oneof(fc.constantFrom(0, 1, 57, 58, 2 ** 32 - 1), fc.nat(2 ** 32 - 1));
  fc.assert(
    fc.property(fc.tuple(limb, limb, limb, limb), (limbs) => {
      const bytes = Buffer.alloc(16);
      for (const [i, value] of limbs.entries()) bytes.writeUInt32BE(value, 4 * i);
      assert.equal(encodeRefid(bytes), asNumber(bytes));
    }),
    { numRuns: 1_000 },
  );
});

describe("creating a payment link", () => {
  test("without wallets is open, has no address, and offers the selectable pairs", async () => {
    const link = await world.create();
    assert.equal(link.state, "open");
    assert.deepEqual([link.wallets, link.quotes, link.remaining], [[], [], []]);
    assert.equal(link.walletPreGenerated, false);
    assert.equal(link.paymentLink, `https://pay.example.com/${link.refid}`);
    assert.equal(link.metadata, '{"cart": 7,  "n": 1.50}');
    assert.deepEqual(link.expiresAt, minutes(START, 120));
    assert.deepEqual([link.version, link.seq, link.merchantName], [1, 0, "Shop"]);
    const { selectablePairs, estimates, astray, ...view } = await world.view(link.refid, START);
    assert.deepEqual(view, link, "the view says the same");
    assert.deepEqual([selectablePairs, estimates.length, astray], [[BEP20], 1, []]);
  });

  test("rounds the deadline up to a whole second", async () => {
    const link = await world.create({ expiresAt: new Date(START.getTime() + 1_500) });
    assert.deepEqual(link.expiresAt, new Date(START.getTime() + 2_000));
  });

  test("estimates its value in USD, rounded up, if rates are known", async () => {
    const { refid } = await world.create({ amount: 160_001n, currency: "ngn" });
    const rows = await world.db.select().from(paymentLinks);
    assert.equal(rows.find((row) => row.refid === refid)?.usdCents, 101n);
  });

  test("creates a link without a rate, and its quote once there is a rate", async () => {
    world.setRates(null);
    const open = await world.create({ amount: 1n });
    assert.equal(open.state, "open");
    assert.deepEqual((await world.view(open.refid, START)).selectablePairs, []);
    const { refid, quotes, wallets } = await world.create({ wallets: [BEP20] });
    assert.deepEqual([quotes, wallets.length], [[], 1]);
    world.setRates("usdt/usd=1");
    assert.equal((await world.view(refid, minutes(START, 1))).quotes.length, 1);
  });
});

for (const [what, terms, quote] of [
  [
    "a fixed rate replaces the market's rate",
    { fixedRates: "usdt/ngn=2000", rateMarkupBps: 100 },
    ["80", "2000"],
  ],
  ["a mark-up asks for that much more of the token", { rateMarkupBps: 2_500 }, ["125", "1280"]],
  ["fixed rates that are not valid quote nothing", { fixedRates: "usdt=ngn" }, null],
] as const) {
  test(`a merchant's own rates: ${what}`, async () => {
    const world = await aWorld(terms);
    const link = await world.create({ wallets: [BEP20], currency: "ngn", amount: 16_000_000n });
    await world.close();
    const [made = null] = link.quotes;
    assert.deepEqual(made && [made.amount, made.rate], quote && [usdt(quote[0]), quote[1]]);
  });
}
