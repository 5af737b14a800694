import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type NetworkChanges,
  setNetwork,
  setToken,
  type TokenChanges,
} from "#lib/domain/settings/change-settings.ts";
import { findNetworkSettings, getAvailability, getTokenSettings } from "#lib/domain/settings/queries.ts";
import { checkTokenSettings, isAvailable } from "#lib/domain/settings/rules.ts";
import { hereBy } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const BEP20 = { network: "bep20", token: "usdt" } as const;
const t = await databaseOfFile();

const changeNetwork = (network: string, changes: NetworkChanges) =>
  t.db.transaction((tx) => setNetwork(hereBy(tx, NOW), { env: "test", network, changes }));
const changeToken = (changes: TokenChanges, token: "usdt" | "btc" = "usdt") =>
  t.db.transaction((tx) => setToken(hereBy(tx, NOW), { env: "test", token, changes }));

test("changes a network's flags one by one, in one environment", async () => {
  const before = await findNetworkSettings(t.db, "test", "bep20");
  const changed = await changeNetwork("bep20", { send: false });
  assert.ok(changed.ok);
  assert.deepEqual(changed.settings, { ...before, send: false, updatedAt: NOW });
  assert.deepEqual(await findNetworkSettings(t.db, "test", "bep20"), changed.settings);
  assert.equal((await findNetworkSettings(t.db, "live", "bep20"))?.send, true);
  assert.deepEqual(await changeNetwork("ethereum", { send: false }), {
    ok: false,
    reason: "network_unknown",
  });
});

test("makes a pair available while its network and token receive and the network allocates addresses", async () => {
  const open = async (env: "live" | "test" = "test") => isAvailable(await getAvailability(t.db, env), BEP20);
  assert.equal(await open(), true);
  for (const off of [{ status: false }, { receive: false }, { generate: false }]) {
    await changeNetwork("bep20", off);
    assert.deepEqual([await open(), await open("live")], [false, true], JSON.stringify(off));
    await changeNetwork("bep20", { status: true, receive: true, generate: true });
  }
  for (const off of [{ status: false }, { receive: false }]) {
    await changeToken(off);
    assert.deepEqual([await open(), await open("live")], [false, true], JSON.stringify(off));
    await changeToken({ status: true, receive: true });
  }
  assert.equal(await open(), true);
  await changeToken({ minimumReceive: 7n });
  assert.equal((await getAvailability(t.db, "test")).minimums.get("usdt"), 7n);
});

test("keeps the order of a token's limits, and refuses buys of USDT", async () => {
  const before = await getTokenSettings(t.db, "test", "usdt");
  for (const [changes, reason] of [
    [{ minimumTrade: before.maximumTrade + 1n }, "trade_limits_crossed"],
    [{ maximumSend: before.minimumSend - 1n }, "send_limits_crossed"],
    [{ minimumReceive: 5n, maximumReceive: 4n }, "receive_limits_crossed"],
    [{ sendFee: -1n }, "negative_amount"],
    [{ buy: true }, "usdt_cannot_be_bought"],
  ] as const) {
    assert.deepEqual(await changeToken(changes), { ok: false, reason });
  }
  assert.deepEqual(await getTokenSettings(t.db, "test", "usdt"), before);
  const equal = await changeToken({ minimumSend: 3n, maximumSend: 3n });
  assert.ok(equal.ok);
  assert.deepEqual(equal.settings, { ...before, minimumSend: 3n, maximumSend: 3n, updatedAt: NOW });
  const bought = await changeToken({ buy: false }, "btc");
  assert.equal(bought.ok && bought.settings.buy, false);
  assert.equal(checkTokenSettings({ ...before, token: "btc", buy: true }), null);
});

test("keeps the limits of a token in order with concurrent changes", async () => {
  await changeToken({ minimumTrade: 10n, maximumTrade: 100n }, "btc");
  const both = await Promise.all([
    changeToken({ minimumTrade: 60n }, "btc"),
    changeToken({ maximumTrade: 50n }, "btc"),
  ]);
  assert.equal(both.filter(({ ok }) => ok).length, 1);
  const { minimumTrade, maximumTrade } = await getTokenSettings(t.db, "test", "btc");
  assert.ok(minimumTrade <= maximumTrade);
});
