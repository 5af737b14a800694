/** Limits and locks of people and merchants hold when 20 ask at the same time (docs/operate/security.md). */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { createForm } from "#lib/domain/forms/manage-forms.ts";
import { joinSignedIn } from "#lib/domain/members/join.ts";
import { changeMember, inviteMember } from "#lib/domain/members/manage-members.ts";
import { addPasskey } from "#lib/domain/members/passkeys.ts";
import {
  getUser,
  hashToken,
  listInvitations,
  listMembers,
  listPasskeys,
} from "#lib/domain/members/queries.ts";
import { issueRecoveryCodes } from "#lib/domain/members/recovery-codes.ts";
import {
  LOCK_MS,
  MAX_MEMBERS,
  MAX_OPEN_INVITATIONS,
  MAX_PASSKEYS,
  MAX_SESSIONS,
  RECOVERY_CODES,
} from "#lib/domain/members/rules.ts";
import { findSignedIn, startSession } from "#lib/domain/members/sessions.ts";
import { confirmWithCode, signInWithPassword } from "#lib/domain/members/sign-in.ts";
import { insertInvitation, insertMember, insertUser } from "#lib/domain/members/store.ts";
import {
  invitations,
  members,
  passkeys,
  recoveryCodes,
  sessions,
  users,
} from "#lib/domain/members/tables.ts";
import type { Role, SignedIn } from "#lib/domain/members/types.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { addOwnIp, MAX_IP_ENTRIES, removeOwnIp } from "#lib/domain/merchants/own-ips.ts";
import { createOwnKey, MAX_ACTIVE_KEYS } from "#lib/domain/merchants/own-keys.ts";
import { listApiKeys, listIpEntries } from "#lib/domain/merchants/queries.ts";
import { apiKeys, ipEntries, merchants } from "#lib/domain/merchants/tables.ts";
import { addDevice, pairDevice } from "#lib/domain/pos/manage-devices.ts";
import { addOwnEndpoint } from "#lib/domain/webhooks/own-endpoints.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { approvalChallenge } from "#lib/domain/withdrawals/approval-challenge.ts";
import { approveWithdrawal, setSecondPerson } from "#lib/domain/withdrawals/approve-withdrawal.ts";
import { addBookAddress } from "#lib/domain/withdrawals/limit-withdrawals.ts";
import { withdrawalAddresses } from "#lib/domain/withdrawals/tables.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { totpSecretFrom } from "#lib/platform/one-time-codes.ts";
import { hashPassword } from "#lib/platform/passwords.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { appCode } from "#tests/support/console.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { PASSKEY_SITE, softwarePasskey } from "#tests/support/software-passkey.ts";
import { aMerchant, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";

const { db } = await databaseOfFile();
const NOW = new Date("2026-11-24T12:00:00Z");
const secrets = openSecrets("a secret key for tests, at least 32 long");
const SECRET = totpSecretFrom(Buffer.from("12345678901234567890"));
const PASSWORD = "correct horse battery staple";
const passwordHash = await hashPassword(PASSWORD);
const browser = { ip: "192.0.2.1", userAgent: "test" };

let merchantNumber = 0;
function newMerchant(): Promise<number> {
  merchantNumber += 1;
  return aMerchant(db, `shop${merchantNumber}@example.com`);
}

async function aPerson(): Promise<number> {
  const handle = randomUUID();
  const user = { handle, email: `${handle}@example.com`, name: "Ada", passwordHash };
  const row = await db.transaction((tx) => insertUser(tx, { ...user, totpSecret: secrets.seal(SECRET) }));
  assert.ok(row);
  return row.id;
}
async function aMember(merchantId: number, role: Role): Promise<number> {
  const userId = await aPerson();
  await db.transaction((tx) => insertMember(tx, { merchantId, userId, role }));
  return userId;
}

/** Runs `work` 20 times at once, each in a transaction of its own. */
const atOnce = <T>(work: (tx: Tx, i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, i) => db.transaction((tx) => work(tx, i))));
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const countOk = (results: readonly { readonly ok: boolean }[]) => results.filter(({ ok }) => ok).length;

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
  const by = { actor: "user:1", madeBy: null, merchantId, env: "test" } as const;
  const made = await atOnce((tx) => createOwnKey(tx, by, { scope: "read", expiresAt: null }, NOW));
  assert.deepEqual([countOk(made), (await listApiKeys(db, merchantId)).length], [5, MAX_ACTIVE_KEYS]);
});

