import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openBitcoin, shareBitcoind } from "#tests/support/bitcoind.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";

const SEEN = 0;
const CREDITED = 1;

test("keeps a payment that the next node does not have yet when the first node dies, and credits it once", async (t) => {
  const node = await shareBitcoind();
  const bitcoin = openBitcoin(node.url);
  const [first, second] = [await startFakeNode(node.url), await startFakeNode(node.url)];
  const networks = polledOften(bitcoinNetwork(first.url, second.url));
  const watched = await openWatchedNetwork(networks, { network: "bitcoin", token: "btc" }, "btc/usd=50000");
  t.after(async () => {
    await watched.close();
    await Promise.all([first.close(), second.close()]);
  });
  await watched.db.execute(sql`create table past (at serial, status integer)`);
  await watched.db.execute(sql`create function note() returns trigger language plpgsql as
    $$ begin insert into past (status) values (new.status); return new; end $$`);
  await watched.db.execute(sql`create trigger note after insert or update on deposits
    for each row execute function note()`);
  watched.watch();
  await until("the first pass", async () => (await watched.cursor())?.passStartedAt);
  second.twist = ({ method }) => (method === "getrawmempool" ? [] : undefined);
  const link = await watched.link(10);
  await bitcoin.sendTo(link.address, "0.0002");
  await watched.depositsAre([SEEN]);

  first.answer = (response) => response.destroy();
  const { length } = second.calls;
  const looks = () => second.calls.slice(length).filter(({ method }) => method === "getrawmempool").length;
  await until("looks at a mempool without it", () => looks() > 10);
  await watched.depositsAre([SEEN]);
  assert.equal(await watched.linkState(link.refid), "detected");
  await bitcoin.mine();
  await watched.depositsAre([CREDITED]);
  const { rows } = await watched.db.execute<{ status: number }>(sql`select status from past order by at`);
  assert.deepEqual(
    rows.map(({ status }) => status).filter((status, i, all) => status !== all[i - 1]),
    [SEEN, CREDITED],
  );
  assert.deepEqual((await watched.ledger()).problems, []);
});
