import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import type { NewPaymentLink } from "#lib/domain/payment-links/types.ts";
import { START } from "../facts.ts";
import { aPaymentLink, BEP20, usdt, worldOfFile } from "../world.ts";

const BNB = { network: "bep20", token: "bnb" } as const;
const USDC = { network: "bep20", token: "usdc" } as const;
const world = await worldOfFile({ paymentPairs: ["bep20/bnb", "bep20/usdt"] });
world.setRates("usdt/usd=1,usdc/usd=1,bnb/usd=500");

/** As the API does it, with the merchant as it is now. */
async function create(given: Partial<NewPaymentLink>) {
  const [merchant] = await world.db.select().from(merchants);
  const owner = { merchant: merchant!, env: "test" as const };
  return createPaymentLink(world.db, world.deps, { owner, input: aPaymentLink(given) }, START);
}
const setPairs = (paymentPairs: string[] | null) =>
  world.db.update(merchants).set({ paymentPairs }).where(eq(merchants.id, world.owner.merchantId));
const select = (refid: string, pair: typeof BNB | typeof BEP20 | typeof USDC) =>
  startSession(world.deps, refid, { pair, ip: "203.0.113.5" }, START);
const offered = async (refid: string) => (await world.view(refid, START)).selectablePairs;

test("a link offers its merchant's pairs in the merchant's order, as they are now", async () => {
  const { refid } = await world.create();
  assert.deepEqual(await offered(refid), [BNB, BEP20]);
  assert.deepEqual(await select(refid, USDC), { ok: false, reason: "not_offered" });
  await setPairs(["bep20/usdt", "bep20/usdc", "bep20/bnb"]);
  assert.deepEqual(await offered(refid), [BEP20, USDC, BNB]);
  await setPairs(null);
  assert.deepEqual(await offered(refid), [BEP20]);
  await setPairs(["bep20/bnb", "bep20/usdt"]);
});

test("a link's own pairs are some of the merchant's, in the link's order", async () => {
  const { refid } = await world.create({ pairs: [BEP20, BNB] });
  assert.deepEqual(await offered(refid), [BEP20, BNB]);
  const one = await world.create({ pairs: [BNB] });
  assert.deepEqual(await select(one.refid, BEP20), { ok: false, reason: "not_offered" });
  assert.deepEqual(await create({ pairs: [BNB, USDC] }), { ok: false, reason: "pair_not_accepted" });
  const unsupported = { ok: false, reason: "wallet_pair_unsupported" };
  assert.deepEqual(await create({ wallets: [USDC] }), unsupported);
  assert.deepEqual(await create({ pairs: [BNB], wallets: [BEP20] }), unsupported);
});

test("each token of a network has its own address, quote and remainder, and one payment counts for all", async () => {
  const { refid } = await world.create();
  assert.deepEqual([await select(refid, BEP20), await select(refid, BNB)], [{ ok: true }, { ok: true }]);
  const link = await world.view(refid, START);
  assert.equal(new Set(link.wallets.map(({ address }) => address)).size, 2);
  assert.deepEqual(
    link.quotes.map(({ token, address, live }) => ({ token, address, live })),
    link.wallets.map(({ token, address }) => ({ token, address, live: true })),
  );
  assert.deepEqual(link.remaining, [
    { ...BEP20, amount: usdt("100") },
    { ...BNB, amount: usdt("0.2") },
  ]);
  await world.pay(refid, { amount: usdt("50") });
  assert.deepEqual((await world.view(refid, START)).remaining, [
    { ...BEP20, amount: usdt("50") },
    { ...BNB, amount: usdt("0.1") },
  ]);
});

test("a selected pair stays after the merchant has dropped it", async () => {
  const { refid } = await world.create();
  await select(refid, BNB);
  await setPairs(["bep20/usdt"]);
  assert.deepEqual(await offered(refid), [BEP20, BNB]);
  assert.deepEqual(await select(refid, BNB), { ok: true });
});
