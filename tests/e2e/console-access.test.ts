/** Who may do what in the console: every action with every role, at one's own merchant and at another, and as an attacker. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createForm } from "#lib/domain/forms/manage-forms.ts";
import { inviteMember } from "#lib/domain/members/manage-members.ts";
import { ACTIONS, type Action, may, ROLES } from "#lib/domain/members/role-rules.ts";
import type { Role } from "#lib/domain/members/types.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { addSignedIn } from "#tests/support/console.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { aStranger, type Fields, plainForm, type Stranger } from "#tests/support/stranger.ts";

interface Shop {
  readonly id: number;
  readonly code: string;
  readonly refid: string;
  /** The code of one of its forms. */
  readonly form: string;
  /** The refid of one of its withdrawals. */
  readonly withdrawal: string;
}

let stack: Stack;
let stranger: Stranger;
let origin: string;
let own: Shop;
let other: Shop;
let member: number;

before(async () => {
  stack = await startStack();
  origin = new URL(stack.pageUrl).origin.replace("127.0.0.1", "localhost");
  stranger = await aStranger(stack, () => "198.51.100.1");
  const { refid } = await stack.createLink();
  own = await shopOf("shop@example.com", refid);
  const secrets = openSecrets(stack.env.SECRET_KEY ?? "");
  const rival = { email: "rival@example.com", name: "Rival", webhookUrl: null };
  const made = await stack.db.db.transaction((tx) => createMerchant(tx, { secrets }, rival, new Date()));
  assert.ok(made.ok);
  other = await shopOf("rival@example.com", refid);
  member = (await addSignedIn(stack.db.database, { merchantId: own.id, role: "cashier" })).userId;
});
after(async () => {
  stranger?.close();
  await stack?.close();
});

async function shopOf(email: string, refid: string): Promise<Shop> {
  const { rows } = await stack.db.database.pool.query("select id, code from merchants where email = $1", [
    email,
  ]);
  const id = Number(rows[0].id);
  const request = { owner: { merchantId: id, env: "test" }, input: { title: "Form" } } as const;
  const made = await createForm(stack.db.db, { paymentUrl: origin }, request, new Date());
  assert.ok(made.ok);
  const asked = await stack.db.database.pool.query(
    `insert into withdrawals (refid, env, merchant_id, token, network, to_address, amount, fee, needs_approval)
      values ($1, 'test', $2, 'usdt', 'bep20', '0x0', 1, 0, true) returning refid`,
    [String(1_000_000_000_000_000 + id), id],
  );
  return { id, code: rows[0].code, refid, form: made.form.code, withdrawal: asked.rows[0].refid };
}

async function count(table: string): Promise<number> {
  const { rows } = await stack.db.database.pool.query(`select count(*) as n from ${table}`);
  return Number(rows[0].n);
}

async function open(path: string, token: string): Promise<{ status: number; location: string | null }> {
  const headers = { cookie: `paylink_session=${token}` };
  const response = await fetch(`${origin}${path}`, { redirect: "manual", headers });
  await response.body?.cancel();
  return { status: response.status, location: response.headers.get("location") };
}

/** Posts a form's action as a browser without scripts does. */
async function post(
  name: string,
  fields: Fields,
  { path, token, from = origin }: { path: string; token: string; from?: string | null },
): Promise<{ status: number; location: string | null }> {
  const action = stranger.actions[name];
  assert.ok(action !== undefined, `there is no action ${name}`);
  const response = await fetch(`${origin}${path}`, {
    method: "POST",
    redirect: "manual",
    body: plainForm(fields, action),
    headers: { cookie: `paylink_session=${token}`, ...(from !== null && { origin: from }) },
  });
  await response.body?.cancel();
  return { status: response.status, location: response.headers.get("location") };
}

const placeOf = ({ code }: Shop) => ({ merchant: code, env: "test" });
const pathOf = (shop: Shop, page: string) =>
  `/console/m/${shop.code}/test/${page.replace(/\{(refid|form|withdrawal)\}/, (_, name: keyof Shop) => String(shop[name]))}`;

