/** Permissions in the console: every action with every role, at one's own merchant and at another. */
import assert from "node:assert/strict";
import { ACTIONS, may, ROLES } from "#lib/domain/authority/role-rules.ts";
import { inviteMember } from "#lib/domain/members/invite.ts";
import { actOf } from "#tests/support/acts.ts";
import { FORMS, OPERATOR_FORMS, PAGES, pathOf, placeOf } from "#tests/support/console-access.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import type { Stack } from "#tests/support/stack.ts";
import { listServerActions } from "#tests/support/stranger.ts";
import { test } from "./fixtures.ts";

test.use({ keepsBooks: false });

/** A token that no session has. */
const FORGED = "x".repeat(43);

/** Six minutes ago a session's person has proved who they are. */
const makeOld = (shop: Stack, userId: number) =>
  shop.db.database.pool.query(
    "update sessions set verified_at = now() - interval '6 minutes' where user_id = $1",
    [userId],
  );

test("each server action and each permission has a row in this test", () => {
  const actions = listServerActions();
  const actionsIn = (folder: string) =>
    actions.filter(({ file }) => file.startsWith(folder)).map(({ name }) => name);
  assert.deepEqual(actionsIn("app/console/m/").toSorted(), Object.keys(FORMS).toSorted());
  const ofOperator = ["addMerchant", ...Object.keys(OPERATOR_FORMS)];
  assert.deepEqual(actionsIn("app/console/operator/").toSorted(), ofOperator.toSorted());
  const needed = new Set([...Object.values(PAGES), ...Object.values(FORMS).map(([needs]) => needs)]);
  const atMerchant = Object.keys(ACTIONS).filter((action) => action !== "installation.change");
  assert.deepEqual([...needed].toSorted(), atMerchant.toSorted());
});

for (const role of [...ROLES, "operator"] as const) {
  const where = role === "operator" ? "at each merchant" : "at its own merchant alone";
  test(`${role}: may do what the table says, ${where}`, async ({ access }) => {
    const { own, other, open, attempt, state } = access;
    const { token } = await access.signIn(role);
    const foreign = role === "operator" ? { ...own, code: "0".repeat(36) } : other;
    const pages = Object.entries(PAGES).map(async ([page, needs]) => {
      assert.equal((await open(pathOf(own, page), token)).status, may(role, needs) ? 200 : 404, page);
      assert.equal((await open(pathOf(foreign, page), token)).status, 404, `${page} elsewhere`);
    });
    await Promise.all(pages);
    const forms = Object.entries(FORMS).map(async ([name, [needs]]) => {
      const { status } = await attempt(name, own, token);
      assert.ok(status !== 409 && status < 500, `${name} is no action of its page: ${status}`);
      assert.equal(status !== 404, may(role, needs), `${name}: ${status}`);
    });
    await Promise.all(forms);
    const before = await state();
    const elsewhere = Object.keys(FORMS).map(async (name) => {
      assert.equal((await attempt(name, foreign, token)).status, 404, `${name} elsewhere`);
    });
    await Promise.all(elsewhere);
    assert.deepEqual(await state(), before);
  });
}

test("the pages of the installation exist for the operator alone", async ({ shop, access }) => {
  const { own, open, post, state, count } = access;
  const pages = [
    "",
    "/merchants",
    `/merchants/${own.id}`,
    "/settings",
    "/unmatched",
    "/withdrawals",
    "/signer",
    "/audit",
  ].map((page) => `/console/operator${page}`);
  const form = { email: `third-${own.code}@example.com`, name: "Third" };
  const path = "/console/operator/merchants";
  for (const role of ROLES) {
    const { token } = await access.signIn(role);
    const before = await state();
    const answers = await Promise.all([
      ...pages.map((page) => open(page, token)),
      post("addMerchant", form, { path, token }),
      ...Object.keys(OPERATOR_FORMS).map((name) => access.attempt(name, own, token)),
    ]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]), role);
    assert.deepEqual(await state(), before, role);
  }
  for (const page of pages) assert.match((await open(page, FORGED)).location ?? "", /sign-in/, page);
  const { token, userId } = await access.signIn("operator");
  for (const page of pages) assert.equal((await open(page, token)).status, 200, page);
  const before = await count("merchants");
  for (const bad of [{ email: access.other.email }, { email: "x" }, { name: "" }])
    await post("addMerchant", { ...form, ...bad }, { path, token });
  assert.equal(await count("merchants"), before);
  await post("addMerchant", form, { path, token });
  assert.equal(await count("merchants"), before + 1);
  await makeOld(shop, userId);
  const asked = await post("addMerchant", { ...form, email: `late-${form.email}` }, { path, token });
  assert.match(asked.location ?? "", /^\/console\/confirm\?back=/);
  assert.equal(await count("merchants"), before + 1);
});