test("IP list: the hundredth entry is the last, and programs together do not empty it", async () => {
  const merchantId = await newMerchant();
  await db
    .insert(ipEntries)
    .values(numbers(MAX_IP_ENTRIES - 5).map((i) => ({ merchantId, name: "n", address: `10.0.0.${i}` })));
  const by = { actor: "key:1", merchantId };
  const added = await atOnce((tx, i) => addOwnIp(tx, by, { name: "n", address: `10.0.1.${i}` }, NOW));
  assert.deepEqual([countOk(added), (await listIpEntries(db, merchantId)).length], [5, MAX_IP_ENTRIES]);

  const other = await newMerchant();
  const entries = await db
    .insert(ipEntries)
    .values(numbers(20).map(() => ({ merchantId: other, name: "n", address: "192.0.2.0/24" })))
    .returning({ id: ipEntries.id });
  const program = { actor: "key:1", merchantId: other, clientAddress: "192.0.2.1" };
  const removed = await atOnce((tx, i) => removeOwnIp(tx, program, entries[i]!.id, NOW));
  assert.deepEqual([countOk(removed), (await listIpEntries(db, other)).length], [19, 1]);
});

test("webhook endpoints: the sixteenth is the last", async () => {
  const merchantId = await newMerchant();
  const by = { actor: "user:1", merchantId, env: "test" } as const;
  const made = await atOnce((tx, i) =>
    addOwnEndpoint(tx, secrets, by, { url: `https://shop.example/${i}`, eventTypes: null, now: NOW }),
  );
  assert.deepEqual([countOk(made), (await listEndpoints(db, by)).length], [16, 16]);
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
  const by = { userId, merchantId };
  const made = await atOnce((tx, i) =>
    inviteMember(tx, by, { email: `n${i}@example.com`, role: "cashier" }, NOW),
  );
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
    changeMember(
      tx,
      { userId: owners[0]!, merchantId: shop },
      { memberId: owners[i]!, role: i % 2 ? null : "cashier" },
      NOW,
    ),
  );
  const roles = (await listMembers(db, shop)).map(({ role }) => role);
  assert.deepEqual([countOk(left), roles.filter((role) => role === "owner").length], [19, 1]);
});

test("address book: the two hundredth address is the last", async () => {
  const merchantId = await newMerchant();
  const adapter = bep20("http://127.0.0.1:9").find("test", "bep20")!;
  const row = { merchantId, env: "test", network: "bep20", name: "n" } as const;
  await db.insert(withdrawalAddresses).values(numbers(195).map((i) => ({ ...row, address: `a${i}` })));
  const change = { actor: "user:1", merchantId, env: "test", isOperator: false } as const;
  const address = (i: number) => `0x${(i + 1).toString(16).padStart(40, "0")}`;
  const added = await atOnce((tx, i) =>
    addBookAddress(tx, change, { adapter, name: "n", address: address(i) }, NOW),
  );
  const stored = await db.$count(withdrawalAddresses, eq(withdrawalAddresses.merchantId, merchantId));
  assert.deepEqual([countOk(added), stored], [5, 200]);
});

test("sign-ins: of eighteen tries at once, the last with the right code, ten are tried and the account is locked", async () => {
  const userId = await aPerson();
  const { email } = await getUser(db, userId);
  const signIn = (code: string) =>
    signInWithPassword({ db, secrets }, { email, password: PASSWORD, code, browser }, NOW);
  // Passwords are checked two at a time: the one that is asked for last is not among the first ten.
  const codes = numbers(18).map((i) => (i === 17 ? appCode(SECRET, NOW) : String(i).padStart(6, "0")));
  const tokens = await Promise.all(codes.map(signIn));
  assert.deepEqual(
    tokens.filter((token) => token !== null),
    [],
  );
  const { lockedUntil } = await getUser(db, userId);
  assert.deepEqual(lockedUntil, new Date(NOW.getTime() + LOCK_MS));
});

test("codes: a signed-in person proves nothing with the eleventh of twenty tries at once", async () => {
  const userId = await aPerson();
  const token = await db.transaction((tx) => startSession(tx, userId, browser, NOW));
  const signedIn = await findSignedIn(db, token, NOW);
  assert.ok(signedIn !== null);
  const confirm = (code: string) => confirmWithCode({ db, secrets }, { signedIn, code }, NOW);
  const wrong = numbers(19).map((i) => confirm(String(i).padStart(6, "0")));
  const tried = await Promise.all([...wrong, confirm(appCode(SECRET, NOW))]);
  assert.deepEqual(
    tried.filter((token) => token !== null),
    [],
  );
});

test("recovery codes: those of the last request alone work, and one works once", async () => {
  const userId = await aPerson();
  const token = await db.transaction((tx) => startSession(tx, userId, browser, NOW));
  const signedIn = await findSignedIn(db, token, NOW);
  assert.ok(signedIn !== null);
  const issued = await atOnce((tx) => issueRecoveryCodes(tx, signedIn, NOW));
  const stored = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  assert.equal(stored.length, RECOVERY_CODES);
  const hashOf = (code: string) => hashToken(code.replaceAll("-", "")).toString("hex");
  const working = new Set(stored.map(({ codeHash }) => codeHash.toString("hex")));
  const last = issued.find((codes) => codes?.every((code) => working.has(hashOf(code))));
  assert.ok(last);
  const proved = await Promise.all(
    numbers(5).map(() => confirmWithCode({ db, secrets }, { signedIn, code: last[0]! }, NOW)),
  );
  assert.equal(proved.filter((token) => token !== null).length, 1);
});

