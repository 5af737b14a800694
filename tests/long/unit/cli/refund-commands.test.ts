/** `paylink refund`: makes, lists and revokes claims as the console and the API do. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { desc } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";
import { ACCOUNT_KEY } from "#tests/support/watched-chain.ts";
import { aWorld, usdt, type World } from "#tests/unit/domain/payment-links/world.ts";

let world: World;
let refid: string;

before(async () => {
  world = await aWorld();
  ({ refid } = await world.createPicked());
  await world.pay(refid, { amount: usdt("60"), status: 1 });
});
after(() => world.close());

const cli = (...args: string[]) =>
  runCli(
    {
      DATABASE_URL: world.database.url,
      SECRET_KEY: "a-secret-key-of-forty-characters-for-tests",
      USER: "ada",
      PUBLIC_URL: "https://pay.example.com",
      TEST_BEP20_RPC_URL: "http://127.0.0.1:1",
      TEST_BEP20_XPUB: ACCOUNT_KEY,
    },
    "refund",
    ...args,
  );
const create = (amount: string, ...more: string[]) =>
  cli("create", refid, "--network", "bep20", "--token", "usdt", "--amount", amount, ...more);
const answer = <T>(run: CliRun): T => {
  assert.equal(run.status, 0, run.stderr);
  return run.json() as T;
};
const refused = ({ status, stderr }: CliRun, message: RegExp) => {
  assert.equal(status, 1);
  assert.match(stderr, message);
};

test("makes a claim once, lists it without its link, and revokes it", async () => {
  const once = ["--note", "Sorry", "--idempotency-key", "one"];
  const made = answer<Record<string, unknown>>(create("all", ...once));
  const { refund_url, claim, created_at: _, expires_at: __, ...rest } = made;
  assert.match(String(refund_url), /^https:\/\/pay\.example\.com\/refund\/[0-9a-f]{32}$/);
  keepSecrets(String(refund_url).split("/").at(-1) ?? "");
  assert.deepEqual(rest, {
    env: "test",
    state: "open",
    network: "bep20",
    token: "usdt",
    amount: "60",
    note: "Sorry",
    mailed: false,
    requested_by: "operator:ada",
    withdrawal: null,
    problem: null,
  });
  assert.deepEqual(answer(create("all", ...once)), made);
  const { refund_url: ___, ...record } = made;
  assert.deepEqual(answer(cli("list", refid)), [record]);
  refused(create("1"), /above what was credited/);
  refused(create("excess"), /nothing that was paid too much/);
  refused(create("1", "--note", "a\nb"), /--note must be plain text/);
  refused(cli("list", "nothing"), /no payment link has this reference/);
  refused(cli("revoke", "99"), /no refund claim has this number/);
  assert.equal(answer<{ state: string }>(cli("revoke", String(claim))).state, "revoked");
  refused(cli("revoke", String(claim)), /was used or revoked/);
  refused(create("1", "--mail"), /cannot be mailed/);
  const [revoked, created] = await world.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(2);
  assert.deepEqual(
    [created?.action, revoked?.action, revoked?.actor],
    ["refund_claim.create", "refund_claim.revoke", "operator:ada"],
  );
});
