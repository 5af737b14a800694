/** A key can do at most what the role of the person who made it can do now. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { may, ROLES } from "#lib/domain/authority/role-rules.ts";
import type { KeyScope, Role } from "#lib/domain/authority/types.ts";
import { changeMember } from "#lib/domain/members/change-member.ts";
import { insertMember } from "#lib/domain/members/store.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { rotateKey } from "#lib/domain/merchants/end-key.ts";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { actOf, personOf } from "#tests/support/acts.ts";
import { startTestApi } from "#tests/support/api.ts";
import { addSignedIn } from "#tests/support/console.ts";
import { refused } from "#tests/support/says.ts";

const api = await startTestApi();
const { db } = api.database;
const { id: merchantId, test: operatorsKey } = await api.merchant();
const NOW = new Date();

const aPerson = async (role: Role) => (await addSignedIn(api.database.database, { merchantId, role })).userId;
async function keyOf(madeBy: number, scope: KeyScope = "full") {
  const by = { actor: personOf(madeBy, "owner", NOW), now: NOW };
  const made = await db.transaction((tx) => createKey(actOf(tx, merchantId, by), { scope, expiresAt: null }));
  assert.ok(made.ok);
  return { id: made.key.id, text: made.apiKey };
}
const owner = await aPerson("owner");
const change = async (memberId: number, role: Role | null) => {
  const by = { actor: personOf(owner, "owner", NOW), now: NOW };
  const changed = await db.transaction((tx) => changeMember(actOf(tx, merchantId, by), { memberId, role }));
  assert.ok(changed.ok);
};

const keyed = ENDPOINTS.filter(({ auth }) => auth !== "public");
const ask = ({ method, path }: Pick<(typeof keyed)[number], "method" | "path">, key: string) =>
  api.send({ method: method.toUpperCase(), path: path.replaceAll(/:[^/]+/g, "x"), key });
const isDenied = ({ status, text }: { status: number; text: string }) =>
  status === 403 && text.includes("api key not allowed for this operation");

test("a full key of a developer neither asks for withdrawals nor sees balances, refund links, customers or members", async () => {
  const { text } = await keyOf(await aPerson("developer"));
  for (const [method, path] of [
    ["post", "/withdrawals"],
    ["post", "/payment-links/:refid/refunds"],
    ["post", "/trade/buy"],
    ["post", "/balances"],
    ["post", "/history"],
    ["get", "/payment-links/:refid/refund-claims"],
    ["get", "/customers"],
    ["get", "/members"],
    ["patch", "/merchant"],
    ["post", "/forms"],
  ] as const)
    assert.ok(isDenied(await ask({ method, path }, text)), `${method} ${path}`);
  for (const [method, path] of [
    ["post", "/payment-links"],
    ["get", "/keys"],
    ["post", "/webhook-endpoints"],
  ] as const)
    assert.ok(!isDenied(await ask({ method, path }, text)), `${method} ${path}`);
});

for (const role of ROLES) {
  test(`a full key may do what the role ${role} of its maker may, at every endpoint`, async () => {
    const { text } = await keyOf(await aPerson(role));
    for (const endpoint of keyed)
      assert.equal(isDenied(await ask(endpoint, text)), !may(role, endpoint.action), endpoint.path);
  });
}

test("a key shrinks and grows with the role of its maker, and a narrow scope stays narrow", async () => {
  const person = await aPerson("owner");
  const [full, read] = [await keyOf(person), await keyOf(person, "read")];
  const balances = { method: "post", path: "/balances" } as const;
  const mayRead = async () => [
    !isDenied(await ask(balances, full.text)),
    !isDenied(await ask(balances, read.text)),
  ];
  assert.deepEqual(await mayRead(), [true, true]);
  await change(person, "developer");
  assert.deepEqual(await mayRead(), [false, false]);
  await change(person, "accountant");
  assert.deepEqual(await mayRead(), [true, true]);
  await change(person, "owner");
  assert.ok(isDenied(await ask({ method: "post", path: "/withdrawals" }, read.text)));
});

test("keys of a removed person end for good, with the keys that those keys made and those that replaced them", async () => {
  const person = await aPerson("owner");
  const first = await keyOf(person);
  const made = await api.send({ method: "POST", path: "/keys", key: first.text, json: { scope: "read" } });
  const narrower = (made.body as { data: { api_key: string } }).data.api_key;
  const rotated = await db.transaction((tx) =>
    rotateKey(actOf(tx, merchantId, { now: NOW }), {
      id: first.id,
      oldUntil: new Date(NOW.getTime() + 3_600_000),
      expiresAt: null,
    }),
  );
  assert.ok(rotated.ok);
  const texts = [first.text, narrower, rotated.apiKey];
  for (const key of texts) assert.equal((await api.send({ path: "/tokens", key })).status, 200);
  await change(person, null);
  for (const key of texts) refused(await api.send({ path: "/tokens", key }), 401, "invalid api key");
  const rows = await db.select().from(apiKeys).where(eq(apiKeys.madeBy, person));
  assert.equal(rows.length, 3);
  assert.ok(rows.every(({ revokedAt }) => revokedAt !== null && revokedAt <= NOW));
  await db.transaction((tx) => insertMember(tx, { merchantId, userId: person, role: "owner" }));
  for (const key of texts) refused(await api.send({ path: "/tokens", key }), 401, "invalid api key");
});

test("a removed person ends no key of another person, of another merchant or of the operator", async () => {
  const person = await aPerson("owner");
  const elsewhere = await api.merchant();
  await db.transaction((tx) => insertMember(tx, { merchantId: elsewhere.id, userId: person, role: "owner" }));
  const by = { actor: personOf(person, "owner", NOW), now: NOW };
  const there = await db.transaction((tx) =>
    createKey(actOf(tx, elsewhere.id, by), { scope: "read", expiresAt: null }),
  );
  assert.ok(there.ok);
  const command = await db.transaction((tx) =>
    createKey(actOf(tx, merchantId, { now: NOW }), { scope: "full", expiresAt: null }),
  );
  assert.ok(command.ok);
  const others = [
    await keyOf(owner),
    { text: there.apiKey },
    { text: command.apiKey },
    { text: operatorsKey },
  ];
  await change(person, null);
  for (const { text: key } of others) assert.equal((await api.send({ path: "/tokens", key })).status, 200);
});
