import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { performVerb } from "#lib/domain/authority/perform-verb.ts";
import { depositCause } from "#lib/domain/deposits/rules.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import { refusedAttempts } from "#lib/domain/ledger/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { networkSettings, tokenSettings } from "#lib/domain/settings/tables.ts";
import {
  type CreateWithdrawalRefusal,
  createWithdrawal,
} from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { makeRefid } from "#lib/domain/withdrawals/create/insert-named.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { WithdrawalRequest } from "#lib/domain/withdrawals/types.ts";
import { actOf, type By } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { followAll } from "#tests/support/follow-all.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { operatorSteps, refused } from "#tests/support/withdrawal-steps.ts";
import {
  ACTOR,
  accountsOf,
  aRequest,
  askFor,
  aWithdrawal,
  DESTINATION,
  fund,
  statusOf,
  USDT,
} from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
const log = pino({ level: "silent" });
// No node listens at this address. Creating a withdrawal asks no node.
const networks = bep20("http://127.0.0.1:9");
const adapter: NetworkAdapter = networks.find("test", "bep20")!;

const t = await databaseOfFile();
const merchantId = await aMerchant(t.db, EMAIL);

const deps = () => ({ db: t.db, networks });
const follow = () => followAll({ ...deps(), log });
type Asked = Partial<WithdrawalRequest> & Pick<Partial<By>, "merchantId" | "env">;
const ask = ({ merchantId: id = merchantId, env = "test", ...changes }: Asked) =>
  askFor(deps(), { merchantId: id, env }, changes);
const { fail } = operatorSteps(deps());
async function ledgerIsCorrect(): Promise<void> {
  assert.deepEqual((await checkLedger(t.db)).problems, []);
}
const refusals = () => t.db.select().from(refusedAttempts).orderBy(refusedAttempts.id);

test("a refusal in a transaction of the caller undoes only its own part, and is recorded after it", async () => {
  const pending: (() => Promise<void>)[] = [];
  const given = { networks, ...aRequest({ amount: 8n * USDT }) };
  const before = (await refusals()).length;
  await t.db.transaction(async (tx) => {
    await tx.update(merchants).set({ name: "Stall" }).where(eq(merchants.id, merchantId));
    const joined = { db: tx, afterwards: (work: () => Promise<void>) => void pending.push(work) };
    const { tx: _, ...act } = actOf(tx, merchantId);
    const made = await performVerb({ db: t.db, joined }, createWithdrawal, act, given);
    assert.deepEqual(made, { ok: false, reason: "insufficient_balance" });
    assert.deepEqual(await tx.select().from(withdrawals), []);
  });
  const [shop] = await t.db.select().from(merchants).where(eq(merchants.id, merchantId));
  assert.deepEqual([shop?.name, (await refusals()).length], ["Stall", before]);
  for (const work of pending) await work();
  assert.equal((await refusals()).at(-1)?.amount, 8n * USDT);
});

test("reserves amount and fee, and records the decision", async () => {
  await fund(t.db, adapter, merchantId, 1_000n * USDT);
  const at = new Date("2026-03-01T12:00:00.250Z");
  const { id, refid, ...row } = await aWithdrawal(deps(), EMAIL, { amount: 500n * USDT }, at);
  assert.match(refid, /^[1-9][0-9]{15}$/);
  assert.deepEqual(row, {
    env: "test",
    merchantId,
    email: EMAIL,
    token: "usdt",
    network: "bep20",
    toAddress: DESTINATION.toLowerCase(),
    amount: 500n * USDT,
    fee: 5n * USDT,
    status: "pending",
    checked: true,
    txHash: null,
    transactions: [],
    reason: null,
    refundOf: null,
    paymentLinkId: null,
    requestedBy: ACTOR,
    needsApproval: false,
    approvedAt: null,
    idempotencyKey: null,
    finding: null,
    failureReason: null,
    processedAt: null,
    createdAt: at,
    updatedAt: at,
  });
  assert.deepEqual(await accountsOf(t.db), {
    "custody:bep20": -1_000n * USDT,
    [`merchant:${merchantId}`]: 495n * USDT,
    [`reserved:${id}`]: 505n * USDT,
  });
  const [{ id: _, ...entry } = {} as never] = await t.db.select().from(auditLog);
  assert.deepEqual(entry, {
    at,
    actor: ACTOR,
    action: "withdrawal.create",
    subject: `withdrawal:${refid}`,
    merchantId,
    ip: null,
    details: {
      env: "test",
      merchant: EMAIL,
      network: "bep20",
      token: "usdt",
      amount: "500",
      fee: "5",
      to: DESTINATION.toLowerCase(),
      refund_of: null,
      payment_link: null,
    },
  });
  await ledgerIsCorrect();
});

