/** Attacks on the console: forged forms and methods, hostile values, sessions that are stolen, planted or used after their end. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { TOTP } from "otpauth";
import { hashPassword } from "#lib/platform/passwords.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { addSignedIn, appCode } from "#tests/support/console.ts";
import {
  type ConsoleAccess,
  consoleAccess,
  FORMS,
  formOf,
  OPERATOR_FORMS,
  pathOf,
  placeOf,
} from "#tests/support/console-access.ts";
import { plainForm } from "#tests/support/stranger.ts";

const MANIFEST = join(import.meta.dirname, "../../../.next/server/server-reference-manifest.json");

let access: ConsoleAccess;
before(async () => {
  access = await consoleAccess();
});
after(() => access?.close());

/** Every server action of the console, with a path and a form for it. */
function listActions() {
  const { node } = JSON.parse(readFileSync(MANIFEST, "utf8"));
  const operators = new Map(OPERATOR_FORMS.map(([name, page, fields]) => [name, { page, fields }]));
  return Object.entries(node as Record<string, { filename: string; exportedName: string }>)
    .filter(([, { filename }]) => filename.startsWith("app/console/"))
    .map(([id, { exportedName: name }]) => {
      const ofOperator = operators.get(name);
      if (FORMS[name] !== undefined) return { id, name, ...formOf(name, access.own) };
      const path = ofOperator === undefined ? "/console/account" : `/console/operator/${ofOperator.page}`;
      return { id, name, path, fields: ofOperator?.fields ?? {} };
    });
}

const signIn = async (role: "owner" | "operator" = "owner") =>
  (await addSignedIn(access.stack.db.database, { merchantId: access.own.id, role })).token;

test("no action takes a form from another site, from nowhere, or from the same host over another scheme", async () => {
  const token = await signIn("operator");
  const { origin } = access;
  const before = await access.state();
  const actions = listActions();
  assert.ok(actions.length > Object.keys(FORMS).length + OPERATOR_FORMS.length);
  const forged = ["https://evil.example", "null", null, origin.replace("localhost", "127.0.0.1")];
  for (const from of [...forged, origin.replace("http:", "https:"), `${origin}.evil.example`])
    for (const { name, path, fields } of actions)
      assert.equal((await access.post(name, fields, { path, token, from })).status, 403, `${name} ${from}`);
  // As the console's scripts send it, and as another site can send it without being asked: as plain text.
  for (const { id, name, path } of actions) {
    const headers = { cookie: `paylink_session=${token}`, "next-action": id, "content-type": "text/plain" };
    const request = { method: "POST", headers: { ...headers, origin: "https://evil.example" }, body: "[]" };
    const { status, body } = await fetch(`${origin}${path}`, request);
    await body?.cancel();
    assert.equal(status, 403, name);
  }
  assert.deepEqual(await access.state(), before);
});

test("no action runs by another method, nor at a page that is not the console's", async () => {
  const token = await signIn("operator");
  const { origin, own } = access;
  const before = await access.state();
  for (const { id, name, path, fields } of listActions()) {
    const headers = { cookie: `paylink_session=${token}`, origin, "next-action": id };
    const query = new URLSearchParams({ ...(fields as Record<string, string>), [`$ACTION_ID_${id}`]: "" });
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const body = method === "GET" || method === "HEAD" ? null : plainForm(fields, id);
      const sent = { method, body, headers: { ...headers, "x-http-method-override": "POST" } };
      const answer = await fetch(`${origin}${path}?${query}`, { redirect: "manual", ...sent });
      await answer.body?.cancel();
      if (body !== null) assert.equal(answer.status, 405, `${method} ${name}`);
    }
    for (const elsewhere of [`/pay/${own.refid}`, "/console/nothing"]) {
      const { status } = await access.post(name, fields, { path: elsewhere, token });
      assert.ok(status >= 400 && status < 500, `${name} at ${elsewhere}: ${status}`);
    }
  }
  assert.deepEqual(await access.state(), before);
});

test("no posted text makes the server fail", async () => {
  const token = await signIn();
  for (const bad of ["\0", "\ud800", "x".repeat(5_000), "%00", "<script>"])
    for (const name of ["createLink", "makeEndpoint", "allowIp", "invite", "endLink", "makeKey", "change"]) {
      const { path, fields } = formOf(name, access.own);
      for (const field of Object.keys(fields)) {
        const { status } = await access.post(name, { ...fields, [field]: bad }, { path, token });
        assert.ok(status < 500, `${name} ${field} ${JSON.stringify(bad)}: ${status}`);
      }
    }
  const path = `${pathOf(access.own, "payments")}?search=%00&before=%00&state=%00`;
  assert.equal((await access.open(path, token)).status, 200);
});

