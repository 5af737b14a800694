import assert from "node:assert/strict";
import { test } from "node:test";
import { getAvailability, getTokenSettings } from "#lib/domain/settings/queries.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { readDecisions, readLastDecision } from "./decisions.ts";

const t = await databaseOfFile();

const cli = openTestCli(() => ({ DATABASE_URL: t.url, USER: "ada" }));

test("networks set changes the given flags, prints the row, and records it", async () => {
  const row = await cli.answer("networks set bep20 --env test --receive 0 --send 1");
  const { created_at, updated_at, ...rest } = row;
  assert.deepEqual(rest, {
    id: 12,
    env: "test",
    network: "bep20",
    status: 1,
    send: 1,
    receive: 0,
    generate: 1,
    unpaid_addresses: 10_000,
  });
  assert.ok(String(updated_at) >= String(created_at));
  assert.equal((await getAvailability(t.db, "test")).networks.has("bep20"), false);
  assert.equal((await getAvailability(t.db, "live")).networks.has("bep20"), true);
  assert.deepEqual(await readLastDecision(t.db), {
    actor: "operator:ada",
    action: "network.set",
    subject: "network:test:bep20",
    details: { receive: "false", receive_before: "true" },
  });
});

test("networks set changes how many unpaid addresses a merchant may have", async () => {
  const line = "networks set bep20 --env test --unpaid-addresses";
  assert.equal((await cli.answer(`${line} 25000`)).unpaid_addresses, 25_000);
  await cli.misuses(/It must be at most 1073741824/, `${line} 2000000000`);
});

test("token set changes amounts exactly, in whole tokens, in live by default", async () => {
  const before = await getTokenSettings(t.db, "live", "usdt");
  const row = await cli.answer(
    "token set usdt --receive 1 --minimum-send 2.000000000000000001 --send-fee 0.5 --minimum-fee 0",
  );
  const { created_at, updated_at, ...rest } = row;
  assert.deepEqual(rest, {
    id: before.id,
    env: "live",
    token: "usdt",
    status: 1,
    send: 1,
    receive: 1,
    buy: 0,
    minimum_trade: "1",
    maximum_trade: "100000",
    minimum_send: "2.000000000000000001",
    maximum_send: "1000000",
    minimum_receive: "0.01",
    maximum_receive: "1000000",
    send_fee: "0.5",
    minimum_fee: "0",
  });
  assert.ok(created_at && updated_at);
  const after = await getTokenSettings(t.db, "live", "usdt");
  assert.deepEqual(
    [after.minimumSend, after.sendFee, after.minimumFee],
    [2n * 10n ** 18n + 1n, 5n * 10n ** 17n, 0n],
  );
  assert.deepEqual(await readLastDecision(t.db), {
    actor: "operator:ada",
    action: "token.set",
    subject: "token:live:usdt",
    details: {
      minimumSend: "2.000000000000000001",
      minimumSend_before: formatAmount(before.minimumSend, 18),
      sendFee: "0.5",
      sendFee_before: formatAmount(before.sendFee, 18),
      minimumFee: "0",
      minimumFee_before: formatAmount(before.minimumFee, 18),
    },
  });
});

test("the fee of a token's buys is in USDT, other amounts are in the token's own unit", async () => {
  const row = await cli.answer("token set btc --buy 1 --minimum-fee 0.015 --send-fee 0.00000001");
  assert.deepEqual([row.buy, row.minimum_fee, row.send_fee], [1, "0.015", "0.00000001"]);
  const { minimumFee, sendFee } = await getTokenSettings(t.db, "live", "btc");
  assert.deepEqual([minimumFee, sendFee], [15n * 10n ** 15n, 1n]);
});

test("rejects contradictory limits and changes nothing", async () => {
  const before = [await readDecisions(t.db), await getTokenSettings(t.db, "live", "usdt")];
  await cli.refuses({
    "token set usdt --minimum-trade 100001": "--minimum-trade would be above --maximum-trade",
    "token set usdt --maximum-send 1": "--minimum-send would be above --maximum-send",
    "token set usdt --minimum-receive 2 --maximum-receive 1":
      "--minimum-receive would be above --maximum-receive",
    "token set usdt --buy 1": "USDT cannot be bought, because buys are paid with USDT",
  });
  assert.deepEqual([await readDecisions(t.db), await getTokenSettings(t.db, "live", "usdt")], before);
});

test("wrong usage exits 2", async () => {
  await cli.misuses(
    /^error: /,
    "networks set bep20",
    "networks set ethereum --status 1",
    "networks set bep20 --status on",
    "networks set bep20 --env staging --status 1",
    "token set usdt",
    "token set gold --status 1",
    "token set btc --send-fee 0.000000001",
    "token set btc --send-fee=-1",
    "token set btc --send-fee 1e99",
    "token set btc --send-fee much",
  );
});
