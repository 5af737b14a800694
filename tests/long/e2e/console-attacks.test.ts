/** Attacks on the console: forged forms and methods, hostile values, sessions that are read in the database or end. */
import assert from "node:assert/strict";
import { test } from "#tests/e2e/fixtures.ts";
import { type ConsoleAccess, FORMS, formOf, OPERATOR_FORMS, pathOf } from "#tests/support/console-access.ts";
import { listServerActions, plainForm } from "#tests/support/stranger.ts";

test.use({ keepsBooks: false });

/** Every server action of the console, with a path and a form for it. */
function listForms({ own }: ConsoleAccess) {
  return listServerActions()
    .filter(({ file }) => file.startsWith("app/console/"))
    .map(({ id, name }) => {
      const hasRow = name in FORMS || name in OPERATOR_FORMS;
      return { id, name, ...(hasRow ? formOf(name, own) : { path: "/console/account", fields: {} }) };
    });
}

async function statusOf(url: string, init: RequestInit): Promise<number> {
  const { status, body } = await fetch(url, { redirect: "manual", ...init });
  await body?.cancel();
  return status;
}

test("no action takes a form from another site, from nowhere, or from the same host over another scheme", async ({
  access,
}) => {
  const { token } = await access.signIn("operator");
  const { origin } = access;
  const before = await access.state();
  const forms = listForms(access);
  assert.ok(forms.length > Object.keys(FORMS).length + Object.keys(OPERATOR_FORMS).length);
  const otherHost = origin.replace("localhost", "127.0.0.1");
  const otherScheme = origin.replace("http:", "https:");
  for (const from of ["https://evil.example", "null", null, otherHost, otherScheme, `${origin}.evil.example`])
    for (const { name, path, fields } of forms)
      assert.equal((await access.post(name, fields, { path, token, from })).status, 403, `${name} ${from}`);
  // As the console's scripts send it, and as another site can send it without being asked: as plain text.
  const cookie = `paylink_session=${token}`;
  for (const { id, name, path } of forms) {
    const headers = {
      cookie,
      "next-action": id,
      "content-type": "text/plain",
      origin: "https://evil.example",
    };
    const status = await statusOf(`${origin}${path}`, { method: "POST", headers, body: "[]" });
    assert.equal(status, 403, name);
  }
  assert.deepEqual(await access.state(), before);
});

test("no action runs by another method, nor at a page that is not the console's", async ({ access }) => {
  const { token } = await access.signIn("operator");
  const { origin, own } = access;
  const before = await access.state();
  for (const { id, name, path, fields } of listForms(access)) {
    const sent = { cookie: `paylink_session=${token}`, origin, "next-action": id };
    const headers = { ...sent, "x-http-method-override": "POST" };
    const query = new URLSearchParams({ ...(fields as Record<string, string>), [`$ACTION_ID_${id}`]: "" });
    for (const method of ["GET", "HEAD"]) await statusOf(`${origin}${path}?${query}`, { method, headers });
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const body = plainForm(fields, id);
      const status = await statusOf(`${origin}${path}?${query}`, { method, headers, body });
      assert.equal(status, 405, `${method} ${name}`);
    }
    for (const elsewhere of [`/pay/${own.refid}`, "/console/nothing"]) {
      const { status } = await access.post(name, fields, { path: elsewhere, token });
      assert.ok(status >= 400 && status < 500, `${name} at ${elsewhere}: ${status}`);
    }
  }
  assert.deepEqual(await access.state(), before);
});

test("no posted text makes the server fail", async ({ access }) => {
  const { token } = await access.signIn("owner");
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

test("no page may frame the console, and its pages are not kept", async ({ desk: { origin } }) => {
  const { headers } = await fetch(`${origin}/console/sign-in`);
  assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  assert.doesNotMatch(headers.get("content-security-policy") ?? "", /unsafe/);
  assert.match(headers.get("cache-control") ?? "", /no-store/);
  const address = `${origin.replace("localhost", "127.0.0.1")}/console/sign-in`;
  const moved = await fetch(address, { redirect: "manual" });
  assert.equal(moved.headers.get("location"), `${origin}/console/sign-in`);
});

test("who reads the database has no session, and a person who was removed is out at once", async ({
  shop,
  access,
}) => {
  const { pool } = shop.db.database;
  const { token, userId } = await access.signIn("owner");
  const elsewhere = await access.signIn("owner");
  const { rows } = await pool.query("select * from sessions where user_id = $1", [userId]);
  assert.ok(rows.length === 1 && !JSON.stringify(rows).includes(token));
  const path = pathOf(access.own, "payments");
  assert.equal((await access.open(path, token)).status, 200);
  await pool.query("delete from members where user_id = $1", [userId]);
  assert.equal((await access.open(path, token)).status, 404, "a person who was removed sees nothing at once");
  assert.equal((await access.open(path, elsewhere.token)).status, 200);
});
