/** Refund claims: never more than was credited, together with refunds; used once, whatever is sent at the same time. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { answerClaim, checkClaimAddress } from "#lib/domain/withdrawals/claims/answer-claim.ts";
import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { findClaimBySecret, findRefundSource, listClaims } from "#lib/domain/withdrawals/claims/queries.ts";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { claimState, claimVersion, isClaimSecret, readNote } from "#lib/domain/withdrawals/claims/rules.ts";
import { refundClaims } from "#lib/domain/withdrawals/claims/tables.ts";
import type { ClaimRequest } from "#lib/domain/withdrawals/claims/types.ts";
import { leftToRefund, refundAmountOf } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { listRefundables, listRefunds } from "#lib/domain/withdrawals/queries.ts";
import { withdrawalPolicies, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { withClientAddress } from "#lib/platform/client-address.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { type By, OPERATOR, performAs, personOf, programOf } from "#tests/support/acts.ts";
import { followAll } from "#tests/support/follow-all.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { operatorSteps, refused } from "#tests/support/withdrawal-steps.ts";
import { ACTOR, ADA, answerAsPayer, askFor, DESTINATION, fund } from "#tests/support/withdrawals.ts";
import { aWorld, usdt, type World } from "../payment-links/world.ts";

const DAY_MS = 86_400_000;
const OTHER = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955";
const secrets = openSecrets("a secret key for tests, at least 32 long");
let world: World;

before(async () => {
  world = await aWorld();
  await fund(world.db, world.adapter, world.owner.merchantId, usdt("10000"));
});
after(() => world.close());

const by = () => ({ ...world.owner, actor: ADA });
const claim = (
  paymentLink: string,
  amount: ClaimRequest["amount"],
  more: Partial<ClaimRequest> = {},
  who: Partial<By> = {},
) => {
  const { networks, settings } = world.deps;
  const way = { networks, secrets, settings, network: "bep20", token: "usdt" } as const;
  const rest = { paymentLink, amount, note: null, mail: false, idempotencyKey: null };
  return performAs(world.db, { ...by(), ...who }, createClaim, { ...way, ...rest, ...more });
};
const refund = (paymentLink: string, amount: string) =>
  askFor(world.deps, world.owner, { amount: usdt(amount), paymentLink });
const answer = (secret: string, to = DESTINATION) => answerAsPayer(world.deps, { secret, to });
const revoke = (id: number, paymentLink: string | null = null, who: Partial<By> = {}) =>
  performAs(world.db, { ...by(), ...who }, revokeClaim, { id, paymentLink });

async function paidLink(...amounts: string[]) {
  const { refid } = await world.createPicked();
  for (const amount of amounts) await world.pay(refid, { amount: usdt(amount), status: "credited" });
  const { rows } = await world.database.pool.query("select id from payment_links where refid = $1", [refid]);
  return { refid, id: Number(rows[0].id) };
}

/** A claim, and the secret of its page. */
async function aClaim(...given: Parameters<typeof claim>) {
  const made = await claim(...given);
  assert.ok(
    made.ok,
    JSON.stringify(made, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
  );
  return { id: made.claim.id, secret: made.url?.split("/").at(-1) ?? "", made };
}

test("states, secrets and notes", () => {
  const now = new Date();
  const later = new Date(now.getTime() + 1);
  const open = { withdrawalId: null, revokedAt: null, expiresAt: later };
  assert.equal(claimState(open, now), "open");
  assert.equal(claimState(open, later), "expired");
  assert.equal(claimState({ ...open, revokedAt: now }, later), "revoked");
  assert.equal(claimState({ ...open, withdrawalId: 1 }, later), "used");
  assert.ok(isClaimSecret("0123456789abcdef".repeat(2)));
  for (const bad of ["", "0123", "G".repeat(32), "A".repeat(32), `${"a".repeat(32)}\n`, "../", 1, null])
    assert.ok(!isClaimSecret(bad), String(bad));
  assert.equal(readNote("  Sorry, ₦ 5 too much "), "Sorry, ₦ 5 too much");
  for (const bad of ["a\nb", "\u202eevil", "\ud800", "x".repeat(301)]) assert.equal(readNote(bad), null);
});

test("the version of a page changes with each change, also by a host whose clock is behind", () => {
  const at = (ms: number) => ({ updatedAt: new Date(ms) });
  const steps = [
    { claim: at(1_000), withdrawal: null },
    { claim: at(5_000), withdrawal: at(5_000) },
    { claim: at(5_000), withdrawal: at(4_000) },
    { claim: at(5_000), withdrawal: at(4_500) },
    { claim: at(5_000), withdrawal: at(3_000) },
  ];
  assert.equal(new Set(steps.map(claimVersion)).size, steps.length);
});

test("all is what is left, excess is what was paid too much, as far as it is left", () => {
  const way = { network: "bep20", token: "usdt" } as const;
  const paid = [{ ...way, credited: 12n, refunded: 3n, claimed: 4n }] as const;
  assert.equal(leftToRefund(paid[0]), 5n);
  const of = (word: "all" | "excess", over?: bigint) =>
    refundAmountOf(word, paid, over === undefined ? [] : [{ ...way, amount: over }], way);
  assert.deepEqual(of("all"), { ok: true, amount: 5n });
  assert.deepEqual(
    of("excess", 2n),
    { ok: true, amount: 2n },
    "what is refunded or promised is no excess any more",
  );
  assert.deepEqual(of("excess", 20n), { ok: true, amount: 5n });
  assert.deepEqual(of("excess"), refused("refund_no_excess"));
  const spent = [{ ...way, credited: 1n, refunded: 1n, claimed: 0n }] as const;
  assert.deepEqual(refundAmountOf("all", spent, [], way), refused("refund_above_credited"));
  assert.deepEqual(refundAmountOf("all", [], [], way), refused("refund_not_paid_so"));
});

test("the reason of a claim is that of its withdrawal, and the payer does not see it", async () => {
  const { refid } = await paidLink("60");
  const reason = "Wrong size";
  const { id, secret } = await aClaim(refid, usdt("20"), { reason });
  assert.ok((await answer(secret)).ok);
  const { rows } = await world.database.pool.query(
    `select w.reason, (select details->>'reason' from audit_log where subject = 'refund_claim:' || c.id) as logged
     from refund_claims c join withdrawals w on w.id = c.withdrawal_id where c.id = $1`,
    [id],
  );
  assert.deepEqual(rows, [{ reason, logged: reason }]);
});

test("a claim becomes one withdrawal of its amount, and keeps no secret", async () => {
  const { refid, id } = await paidLink("60");
  const { id: claimId, secret } = await aClaim(refid, usdt("20"), { note: "Sorry" });
  const [row] = await world.db.select().from(refundClaims).where(eq(refundClaims.id, claimId));
  assert.ok(!JSON.stringify(row, (_, v) => (typeof v === "bigint" ? `${v}` : v)).includes(secret));
  assert.equal((await listRefundables(world.db, id, new Date()))[0]?.claimed, usdt("20"));
  const view = await findClaimBySecret(world.db, secret);
  assert.ok(view);
  assert.deepEqual(await checkClaimAddress(world.deps, view, "0x12"), refused("destination_malformed"));
  assert.deepEqual(await checkClaimAddress(world.deps, view, DESTINATION.toLowerCase()), {
    ok: true,
    address: DESTINATION,
  });
  // Twenty submissions at once, of two addresses.
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, at) => answer(secret, at % 2 ? OTHER : DESTINATION)),
  );
  assert.equal(sent.filter(({ ok }) => ok).length, 1);
  for (const one of sent) if (!one.ok) assert.deepEqual(one, refused("claim_not_open"));
  const [made, ...others] = await listRefunds(world.db, id, 10);
  assert.equal(others.length, 0);
  assert.deepEqual([made?.amount, made?.requestedBy, made?.status], [usdt("20"), ACTOR, "pending"]);
  assert.deepEqual(await answer(secret, OTHER), refused("claim_not_open"));
  const [used] = await listClaims(world.db, id, 10);
  assert.deepEqual(
    [used?.withdrawal, used?.sealedSecret, used?.problem, used?.note],
    [made?.refid, null, null, "Sorry"],
  );
  const { refunded, claimed } = (await listRefundables(world.db, id, new Date()))[0] ?? {};
  assert.deepEqual([refunded, claimed], [usdt("20"), 0n]);
  const entries = await world.db.select().from(auditLog).orderBy(auditLog.id);
  const [created, use] = entries.slice(-2);
  assert.deepEqual([created?.action, created?.details.refund_claim], ["withdrawal.create", claimId]);
  assert.deepEqual([use?.action, use?.actor], ["refund_claim.use", `refund_claim:${claimId}`]);
  const { merchantId } = world.owner;
  assert.deepEqual([created?.merchantId, created?.actor, use?.merchantId], [merchantId, ACTOR, merchantId]);
});

