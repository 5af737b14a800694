import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { eq } from "drizzle-orm";
import { REFUSAL_TEXTS } from "#lib/cli/refusals.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { mails } from "#lib/domain/mail/tables.ts";
import { findCaller } from "#lib/domain/merchants/find-caller.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { apiKeys, ipEntries } from "#lib/domain/merchants/tables.ts";
import { webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";

const SECRET_KEY = "a-secret-key-of-forty-characters-for-tests";
let t: TestDatabase;
let counter = 0;
let email = "";

before(async () => {
  t = await testDatabase();
});
after(() => t.close());
beforeEach(() => {
  counter++;
  email = `shop${counter}@example.com`;
});

const cli = (...args: string[]) => runCli({ DATABASE_URL: t.url, SECRET_KEY }, ...args);

function answer<T>(run: CliRun): T {
  assert.equal(run.status, 0, run.stderr);
  assert.equal(run.stderr, "");
  return run.json() as T;
}

function refused(run: CliRun, message: string): void {
  assert.deepEqual(
    { status: run.status, stdout: run.stdout, stderr: run.stderr },
    { status: 1, stdout: "", stderr: `${message}\n` },
  );
}

interface Created {
  merchant: { id: number; email: string; name: string };
  live: { api_key: string; webhook_secret: string };
  test: { api_key: string; webhook_secret: string };
}
const create = (...more: string[]) =>
  answer<Created>(cli("merchant", "create", "--email", email, "--name", "Kaduna Coffee", ...more));

test("merchant create prints working keys and webhook secrets of both environments", async () => {
  const made = create("--webhook-url", "https://shop.example/hook");
  assert.deepEqual(Object.keys(made), ["merchant", "live", "test"]);
  assert.deepEqual(made.merchant, { id: made.merchant.id, email, name: "Kaduna Coffee" });
  for (const env of ["live", "test"] as const) {
    assert.deepEqual(Object.keys(made[env]), ["api_key", "webhook_secret"]);
    const caller = await findCaller(t.db, made[env].api_key, env, new Date());
    assert.equal(caller?.merchant.id, made.merchant.id);
  }
  const rows = await t.db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.merchantId, made.merchant.id));
  const live = rows.find(({ env }) => env === "live")!;
  assert.equal(live.url, "https://shop.example/hook");
  assert.equal(openSecrets(SECRET_KEY).open(live.secret), made.live.webhook_secret);
});

test("merchant create --scope gives both keys that scope", () => {
  create("--scope", "payment-links");
  const keys = answer<{ scope: string }[]>(cli("key", "list", email));
  assert.deepEqual(
    keys.map(({ scope }) => scope),
    ["payment-links", "payment-links"],
  );
  assert.equal(cli("merchant", "create", "--email", email, "--name", "X", "--scope", "all").status, 2);
});

test("merchant create rejects a taken or malformed address, and does nothing without SECRET_KEY", () => {
  create();
  const again = ["merchant", "create", "--email", email, "--name", "X"];
  refused(
    cli(...again),
    "a merchant with this e-mail address already exists: use another address, or `merchant update`",
  );
  refused(cli("merchant", "create", "--email", "nobody", "--name", "X"), "--email must be an e-mail address");
  const without = runCli(
    { DATABASE_URL: t.url },
    "merchant",
    "create",
    "--email",
    "new@example.com",
    "--name",
    "X",
  );
  assert.equal(without.status, 1);
  assert.match(without.stderr, /^SECRET_KEY is not set/);
});

test("merchant update changes only the given fields, and merchant list shows them", async () => {
  const { merchant } = create();
  const row = () =>
    answer<Record<string, unknown>[]>(cli("merchant", "list")).find((one) => one.id === merchant.id)!;
  const before = row();
  const updated = answer<Record<string, unknown>>(
    cli(
      ...["merchant", "update", email, "--late-policy", "accept", "--fee-percentage", "0.5"],
      ...["--rate-markup-bps", "25", "--fixed-rates", "usdt/ngn=1600", "--tolerance-under-bps", "10"],
      ...[
        "--tolerance-over-bps",
        "20",
        "--allow-origin",
        "https://a.example",
        "--allow-origin",
        "https://b.example",
      ],
      ...["--pairs", "erc20/ETH, bitcoin/btc"],
      ...["--env", "test", "--webhook-url", "https://new.example/hook", "--disable"],
    ),
  );
  assert.deepEqual(updated, {
    ...before,
    status: "disabled",
    late_policy: "accept",
    fee_percentage: "0.5",
    rate_markup_bps: 25,
    fixed_rates: "usdt/ngn=1600",
    tolerance_under_bps: 10,
    tolerance_over_bps: 20,
    pairs: ["erc20/eth", "bitcoin/btc"],
    allow_origins: ["https://a.example", "https://b.example"],
    webhook_url: { live: null, test: "https://new.example/hook" },
    updated_at: updated.updated_at,
  });
  assert.deepEqual(row(), updated);
  const rows = await t.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.merchantId, merchant.id));
  assert.deepEqual(Object.fromEntries(rows.map(({ env, url }) => [env, url])), {
    live: null,
    test: "https://new.example/hook",
  });
  const back = answer<Record<string, unknown>>(
    cli(
      "merchant",
      "update",
      email,
      "--enable",
      "--fixed-rates",
      "none",
      "--allow-origin",
      "none",
      "--pairs",
      "none",
    ),
  );
  assert.deepEqual([back.status, back.fixed_rates, back.allow_origins], ["active", null, []]);
  assert.deepEqual(back.pairs, ["bitcoin/btc", "trc20/usdt", "bep20/usdt"]);
});

