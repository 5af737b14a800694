/** The console behind a proxy that speaks https: its session's cookie. */
import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import { hashPassword } from "#lib/platform/passwords.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { test } from "#tests/e2e/fixtures.ts";
import { appCode } from "#tests/support/console.ts";
import { type ConsoleAccess, formOf, pathOf } from "#tests/support/console-access.ts";
import type { Stack } from "#tests/support/stack.ts";
import { plainForm } from "#tests/support/stranger.ts";

test.use({ kind: "https", keepsBooks: false });

const PASSWORD = "a right password 1";

/** Signs a new owner in with a password and an app's code. `cookie`: what the browser has before. Returns the answer's headers. */
async function signIn(shop: Stack, { origin, actions, ...access }: ConsoleAccess, cookie: string) {
  const { userId } = await access.signIn("owner");
  const secret = new TOTP({}).secret.base32;
  const { rows } = await shop.db.database.pool.query(
    "update users set password_hash = $1, totp_secret = $2 where id = $3 returning email",
    [await hashPassword(PASSWORD), openSecrets(shop.env.SECRET_KEY ?? "").seal(secret), userId],
  );
  const fields = { email: rows[0].email, password: PASSWORD, code: appCode(secret) };
  const { headers, body } = await fetch(`${origin}/console/sign-in`, {
    method: "POST",
    redirect: "manual",
    body: plainForm(fields, actions.signIn ?? ""),
    headers: { origin: String(shop.env.PUBLIC_URL), cookie },
  });
  await body?.cancel();
  return headers;
}

test("a session's cookie never travels over http, and none can be planted", async ({ shop, access }) => {
  const { origin, own } = access;
  const secure = String(shop.env.PUBLIC_URL);
  const planted = "x".repeat(43);
  const both = `paylink_session=${planted}; __Host-paylink_session=${planted}`;
  const answer = await signIn(shop, access, both);
  assert.match(answer.get("strict-transport-security") ?? "", /^max-age=31536000/);
  const cookie = answer.getSetCookie().find((one) => one.includes("paylink_session")) ?? "";
  const [pair = "", ...terms] = cookie.split("; ");
  const token = /^__Host-paylink_session=([\w-]{43})$/.exec(pair)?.[1] ?? assert.fail(cookie);
  assert.notEqual(token, planted, "a session that was there before is not taken over");
  // RFC 6265bis: the prefix holds for Secure, the path / and no Domain.
  const names = terms.map((term) => term.toLowerCase());
  for (const term of ["secure", "httponly", "samesite=lax", "path=/"])
    assert.ok(names.includes(term), cookie);
  assert.ok(!names.some((term) => term.startsWith("domain")), cookie);

  const open = async (headers: Record<string, string>, query = "") => {
    const url = `${origin}${pathOf(own, "payments")}${query}`;
    const { status, body } = await fetch(url, { redirect: "manual", headers });
    await body?.cancel();
    return status;
  };
  assert.equal(await open({ cookie: `__Host-paylink_session=${token}` }), 200);
  // Cookies that a page over http or on a subdomain can set, and places that logs and other sites see.
  for (const name of ["paylink_session", "__host-paylink_session", "a=__Host-paylink_session"])
    assert.equal(await open({ cookie: `${name}=${token}` }), 307, name);
  assert.equal(await open({ authorization: `Bearer ${token}` }), 307);
  assert.equal(await open({}, `?__Host-paylink_session=${token}`), 307);
  // A page of the same host over http is another site.
  const before = await access.count("invitations");
  const { path, fields } = formOf("invite", own);
  for (const from of [secure.replace("https:", "http:"), origin, "https://evil.example.com"]) {
    const { status, body } = await fetch(`${origin}${path}`, {
      method: "POST",
      redirect: "manual",
      body: plainForm(fields, access.actions.invite ?? ""),
      headers: { origin: from, cookie: `__Host-paylink_session=${token}` },
    });
    await body?.cancel();
    assert.equal(status, 403, from);
  }
  assert.equal(await access.count("invitations"), before);
});