test("no page may frame the console, and its pages are not kept", async () => {
  const { origin } = access;
  const response = await fetch(`${origin}/console/sign-in`);
  assert.match(response.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  assert.match(response.headers.get("cache-control") ?? "", /no-store/);
  assert.doesNotMatch(response.headers.get("content-security-policy") ?? "", /unsafe/);
  const moved = await fetch(`${origin.replace("localhost", "127.0.0.1")}/console/sign-in`, {
    redirect: "manual",
  });
  assert.equal(moved.headers.get("location"), `${origin}/console/sign-in`);
});

const HTTPS = "https://pay.example.com";

/** Signs in with a password and an app's code at a console behind https. `planted`: a cookie that the browser has before. */
async function signInOverHttps(https: ConsoleAccess, planted: string) {
  const { database } = https.stack.db;
  const { userId } = await addSignedIn(database, { merchantId: https.own.id, role: "owner" });
  const secret = new TOTP({}).secret.base32;
  const { rows } = await database.pool.query(
    "update users set password_hash = $1, totp_secret = $2 where id = $3 returning email",
    [
      await hashPassword("a right password 1"),
      openSecrets(https.stack.env.SECRET_KEY ?? "").seal(secret),
      userId,
    ],
  );
  const fields = { email: rows[0].email, password: "a right password 1", code: appCode(secret) };
  const response = await fetch(`${https.origin}/console/sign-in`, {
    method: "POST",
    redirect: "manual",
    body: plainForm(fields, https.actions.signIn ?? ""),
    headers: { origin: HTTPS, cookie: planted },
  });
  await response.body?.cancel();
  return response;
}

test("over https a session's cookie never travels over http, and none can be planted", async (t) => {
  const https = await consoleAccess({ PUBLIC_URL: HTTPS });
  t.after(() => https.close());
  const planted = "x".repeat(43);
  const response = await signInOverHttps(
    https,
    `paylink_session=${planted}; __Host-paylink_session=${planted}`,
  );
  assert.match(response.headers.get("strict-transport-security") ?? "", /^max-age=31536000/);
  const cookie = response.headers.getSetCookie().find((one) => one.includes("paylink_session")) ?? "";
  const [pair = "", ...terms] = cookie.split("; ");
  const token = /^__Host-paylink_session=([\w-]{43})$/.exec(pair)?.[1] ?? assert.fail(cookie);
  assert.notEqual(token, planted, "a session that was there before is not taken over");
  // RFC 6265bis: the prefix holds for Secure, the path / and no Domain.
  const names = terms.map((term) => term.toLowerCase());
  for (const term of ["secure", "httponly", "samesite=lax", "path=/"])
    assert.ok(names.includes(term), cookie);
  assert.ok(!names.some((term) => term.startsWith("domain")), cookie);

  const path = pathOf(https.own, "payments");
  const open = async (headers: Record<string, string>, query = "") => {
    const answer = await fetch(`${https.origin}${path}${query}`, { redirect: "manual", headers });
    await answer.body?.cancel();
    return answer.status;
  };
  assert.equal(await open({ cookie: `__Host-paylink_session=${token}` }), 200);
  // Cookies that a page over http or on a subdomain can set, and places that logs and other sites see.
  for (const stolen of [
    `paylink_session=${token}`,
    `__host-paylink_session=${token}`,
    `a=__Host-paylink_session=${token}`,
  ])
    assert.equal(await open({ cookie: stolen }), 307, stolen);
  assert.equal(await open({ authorization: `Bearer ${token}` }), 307);
  assert.equal(await open({}, `?__Host-paylink_session=${token}`), 307);
  // A page of the same host over http is another site.
  const before = await https.count("invitations");
  const { fields } = formOf("invite", https.own);
  for (const from of [HTTPS.replace("https:", "http:"), https.origin, "https://evil.example.com"]) {
    const forged = await fetch(`${https.origin}${pathOf(https.own, "members")}`, {
      method: "POST",
      redirect: "manual",
      body: plainForm({ ...placeOf(https.own), ...fields }, https.actions.invite ?? ""),
      headers: { origin: from, cookie: `__Host-paylink_session=${token}` },
    });
    await forged.body?.cancel();
    assert.equal(forged.status, 403, from);
  }
  assert.equal(await https.count("invitations"), before);
});

test("who reads the database has no session, and a person who was removed is out at once", async () => {
  const { database } = access.stack.db;
  const { token, userId } = await addSignedIn(database, { merchantId: access.own.id, role: "owner" });
  const elsewhere = await addSignedIn(database, { merchantId: access.own.id, role: "owner" });
  const { rows } = await database.pool.query("select * from sessions where user_id = $1", [userId]);
  assert.ok(!JSON.stringify(rows).includes(token));
  const path = pathOf(access.own, "payments");
  assert.equal((await access.open(path, token)).status, 200);
  await database.pool.query("delete from members where user_id = $1", [userId]);
  assert.equal((await access.open(path, token)).status, 404, "a person who was removed sees nothing at once");
  assert.equal((await access.open(path, elsewhere.token)).status, 200);
});
