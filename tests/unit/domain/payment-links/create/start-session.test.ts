import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { hashVisitor } from "#lib/domain/payment-links/create/allocate-address.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinks, paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import { findLinkVersion } from "#lib/domain/payment-links/version-queries.ts";
import { countOfVisitor } from "#lib/domain/payment-links/visitor-queries.ts";
import {
  isAtVisitorLimit,
  SITE_SHARE,
  VISITOR_LIMIT,
  visitorNetworks,
} from "#lib/domain/payment-links/visitor-rules.ts";
import { networkSettings } from "#lib/domain/settings/tables.ts";
import { accountKeys } from "#lib/domain/wallets/tables.ts";
import { minutes, START } from "../facts.ts";
import { aWorld, BEP20, usdt, type World } from "../world.ts";

/** Locks a link as a settlement does. */
const lockOf = (refid: string) => sql`select from ${paymentLinks} where refid = ${refid} for update`;

describe("starting a session", () => {
  let world: World;
  before(async () => {
    world = await aWorld();
  });
  after(() => world.close());
  const start = (refid: string, now = START, ip = "198.51.100.7") =>
    startSession(world.deps, refid, { pair: BEP20, ip }, now);

  test("allocates an address, creates a quote and increases the version", async () => {
    const { refid } = await world.create();
    assert.deepEqual(await start(refid), { ok: true });
    const link = await world.view(refid, START);
    assert.equal(link.state, "awaiting");
    assert.equal(link.wallets.length, 1);
    assert.deepEqual(link.remaining, [{ ...BEP20, amount: usdt("100") }]);
    assert.deepEqual(link.quotes[0]?.validUntil, minutes(START, 20));
    assert.equal(await findLinkVersion(world.db, refid), 2);
  });

  test("allocates one address for twenty simultaneous calls", async () => {
    const { refid } = await world.create();
    const known = await world.addressCount();
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(refid)));
    assert.deepEqual(answers, Array(20).fill({ ok: true }));
    assert.equal(await world.addressCount(), known + 1);
    const link = await world.view(refid, START);
    assert.deepEqual([link.wallets.length, link.quotes.length, link.version], [1, 1, 2]);
  });

  test("needs no lock for a pair that is chosen already, one that is not offered, and an ended link", async () => {
    const [chosen, open] = [await world.createPicked(), await world.create()];
    const erc20 = { pair: { network: "erc20", token: "usdt" }, ip: "198.51.100.7" } as const;
    const locks = sql`select from ${paymentLinks} for update`;
    await world.whileHolding(locks, async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => start(chosen.refid)));
      assert.deepEqual(answers, Array(40).fill({ ok: true }));
      const notOffered = { ok: false, reason: "not_offered" };
      assert.deepEqual(await startSession(world.deps, open.refid, erc20, START), notOffered);
      assert.deepEqual(await start(open.refid, minutes(START, 120)), { ok: false, reason: "ended" });
    });
  });

  test("a flood of many visitors waits for a link in memory, and keeps three connections", async () => {
    const { refid } = await world.create();
    const { flood } = await world.whileHolding(lockOf(refid), async () => {
      const visitors = Array.from({ length: 40 }, (_, i) => `2001:db8:${i}::1`);
      const flood = visitors.map((ip) => start(refid, START, ip));
      await world.untilWaiting(3);
      return { flood };
    });
    assert.deepEqual(await Promise.all(flood), Array(40).fill({ ok: true }));
    assert.equal((await world.view(refid, START)).wallets.length, 1);
  });

  test("refuses an unknown link and an expired link", async () => {
    assert.deepEqual(await start("2222222222222222222222"), { ok: false, reason: "not_found" });
    const { refid } = await world.create();
    assert.deepEqual(await start(refid, minutes(START, 120)), { ok: false, reason: "ended" });
    assert.deepEqual(await start(refid, minutes(START, 119)), { ok: true });
    assert.deepEqual(await start(refid, minutes(START, 120)), { ok: false, reason: "ended" });
  });

  test("refuses a network on which the merchant has too many unpaid addresses, and keeps the link open", async () => {
    const { refid } = await world.create();
    const here = eq(networkSettings.network, "bep20");
    await world.db
      .update(networkSettings)
      .set({ unpaidAddresses: await world.addressCount() })
      .where(here);
    const refused = { ok: false, reason: "address_limit_reached" };
    assert.deepEqual(await start(refid), refused);
    // All merchants share the account key.
    const locks = sql`select from ${accountKeys} for update`;
    assert.deepEqual(await world.whileHolding(locks, () => start(refid)), refused);
    assert.equal((await world.view(refid, START)).state, "open");
    await world.db.update(networkSettings).set({ unpaidAddresses: 10_000 }).where(here);
    assert.deepEqual(await start(refid), { ok: true });
  });

  test("refuses a completed link, and a new network once the full amount was seen", async () => {
    const { refid } = await world.createPicked();
    await world.pay(refid, { amount: usdt("100") });
    assert.deepEqual(await start(refid), { ok: true }, "the network already picked stays");
    await world.pay(refid, { amount: usdt("100"), status: "credited" });
    assert.deepEqual(await start(refid), { ok: false, reason: "ended" });
  });

  test("refuses without a rate, on a network that is off, and for too small an amount", async () => {
    const { refid } = await world.create();
    world.setRates(null);
    assert.deepEqual(await start(refid), { ok: false, reason: "no_rate" });
    world.setRates("usdt/usd=1000000");
    assert.deepEqual(await start(refid), { ok: false, reason: "not_offered" });
    world.setRates("usdt/usd=1,usd/ngn=1600");
    world.setNetworkOn(false);
    assert.deepEqual(await start(refid), { ok: false, reason: "not_offered" });
    world.setNetworkOn(true);
    assert.deepEqual((await world.view(refid, START)).state, "open");
  });

  test("stores the link's value in USD if it was unknown at creation", async () => {
    world.setRates(null);
    const { refid } = await world.create();
    world.setRates("usdt/usd=1,usd/ngn=1600,usdt/eur=2");
    const { refid: other } = await world.create({ currency: "ngn", amount: 1_600_000n });
    await world.db.update(paymentLinks).set({ usdCents: null }).where(eq(paymentLinks.refid, other));
    await start(refid);
    await start(other);
    const [row] = await world.db.select().from(paymentLinks).where(eq(paymentLinks.refid, other));
    assert.equal(row?.usdCents, 1_000n);
  });
});

