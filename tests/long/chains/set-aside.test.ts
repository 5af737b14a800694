/** A failing unit is set aside, and its network continues. A real node, a real database, and triggers that refuse one row. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { closeAttention } from "#lib/domain/attention/set-aside.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { hereBy } from "#tests/support/acts.ts";
import { sendEvmUsdt } from "#tests/support/anvil.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { bep20, openWatchedChain, USDT, type WatchedChain } from "#tests/support/watched-chain.ts";

const subjects = async ({ db }: WatchedChain) =>
  (await listAttention(db, { after: null, limit: 10 })).map(({ subject }) => subject);
/** Makes everything that is set aside due. */
const retryNow = ({ db }: WatchedChain) => db.update(attention).set({ retryAt: new Date(0) });

/** Lets a table refuse rows with this amount, as a numeric overflow or a fault in a trigger would. */
async function refuse({ db }: WatchedChain, table: string, amount: bigint): Promise<() => Promise<unknown>> {
  await db.execute(sql`create or replace function refuse_row() returns trigger language plpgsql as
    $$ begin raise numeric_value_out_of_range; end $$`);
  await db.execute(
    sql.raw(`create trigger refuse before insert on ${table} for each row when (new.amount = ${amount})
      execute function refuse_row()`),
  );
  return () => db.execute(sql.raw(`drop trigger refuse on ${table}`));
}

test("one broken link, credit or transaction stops nothing else, and is repeated until it succeeds", async (t) => {
  const chain = await openWatchedChain(t);
  const [broken, sound] = [await chain.link(10), await chain.link(20)];
  const [uncredited, unrecorded] = [await chain.address(), await chain.address()];
  await chain.db.execute(sql`update payment_links set currency = 'none' where refid = ${broken.refid}`);
  const acceptCredit = await refuse(chain, "ledger_transfers", 3n * USDT);

  chain.watch();
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, broken.address, 10n * USDT);
  await sendEvmUsdt(chain.url, uncredited.address, 3n * USDT);
  await sendEvmUsdt(chain.url, sound.address, 20n * USDT);
  await chain.mine(3);
  await until("the sound link to complete", async () => (await chain.linkState(sound.refid)) === "completed");
  await chain.caughtUp();
  const [first, second, third] = await chain.depositsAre(["credited", "seen", "credited"]);
  assert.deepEqual([first?.amount, second?.amount, third?.amount], [10n * USDT, 3n * USDT, 20n * USDT]);
  assert.equal(await chain.balance(), 30n * USDT, "the money of a link that cannot be settled is credited");
  assert.deepEqual(await subjects(chain), [`deposit:${second!.id}`, `link:${broken.refid}`]);
  await acceptCredit();

  const acceptDeposit = await refuse(chain, "deposits", 4n * USDT);
  const hash = await sendEvmUsdt(chain.url, unrecorded.address, 4n * USDT);
  await sendEvmUsdt(chain.url, unrecorded.address, 5n * USDT);
  await chain.mine(3);
  await chain.depositsAre(["credited", "seen", "credited", "credited"]);
  await chain.caughtUp();
  assert.equal(await chain.balance(), 35n * USDT);
  assert.deepEqual(await subjects(chain), [
    `deposit:${second!.id}`,
    `link:${broken.refid}`,
    `transaction:test:bep20:${hash}`,
  ]);

  await acceptDeposit();
  await chain.db.execute(sql`update payment_links set currency = 'usd' where refid = ${broken.refid}`);
  await retryNow(chain);
  // No block is needed.
  await until("all to be credited", async () => (await chain.balance()) === 42n * USDT);
  await sweepPaymentLinks(chain.paymentLinks, new Date(Date.now() + 120_000));
  assert.equal(await chain.linkState(broken.refid), "completed");
  assert.deepEqual(await subjects(chain), []);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("a set-aside transaction whose block no node serves stops no credit, is read from another node, and can be closed", async (t) => {
  const chain = await openWatchedChain(t);
  const [fake, second] = [await openFakeNode(t, chain.url), await openFakeNode(t, chain.url)];
  const { address } = await chain.address();
  const acceptDeposit = await refuse(chain, "deposits", 4n * USDT);
  chain.watch(bep20(fake.url, second.url));
  await chain.caughtUp();
  const hashes = [await sendEvmUsdt(chain.url, address, 4n * USDT)];
  await chain.mine(3);
  await until("it to be set aside", async () => (await subjects(chain)).length === 1);
  await acceptDeposit();
  const { height } = (await listAttention(chain.db, { after: null, limit: 1 }))[0]!;
  const unserved = (call: { readonly method: string; readonly params: unknown[] }) => {
    if (call.method === "eth_getBlockByNumber" && Number(call.params[0]) === height)
      throw new Error("missing trie node");
    return undefined;
  };
  fake.twist = second.twist = unserved;
  await retryNow(chain);
  await sendEvmUsdt(chain.url, address, 5n * USDT);
  await chain.mine(3);
  await until("the next payment to be credited", async () => (await chain.balance()) === 5n * USDT);
  const [row] = await listAttention(chain.db, { after: null, limit: 1 });
  assert.match(row!.reason, /missing trie node/);
  assert.ok(row!.attempts >= 2);

  second.twist = null;
  await retryNow(chain);
  await chain.mine(2);
  await until("the other node to be asked", async () => (await chain.balance()) === 9n * USDT);
  assert.deepEqual(await subjects(chain), []);

  const acceptAgain = await refuse(chain, "deposits", 7n * USDT);
  hashes.push(await sendEvmUsdt(chain.url, address, 7n * USDT));
  await chain.mine(3);
  const subject = `transaction:test:bep20:${hashes[1]}`;
  await until("the last one to be set aside", async () => (await subjects(chain)).includes(subject));
  assert.equal((await chain.db.transaction((tx) => closeAttention(hereBy(tx), { subject }))).ok, true);
  await acceptAgain();
  await chain.mine(3);
  await chain.caughtUp();
  assert.equal(await chain.balance(), 9n * USDT);
  assert.deepEqual(await subjects(chain), []);
});