test("returns the reservation of an unsent withdrawal once, with concurrent workers", async () => {
  const [row] = await t.db.select().from(withdrawals);
  const failed = await fail(row!.refid, "typing error");
  assert.equal(failed.ok && failed.withdrawal.status, "refund_queued");
  await ledgerIsCorrect();
  await Promise.all(Array.from({ length: 20 }, follow));
  const [ended] = await t.db.select().from(withdrawals);
  assert.deepEqual([ended!.status, ended!.failureReason], ["failed", "typing error"]);
  assert.ok(ended!.processedAt);
  assert.deepEqual(await accountsOf(t.db), {
    "custody:bep20": -1_000n * USDT,
    [`merchant:${merchantId}`]: 1_000n * USDT,
  });
  await ledgerIsCorrect();
});

test("refunds a failed withdrawal once, for the same merchant in the same token", async () => {
  const [failed] = await t.db.select().from(withdrawals);
  const refundOf = failed!.refid;
  const other = await aMerchant(t.db, "stall@example.com");
  await fund(t.db, adapter, other, 100n * USDT);
  assert.deepEqual(await ask({ refundOf: "123" }), refused("refunded_not_found"));
  assert.deepEqual(await ask({ refundOf, merchantId: other }), refused("refunded_not_found"));
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask({ refundOf })));
  const made = asked.flatMap((answer) => (answer.ok ? [answer.withdrawal] : []));
  assert.deepEqual(
    made.map((row) => row.refundOf),
    [failed!.id],
  );
  assert.deepEqual(
    asked.filter(({ ok }) => !ok),
    Array.from({ length: 19 }, () => refused("refunded_already")),
  );
  assert.deepEqual(await ask({ refundOf: made[0]!.refid }), refused("refunded_not_failed"));
  await ledgerIsCorrect();
});

const setMerchant = (isOn: boolean) => t.db.update(merchants).set({ status: isOn ? "active" : "disabled" });
const setToken = (status: boolean) =>
  t.db.update(tokenSettings).set({ status }).where(eq(tokenSettings.token, "usdt"));
const setNetwork = (status: boolean) =>
  t.db.update(networkSettings).set({ status }).where(eq(networkSettings.network, "bep20"));
/** The rest of the refusals: tests/api/withdrawals.test.ts. */
const REFUSED: readonly (readonly [
  what: string,
  changes: Asked,
  reason: CreateWithdrawalRefusal,
  switchTo?: (isOn: boolean) => Promise<unknown>,
])[] = [
  ["an unknown merchant", { merchantId: 0 }, "merchant_not_found"],
  ["nothing", { amount: 0n }, "send_amount_not_positive"],
  ["less than nothing", { amount: -USDT }, "send_amount_not_positive"],
  ["a network that is not configured", { network: "trc20" }, "network_off"],
  ["an environment without networks", { env: "live" }, "network_off"],
  ["a disabled merchant", {}, "merchant_disabled", setMerchant],
  ["a token that is off", {}, "sends_disabled_for_token", setToken],
  ["a network that is off", {}, "sends_disabled_for_network", setNetwork],
];

for (const [what, changes, reason, switchTo] of REFUSED) {
  test(`refuses ${what}: ${reason}`, async () => {
    await switchTo?.(false);
    const before = await accountsOf(t.db);
    try {
      assert.deepEqual(await ask(changes), { ok: false, reason });
    } finally {
      await switchTo?.(true);
    }
    assert.deepEqual(await accountsOf(t.db), before);
  });
}

test("fifty concurrent withdrawals on one balance reserve at most the balance", async () => {
  const id = await aMerchant(t.db, "busy@example.com");
  await fund(t.db, adapter, id, 205n * USDT);
  // 10 and the minimum fee of 1: eighteen fit.
  const asked = await Promise.all(Array.from({ length: 50 }, () => ask({ merchantId: id })));
  const made = asked.flatMap((answer) => (answer.ok ? [answer.withdrawal] : []));
  assert.equal(made.length, 18);
  assert.ok(asked.every((answer) => answer.ok || answer.reason === "insufficient_balance"));
  const accounts = await accountsOf(t.db);
  assert.equal(accounts[`merchant:${id}`], 7n * USDT);
  for (const row of made) assert.equal(accounts[`reserved:${row.id}`], 11n * USDT);
  assert.equal((await refusals()).filter((row) => row.merchantId === id).length, 32);
  await ledgerIsCorrect();
  await Promise.all(made.map(({ refid }) => fail(refid)));
  await Promise.all([follow(), follow(), follow()]);
  for (const row of made) assert.equal(await statusOf(t.db, row.id), "failed");
  assert.equal((await accountsOf(t.db))[`merchant:${id}`], 205n * USDT);
  await ledgerIsCorrect();
});

