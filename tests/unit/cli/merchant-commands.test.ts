import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { eq } from "drizzle-orm";
import { REFUSAL_TEXTS } from "#lib/cli/refusals.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { mails } from "#lib/domain/mail/tables.ts";
import { findCaller } from "#lib/domain/members/find-caller.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli, type Row, runCli } from "#tests/support/run-cli.ts";
import { readDecisions, readLastDecision } from "./decisions.ts";

const SECRET_KEY = "a-secret-key-of-forty-characters-for-tests";
let counter = 0;
let email = "";

const t = await databaseOfFile();
beforeEach(() => {
  counter++;
  email = `shop${counter}@example.com`;
});

const cli = openTestCli(() => ({ DATABASE_URL: t.url, SECRET_KEY, USER: "ada" }));

interface Created {
  readonly merchant: { readonly id: number };
  readonly live: { readonly api_key: string; readonly webhook_secret: string };
  readonly test: { readonly api_key: string; readonly webhook_secret: string };
}
const create = (options = "") =>
  cli.answer<Created>(`merchant create --email ${email} --name 'Kaduna Coffee' ${options}`);
const endpointsOf = ({ merchant }: Created) =>
  t.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.merchantId, merchant.id));

test("merchant create prints working keys and webhook secrets of both environments, and records none", async () => {
  const made = await create("--webhook-url https://shop.example/hook");
  const { id } = made.merchant;
  assert.deepEqual(Object.keys(made), ["merchant", "live", "test"]);
  assert.deepEqual(made.merchant, { id, email, name: "Kaduna Coffee" });
  for (const env of ["live", "test"] as const) {
    assert.deepEqual(Object.keys(made[env]), ["api_key", "webhook_secret"]);
    const caller = await findCaller(t.db, made[env].api_key, env, new Date());
    assert.equal(caller?.merchant.id, id);
  }
  const live = (await endpointsOf(made)).find(({ env }) => env === "live")!;
  assert.equal(live.url, "https://shop.example/hook");
  assert.equal(openSecrets(SECRET_KEY).open(live.secret), made.live.webhook_secret);
  assert.equal(JSON.stringify(await t.db.select().from(apiKeys)).includes(made.live.api_key), false);
  assert.notEqual(made.live.webhook_secret, made.test.webhook_secret);
  assert.deepEqual(await readLastDecision(t.db), {
    actor: "operator:ada",
    action: "merchant.create",
    subject: `merchant:${id}`,
    details: {
      merchant: email,
      name: "Kaduna Coffee",
      webhook_url: "https://shop.example/hook",
      scope: "full",
    },
  });
});

test("merchant create gives both keys a scope, rejects a taken or malformed address, and needs SECRET_KEY", async () => {
  await create("--scope payment-links");
  const scopes = (await cli.answer<Row[]>(`key list ${email}`)).map(({ scope }) => scope);
  assert.deepEqual(scopes, ["payment-links", "payment-links"]);
  await cli.misuses(/^error: .* 'all' is invalid/, `merchant create --email ${email} --name X --scope all`);
  await cli.refuses({
    [`merchant create --email ${email} --name X`]:
      "a merchant with this e-mail address already exists: use another address, or `merchant update`",
    "merchant create --email nobody --name X": "--email must be an e-mail address",
  });
  const keyless = openTestCli(() => ({ DATABASE_URL: t.url }));
  await keyless.refuses({ "merchant create --email new@example.com --name X": /^SECRET_KEY is not set/ });
  assert.equal(await findMerchantByEmail(t.db, "new@example.com"), null);
});

