import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { updateForm } from "#lib/domain/forms/manage-forms.ts";
import type { FormInput } from "#lib/domain/forms/types.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { countPaymentLinks, listLinkRows } from "#lib/domain/payment-links/queries.ts";
import type { LinkSeller } from "#lib/domain/payment-links/types.ts";
import { searchPaymentLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { addDevice, pairDevice, revokeDevice } from "#lib/domain/pos/manage-devices.ts";
import { findDevice, getDaySales, listSellers } from "#lib/domain/pos/queries.ts";
import { CODE_LIFETIME_MS, MAX_SALES } from "#lib/domain/pos/rules.ts";
import { cancelSale, sell } from "#lib/domain/pos/sell.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { actOf } from "#tests/support/acts.ts";
import { minutes, START } from "../payment-links/facts.ts";
import { aForm, BEP20, usdt, worldOfFile } from "../payment-links/world.ts";

const world = await worldOfFile();

describe("a device of a merchant", () => {
  const counter = (terms: Partial<FormInput> = {}) => aForm(world, { title: "Counter", ...terms });
  const as = (tx: Tx) => {
    const { merchant, env } = world.owner;
    return actOf(tx, merchant.id, { env, now: START });
  };
  async function aCode(formCode: string) {
    const added = await world.db.transaction((tx) => addDevice(as(tx), { formCode, name: "Till" }));
    assert.ok(added.ok);
    return added;
  }
  const enter = (formCode: string, typed: string, now = START) =>
    pairDevice(world.db, { formCode, typed, timeZone: "Africa/Lagos" }, now);
  async function aDevice(terms: Partial<FormInput> = {}) {
    const form = await counter(terms);
    const { device, deviceCode } = await aCode(form.code);
    const token = await enter(form.code, deviceCode);
    assert.ok(token);
    return { form, token, id: device.id };
  }
  let visits = 0;
  const charge = (
    { form, token }: { form: { code: string }; token: string },
    amount = "160000",
    { visit = `visit ${++visits}`, now = START, quantity = "" } = {},
  ) => sell(world.deps, { formCode: form.code, token, visit, given: { amount, quantity } }, now);
  async function refidOf(sold: ReturnType<typeof charge>) {
    const result = await sold;
    assert.ok(result.ok, JSON.stringify(result));
    return result.refid;
  }

  test("what a form or one of its devices made is listed, counted and searched", async () => {
    const { form, token, id } = await aDevice();
    const sale = await charge({ form, token });
    assert.ok(sale.ok);
    const { merchantId, env } = world.owner;
    const formId = Number(
      (await world.database.pool.query("select id from forms where code = $1", [form.code])).rows[0].id,
    );
    const found = async (of: number, seller: LinkSeller) => {
      const filter = { merchantId: of, env, state: null, paymentReference: null, seller };
      const page = { before: null, limit: 10 };
      const listed = (await listLinkRows(world.db, filter, page)).map(({ link }) => link.refid);
      const text = { begins: form.paymentReference.slice(0, 3) };
      const searched = await searchPaymentLinks(world.deps, filter, text, page);
      assert.deepEqual(
        searched.map(({ refid }) => refid),
        listed,
      );
      assert.equal(await countPaymentLinks(world.db, filter), listed.length);
      return listed;
    };
    assert.deepEqual(await found(merchantId, { kind: "form", id: formId }), [sale.refid]);
    assert.deepEqual(await found(merchantId, { kind: "device", id }), [sale.refid]);
    assert.deepEqual(await found(merchantId, { kind: "device", id: id + 1 }), []);
    assert.deepEqual(await found(merchantId + 1, { kind: "form", id: formId }), [], "another merchant's");
    const lines = await listSellers(world.db, { merchantId, env }, { limit: 2 });
    assert.deepEqual(lines, [
      { formId, title: "Counter", device: null },
      { formId, title: "Counter", device: { id, name: "Till" } },
    ]);
    assert.deepEqual(await listSellers(world.db, { merchantId: merchantId + 1, env }, { limit: 2 }), []);
    assert.deepEqual(await listSellers(world.db, { merchantId, env: "live" }, { limit: 2 }), []);
    const one = (chosen: LinkSeller | null) =>
      listSellers(world.db, { merchantId, env }, { limit: 1, chosen });
    assert.deepEqual(await one({ kind: "device", id }), lines, "a chosen line beyond the limit is there");
    assert.deepEqual(await one({ kind: "form", id: formId }), lines.slice(0, 1), "each line once");
    const elsewhere = { limit: 1, chosen: { kind: "device", id } } as const;
    assert.deepEqual(await listSellers(world.db, { merchantId: merchantId + 1, env }, elsewhere), []);
  });

  test("is connected by its code once, within a day, and on its own form only", async () => {
    const form = await counter();
    const other = await counter();
    const { deviceCode } = await aCode(form.code);
    assert.equal(await enter(other.code, deviceCode), null);
    assert.equal(await enter(form.code, "0000-0000-0000"), null);
    assert.equal(await enter(form.code, deviceCode, new Date(START.getTime() + CODE_LIFETIME_MS)), null);
    const entered = await Promise.all([enter(form.code, deviceCode), enter(form.code, deviceCode)]);
    assert.equal(entered.filter((token) => token !== null).length, 1);
    const token = entered.find((one) => one !== null) ?? "";
    assert.equal((await findDevice(world.db, form.id, token))?.name, "Till");
    assert.equal(await findDevice(world.db, other.id, token), null);
    assert.equal(await findDevice(world.db, form.id, ""), null);
  });

  test("sells what the form allows, also what would need answers, and asks nobody for them", async () => {
    const device = await aDevice({ ask: ["email", "phone"], fields: ["Size"], maximumAmount: "500000" });
    const link = await world.view(await refidOf(charge(device)), START);
    assert.deepEqual([link.amount, link.pointOfSale, link.wallets], [160_000_00n, true, []]);
    assert.deepEqual(JSON.parse(link.metadata ?? ""), {
      form: device.form.code,
      quantity: 1,
      device: "Till",
    });
    for (const amount of ["500000.01", "0", "-1", "", "1.234", "٣"])
      assert.deepEqual(await charge(device, amount), { ok: false, reason: "amount_not_possible" }, amount);
    const fixed = await aDevice({ amount: "160000", maxQuantity: 3, stock: 4 });
    assert.ok((await charge(fixed, "1", { quantity: "3" })).ok);
    assert.deepEqual(await charge(fixed, "", { quantity: "2" }), { ok: false, reason: "too_few_left" });
    assert.deepEqual(await charge(fixed, "", { quantity: "4" }), { ok: false, reason: "answers_malformed" });
  });

  test("sells once what is sent again, and never shows a later customer an earlier payment", async () => {
    const device = await aDevice();
    const again = { visit: "lost answer" };
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => refidOf(charge(device, "160000", again))),
    );
    assert.equal(new Set(sent).size, 1);
    const [refid = ""] = sent;
    await startSession(world.deps, refid, { pair: BEP20, ip: "203.0.113.5" }, START);
    assert.notEqual(await refidOf(charge(device, "160000", again)), refid);
  });

  test("sells at a changed price what is sent again after the change", async () => {
    const { form, token } = await aDevice({ amount: "160000" });
    const again = { visit: "lost answer" };
    const first = await refidOf(charge({ form, token }, "", again));
    const settings = world.deps.settings;
    await world.db.transaction((tx) =>
      updateForm(as(tx), { settings, code: form.code, changes: { amount: "80000" } }),
    );
    const second = await refidOf(charge({ form, token }, "", again));
    assert.notEqual(second, first);
    assert.equal((await world.view(second, START)).amount, 80_000_00n);
  });

  test("is worth nothing once it is revoked, or with another form's token", async () => {
    const device = await aDevice();
    const other = await aDevice();
    const refused = { ok: false, reason: "not_found" };
    assert.deepEqual(await charge({ form: device.form, token: other.token }), refused);
    assert.deepEqual(await charge({ form: device.form, token: "" }), refused);
    const refid = await refidOf(charge(device));
    const sale = { formCode: other.form.code, token: other.token, refid };
    assert.equal(await cancelSale(world.deps, sale, START), false);
    await world.db.transaction((tx) => revokeDevice(as(tx), { id: device.id }));
    assert.deepEqual(await charge(device), refused);
    assert.equal(await findDevice(world.db, device.form.id, device.token), null);
    assert.equal((await world.view(refid, START)).state, "open");
  });

  test("lists its own sales since its midnight, with the sum of the paid ones", async () => {
    const device = await aDevice();
    await refidOf(charge(await aDevice()));
    const first = await refidOf(charge(device, "160000"));
    const second = await refidOf(charge(device, "320000", { now: minutes(START, 1) }));
    const third = await refidOf(charge(device, "1000", { now: minutes(START, 2) }));
    await startSession(world.deps, first, { pair: BEP20, ip: "203.0.113.5" }, START);
    await world.pay(first, { amount: usdt("100"), status: "credited" });
    const token = { formCode: device.form.code, token: device.token };
    assert.equal(await cancelSale(world.deps, { ...token, refid: third }, minutes(START, 3)), true);
    assert.equal(await cancelSale(world.deps, { ...token, refid: first }, minutes(START, 3)), false);
    const row = await findDevice(world.db, device.form.id, device.token);
    assert.ok(row);
    const day = await getDaySales(world.db, row, minutes(START, 4));
    assert.deepEqual(
      day.newest.map(({ refid, state, isCanceled }) => [refid, state, isCanceled]),
      [
        [third, "expired", true],
        [second, "open", false],
        [first, "completed", false],
      ],
    );
    assert.deepEqual([day.count, day.paidCount, day.paidAmount], [3, 1, 160_000_00n]);
    assert.equal((await getDaySales(world.db, row, minutes(START, 24 * 60))).count, 0);
  });

  test("starts at most as many sales in ten minutes as a counter can", async () => {
    const device = await aDevice();
    const sales = await Promise.all(Array.from({ length: MAX_SALES + 5 }, () => charge(device)));
    assert.equal(sales.filter(({ ok }) => ok).length, MAX_SALES);
    assert.deepEqual(await charge(device), { ok: false, reason: "too_many_sales" });
    assert.ok((await charge(device, "160000", { now: minutes(START, 10.1) })).ok);
  });

  test("is refused for a form that is closed", async () => {
    const form = await counter();
    const changes = { expiresAt: minutes(START, 1) };
    const { settings } = world.deps;
    await world.db.transaction((tx) => updateForm(as(tx), { settings, code: form.code, changes }));
    const { deviceCode } = await aCode(form.code);
    const token = (await enter(form.code, deviceCode)) ?? "";
    const later = { now: minutes(START, 2) };
    assert.deepEqual(await charge({ form, token }, "160000", later), { ok: false, reason: "closed" });
  });
});