test("no log keeps the client address of a payer", async () => {
  const { refid } = await paidLink("60");
  const [staff, payer] = ["198.51.100.7", "203.0.113.9"];
  const { id, secret } = await withClientAddress(staff, () => aClaim(refid, usdt("20")));
  assert.ok((await withClientAddress(payer, () => answer(secret))).ok);
  const entries = await world.db.select().from(auditLog).orderBy(auditLog.id);
  assert.deepEqual(
    entries.slice(-3).map(({ action, actor, ip }) => [action, actor, ip]),
    [
      ["refund_claim.create", ACTOR, staff],
      ["withdrawal.create", ACTOR, null],
      ["refund_claim.use", `refund_claim:${id}`, null],
    ],
  );
});

test("who approves a refund sees its payment, and whether the payer entered the address", async () => {
  const { refid } = await paidLink("20");
  const [row] = await world.db.select().from(paymentLinks).where(eq(paymentLinks.refid, refid));
  const reference = row?.paymentReference;
  const { secret } = await aClaim(refid, usdt("5"), { note: "Refund of order 25; wrong size" });
  assert.ok((await answer(secret)).ok);
  assert.ok((await refund(refid, "1")).ok);
  const [byPerson, byClaim] = await listRefunds(world.db, row?.id ?? 0, 2);
  assert.ok(byPerson && byClaim);
  const payment = { refid, reference };
  assert.deepEqual(await findRefundSource(world.db, byPerson), { ...payment, isClaimed: false, note: null });
  assert.deepEqual(await findRefundSource(world.db, byClaim), {
    ...payment,
    isClaimed: true,
    note: "Refund of order 25; wrong size",
  });
  assert.equal(await findRefundSource(world.db, { ...byClaim, paymentLinkId: null }), null);
});

