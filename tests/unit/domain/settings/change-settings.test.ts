import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type NetworkChanges,
  setNetwork,
  setToken,
  type TokenChanges,
} from "#lib/domain/settings/change-settings.ts";
import { getAvailability, getTokenSettings } from "#lib/domain/settings/queries.ts";
import { isAvailable } from "#lib/domain/settings/rules.ts";
import { hereBy } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const BEP20 = { network: "bep20", token: "usdt" } as const;
const t = await databaseOfFile();

const changeNetwork = (network: string, changes: NetworkChanges) =>
  t.db.transaction((tx) => setNetwork(hereBy(tx, NOW), { env: "test", network, changes }));
const changeToken = (changes: TokenChanges, token: "usdt" | "btc" = "usdt") =>
  t.db.transaction((tx) => setToken(hereBy(tx, NOW), { env: "test", token, changes }));

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