/** What each page of a merchant's console needs. */
const PAGES: Readonly<Record<string, Action>> = {
  overview: "payments.view",
  payments: "payments.view",
  exports: "exports.read",
  "exports/file?what=payments&format=csv&month=2026-11": "exports.read",
  new: "links.create",
  forms: "forms.view",
  "forms/new": "forms.change",
  "payments/{refid}/refund": "withdrawals.create",
  customers: "customers.view",
  money: "money.view",
  "money/withdrawals": "money.view",
  "money/withdrawals/{withdrawal}": "money.view",
  "money/unmatched": "money.view",
  "money/withdrawals/new": "withdrawals.create",
  "money/statements": "statements.read",
  developers: "developers.view",
  members: "members.view",
  settings: "settings.view",
  "settings/audit": "audit.view",
};

/** Server actions of the operator's pages that no merchant's person may call. */
const OPERATOR_FORMS: readonly (readonly [name: string, page: string, Fields])[] = [
  ["switchMerchant", "merchants", { id: "1", status: "disabled" }],
  ["creditUnmatched", "unmatched", { id: "1", env: "test", email: "rival@example.com" }],
  ["saveNetwork", "settings", { env: "test", network: "bep20", unpaidAddresses: "1" }],
  ["saveToken", "settings", { env: "test", token: "usdt" }],
];

const CUSTOMER = { email: "p@example.com", first_name: "P", last_name: "Q", hours: "2" };

/** What each server action needs, the page that has it, and a form for it. */
const FORMS: Readonly<Record<string, readonly [Action, page: string, (shop: Shop) => Fields]>> = {
  createLink: [
    "links.create",
    "new",
    () => ({ amount: "100", currency: "ngn", reference: "A1", ...CUSTOMER }),
  ],
  endLink: ["links.cancel", "payments/{refid}", ({ refid }) => ({ refid })],
  makeKey: ["keys.change", "developers", () => ({ scope: "read" })],
  dropKey: ["keys.change", "developers", () => ({ id: "0" })],
  makeEndpoint: ["webhooks.change", "developers", () => ({ url: "http://127.0.0.1/no" })],
  rotateSecret: ["webhooks.change", "developers", () => ({ id: "0" })],
  changeEndpoint: ["webhooks.change", "developers", () => ({ id: "0", enabled: "no" })],
  dropEndpoint: ["webhooks.change", "developers", () => ({ id: "0" })],
  testEndpoint: ["webhooks.change", "developers", () => ({ id: "0" })],
  resendEvent: ["webhooks.change", "developers", () => ({ id: "0" })],
  allowIp: ["ips.change", "developers", () => ({ name: "Office", address: "192.0.2.1" })],
  dropIp: ["ips.change", "developers", () => ({ id: "0" })],
  editForm: ["forms.change", "forms/new", () => ({ title: "" })],
  endForm: ["forms.change", "forms/{form}", () => ({ form: "0" })],
  addPosDevice: ["forms.change", "forms/{form}", ({ form }) => ({ form, name: "Counter" })],
  dropPosDevice: ["forms.change", "forms/{form}", ({ form }) => ({ form, id: "0" })],
  saveSettings: [
    "settings.change",
    "settings",
    () => ({ section: "websites", origins: "https://a.example" }),
  ],
  askWithdrawal: [
    "withdrawals.create",
    "money/withdrawals/new",
    () => ({ pair: "usdt.trc20", to: "x", amount: "1", step: "ask", key: "a".repeat(32) }),
  ],
  startApprove: [
    "withdrawals.approve",
    "money/withdrawals/{withdrawal}",
    ({ withdrawal }) => ({ withdrawal }),
  ],
  finishApprove: [
    "withdrawals.approve",
    "money/withdrawals/{withdrawal}",
    ({ withdrawal }) => ({ withdrawal, answer: "{}" }),
  ],
  declineWithdrawal: ["withdrawals.approve", "money/withdrawals/{withdrawal}", () => ({ withdrawal: "0" })],
  switchSecondPerson: ["withdrawals.policy", "money/withdrawals", () => ({ second: "on" })],
  invite: ["members.invite", "members", () => ({ email: `${randomUUID()}@example.com`, role: "cashier" })],
  withdrawInvitation: ["members.invite", "members", () => ({ invitation: "0" })],
  change: ["members.change", "members", () => ({ member: String(member), role: "manager" })],
};