test("nothing of another merchant can be reached from one's own pages", async ({ shop, access }) => {
  const { own, other, open, post, state } = access;
  const { pool } = shop.db.database;
  const { token } = await access.signIn("owner", other);
  const event = {
    merchantId: own.id,
    env: "test",
    type: "deposit_credited",
    dataJson: "{}",
    txHashes: [],
  } as const;
  const { id: eventId } = await shop.db.db.transaction((tx) => emitRawEvent(tx, event, new Date()));
  await shop.run("ip", "add", own.email, "--name", "Office", "--address", "192.0.2.1");
  const person = { email: `new-${own.code}@example.com`, role: "owner", mailSealer: null } as const;
  const invited = await shop.db.db.transaction((tx) => inviteMember(actOf(tx, own.id), person));
  assert.ok(invited.ok);
  const { rows } = await pool.query(
    `select (select max(id) from customers where merchant_id = $1) as customer,
      (select max(id) from invitations where merchant_id = $1) as invitation,
      (select min(id) from api_keys where merchant_id = $1) as key,
      (select min(id) from webhook_endpoints where merchant_id = $1) as endpoint,
      (select id from ip_entries where merchant_id = $1 limit 1) as ip`,
    [own.id],
  );
  const { customer, invitation, key, endpoint, ip } = rows[0];
  for (const page of [
    `money/unmatched/${own.deposit}`,
    `payments/${own.refid}`,
    `customers/${customer}`,
    `developers/events/${eventId}`,
    `developers/keys/${key}`,
    `developers/endpoints/${endpoint}`,
    `members/${own.member}`,
    `forms/${own.form}/close`,
  ])
    assert.equal((await open(pathOf(other, page), token)).status, 404, page);
  // Another merchant's payments are found by none of their texts, neither in the list nor in a file.
  const { rows: links } = await pool.query(
    "select payment_reference, customer_email from payment_links where refid = $1",
    [own.refid],
  );
  for (const text of [own.refid, links[0].payment_reference.slice(0, 3), links[0].customer_email.slice(0, 4)])
    for (const [page, shown] of [
      // The page repeats the searched text.
      ["payments?", `/payments/${own.refid}`],
      ["exports/file?what=payments&format=csv&", own.refid],
    ] as const) {
      const path = pathOf(other, `${page}${new URLSearchParams({ search: text })}`);
      const answer = await fetch(`${access.origin}${path}`, {
        headers: { cookie: `paylink_session=${token}` },
      });
      assert.equal(answer.status, 200, path);
      assert.ok(!(await answer.text()).includes(shown), path);
    }
  const before = await state();
  const itsPage = pathOf(other, `payments/${own.refid}`);
  const ended = await post("endLink", { ...placeOf(other), refid: own.refid }, { path: itsPage, token });
  assert.equal(ended.status, 404);
  for (const [name, page, fields, notice] of [
    ["keepDeposit", "money/unmatched", { deposit: String(own.deposit) }, "deposit_not_found"],
    ["withdrawInvitation", "members", { invitation }, "invitation_not_found"],
    ["change", "members", { member: String(own.member), role: "" }, "member_not_found"],
    ["dropKey", "developers", { id: String(key) }, "key_not_found"],
    ["changeEndpoint", "developers", { id: String(endpoint), enabled: "no" }, "endpoint_not_found"],
    ["dropEndpoint", "developers", { id: String(endpoint) }, "endpoint_not_found"],
    ["testEndpoint", "developers", { id: String(endpoint) }, "endpoint_not_found"],
    ["dropIp", "developers", { id: String(ip) }, "entry_not_found"],
  ] as const) {
    const to = { path: pathOf(other, page), token };
    const { location } = await post(name, { ...placeOf(other), ...fields }, to);
    assert.match(location ?? "", new RegExp(`notice=${notice}$`), name);
  }
  const developers = { path: pathOf(other, "developers"), token };
  await post("rotateSecret", { ...placeOf(other), id: String(endpoint) }, developers);
  assert.deepEqual(await state(), before);
});

test("a session that was ended is dead at once, and nobody ends another's", async ({ shop, access }) => {
  const { own, open, post } = access;
  const payments = pathOf(own, "payments");
  const [victim, attacker] = [await access.signIn("owner"), await access.signIn("owner", access.other)];
  const { rows } = await shop.db.database.pool.query("select id from sessions where user_id = $1", [
    victim.userId,
  ]);
  const account = "/console/account";
  await post("signOutSession", { session: rows[0].id }, { path: account, token: attacker.token });
  assert.equal((await open(payments, victim.token)).status, 200);
  await post("signOut", {}, { path: account, token: victim.token });
  for (const token of [victim.token, FORGED])
    assert.match((await open(payments, token)).location ?? "", /sign-in/);
});

test("an old session asks again before what is dangerous", async ({ shop, access }) => {
  const { own, open, attempt, count } = access;
  const { token, userId } = await access.signIn("owner");
  await makeOld(shop, userId);
  const before = await count("invitations");
  for (const [name, [needs]] of Object.entries(FORMS)) {
    if (/^(?:links|forms)\.|\.(?:note|view)$/.test(needs)) continue;
    // A passkey signs each approval, which is a fresh proof.
    if (name === "startApprove" || name === "finishApprove") continue;
    assert.match((await attempt(name, own, token)).location ?? "", /^\/console\/confirm\?back=/, name);
  }
  assert.equal(await count("invitations"), before);
  assert.equal((await open(pathOf(own, "payments"), token)).status, 200);
});

test("an old session sees no secret of an authenticator app before a fresh proof", async ({
  shop,
  access: { origin, signIn },
}) => {
  const { token, userId } = await signIn("cashier");
  const headers = { cookie: `paylink_session=${token}` };
  const read = async () => (await fetch(`${origin}/console/account`, { headers })).text();
  const secret = /Scan this with your authenticator app/;
  assert.match(await read(), secret);
  await makeOld(shop, userId);
  const text = await read();
  assert.doesNotMatch(text, secret);
  assert.match(text, /href="\/console\/confirm\?back=%2Fconsole%2Faccount"/);
});

test("the payment page loads nothing of the console", async ({ access: { origin, own } }) => {
  const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
  const html = await read(`/pay/${own.refid}`);
  const files = [...new Set(html.match(/\/_next\/static\/[^"\\]+\.(?:js|css)/g))];
  assert.ok(files.length > 3);
  for (const file of files)
    assert.doesNotMatch(await read(file), /console-table|navigator\.credentials/, file);
});
