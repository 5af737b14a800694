import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { eq } from "drizzle-orm";
import { openNetworks } from "#lib/chains/registry.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { refundDeposit } from "#lib/domain/deposits/unmatched/refund-deposit.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aForeignDeposit, aMerchant, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";

const NOW = new Date("2026-03-01T12:00:00.250Z");
const UNIT = 10n ** 18n;
const bep20 = {
  env: "test",
  network: "bep20",
  rpcUrls: ["http://127.0.0.1:9"],
  accountKey: HDKey.fromMasterSeed(Buffer.alloc(32, 1)).derive("m/44'/60'/0'").publicExtendedKey,
  zmqUrl: null,
  chainId: null,
  contracts: {},
} as const;
const networks = openNetworks([bep20]);

const t = await databaseOfFile();
const owner = await aMerchant(t.db, "owner@example.com");
await aMerchant(t.db, "other@example.com");
const addressId = (await anAddress(t.db, networks.find("test", "bep20")!, owner)).id;

interface Asked {
  readonly to?: string;
  readonly email?: string;
  readonly amount?: { readonly token: "usdt" | "bnb"; readonly units: bigint } | null;
  readonly owner?: { readonly merchantId: number; readonly env: "test" | "live" };
}

const refund = (
  id: number,
  { to = DESTINATION, email = "owner@example.com", amount = null, ...own }: Asked = {},
) => refundDeposit({ db: t.db, networks }, { id, email, to, amount, actor: "operator:ada", ...own }, NOW);
const balanceOf = async (code: string) =>
  (await listLedgerAccounts(t.db, "test")).find((account) => account.code === code)?.balance ?? 0n;
const statusOf = async (id: number) =>
  (await t.db.select({ status: deposits.status }).from(deposits).where(eq(deposits.id, id)))[0]?.status;

test("a refund credits the deposit and sends all that its fee leaves, once however often it is asked for", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const before = await balanceOf(`merchant:${owner}`);
  const made = await Promise.all(Array.from({ length: 10 }, () => refund(id)));
  const refids = new Set(made.map((one) => (one.ok ? one.withdrawal.refid : one.reason)));
  assert.equal(refids.size, 1);
  const [first] = made;
  assert.ok(first?.ok);
  const { amount, fee, toAddress } = first.withdrawal;
  assert.equal(toAddress, DESTINATION.toLowerCase());
  assert.ok(amount > 0n && fee > 0n && amount + fee <= 5n * UNIT && amount + fee > 5n * UNIT - 2n);
  assert.equal(await balanceOf(`merchant:${owner}`), before + 5n * UNIT - amount - fee);
  assert.equal(await balanceOf(`reserved:${first.withdrawal.id}`), amount + fee);
  assert.equal(await statusOf(id), 1);
  const elsewhere = await refund(id, { to: `0x${"22".repeat(20)}` });
  assert.deepEqual(elsewhere, { ok: false, reason: "already_resolved" });
  assert.deepEqual((await checkLedger(t.db)).problems, []);
});

test("the refund of a deposit has the same reference after a restore, which gives the deposit another number", async () => {
  const { id, txHash } = await anUnmatchedDeposit(t.db, { addressId });
  const refidOf = async (deposit: number) => {
    const restored = new Error("restored");
    let refid = "";
    const day = inTransaction(t.db, async (tx) => {
      const request = {
        id: deposit,
        email: "owner@example.com",
        to: DESTINATION,
        amount: null,
        actor: "operator:ada",
      };
      const made = await refundDeposit({ db: tx, networks }, request, NOW);
      assert.ok(made.ok);
      refid = made.withdrawal.refid;
      throw restored;
    });
    await assert.rejects(day, restored);
    return refid;
  };
  const before = await refidOf(id);
  const { id: again } = await anUnmatchedDeposit(t.db, { addressId });
  await t.db.update(deposits).set({ txHash: "forgotten" }).where(eq(deposits.id, id));
  await t.db.update(deposits).set({ txHash }).where(eq(deposits.id, again));
  assert.equal(await refidOf(again), before);
  const { id: another } = await anUnmatchedDeposit(t.db, { addressId });
  assert.notEqual(await refidOf(another), before);
});

test("a refused withdrawal leaves the deposit unmatched, and nothing written", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const { id: unlisted } = await aForeignDeposit(t.db, { addressId });
  const count = await t.db.$count(withdrawals);
  const before = await balanceOf(`merchant:${owner}`);
  for (const [of, asked, reason] of [
    [id, { to: "not an address" }, "destination_malformed"],
    [id, { amount: { token: "usdt", units: 5n * UNIT + 1n } }, "refund_above_credited"],
    [id, { amount: { token: "usdt", units: 0n } }, "send_amount_not_positive"],
    [id, { amount: { token: "bnb", units: UNIT } }, "refund_not_paid_so"],
    [id, { email: "nobody@example.com" }, "merchant_not_found"],
    [unlisted, {}, "deposit_not_in_books"],
    [999_999, {}, "deposit_not_found"],
  ] as const)
    assert.deepEqual(await refund(of, asked), { ok: false, reason });
  assert.equal(await statusOf(id), 3);
  assert.equal(await t.db.$count(withdrawals), count);
  assert.equal(await balanceOf(`merchant:${owner}`), before);
});

test("a merchant's people resolve what is theirs alone", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const { id: unlisted } = await aForeignDeposit(t.db, { addressId });
  const own = { merchantId: owner, env: "test" } as const;
  const refused = { ok: false, reason: "deposit_not_found" };
  for (const foreign of [
    { ...own, merchantId: owner + 1 },
    { ...own, env: "live" as const },
  ])
    assert.deepEqual(await refund(id, { owner: foreign }), refused);
  assert.deepEqual(await refund(unlisted, { owner: own }), refused);
  await t.db.update(deposits).set({ unmatchedReason: "before_allocation" }).where(eq(deposits.id, id));
  assert.deepEqual(await refund(id, { owner: own }), refused);
  await t.db.update(deposits).set({ unmatchedReason: "other_token" }).where(eq(deposits.id, id));
  const keep = { id, email: "owner@example.com", actor: "user:1", owner: own };
  const kept = await t.db.transaction((tx) => resolveDeposit(tx, networks, keep, NOW));
  assert.ok(kept.ok);
  assert.deepEqual(await refund(id, { owner: own }), { ok: false, reason: "already_resolved" });
});