test("sessions and passkeys: twenty of each are stored", async () => {
  const userId = await aPerson();
  for (const _ of numbers(2)) await atOnce((tx) => startSession(tx, userId, browser, NOW));
  assert.equal(await db.$count(sessions, eq(sessions.userId, userId)), MAX_SESSIONS);
  const person = await aPerson();
  const passkey = (id: string) => ({
    credentialId: id,
    publicKey: Buffer.from("k"),
    counter: 0,
    transports: [],
  });
  const add = (tx: Tx, id: string) => {
    const challenge = {
      challenge: id,
      purpose: "register",
      handle: null,
      expiresAt: NOW.getTime() + 1_000,
    } as const;
    return addPasskey(
      tx,
      { userId: person, sessionId: null, name: "p", passkey: passkey(id), challenge },
      NOW,
    );
  };
  await db.transaction((tx) => add(tx, "first"));
  const added = await atOnce((tx, i) => add(tx, `p${i}`));
  assert.equal(added.filter(Boolean).length, MAX_PASSKEYS - 1);
  assert.equal((await listPasskeys(db, person)).length, MAX_PASSKEYS);
});

test("merchants: an e-mail address is taken once, in upper or lower case", async () => {
  const made = await atOnce((tx, i) => {
    const email = i % 2 ? "ONE@example.com" : "one@example.com";
    return createMerchant(tx, { secrets }, { email, name: "One", webhookUrl: null }, NOW);
  });
  assert.equal(countOk(made), 1);
  assert.equal((await db.select().from(merchants)).filter(({ name }) => name === "One").length, 1);
});

test("an answer to a passkey's challenge, a device's code and a withdrawal's approval count once", async () => {
  const userId = await aPerson();
  const challenge = {
    challenge: "one",
    purpose: "register",
    handle: null,
    expiresAt: NOW.getTime() + 1_000,
  } as const;
  const added = await atOnce((tx, i) => {
    const passkey = { credentialId: `once${i}`, publicKey: Buffer.from("k"), counter: 0, transports: [] };
    return addPasskey(tx, { userId, sessionId: null, name: "p", passkey, challenge }, NOW);
  });
  assert.equal(added.filter(Boolean).length, 1);

  const merchantId = await newMerchant();
  const request = { owner: { merchantId, env: "test" }, input: { title: "Till" } } as const;
  const made = await createForm(db, { paymentUrl: "https://pay.example.com/pay" }, request, NOW);
  assert.ok(made.ok);
  const { code: formCode } = made.form;
  const device = await db.transaction((tx) => addDevice(tx, { formCode, name: "Counter" }, NOW));
  assert.ok(device.ok);
  const given = { formCode, typed: device.deviceCode, timeZone: "UTC" };
  const paired = await Promise.all(numbers(20).map(() => pairDevice(db, given, NOW)));
  assert.equal(paired.filter((token) => token !== null).length, 1);
});

test("a withdrawal is approved once, and an unmatched deposit is resolved once", async () => {
  const networks = bep20("http://127.0.0.1:9");
  const adapter = networks.find("test", "bep20")!;
  const merchantId = await newMerchant();
  const email = `shop${merchantNumber}@example.com`;
  await fund(db, adapter, merchantId, 100n * USDT);
  const [owner] = [await aMember(merchantId, "owner"), await aMember(merchantId, "owner")];
  const change = { actor: "user:0", merchantId, secondPerson: true };
  assert.ok(await db.transaction((tx) => setSecondPerson(tx, change, NOW)));
  const row = await aWithdrawal({ db, networks }, email);
  const passkey = softwarePasskey();
  const stored = { userId: owner, name: "p", credentialId: passkey.id, publicKey: passkey.publicKey };
  await db.insert(passkeys).values({ ...stored, counter: 0, transports: [] });
  const answer = passkey.answer(approvalChallenge(row));
  const asked = { merchantId, env: "test", refid: row.refid, userId: owner, answer } as const;
  const site = { origin: PASSKEY_SITE.origin };
  const approved = await Promise.all(numbers(20).map(() => approveWithdrawal(db, site, asked, NOW)));
  assert.equal(countOk(approved), 1);

  const { id: addressId } = await anAddress(db, adapter, merchantId);
  const { id } = await anUnmatchedDeposit(db, { addressId });
  const resolved = await atOnce((tx) =>
    resolveDeposit(tx, networks, { id, email, actor: "operator:ada" }, NOW),
  );
  assert.equal(countOk(resolved), 1);
});