test("merchant update rejects an unknown merchant, a wrong value and an empty change", () => {
  create();
  refused(
    cli("merchant", "update", "nobody@example.com", "--disable"),
    "no merchant has this e-mail address: see `merchant list`",
  );
  refused(
    cli("merchant", "update", email, "--fee-percentage", "101"),
    "--fee-percentage must be from 0 to 100, with at most four decimals",
  );
  for (const pairs of ["bitcoin/usdt", "bitcoin/btc,bitcoin/BTC", "trc20/usdc", ","]) {
    const run = cli("merchant", "update", email, "--pairs", pairs);
    assert.match(run.stderr, /^--pairs must be different pairs like bitcoin\/btc,erc20\/eth, of /, pairs);
  }
  for (const wrong of [
    [],
    ["--late-policy", "maybe"],
    ["--tolerance-under-bps", "-1"],
    ["--enable", "--disable"],
  ]) {
    const run = cli("merchant", "update", email, ...wrong);
    assert.equal(run.status, 2, wrong.join(" "));
    assert.equal(run.stdout, "");
    assert.match(run.stderr, /^error: /);
  }
});

test("rotates a key: a new one is created, and the old one ends at a chosen time", async () => {
  const made = create();
  const added = answer<Record<string, unknown>>(
    cli("key", "create", email, "--scope", "payment-links", "--expires", "2099-01-01T00:00:00Z"),
  );
  assert.match(String(added.api_key), /^pl_live_/);
  const rows = answer<Record<string, unknown>[]>(cli("key", "list", email));
  assert.deepEqual(Object.keys(rows[0]!), [
    ...["id", "env", "scope", "last4", "created_at", "expires_at", "last_used_at", "revoked_at"],
  ]);
  assert.deepEqual(
    rows.map(({ env, scope, expires_at }) => [env, scope, expires_at]),
    [
      ["live", "full", null],
      ["test", "full", null],
      ["live", "payment-links", "2099-01-01T00:00:00.000Z"],
    ],
  );
  const old = rows[0]!;
  assert.equal(old.last4, made.live.api_key.slice(-4));
  const revoked = answer<Record<string, unknown>>(
    cli("key", "revoke", String(old.id), "--at", "2098-01-01T00:00"),
  );
  assert.equal(revoked.revoked_at, "2098-01-01T00:00:00.000Z");
  const works = (key: string, at: string) => findCaller(t.db, key, "live", new Date(at));
  assert.ok(await works(made.live.api_key, "2097-12-31T23:59:59Z"));
  assert.equal(await works(made.live.api_key, "2098-01-01T00:00:00Z"), null);
  assert.ok(await works(String(added.api_key), "2098-06-01T00:00:00Z"));

  answer(cli("key", "revoke", String(added.id)));
  assert.equal(await works(String(added.api_key), "2098-06-01T00:00:00Z"), null);
  refused(cli("key", "revoke", String(added.id)), "the key is revoked already");
  refused(cli("key", "revoke", "999999"), "no key has this id: see `key list`");
  refused(
    cli("key", "revoke", String(old.id), "--at", "2001-01-01"),
    "--at is in the past: give a later time",
  );
  refused(
    cli("key", "create", email, "--expires", "2001-01-01"),
    "--expires is in the past: give a later time",
  );
  assert.equal(cli("key", "create", email, "--expires", "tomorrow").status, 2);
  assert.equal(cli("key", "create", email, "--scope", "everything").status, 2);
  assert.equal(cli("key", "create", email, "--env", "staging").status, 2);
  const keys = await t.db.select().from(apiKeys).where(eq(apiKeys.merchantId, made.merchant.id));
  assert.equal(keys.length, 3);
});