test("twenty claims and refunds at the same time never exceed what was credited", async () => {
  const { refid, id } = await paidLink("60", "50");
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 ? refund(refid, "30") : claim(refid, usdt("30")))),
  );
  assert.equal(asked.filter(({ ok }) => ok).length, 3);
  for (const one of asked) if (!one.ok) assert.deepEqual(one, refused("refund_above_credited"));
  const { refunded = 0n, claimed = 0n } = (await listRefundables(world.db, id, new Date()))[0] ?? {};
  assert.equal(refunded + claimed, usdt("90"));
  assert.deepEqual(
    await Promise.all([claim(refid, "all"), claim(refid, "all")]).then(
      (all) => all.filter(({ ok }) => ok).length,
    ),
    1,
  );
  assert.deepEqual(await claim(refid, "all"), refused("refund_above_credited"));
});

test("what a claim promised is free again when it is revoked or expires, and not when it is used", async () => {
  const { refid } = await paidLink("60");
  const first = await aClaim(refid, "all");
  assert.deepEqual(await refund(refid, "1"), refused("refund_above_credited"));
  assert.ok((await revoke(first.id)).ok);
  assert.deepEqual(await answer(first.secret), refused("claim_not_open"));
  assert.deepEqual(await revoke(first.id), refused("claim_not_open"));
  const second = await aClaim(refid, usdt("60"));
  await world.db
    .update(refundClaims)
    .set({ expiresAt: new Date(Date.now() - DAY_MS) })
    .where(eq(refundClaims.id, second.id));
  assert.deepEqual(await answer(second.secret), refused("claim_not_open"));
  assert.deepEqual(await revoke(second.id), refused("claim_not_open"));
  const third = await aClaim(refid, usdt("60"));
  assert.ok((await answer(third.secret)).ok);
  assert.deepEqual(await revoke(third.id), refused("claim_not_open"));
  assert.deepEqual(await claim(refid, usdt("1")), refused("refund_above_credited"));
  // A withdrawal that failed leaves its amount to refund again, with another claim.
  const [made] = await listRefunds(world.db, (await paidId(refid)) ?? 0, 1);
  assert.ok((await operatorSteps(world.deps).fail(made?.refid ?? "", "no")).ok);
  while ((await world.db.$count(withdrawals, eq(withdrawals.status, "refund_queued"))) > 0)
    await followAll({ ...world.deps, log: pino({ level: "silent" }) });
  assert.ok((await claim(refid, "all")).ok);
  assert.deepEqual(await answer(third.secret), refused("claim_not_open"));
});

