/** The migration that stores who made a key and who invited, on a database of the version before it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type pg from "pg";
import { databaseBefore } from "#tests/support/migrate-to.ts";

let old: Awaited<ReturnType<typeof databaseBefore>>;
let client: pg.Client;

before(async () => {
  old = await databaseBefore("key_makers");
  client = old.client;
  await client.query(`
    insert into merchants (email, name) values ('one@shop.example', 'One');
    insert into users (handle, email, name) select gen_random_uuid(), name || '@shop.example', name
      from (values ('ada'), ('gone')) as p (name);
    insert into members (merchant_id, user_id, role) values (1, 1, 'owner');
    insert into api_keys (merchant_id, env, scope, hash, last4)
      select 1, 'test', 'full', decode(lpad(n::text, 64, '0'), 'hex'), lpad(n::text, 4, '0') from generate_series(1, 8) n;
    insert into invitations (merchant_id, role, email, token_hash, expires_at)
      select 1, 'owner', n || '@shop.example', decode(lpad(n::text, 64, '0'), 'hex'), now() from generate_series(1, 2) n;
    insert into audit_log (at, actor, action, subject, details) values
      (now(), 'user:1', 'key.create', 'key:2', '{}'),
      (now(), 'key:2', 'key.create', 'key:3', '{}'),
      (now(), 'operator:root', 'key.rotate', 'key:4', '{"old_key": 3}'),
      (now(), 'user:2', 'key.create', 'key:5', '{}'),
      (now(), 'operator:root', 'key.create', 'key:6', '{}'),
      (now(), 'user:99', 'key.create', 'key:7', '{}'),
      (now(), 'operator:root', 'key.rotate', 'key:8', '{"old_key": 5}'),
      (now(), 'user:2', 'member.invite', 'merchant:1', '{"invitation": 1}'),
      (now(), 'operator:root', 'merchant.invite', 'invitation:2', '{}')`);
  await old.migrate();
});
after(() => old.close());

test("a key has the person who made it, or whose key made or replaced it; keys of people who left end, and not what the operator replaced them by", async () => {
  const { rows } = await client.query(
    "select id, made_by, revoked_at is not null as ended from api_keys order by id",
  );
  assert.deepEqual(
    rows.map(({ id, made_by, ended }) => [Number(id), made_by === null ? null : Number(made_by), ended]),
    [
      [1, null, false],
      [2, 1, false],
      [3, 1, false],
      [4, 1, false],
      [5, 2, true],
      [6, null, false],
      [7, null, false],
      [8, null, false],
    ],
  );
});

test("an invitation has the person who invited, unless the operator's command did", async () => {
  const { rows } = await client.query("select id, invited_by from invitations order by id");
  assert.deepEqual(
    rows.map(({ invited_by }) => invited_by && Number(invited_by)),
    [2, null],
  );
});
