import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import type { NewPaymentLink } from "#lib/domain/payment-links/types.ts";
import {
  type NetworkChanges,
  setNetwork,
  setToken,
  type TokenChanges,
} from "#lib/domain/settings/change-settings.ts";
import { hereBy } from "#tests/support/acts.ts";
import { minutes, START } from "../facts.ts";
import { aPaymentLink, BEP20, usdt, worldOfFile } from "../world.ts";

const world = await worldOfFile();

const changeNetwork = (changes: NetworkChanges) =>
  world.db.transaction((tx) => setNetwork(hereBy(tx, START), { env: "test", network: "bep20", changes }));
const changeToken = (changes: TokenChanges) =>
  world.db.transaction((tx) => setToken(hereBy(tx, START), { env: "test", token: "usdt", changes }));
beforeEach(async () => {
  await changeNetwork({ status: true, receive: true, generate: true });
  await changeToken({ status: true, receive: true, minimumReceive: usdt("0.01") });
});

const create = (given: Partial<NewPaymentLink>) =>
  createPaymentLink(world.db, world.deps, { owner: world.owner, input: aPaymentLink(given) }, START);
const start = (refid: string) => startSession(world.deps, refid, { pair: BEP20, ip: "203.0.113.5" }, START);
const CLOSED = [
  ["the network is off", () => changeNetwork({ status: false })],
  ["the network receives nothing", () => changeNetwork({ receive: false })],
  ["the network allocates no address", () => changeNetwork({ generate: false })],
  ["the token is off", () => changeToken({ status: false })],
  ["the token is not received", () => changeToken({ receive: false })],
] as const;

for (const [what, close] of CLOSED) {
  test(`while ${what}, no link is created with it and no page offers it`, async () => {
    const { refid } = await world.create();
    assert.deepEqual((await world.view(refid, START)).selectablePairs, [BEP20]);
    await close();
    assert.deepEqual((await world.view(refid, START)).selectablePairs, []);
    assert.deepEqual(await start(refid), { ok: false, reason: "not_offered" });
    assert.deepEqual(await create({ wallets: [BEP20] }), { ok: false, reason: "network_unavailable" });
    assert.ok((await create({})).ok);
  });
}

test("links without wallets follow each change of a minimum at once", async () => {
  const createTwo = async () =>
    (await Promise.all([create({}), create({})])).map((made) => made.ok || made.reason);
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await createTwo(), [true, true]);
    assert.deepEqual(await createTwo(), [true, true]);
    const { rows } = await world.db.execute("select xmin::text from payment_links order by id desc limit 2");
    assert.deepEqual(rows[0], rows[1], "one statement inserted both");
    const known = await world.db.$count(paymentLinks);
    await changeToken({ minimumReceive: usdt("1000000") });
    assert.deepEqual(await createTwo(), ["amount_below_minimum", "amount_below_minimum"]);
    assert.equal(await world.db.$count(paymentLinks), known);
    await changeToken({ minimumReceive: usdt("0.01") });
  }
});

test("a link keeps its address and renews its quote when the network is switched off", async () => {
  const { refid, wallets } = await world.createPicked();
  await changeNetwork({ status: false });
  const later = new Date(START.getTime() + 30 * 60_000);
  const view = await world.view(refid, later);
  assert.deepEqual(view.wallets, wallets);
  assert.deepEqual(view.selectablePairs, [BEP20]);
  assert.equal(view.quotes[0]?.live, true);
  assert.deepEqual(await start(refid), { ok: true });
});

test("offers nothing below the token's current minimum_receive", async () => {
  const { refid } = await world.create();
  await changeToken({ minimumReceive: usdt("100.000001") });
  assert.deepEqual((await world.view(refid, START)).selectablePairs, []);
  for (const wallets of [[], [BEP20]]) {
    assert.deepEqual(await create({ wallets }), { ok: false, reason: "amount_below_minimum" });
  }
  await changeToken({ minimumReceive: usdt("100") });
  assert.deepEqual((await world.view(refid, START)).selectablePairs, [BEP20]);
});

// A payment of 5 USDT: below a minimum of 10, above one of 1.
for (const [first, then, state] of [
  ["10", "1", "awaiting"],
  ["1", "10", "partial"],
] as const) {
  test(`a payment is evaluated with the minimum of its quote: ${first}, then ${then}`, async () => {
    await changeToken({ minimumReceive: usdt(first) });
    const { refid } = await world.createPicked();
    await changeToken({ minimumReceive: usdt(then) });
    await world.pay(refid, { amount: usdt("5"), at: minutes(START, 1) });
    assert.equal((await world.view(refid, minutes(START, 1))).state, state);
    // A later quote has the new minimum. The payment keeps its own.
    const renewed = await world.view(refid, minutes(START, 30));
    assert.deepEqual([renewed.quotes[0]?.minimumReceive, renewed.state], [usdt(then), state]);
  });

  test(`a payment without a quote is evaluated with the minimum when it was first seen: ${first}, then ${then}`, async () => {
    world.setRates(null);
    await changeToken({ minimumReceive: usdt(first) });
    const { refid } = await world.create({ wallets: [BEP20] });
    await world.pay(refid, { amount: usdt("5"), at: START });
    assert.equal((await world.view(refid, START)).state, state);
    await changeToken({ minimumReceive: usdt(then) });
    world.setRates("usdt/usd=1");
    await sweepPaymentLinks(world.deps, minutes(START, 1));
    const view = await world.view(refid, minutes(START, 1));
    assert.deepEqual([view.payments[0]?.worth, view.state], ["0.05", state]);
  });
}