const paidId = async (refid: string) =>
  Number(
    (await world.database.pool.query("select id from payment_links where refid = $1", [refid])).rows[0]?.id,
  );

test("the same request again returns the claim and its page; another one with its key is refused", async () => {
  const { refid, id } = await paidLink("60");
  const again = () => claim(refid, usdt("60"), { idempotencyKey: "claim-one", note: "x" });
  const asked = await Promise.all(Array.from({ length: 20 }, again));
  const urls = new Set([...asked, await again()].map((one) => one.ok && one.url));
  assert.equal(urls.size, 1);
  assert.equal((await listClaims(world.db, id, 10)).length, 1);
  const same = { idempotencyKey: "claim-one", note: "x" };
  for (const actor of [personOf(7, "owner", new Date()), programOf(7), OPERATOR]) {
    const other = await claim(refid, usdt("60"), same, { actor });
    assert.ok(other.ok);
    assert.deepEqual([other.url, other.claim.requestedBy], [null, ACTOR], "the address is for its creator");
  }
  for (const more of [
    { note: "y" },
    { reason: "z" },
    { mail: true },
    { paymentLink: (await paidLink("60")).refid },
  ])
    assert.deepEqual(
      await claim(refid, usdt("60"), { idempotencyKey: "claim-one", note: "x", ...more }),
      refused("idempotency_key_reused"),
    );
  const secret =
    String([...urls][0])
      .split("/")
      .at(-1) ?? "";
  assert.ok((await answer(secret)).ok);
  const used = await again();
  assert.ok(used.ok && used.url === null && used.claim.withdrawal !== null);
});

test("nothing is claimed of another merchant's link, an unpaid one, or in another way than it was paid", async () => {
  const unpaid = await world.createPicked();
  assert.deepEqual(await claim(unpaid.refid, "all"), refused("refund_not_paid_so"));
  const { refid } = await paidLink("60");
  assert.deepEqual(await claim(refid, usdt("1"), { network: "trc20" }), refused("refund_not_paid_so"));
  const elsewhere = { env: "live" } as const;
  assert.deepEqual(await claim(refid, usdt("1"), {}, elsewhere), refused("payment_link_not_found"));
  const rival = { merchantId: await aMerchant(world.db, "rival@example.com") };
  assert.deepEqual(await claim(refid, usdt("1"), {}, rival), refused("payment_link_not_found"));
  const { id, secret } = await aClaim(refid, usdt("1"));
  assert.deepEqual(await revoke(id, null, rival), refused("claim_not_found"));
  assert.deepEqual(await revoke(id, null, elsewhere), refused("claim_not_found"));
  assert.deepEqual(await revoke(id, unpaid.refid), refused("claim_not_found"));
  // The secret of one claim opens no other.
  for (const who of [{ claimId: id + 1 }, { claimId: id, ...rival }, { claimId: id, ...elsewhere }]) {
    const { claimId, ...at } = who;
    const payer = { ...by(), ...at, actor: { kind: "payer", claimId } } as const;
    const given = { networks: world.deps.networks, secret, to: DESTINATION };
    assert.deepEqual(await performAs(world.db, payer, answerClaim, given), refused("claim_not_found"));
  }
  assert.deepEqual(await claim(refid, 0n), refused("send_amount_not_positive"));
  assert.deepEqual(await claim(refid, "excess"), refused("refund_no_excess"));
  assert.deepEqual(await claim(refid, usdt("1"), { mail: true }), refused("mail_not_possible"));
});