test("merchant update changes only the given fields, records them, and merchant list shows them", async () => {
  const made = await create();
  const { id } = made.merchant;
  const row = async () => (await cli.answer<Row[]>("merchant list")).find((one) => one.id === id);
  const before = await row();
  const updated = await cli.answer(
    `merchant update ${email} --late-policy accept --fee-percentage 0.5 --rate-markup-bps 25
     --fixed-rates usdt/ngn=1600 --tolerance-under-bps 10 --tolerance-under-max none --tolerance-over-bps 20 --round-stablecoins 0
     --allow-origin https://a.example --allow-origin https://b.example --pairs 'erc20/ETH, bitcoin/btc'
     --env test --webhook-url https://new.example/hook --disable`,
  );
  assert.deepEqual(updated, {
    ...before,
    status: "disabled",
    late_policy: "accept",
    fee_percentage: "0.5",
    rate_markup_bps: 25,
    fixed_rates: "usdt/ngn=1600",
    tolerance_under_bps: 10,
    tolerance_under_max: null,
    tolerance_over_bps: 20,
    round_stablecoins: 0,
    pairs: ["erc20/eth", "bitcoin/btc"],
    allow_origins: ["https://a.example", "https://b.example"],
    webhook_url: { live: null, test: "https://new.example/hook" },
    updated_at: updated.updated_at,
  });
  assert.deepEqual(await row(), updated);
  await cli.answer(`merchant update ${email} --late-policy accept`);
  const urls = (await endpointsOf(made)).map(({ env, url }) => [env, url]);
  assert.deepEqual(Object.fromEntries(urls), { live: null, test: "https://new.example/hook" });
  const recorded = (await readDecisions(t.db, eq(auditLog.merchantId, id))).slice(1);
  assert.deepEqual(
    recorded.map(({ actor, action }) => [actor, action]),
    ["merchant.update", "merchant.fee", "merchant.status", "webhook.endpoint.update"].map((action) => [
      ...["operator:ada", action],
    ]),
  );
  const facts = Object.assign({}, ...recorded.map(({ details }) => details));
  assert.partialDeepStrictEqual(facts, {
    ...{ latePolicy: "accept", latePolicy_before: "hold", paymentPairs: "erc20/eth bitcoin/btc" },
    ...{ toleranceUnderMax: null, toleranceUnderMax_before: 1, roundStablecoins: false },
    ...{ allowOrigins: "https://a.example https://b.example", allowOrigins_before: "" },
    ...{ feePercentage: "0.5", feePercentage_before: "1", status: "disabled", status_before: "active" },
    ...{ url: "https://new.example/hook", before: null },
  });
  const back = await cli.answer(
    `merchant update ${email} --enable --fixed-rates none --allow-origin none --pairs none
     --env test --webhook-url none`,
  );
  assert.deepEqual([back.status, back.fixed_rates, back.allow_origins], ["active", null, []]);
  assert.deepEqual(back.pairs, ["bitcoin/btc", "trc20/usdt", "bep20/usdt"]);
  const { url, before: urlBefore } = (await readLastDecision(t.db))!.details;
  assert.deepEqual([url, urlBefore], [null, "https://new.example/hook"]);
  const all = JSON.stringify(await readDecisions(t.db));
  for (const secret of [made.live.api_key, made.live.webhook_secret])
    assert.equal(all.includes(secret), false);
});

test("merchant update rejects an unknown merchant, a wrong value and an empty change", async () => {
  await create();
  const wrongPairs = /^--pairs must be different pairs like bitcoin\/btc,erc20\/eth, of /;
  await cli.refuses({
    "merchant update nobody@example.com --disable":
      "no merchant has this e-mail address: see `merchant list`",
    [`merchant update ${email} --name Another --fee-percentage 101`]:
      "--fee-percentage must be from 0 to 100, with at most four decimals",
    [`merchant update ${email} --pairs bitcoin/usdt`]: wrongPairs,
    [`merchant update ${email} --pairs bitcoin/btc,bitcoin/BTC`]: wrongPairs,
    [`merchant update ${email} --pairs trc20/usdc`]: wrongPairs,
    [`merchant update ${email} --pairs ,`]: wrongPairs,
    [`merchant update ${email} --tolerance-under-max 1000000000`]:
      "--tolerance-under-max must be a whole number from 0 to 999999999, or none",
  });
  assert.equal((await findMerchantByEmail(t.db, email))?.name, "Kaduna Coffee", "all options or none");
  await cli.misuses(
    /^error: /,
    `merchant update ${email}`,
    `merchant update ${email} --late-policy maybe`,
    `merchant update ${email} --tolerance-under-bps -1`,
    `merchant update ${email} --tolerance-under-max 0.5`,
    `merchant update ${email} --round-stablecoins 2`,
    `merchant update ${email} --enable --disable`,
  );
});