test("adds and removes address entries", async () => {
  const { merchant } = create();
  const entry = ["--name", "office", "--address", "2001:db8::/48"];
  const added = answer<{ id: number }>(cli("ip", "add", email, ...entry));
  assert.deepEqual(added, { id: added.id, name: "office", address: "2001:db8::/48" });
  const entries = () => t.db.select().from(ipEntries).where(eq(ipEntries.merchantId, merchant.id));
  assert.equal((await entries()).length, 1);
  assert.deepEqual(answer(cli("ip", "remove", String(added.id))), { id: added.id, removed: true });
  assert.equal((await entries()).length, 0);
  refused(cli("ip", "remove", String(added.id)), "no address entry has this id: see `ip list`");
  refused(
    cli("ip", "add", email, "--name", "x", "--address", "office"),
    "--address must be an IPv4 or IPv6 address, or a CIDR range",
  );
});

test("wrong usage exits 2 with the reason on standard error, and --help exits 0", () => {
  for (const args of [
    [],
    ["bogus"],
    ["merchant"],
    ["merchant", "create"],
    ["key", "revoke", "x"],
    ["networks", "--bogus"],
  ]) {
    const run = cli(...args);
    assert.equal(run.status, 2, args.join(" "));
    assert.equal(run.stdout, "");
    assert.notEqual(run.stderr, "");
  }
  const help = cli("merchant", "--help");
  assert.equal(help.status, 0);
  assert.match(help.stdout, /^Usage: paylink merchant/);
});

test("a wrong environment and an unreachable database exit 1 without printing a secret", async () => {
  const wrong = runCli({ DATABASE_URL: t.url, PORT: "x", TEST_BEP20_XPUB: "hunter2" }, "merchant", "list");
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /PORT must be a whole number[\s\S]*TEST_BEP20_XPUB must be/);
  const away = runCli({ DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/x" }, "merchant", "list");
  assert.equal(away.status, 1);
  assert.equal(away.stderr, "failed: connect ECONNREFUSED 127.0.0.1:1\n");
  assert.equal(`${wrong.stderr}${away.stderr}`.includes("hunter2"), false);
  assert.equal(await findMerchantByEmail(t.db, email), null);
});

test("merchant mail switches kinds of mail on and off, sets their address and is audited", async () => {
  create();
  const mail = (...more: string[]) => cli("merchant", "mail", email, ...more);
  const first = answer<{ on: string[]; to: string; smtp: boolean }>(mail());
  assert.deepEqual(first, {
    ...{ merchant: email, env: "live", to: email, smtp: false },
    on: ["receipt", "paid", "underpaid", "late", "unmatched", "endpoint_disabled"],
  });
  const changed = answer<{ on: string[]; to: string }>(
    mail("--env", "test", "--on", "paid,digest,late", "--off", "late", "--to", "books@shop.example"),
  );
  assert.deepEqual([changed.on, changed.to], [["paid", "digest"], "books@shop.example"]);
  assert.equal(answer<{ to: string }>(mail("--env", "test", "--to", "none")).to, email);
  assert.deepEqual(answer<{ on: string[] }>(mail()).on, first.on);
  refused(mail("--to", "a@b.example, c@d.example"), REFUSAL_TEXTS.invalid_mailRecipient);
  assert.equal(mail("--on", "spam").status, 2);
  const decisions = await t.db.select().from(auditLog).where(eq(auditLog.action, "merchant.mail"));
  assert.deepEqual(decisions[0]?.details, {
    ...{ merchant: email, env: "test", on: "paid,digest,late", off: "late", to: "books@shop.example" },
  });
});

test("mail list shows mails, mail resend makes a failed one due, and mail test needs SMTP_URL", async () => {
  const { merchant } = create();
  const given = {
    merchantId: merchant.id,
    env: "live",
    kind: "unmatched",
    recipient: "a@b.example",
  } as const;
  const [row] = await t.db
    .insert(mails)
    .values({ ...given, data: { count: 1, deposits: [] }, status: "failed", lastError: "answered 550" })
    .returning();
  const list = () =>
    answer<{ id: number; status: string; last_error: string }[]>(cli("mail", "list", "--merchant", email));
  assert.deepEqual(
    list().map(({ id, status, last_error }) => ({ id, status, last_error })),
    [{ id: row!.id, status: "failed", last_error: "answered 550" }],
  );
  answer(cli("mail", "resend", String(row!.id)));
  assert.equal(list()[0]?.status, "due");
  refused(cli("mail", "resend", String(row!.id)), REFUSAL_TEXTS.mail_not_failed);
  refused(cli("mail", "test", "--to", "a@b.example"), "SMTP_URL is not set: no mail is sent");
});