test("a merchant with a debt repays it from the returned reservation", async () => {
  const id = await aMerchant(t.db, "owing@example.com");
  await fund(t.db, adapter, id, 20n * USDT);
  const { refid } = await aWithdrawal(deps(), "owing@example.com", { amount: 18n * USDT });
  const [deposit] = await t.db.select().from(deposits).where(eq(deposits.merchantId, id));
  const cause = depositCause({ id: deposit!.id, creditRound: 1 });
  await t.db.update(deposits).set({ status: "dropped" }).where(eq(deposits.id, deposit!.id));
  await t.db.transaction((tx) => reverseTransfer(tx, cause, `${cause}:reversal`, new Date()));
  assert.equal((await accountsOf(t.db))[`receivable:${id}`], -19n * USDT);
  await fail(refid);
  await follow();
  const accounts = await accountsOf(t.db);
  assert.deepEqual([accounts[`receivable:${id}`], accounts[`merchant:${id}`]], [undefined, undefined]);
  await ledgerIsCorrect();
});

test("a withdrawal that fails is set aside while the others end, and is retried later", async () => {
  const id = await aMerchant(t.db, "broken@example.com");
  await fund(t.db, adapter, id, 100n * USDT);
  const [broken, sound] = [
    await aWithdrawal(deps(), "broken@example.com", { amount: 12n * USDT }),
    await aWithdrawal(deps(), "broken@example.com", { amount: 13n * USDT }),
  ];
  await t.db.execute(sql`create function refuse_row() returns trigger language plpgsql as
    $$ begin raise numeric_value_out_of_range; end $$`);
  await t.db.execute(
    sql.raw(`create trigger refuse before update on withdrawals for each row when (new.id = ${broken.id} and new.status = 2)
      execute function refuse_row()`),
  );
  for (const { refid } of [broken, sound]) await fail(refid);
  await follow();
  await follow();
  assert.deepEqual(
    [await statusOf(t.db, broken.id), await statusOf(t.db, sound.id)],
    ["refund_queued", "failed"],
  );
  const page = { after: null, limit: 10 };
  const [row, ...more] = await listAttention(t.db, page);
  assert.deepEqual([row?.subject, row?.attempts, more], [`withdrawal:${broken.refid}`, 1, []]);

  await t.db.execute(sql`drop trigger refuse on withdrawals`);
  await followAll({ ...deps(), log, now: () => row!.retryAt });
  assert.equal(await statusOf(t.db, broken.id), "failed");
  assert.deepEqual(await listAttention(t.db, page), []);
  await ledgerIsCorrect();
});

test("the ledger check finds a wrong reservation and a send that was not posted", async () => {
  const row = await aWithdrawal(deps(), EMAIL);
  await t.db.update(withdrawals).set({ status: "completed" }).where(eq(withdrawals.id, row.id));
  assert.deepEqual((await checkLedger(t.db)).problems, [
    `withdrawal ${row.id} with status 3 has ${11n * USDT} reserved instead of 0`,
    `custody of test bep20 usdt paid 0 for withdrawals, but the completed withdrawals add up to ${10n * USDT}`,
  ]);
  await t.db.update(withdrawals).set({ status: "pending" }).where(eq(withdrawals.id, row.id));
  await ledgerIsCorrect();
});

test("a reference that another merchant took holds back no withdrawal", async () => {
  const other = await aMerchant(t.db, "other@example.com");
  await fund(t.db, adapter, other, 100n * USDT);
  await fund(t.db, adapter, merchantId, 100n * USDT);
  const [idempotencyKey, free] = ["api:taken", "api:free"];
  const refidOf = (source: string) => makeRefid({ env: "test", merchantId, source });
  const { id } = await aWithdrawal(deps(), "other@example.com");
  await t.db
    .update(withdrawals)
    .set({ refid: refidOf(idempotencyKey) })
    .where(eq(withdrawals.id, id));
  const [made, again] = [await ask({ idempotencyKey }), await ask({ idempotencyKey })];
  assert.ok(made.ok && again.ok);
  assert.match(made.withdrawal.refid, /^[1-9][0-9]{15}$/);
  assert.notEqual(made.withdrawal.refid, refidOf(idempotencyKey));
  assert.equal(again.withdrawal.refid, made.withdrawal.refid);
  const [entry] = await t.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `withdrawal:${made.withdrawal.refid}`));
  assert.equal(entry?.action, "withdrawal.create");
  const usual = await ask({ idempotencyKey: free });
  assert.ok(usual.ok);
  assert.equal(usual.withdrawal.refid, refidOf(free));
  await ledgerIsCorrect();
});