test("wrong usage exits 2 with the reason on standard error, and --help exits 0", async () => {
  await cli.misuses(/^Usage: paylink/, "", "merchant");
  await cli.misuses(/^error: /, "bogus", "merchant create", "key revoke x", "networks --bogus");
  const help = await cli.run("merchant --help");
  assert.deepEqual([help.status, help.stderr], [0, ""]);
  assert.match(help.stdout, /^Usage: paylink merchant/);
});

test("a wrong environment and an unreachable database exit 1 without printing a secret", async () => {
  const wrong = await runCli(
    { DATABASE_URL: t.url, PORT: "x", TEST_BEP20_XPUB: "hunter2" },
    ...["merchant", "list"],
  );
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /PORT must be a whole number[\s\S]*TEST_BEP20_XPUB must be/);
  assert.equal(wrong.stderr.includes("hunter2"), false);
  const away = openTestCli(() => ({ DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/x" }));
  await away.refuses({ "merchant list": "failed: connect ECONNREFUSED 127.0.0.1:1" });
});

test("merchant mail switches kinds of mail on and off, sets their address and is audited", async () => {
  await create();
  const line = `merchant mail ${email}`;
  const first = await cli.answer(line);
  assert.deepEqual(first, {
    merchant: email,
    env: "live",
    to: email,
    smtp: false,
    on: ["receipt", "paid", "underpaid", "late", "unmatched", "endpoint_disabled"],
  });
  const changed = await cli.answer(
    `${line} --env test --on paid,digest,late --off late --to books@shop.example`,
  );
  assert.deepEqual([changed.on, changed.to], [["paid", "digest"], "books@shop.example"]);
  const { action, details } = (await readLastDecision(t.db))!;
  const recorded = { env: "test", on: "paid,digest,late", off: "late", to: "books@shop.example" };
  assert.deepEqual([action, details], ["merchant.mail", recorded]);
  assert.equal((await cli.answer(`${line} --env test --to none`)).to, email);
  assert.deepEqual((await cli.answer(line)).on, first.on);
  await cli.refuses({ [`${line} --to 'a@b.example, c@d.example'`]: REFUSAL_TEXTS.invalid_mailRecipient });
  await cli.misuses(/There is no kind of mail "spam"/, `${line} --on spam`);
});

test("mail list shows mails, mail resend makes a failed one due, and mail test needs SMTP_URL", async () => {
  const { merchant } = await create();
  const [row] = await t.db
    .insert(mails)
    .values({
      merchantId: merchant.id,
      env: "live",
      kind: "unmatched",
      recipient: "a@b.example",
      data: { count: 1, deposits: [] },
      status: "failed",
      lastError: "answered 550",
    })
    .returning();
  const id = row!.id;
  const list = async () =>
    (await cli.answer<Row[]>(`mail list --merchant ${email}`)).map((mail) => [
      ...[mail.id, mail.status, mail.last_error],
    ]);
  assert.deepEqual(await list(), [[id, "failed", "answered 550"]]);
  await cli.answer(`mail resend ${id}`);
  assert.equal((await list())[0]?.[1], "due");
  await cli.refuses({
    [`mail resend ${id}`]: REFUSAL_TEXTS.mail_not_failed,
    "mail test --to a@b.example": "SMTP_URL is not set: no mail is sent",
  });
});