function attempt(name: string, shop: Shop, token: string) {
  const [, page, fieldsOf] = FORMS[name] ?? [];
  assert.ok(page !== undefined && fieldsOf !== undefined, `${name} has no row`);
  const path = pathOf(shop, page);
  return post(name, { ...placeOf(shop), ...fieldsOf(shop) }, { path, token });
}

/** Everything that a form of the console can change. */
async function state(): Promise<unknown> {
  const { rows } = await stack.db.database.pool.query(
    `select (select count(*) from audit_log) as decisions, (select count(*) from payment_links) as links,
      (select count(*) from api_keys) as keys, (select count(*) from invitations) as invitations,
      (select count(*) from withdrawal_approvals) as approvals, (select count(*) from withdrawals where status > 0) as ended,
      (select count(*) from webhook_endpoints) as endpoints, (select count(*) from ip_entries) as ips`,
  );
  return rows[0];
}

test("each server action and each permission has a row in this test", () => {
  const manifest = join(import.meta.dirname, "../../.next/server/server-reference-manifest.json");
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
  const pages = ["", "/merchants", "/settings", "/unmatched", "/audit"].map(
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
    { ...placeOf(other), member: String(member), role: "" },
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

test("a form from another site, from nowhere, or posted elsewhere does nothing", async () => {
  const { token } = await addSignedIn(stack.db.database, { merchantId: own.id, role: "owner" });
  const fields = { ...placeOf(own), email: "x@example.com", role: "owner" };
  const before = await count("invitations");
  const path = pathOf(own, "members");
  for (const from of ["https://evil.example", "null", null, origin.replace("localhost", "127.0.0.1")])
    assert.equal((await post("invite", fields, { path, token, from })).status, 403, String(from));
  for (const elsewhere of [`/pay/${own.refid}`, "/console/nothing"])
    assert.equal((await post("invite", fields, { path: elsewhere, token })).status >= 400, true, elsewhere);
  assert.equal(await count("invitations"), before);
});

test("no posted text makes the server fail", async () => {
  const { token } = await addSignedIn(stack.db.database, { merchantId: own.id, role: "owner" });
  for (const bad of ["\0", "\ud800", "x".repeat(5_000), "%00", "<script>"])
    for (const name of ["createLink", "makeEndpoint", "allowIp", "invite", "endLink", "makeKey", "change"]) {
      const [, page, fieldsOf] = FORMS[name] ?? [];
      const fields = { ...placeOf(own), ...fieldsOf?.(own) };
      for (const field of Object.keys(fields)) {
        const path = pathOf(own, (page ?? "").replace("{refid}", own.refid));
        const { status } = await post(name, { ...fields, [field]: bad }, { path, token });
        assert.ok(status < 500, `${name} ${field} ${JSON.stringify(bad)}: ${status}`);
      }
    }
  assert.equal((await open(`${pathOf(own, "payments")}?search=%00&before=%00&state=%00`, token)).status, 200);
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

test("no page may frame the console, and its pages are not kept", async () => {
  const response = await fetch(`${origin}/console/sign-in`);
  assert.match(response.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  assert.match(response.headers.get("cache-control") ?? "", /no-store/);
  assert.doesNotMatch(response.headers.get("content-security-policy") ?? "", /unsafe/);
  const moved = await fetch(`${origin.replace("localhost", "127.0.0.1")}/console/sign-in`, {
    redirect: "manual",
  });
  assert.equal(moved.headers.get("location"), `${origin}/console/sign-in`);
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