describe("new addresses of one visitor", () => {
  let world: World;
  before(async () => {
    world = await aWorld();
  });
  after(() => world.close());

  test("are limited to thirty in ten minutes, also for simultaneous calls", async () => {
    const links = await Promise.all(Array.from({ length: 36 }, () => world.create()));
    const start = (i: number, ip: string, now = START) =>
      startSession(world.deps, links[i]!.refid, { pair: BEP20, ip }, now);
    const answers = await Promise.all(Array.from({ length: 34 }, (_, i) => start(i, "198.51.100.7")));
    assert.equal(answers.filter(({ ok }) => ok).length, 30);
    const refused = answers.findIndex(({ ok }) => !ok);
    assert.deepEqual(answers[refused], { ok: false, reason: "too_many_addresses" });
    assert.equal((await world.view(links[refused]!.refid, START)).state, "open", "nothing changed");
    assert.equal(await world.addressCount(), 30);

    const held = await world.whileHolding(lockOf(links[refused]!.refid), () =>
      Promise.all(Array.from({ length: 40 }, () => start(refused, "198.51.100.7"))),
    );
    assert.deepEqual(held, Array(40).fill({ ok: false, reason: "too_many_addresses" }), "without a lock");

    assert.deepEqual(await start(34, "198.51.100.8"), { ok: true }, "another visitor is another matter");
    assert.deepEqual(await start(refused, "198.51.100.7", minutes(START, 9)), {
      ok: false,
      reason: "too_many_addresses",
    });
    assert.deepEqual(await start(refused, "198.51.100.7", minutes(START, 10)), { ok: true });
  });

  test("are counted by a hash that is deleted after the window", async () => {
    const visitors = async () => (await world.db.select().from(paymentLinkWallets)).map((row) => row.visitor);
    for (const visitor of await visitors()) assert.equal(visitor?.length, 32);
    await sweepPaymentLinks(world.deps, minutes(START, 25));
    assert.ok((await visitors()).every((visitor) => visitor === null));
  });

  test("are counted together for the networks of one IPv6 site, which has ten times the limit", async () => {
    const ips = ["2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:2::2", "2001:db8:1:1::1"];
    for (const ip of ips) {
      const { refid } = await world.create();
      assert.deepEqual(await startSession(world.deps, refid, { pair: BEP20, ip }, START), { ok: true });
    }
    const counts = ["2001:db8:0:1::9", "2001:db8:0:2::9", "2001:db8:1::9", "2001:db8:2::9"].map((ip) =>
      countOfVisitor(world.db, paymentLinkWallets, hashVisitor(world.deps.settings, ip), minutes(START, -1)),
    );
    assert.deepEqual(await Promise.all(counts), [
      { ofVisitor: 1, ofSite: 3 },
      { ofVisitor: 2, ofSite: 3 },
      { ofVisitor: 0, ofSite: 1 },
      { ofVisitor: 0, ofSite: 0 },
    ]);
    const most = VISITOR_LIMIT * SITE_SHARE;
    assert.equal(isAtVisitorLimit({ ofVisitor: 0, ofSite: most - 1 }), false);
    assert.equal(isAtVisitorLimit({ ofVisitor: 0, ofSite: most }), true);
    assert.equal(isAtVisitorLimit({ ofVisitor: VISITOR_LIMIT, ofSite: VISITOR_LIMIT }), true);
  });

  test("are counted by IPv4 address and by 64-bit IPv6 network", () => {
    assert.deepEqual(visitorNetworks("198.51.100.7"), { visitor: "198.51.100.7", site: "198.51.100.7" });
    assert.equal(visitorNetworks("2001:DB8:0:7::1").site, "2001:db8:0::/48");
    assert.equal(visitorNetworks("198.51.100.7").visitor, "198.51.100.7");
    assert.equal(visitorNetworks("::ffff:198.51.100.7").visitor, "198.51.100.7");
    assert.equal(visitorNetworks("2001:DB8::1").visitor, "2001:db8:0:0::/64");
    assert.equal(visitorNetworks("2001:0db8:0:0:ffff::9").visitor, "2001:db8:0:0::/64");
    assert.equal(visitorNetworks("fe80::1%eth0").visitor, "fe80:0:0:0::/64");
  });
});