test("an address that receives nothing is refused, and the claim stays open for another", async () => {
  const { refid, id } = await paidLink("60");
  const { secret } = await aClaim(refid, usdt("2"));
  const contract = world.adapter.data.tokens.usdt?.contract?.test ?? "";
  const own = await world.database.pool.query("select address from addresses limit 1");
  for (const [to, reason] of [
    ["nothing", "destination_malformed"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "destination_malformed"],
    [own.rows[0].address, "destination_is_ours"],
    [contract, "destination_unsafe"],
    [`0x${"0".repeat(40)}`, "destination_unsafe"],
    [`0x${"0".repeat(36)}dEaD`, "destination_unsafe"],
  ] as const)
    assert.deepEqual(await answer(secret, to), refused(reason), to);
  assert.deepEqual(await answer("0".repeat(32)), refused("claim_not_found"));
  const [row] = await listClaims(world.db, id, 1);
  assert.equal(row?.problem, null, "a mistake of the payer is not the merchant's problem");
  assert.ok((await answer(secret)).ok);
});

test("a balance that is too small is the merchant's problem, until it suffices", async () => {
  const { refid, id } = await paidLink("50000");
  const { secret } = await aClaim(refid, usdt("40000"));
  assert.deepEqual(await answer(secret), refused("insufficient_balance"));
  assert.equal((await listClaims(world.db, id, 1))[0]?.problem, "insufficient_balance");
  await fund(world.db, world.adapter, world.owner.merchantId, usdt("50000"));
  assert.ok((await answer(secret)).ok);
  assert.equal((await listClaims(world.db, id, 1))[0]?.problem, null);
});

test("who created a claim counts as who asked: with a second person, they cannot approve it themselves", async () => {
  const { refid, id } = await paidLink("60");
  const { secret } = await aClaim(refid, usdt("2"), {}, { actor: personOf(7, "owner", new Date()) });
  await world.db
    .insert(withdrawalPolicies)
    .values({ merchantId: world.owner.merchantId, secondPerson: true });
  assert.ok((await answer(secret)).ok);
  await world.db.delete(withdrawalPolicies);
  const [made] = await listRefunds(world.db, id, 1);
  assert.deepEqual([made?.requestedBy, made?.needsApproval], ["user:7", true]);
});

test("a claim that a restored database has open again becomes the withdrawal that it was", async () => {
  const { refid, id } = await paidLink("60");
  const { id: claimId, secret } = await aClaim(refid, usdt("20"));
  const [before] = await world.db.select().from(refundClaims).where(eq(refundClaims.id, claimId));
  assert.ok((await answer(secret)).ok);
  const [first] = await listRefunds(world.db, id, 10);
  const open = { withdrawalId: null, sealedSecret: before?.sealedSecret ?? null };
  await world.db.update(refundClaims).set(open).where(eq(refundClaims.id, claimId));
  await world.db.delete(withdrawals).where(eq(withdrawals.refid, first?.refid ?? ""));
  assert.ok((await answer(secret, OTHER)).ok);
  const [second] = await listRefunds(world.db, id, 10);
  assert.deepEqual([second?.refid, second?.toAddress], [first?.refid, OTHER.toLowerCase()]);
});
