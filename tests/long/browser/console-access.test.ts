/** Who may do what in the console: every action with every role, at one's own merchant and at another. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { inviteMember } from "#lib/domain/members/manage-members.ts";
import { ACTIONS, may, ROLES } from "#lib/domain/members/role-rules.ts";
import type { Role } from "#lib/domain/members/types.ts";
import { addSignedIn } from "#tests/support/console.ts";
import {
  type ConsoleAccess,
  consoleAccess,
  FORMS,
  OPERATOR_FORMS,
  PAGES,
  pathOf,
  placeOf,
  type Shop,
} from "#tests/support/console-access.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import type { Stack } from "#tests/support/stack.ts";

let access: ConsoleAccess;
let stack: Stack;
let origin: string;
let own: Shop;
let other: Shop;

before(async () => {
  access = await consoleAccess();
  ({ stack, origin, own, other } = access);
});
after(() => access?.close());

const open: ConsoleAccess["open"] = (...request) => access.open(...request);
const post: ConsoleAccess["post"] = (...request) => access.post(...request);
const attempt = (name: string, shop: Shop, token: string) => access.attempt(name, shop, { token });
const state = () => access.state();
const count = (table: string) => access.count(table);

test("each server action and each permission has a row in this test", () => {
  const manifest = join(import.meta.dirname, "../../../.next/server/server-reference-manifest.json");
  const { node } = JSON.parse(readFileSync(manifest, "utf8"));
  const actionsIn = (folder: string) =>
    Object.values(node as Record<string, { filename: string; exportedName: string }>)
      .filter(({ filename }) => filename.startsWith(folder))
      .map(({ exportedName }) => exportedName)
      .toSorted();
  assert.deepEqual(actionsIn("app/console/m/"), Object.keys(FORMS).toSorted());
  const ofOperator = ["addMerchant", ...OPERATOR_FORMS.map(([name]) => name)].toSorted();
  assert.deepEqual(actionsIn("app/console/operator/"), ofOperator);
  const needed = new Set([...Object.values(PAGES), ...Object.values(FORMS).map(([needs]) => needs)]);
  assert.deepEqual([...needed].toSorted(), Object.keys(ACTIONS).toSorted());
});

test("each role may do what the table says, at its own merchant alone; the operator at each", async () => {
  for (const role of [...ROLES, "operator"] as readonly (Role | "operator")[]) {
    const { token } = await addSignedIn(stack.db.database, { merchantId: own.id, role });
    const foreign = role === "operator" ? { ...own, code: "0".repeat(36) } : other;
    for (const [page, needs] of Object.entries(PAGES)) {
      const { status } = await open(pathOf(own, page), token);
      assert.equal(status, may(role, needs) ? 200 : 404, `${role} ${page}`);
      assert.equal((await open(pathOf(foreign, page), token)).status, 404, `${role} ${page} elsewhere`);
    }
    for (const [name, [needs]] of Object.entries(FORMS)) {
      const { status } = await attempt(name, own, token);
      assert.notEqual(status, 409, `${name} is no action of its page`);
      assert.equal(status !== 404, may(role, needs), `${role} ${name}: ${status}`);
      const before = await state();
      assert.equal((await attempt(name, foreign, token)).status, 404, `${role} ${name} elsewhere`);
      assert.deepEqual(await state(), before, `${role} ${name} elsewhere`);
    }
  }
});

test("the pages of the installation exist for the operator alone", async () => {
  const pages = ["", "/merchants", "/settings", "/unmatched", "/withdrawals", "/signer", "/audit"].map(
    (page) => `/console/operator${page}`,
  );
  const form = { email: "third@example.com", name: "Third" };
  const path = "/console/operator/merchants";
  for (const role of ROLES) {
    const { token } = await addSignedIn(stack.db.database, { merchantId: own.id, role });
    for (const page of pages) assert.equal((await open(page, token)).status, 404, `${role} ${page}`);
    assert.equal((await post("addMerchant", form, { path, token })).status, 404, role);
    const before = await state();
    for (const [name, page, fields] of OPERATOR_FORMS) {
      const given = { path: `/console/operator/${page}`, token };
      assert.equal((await post(name, fields, given)).status, 404, `${role} ${name}`);
    }
    assert.deepEqual(await state(), before, role);
  }
  for (const page of pages) assert.match((await open(page, "x".repeat(43))).location ?? "", /sign-in/, page);
  const { token, userId } = await addSignedIn(stack.db.database, { merchantId: own.id, role: "operator" });
  for (const page of pages) assert.equal((await open(page, token)).status, 200, page);
  const before = await count("merchants");
  for (const bad of [{ email: "rival@example.com" }, { email: "x" }, { name: "" }])
    await post("addMerchant", { ...form, ...bad }, { path, token });
  assert.equal(await count("merchants"), before);
  await post("addMerchant", form, { path, token });
  assert.equal(await count("merchants"), before + 1);
  const { pool } = stack.db.database;
  await pool.query("update sessions set verified_at = now() - interval '6 minutes' where user_id = $1", [
    userId,
  ]);
  const asked = await post("addMerchant", { ...form, email: "late@example.com" }, { path, token });
  assert.match(asked.location ?? "", /^\/console\/confirm\?back=/);
  assert.equal(await count("merchants"), before + 1);
});

test("nothing of another merchant or person can be reached from one's own pages", async () => {
  const { token, userId } = await addSignedIn(stack.db.database, { merchantId: other.id, role: "owner" });
  // A link, a member and an invitation of the first merchant, in the console of the second.
  const unmatched = pathOf(other, "money/unmatched");
  assert.equal((await open(`${unmatched}/${own.deposit}`, token)).status, 404);
  const deposit = { ...placeOf(other), deposit: String(own.deposit) };
  const kept = await post("keepDeposit", deposit, { path: unmatched, token });
  assert.match(kept.location ?? "", /notice=deposit_not_found$/);
  assert.equal((await open(`${pathOf(other, "payments")}/${own.refid}`, token)).status, 404);
  const customer = await stack.db.database.pool.query("select id from customers where merchant_id = $1", [
    own.id,
  ]);
  assert.equal((await open(`${pathOf(other, "customers")}/${customer.rows[0].id}`, token)).status, 404);
  const event = {
    merchantId: own.id,
    env: "test",
    type: "deposit_credited",
    dataJson: "{}",
    txHashes: [],
  } as const;
  const { id } = await stack.db.db.transaction((tx) => emitRawEvent(tx, event, new Date()));
  assert.equal((await open(`${pathOf(other, "developers/events")}/${id}`, token)).status, 404);
  const cancel = { ...placeOf(other), refid: own.refid };
  const itsPage = `${pathOf(other, "payments")}/${own.refid}`;
  assert.equal((await post("endLink", cancel, { path: itsPage, token })).status, 404);
  const invited = await stack.db.db.transaction((tx) =>
    inviteMember(tx, { userId, merchantId: own.id }, { email: "new@example.com", role: "owner" }, new Date()),
  );
  assert.ok(invited.ok);
  const { rows } = await stack.db.database.pool.query("select max(id) as id from invitations");
  const path = pathOf(other, "members");
  const withdrawn = await post(
    "withdrawInvitation",
    { ...placeOf(other), invitation: rows[0].id },
    { path, token },
  );
  assert.match(withdrawn.location ?? "", /notice=invitation_not_found/);
  const changed = await post(
    "change",
    { ...placeOf(other), member: String(own.member), role: "" },
    { path, token },
  );
  assert.match(changed.location ?? "", /notice=member_not_found/);
  // Its keys, endpoints, events and IP entries.
  const ids = await stack.db.database.pool.query(
    `select (select min(id) from api_keys where merchant_id = $1) as key,
      (select min(id) from webhook_endpoints where merchant_id = $1) as endpoint,
      (select id from ip_entries where merchant_id = $1 limit 1) as ip`,
    [own.id],
  );
  const { key, endpoint, ip } = ids.rows[0];
  const before = await state();
  const developers = pathOf(other, "developers");
  for (const [name, id, notice] of [
    ["dropKey", key, "key_not_found"],
    ["changeEndpoint", endpoint, "endpoint_not_found"],
    ["dropEndpoint", endpoint, "endpoint_not_found"],
    ["testEndpoint", endpoint, "endpoint_not_found"],
    ["dropIp", ip, "entry_not_found"],
  ] as const) {
    const fields = { ...placeOf(other), id: String(id), enabled: "no" };
    const refused = await post(name, fields, { path: developers, token });
    assert.match(refused.location ?? "", new RegExp(`notice=${notice}$`), name);
  }
  await post("rotateSecret", { ...placeOf(other), id: String(endpoint) }, { path: developers, token });
  assert.deepEqual(await state(), before);
  // The session of somebody else.
  const victim = await addSignedIn(stack.db.database, { merchantId: own.id, role: "owner" });
  const sessions = await stack.db.database.pool.query("select id from sessions where user_id = $1", [
    victim.userId,
  ]);
  await post("signOutSession", { session: sessions.rows[0].id }, { path: "/console/account", token });
  assert.equal((await open(pathOf(own, "payments"), victim.token)).status, 200);
});

test("a session that was ended is dead at once, and an old one asks again before what is dangerous", async () => {
  const { token, userId } = await addSignedIn(stack.db.database, { merchantId: own.id, role: "owner" });
  const { pool } = stack.db.database;
  await pool.query("update sessions set verified_at = now() - interval '6 minutes' where user_id = $1", [
    userId,
  ]);
  const before = await count("invitations");
  for (const [name, [needs]] of Object.entries(FORMS)) {
    if (needs.startsWith("links.") || needs.startsWith("forms.")) continue;
    // A passkey signs each approval, which is a fresh proof.
    if (name === "startApprove" || name === "finishApprove") continue;
    const { location } = await attempt(name, own, token);
    assert.match(location ?? "", /^\/console\/confirm\?back=/, name);
  }
  assert.equal(await count("invitations"), before);
  assert.equal((await open(pathOf(own, "payments"), token)).status, 200);
  await post("signOut", {}, { path: "/console/account", token });
  assert.match((await open(pathOf(own, "payments"), token)).location ?? "", /sign-in/);
  assert.match((await open(pathOf(own, "payments"), "x".repeat(43))).location ?? "", /sign-in/);
});

test("the payment page loads nothing of the console", async () => {
  const html = await (await fetch(`${origin}/pay/${own.refid}`)).text();
  const files = [...new Set(html.match(/\/_next\/static\/[^"\\]+\.(?:js|css)/g))];
  assert.ok(files.length > 3);
  for (const file of files)
    assert.doesNotMatch(
      await (await fetch(`${origin}${file}`)).text(),
      /console-table|navigator\.credentials/,
      file,
    );
});

/** Bytes of the scripts that a page loads, compressed. */
async function scriptBytes(path: string, token: string): Promise<number> {
  const html = await (
    await fetch(`${origin}${path}`, { headers: { cookie: `paylink_session=${token}` } })
  ).text();
  const files = [...new Set(html.match(/\/_next\/static\/[^"\\]+\.js/g))];
  const sizes = await Promise.all(
    files.map(async (file) => gzipSync(await (await fetch(`${origin}${file}`)).bytes()).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

test("the scripts of each screen stay small", async (t) => {
  const { token } = await addSignedIn(stack.db.database, { merchantId: own.id, role: "owner" });
  // The not-found page has Next's own scripts and next to nothing of the console.
  const floor = await scriptBytes("/console/m/none", token);
  for (const page of Object.keys(PAGES).filter((name) => !name.includes(".csv"))) {
    const above = (await scriptBytes(pathOf(own, page), token)) - floor;
    t.diagnostic(`${page}: ${(above / 1_000).toFixed(1)} kB above ${(floor / 1_000).toFixed(1)} kB`);
    assert.ok(above <= 120_000, `${page}: ${above}`);
  }
});
