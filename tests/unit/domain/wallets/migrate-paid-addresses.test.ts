/** The migration that counts paid addresses, on a database of the version before it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { databaseBefore } from "#tests/support/migrate-to.ts";

let old: Awaited<ReturnType<typeof databaseBefore>>;
before(async () => {
  old = await databaseBefore("unpaid_addresses");
});
after(() => old.close());

test("counts each address that was credited before, once, for its merchant", async () => {
  await old.client.query(`
    insert into merchants (email, name) values ('a@b.c', 'A'), ('d@e.f', 'D');
    insert into account_keys (env, key) values ('live', 'key');
    insert into addresses (env, network, address, account_key_id, index, path, purpose, merchant_id)
      select 'live', case when n < 4 then 'bitcoin' else 'solana' end, 'address ' || n, 1, n, 'm',
        case when n = 6 then 'skipped' else 'merchant' end, case when n = 6 then null else 1 + n % 2 end
      from generate_series(0, 6) n;
    insert into deposit_totals select id, token, 1 from addresses, unnest(array['usdt', 'sol']) token
      where index in (0, 2, 3, 4, 6)`);
  await old.migrate();
  const { rows } = await old.client.query(
    "select merchant_id::int, env, network, count::int from paid_address_counts order by 1, 3",
  );
  assert.deepEqual(rows, [
    { merchant_id: 1, env: "live", network: "bitcoin", count: 2 },
    { merchant_id: 1, env: "live", network: "solana", count: 1 },
    { merchant_id: 2, env: "live", network: "bitcoin", count: 1 },
  ]);
  await old.client.query("insert into deposit_totals select id, 'usdt', 1 from addresses where index = 5");
  await old.client.query("update deposit_totals set total = 2");
  const later = await old.client.query("select count::int from paid_address_counts where merchant_id = 2");
  assert.deepEqual(later.rows, [{ count: 1 }, { count: 1 }]);
});
