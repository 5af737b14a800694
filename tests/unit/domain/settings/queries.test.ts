import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { prepareDatabase } from "#lib/domain/settings/prepare-database.ts";
import {
  availabilityDigest,
  listNetworkSettings,
  listTokenSettings,
  recallAvailability,
} from "#lib/domain/settings/queries.ts";
import { insertMissingNetworks } from "#lib/domain/settings/store.ts";
import { networkSettings } from "#lib/domain/settings/tables.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { restrict } from "#tests/support/restricted-role.ts";

const t = await databaseOfFile();

// A network or token without its row raises no error: links never offer it.
for (const env of ["live", "test"] as const)
  test(`a prepared database has settings of every network and token in ${env}`, async () => {
    const networks = (await listNetworkSettings(t.db, env)).map((row) => row.network);
    const tokens = (await listTokenSettings(t.db, env)).map((row) => row.token);
    assert.deepEqual(networks.toSorted(), NETWORK_CODES.toSorted());
    assert.deepEqual(tokens.toSorted(), Object.keys(TOKENS).toSorted());
  });

test("inserts the settings of a network that a new version has, and leaves the others as they are", async () => {
  await t.db.update(networkSettings).set({ send: false }).where(eq(networkSettings.network, "base"));
  await t.db.delete(networkSettings).where(eq(networkSettings.network, "xrp"));
  await Promise.all([1, 2, 3].map(() => insertMissingNetworks(t.db, NETWORK_CODES)));
  for (const env of ["live", "test"] as const) {
    const rows = await listNetworkSettings(t.db, env);
    assert.equal(rows.length, NETWORK_CODES.length);
    const found = Object.fromEntries(rows.map(({ network, send }) => [network, send]));
    assert.deepEqual([found.xrp, found.base], [true, false]);
  }
});

test("the program's role may insert the settings of a new network when it starts", async () => {
  const role = "paylink_settings";
  const { pool } = t.database;
  const url = await restrict(pool, t.url, role);
  await t.db.delete(networkSettings).where(eq(networkSettings.network, "xrp"));
  await prepareDatabase(url);
  assert.equal((await listNetworkSettings(t.db, "live")).length, NETWORK_CODES.length);
  await pool.query(`drop owned by ${role}; drop role ${role}`);
});

test("the digest of what is available changes with each setting that counts, and with no other", async (context) => {
  const client = new pg.Client(t.url);
  context.after(() => client.end());
  await client.connect();
  const digestSql = new PgDialect().sqlToQuery(availabilityDigest("test")).sql;
  const digestAfter = async (change: string): Promise<unknown> => {
    await client.query("begin");
    await client.query(change);
    const { rows } = await client.query(`select ${digestSql} as digest`);
    await client.query("rollback");
    return rows[0].digest;
  };
  const network = (set: string) =>
    `update network_settings set ${set} where env = 'test' and network = 'bep20'`;
  const token = (set: string) => `update token_settings set ${set} where env = 'test' and token = 'usdt'`;
  const before = await digestAfter("select");
  const changed = [
    network("status = not status"),
    network("receive = not receive"),
    network("generate = not generate"),
    "delete from network_settings where env = 'test' and network = 'bep20'",
    "update network_settings set status = (network = 'bep20') where env = 'test'",
    token("status = not status"),
    token("receive = not receive"),
    token("minimum_receive = coalesce(minimum_receive, 0) + 1"),
    "delete from token_settings where env = 'test' and token = 'usdt'",
  ];
  for (const change of changed) assert.notEqual(await digestAfter(change), before, change);
  const others = [
    network("send = not send"),
    network("updated_at = now()"),
    token("buy = not buy"),
    "update network_settings set status = not status where env = 'live'",
    "update token_settings set minimum_receive = 5 where env = 'live'",
  ];
  for (const change of others) assert.equal(await digestAfter(change), before, change);
  // The same number of those that are on, and of minimums.
  const allOn =
    "update network_settings set status = true, receive = true, generate = true; update token_settings set status = true, receive = true;";
  const swaps = ["network", "token"].flatMap((kind) =>
    ["status", "receive"].map(
      (column) => (on: string, off: string) =>
        `update ${kind}_settings set ${column} = (${kind} <> '${off}') where env = 'test' and ${kind} in ('${on}', '${off}')`,
    ),
  );
  const minimums = (on: string, off: string) =>
    `update token_settings set minimum_receive = case token when '${on}' then 2 else 1 end where env = 'test' and token in ('${on}', '${off}')`;
  for (const [i, swap] of [...swaps, minimums].entries()) {
    const all = i < 2 ? NETWORK_CODES : Object.keys(TOKENS);
    for (const [n, one] of all.entries())
      for (const other of all.slice(n + 1))
        assert.notEqual(
          await digestAfter(allOn + swap(one, other)),
          await digestAfter(allOn + swap(other, one)),
          swap(one, other),
        );
  }
  const known = await recallAvailability(t.db, "test");
  assert.equal(known.digest, before, "the reading that links rely on has the same");
});
