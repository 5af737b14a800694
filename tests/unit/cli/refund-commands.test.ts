/** `paylink refund`: makes, lists and revokes claims as the console and the API do. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { ACCOUNT_KEY } from "#tests/support/watched-chain.ts";
import { aWorld, usdt, type World } from "../domain/payment-links/world.ts";
import { readDecisions } from "./decisions.ts";

let world: World;
let refid: string;

before(async () => {
  world = await aWorld();
  ({ refid } = await world.createPicked());
  await world.pay(refid, { amount: usdt("60"), status: "credited" });
});
after(() => world.close());

const cli = openTestCli(() => ({
  DATABASE_URL: world.url,
  SECRET_KEY: "a-secret-key-of-forty-characters-for-tests",
  USER: "ada",
  PUBLIC_URL: "https://pay.example.com",
  TEST_BEP20_RPC_URL: "http://127.0.0.1:1",
  TEST_BEP20_XPUB: ACCOUNT_KEY,
}));

test("makes a claim once, lists it without its link, and revokes it", async () => {
  const create = `refund create ${refid} --network bep20 --token usdt --amount`;
  const once = `${create} all --note Sorry --idempotency-key one`;
  const made = await cli.answer(once);
  const { refund_url, ...record } = made;
  const { claim, created_at: _, expires_at: __, ...rest } = record;
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
  assert.deepEqual(await cli.answer(once), made);
  assert.deepEqual(await cli.answer(`refund list ${refid}`), [record]);
  await cli.refuses({
    [`${create} 1`]: /above what was credited/,
    [`${create} excess`]: /nothing that was paid too much/,
    [`${create} 1 --note 'a\nb'`]: /--note must be plain text/,
    "refund list nothing": /no payment link has this reference/,
    "refund revoke 99": /no refund claim has this number/,
  });
  assert.equal((await cli.answer(`refund revoke ${claim}`)).state, "revoked");
  await cli.refuses({
    [`refund revoke ${claim}`]: /was used or revoked/,
    [`${create} 1 --mail`]: /cannot be mailed/,
  });
  const recorded = await readDecisions(world.db);
  assert.deepEqual(
    recorded.slice(-2).map(({ actor, action }) => [actor, action]),
    [
      ["operator:ada", "refund_claim.create"],
      ["operator:ada", "refund_claim.revoke"],
    ],
  );
});
