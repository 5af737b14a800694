/** Limits of merchants hold when 20 ask at the same time (docs/operate/security.md). */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { changeMember } from "#lib/domain/members/change-member.ts";
import { inviteMember } from "#lib/domain/members/invite.ts";
import { joinSignedIn } from "#lib/domain/members/join.ts";
import { hashToken, listInvitations, listMembers } from "#lib/domain/members/queries.ts";
import { MAX_MEMBERS, MAX_OPEN_INVITATIONS } from "#lib/domain/members/rules.ts";
import { insertInvitation, insertUser } from "#lib/domain/members/store.ts";
import { invitations, members, users } from "#lib/domain/members/tables.ts";
import type { SignedIn } from "#lib/domain/members/types.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { addIp, removeIp } from "#lib/domain/merchants/ip-entries.ts";
import { listApiKeys, listIpEntries } from "#lib/domain/merchants/queries.ts";
import { MAX_ACTIVE_KEYS, MAX_IP_ENTRIES } from "#lib/domain/merchants/rules.ts";
import { apiKeys, ipEntries, merchants } from "#lib/domain/merchants/tables.ts";
import { addEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { addBookAddress } from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import { withdrawalAddresses } from "#lib/domain/withdrawals/tables.ts";
import { actOf, hereBy, personOf, programOf } from "#tests/support/acts.ts";
import { countOk, NOW, numbers, openCrowd, secrets } from "#tests/support/at-once.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const { db } = await databaseOfFile();
const { aMember, atOnce, newMerchant } = await openCrowd(db);

test("keys: the fiftieth is the last", async () => {
  const merchantId = await newMerchant();
  const rows = numbers(MAX_ACTIVE_KEYS - 5).map((i) => ({
    merchantId,
    env: "test" as const,
    scope: "read" as const,
    hash: hashToken(`${merchantId}/${i}`),
    last4: "0000",
  }));
  await db.insert(apiKeys).values(rows);
  const made = await atOnce((tx) =>
    createKey(actOf(tx, merchantId, { now: NOW }), { scope: "read", expiresAt: null }),
  );
  assert.deepEqual([countOk(made), (await listApiKeys(db, merchantId)).length], [5, MAX_ACTIVE_KEYS]);
});

test("IP list: the hundredth entry is the last, and programs together do not empty it", async () => {
  const merchantId = await newMerchant();
  await db
    .insert(ipEntries)
    .values(numbers(MAX_IP_ENTRIES - 5).map((i) => ({ merchantId, name: "n", address: `10.0.0.${i}` })));
  const added = await atOnce((tx, i) =>
    addIp(actOf(tx, merchantId, { now: NOW }), { name: "n", address: `10.0.1.${i}` }),
  );
  assert.deepEqual([countOk(added), (await listIpEntries(db, merchantId)).length], [5, MAX_IP_ENTRIES]);

  const other = await newMerchant();
  const entries = await db
    .insert(ipEntries)
    .values(numbers(20).map(() => ({ merchantId: other, name: "n", address: "192.0.2.0/24" })))
    .returning({ id: ipEntries.id });
  const program = { actor: programOf(1, { clientAddress: "192.0.2.1" }), env: "live", now: NOW } as const;
  const removed = await atOnce((tx, i) => removeIp(actOf(tx, other, program), { id: entries[i]!.id }));
  assert.deepEqual([countOk(removed), (await listIpEntries(db, other)).length], [19, 1]);
});

test("webhook endpoints: the sixteenth is the last", async () => {
  const merchantId = await newMerchant();
  const made = await atOnce((tx, i) =>
    addEndpoint(actOf(tx, merchantId, { now: NOW }), {
      sealer: secrets,
      url: `https://shop.example/${i}`,
      eventTypes: null,
    }),
  );
  const endpoints = await listEndpoints(db, { merchantId, env: "test" });
  assert.deepEqual([countOk(made), endpoints.length], [16, 16]);
});

test("invitations: the fiftieth open one is the last, and one works once", async () => {
  const merchantId = await newMerchant();
  const userId = await aMember(merchantId, "owner");
  const expiresAt = new Date(NOW.getTime() + 1_000);
  const open = (i: number) => ({
    merchantId,
    role: "cashier" as const,
    email: `${i}@example.com`,
    tokenHash: hashToken(`${merchantId}/${i}`),
    expiresAt,
  });
  await db.insert(invitations).values(numbers(MAX_OPEN_INVITATIONS - 5).map(open));
  const by = { actor: personOf(userId, "owner", NOW), now: NOW };
  const made = await atOnce((tx, i) => {
    const person = { email: `n${i}@example.com`, role: "cashier", mailSealer: null } as const;
    return inviteMember(actOf(tx, merchantId, by), person);
  });
  assert.deepEqual(
    [countOk(made), (await listInvitations(db, merchantId, NOW)).length],
    [5, MAX_OPEN_INVITATIONS],
  );

  const guest = await db.transaction((tx) =>
    insertUser(tx, { handle: randomUUID(), email: "0@example.com", name: "Guest" }),
  );
  const signedIn = { userId: guest!.id, email: "0@example.com" } as SignedIn;
  const joined = await Promise.all(
    numbers(20).map(() => joinSignedIn(db, { invitation: `${merchantId}/0`, signedIn }, NOW)),
  );
  assert.equal(countOk(joined), 1);
});

test("members: the two hundredth is the last, and one of the owners stays", async () => {
  const merchantId = await newMerchant();
  const people = await db
    .insert(users)
    .values(
      numbers(MAX_MEMBERS + 15).map((i) => ({ handle: randomUUID(), email: `m${i}@example.com`, name: "M" })),
    )
    .returning({ userId: users.id, email: users.email });
  const [guests, staff] = [people.slice(0, 20), people.slice(20)];
  await db
    .insert(members)
    .values(staff.map(({ userId }) => ({ merchantId, userId, role: "cashier" as const })));
  const expiresAt = new Date(NOW.getTime() + 1_000);
  await db.transaction(async (tx) => {
    for (const { email } of guests)
      await insertInvitation(tx, {
        merchantId,
        role: "cashier",
        email,
        tokenHash: hashToken(email),
        expiresAt,
      });
  });
  const joined = await Promise.all(
    guests.map(({ userId, email }) =>
      joinSignedIn(db, { invitation: email, signedIn: { userId, email } as SignedIn }, NOW),
    ),
  );
  assert.deepEqual([countOk(joined), (await listMembers(db, merchantId)).length], [5, MAX_MEMBERS]);

  const shop = await newMerchant();
  const owners = await Promise.all(numbers(20).map(() => aMember(shop, "owner")));
  const left = await atOnce((tx, i) =>
    changeMember(actOf(tx, shop, { now: NOW }), {
      memberId: owners[i]!,
      role: i % 2 ? null : "cashier",
    }),
  );
  const roles = (await listMembers(db, shop)).map(({ role }) => role);
  assert.deepEqual([countOk(left), roles.filter((role) => role === "owner").length], [19, 1]);
});

test("address book: the two hundredth address is the last", async () => {
  const merchantId = await newMerchant();
  const adapter = bep20("http://127.0.0.1:9").find("test", "bep20")!;
  const row = { merchantId, env: "test", network: "bep20", name: "n" } as const;
  await db.insert(withdrawalAddresses).values(numbers(195).map((i) => ({ ...row, address: `a${i}` })));
  const address = (i: number) => `0x${(i + 1).toString(16).padStart(40, "0")}`;
  const added = await atOnce((tx, i) =>
    addBookAddress(actOf(tx, merchantId, { now: NOW }), { adapter, name: "n", address: address(i) }),
  );
  const stored = await db.$count(withdrawalAddresses, eq(withdrawalAddresses.merchantId, merchantId));
  assert.deepEqual([countOk(added), stored], [5, 200]);
});

test("merchants: an e-mail address is taken once, in upper or lower case", async () => {
  const made = await atOnce((tx, i) => {
    const email = i % 2 ? "ONE@example.com" : "one@example.com";
    return createMerchant(hereBy(tx, NOW), { sealer: secrets, email, name: "One", webhookUrl: null });
  });
  assert.equal(countOk(made), 1);
  assert.equal((await db.select().from(merchants)).filter(({ name }) => name === "One").length, 1);
});
