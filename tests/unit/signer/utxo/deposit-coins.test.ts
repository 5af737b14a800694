/** Which deposits the signer can spend, on a real database with a node that is a fake. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sha256 } from "@noble/hashes/sha2.js";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { RawTx } from "@scure/btc-signer";
import { sql } from "drizzle-orm";
import type { UnspentOutput, UtxoSending } from "#lib/chains/utxo/sending.ts";
import { isUtxoSending } from "#lib/chains/utxo/sending.ts";
import { listSpendable } from "#lib/domain/deposits/spendable-queries.ts";
import { openDepositCoins } from "#lib/signer/utxo/deposit-coins.ts";
import { openOwnKeys } from "#lib/signer/utxo/own-keys.ts";
import { bitcoinAdapter } from "#tests/support/bitcoin-adapter.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { aMerchant, anAddress } from "#tests/support/unmatched.ts";

const WORDS = `${"abandon ".repeat(23)}art`;
const account = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS)).derive("m/84'/1'/0'");
const database = await databaseOfFile({ isNew: true });
const { db } = database;
const real = bitcoinAdapter("http://127.0.0.1:9", { accountKey: account.publicExtendedKey });
const adapter = Object.assign(Object.create(real), {
  blocks: { fetchHead: async () => ({ height: 1_000 }) },
});
const keys = openOwnKeys(account, "p2wpkh");
const address = await anAddress(db, real, await aMerchant(db, "shop@example.com"));
const QUEUE = { env: "test", network: "bitcoin" } as const;
const txid = (number: number) => number.toString(16).padStart(64, "0");

/** Credits deposits number `from` to `to`, each a second after the one before. */
const credit = (from: number, to: number, height = 500) =>
  db.execute(sql`
    insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status, block_height,
      required_confirmations, credit_round, first_seen_at, confirmed_at)
    select 'test', 'bitcoin', 'btc', a.merchant_id, a.id, lpad(to_hex(n), 64, '0'), 0, 1000 + n, 1, ${height}, 1, 1, now(),
      timestamptz '2026-01-01' + n * interval '1 second'
    from addresses a, generate_series(${from}::integer, ${to}::integer) n where a.id = ${address.id}`);

/** A node that has these outputs, and remembers what it was asked. */
function fakeNode(has: (number: number) => Partial<UnspentOutput> | null) {
  const asked: number[] = [];
  const { script } = keys.child({ branch: 0, index: address.index });
  const fetchUnspent: UtxoSending["fetchUnspent"] = async (outpoints) => {
    const numbers = outpoints.map((outpoint) => Number.parseInt(outpoint.slice(0, 64), 16));
    asked.push(...numbers);
    const found = numbers.flatMap((number): [string, UnspentOutput][] => {
      const output = has(number);
      const whole = { script, satoshis: BigInt(1_000 + number), confirmations: 6, isCoinbase: false };
      return output === null ? [] : [[`${txid(number)}:0`, { ...whole, ...output }]];
    });
    return new Map(found);
  };
  assert.ok(isUtxoSending(real.sending));
  return { asked, sending: { ...real.sending, fetchUnspent } };
}

test("finds the newest at once and the older step by step, and asks about each once", async () => {
  await credit(1, 2_500);
  const { asked, sending } = fakeNode((number) => (number % 2 === 0 ? {} : null));
  const coins = openDepositCoins({ db, adapter, sending, keys });
  assert.equal(await coins.look(), false);
  assert.equal(asked.length, 1_000);
  assert.ok(coins.list().some(({ outpoint }) => outpoint === `${txid(2_500)}:0`));
  await credit(2_501, 2_510);
  assert.equal(await coins.look(), false);
  assert.ok(coins.list().some(({ outpoint }) => outpoint === `${txid(2_510)}:0`));
  for (let step = 0; step < 3; step++) await coins.look();
  assert.equal(await coins.look(), true);
  assert.equal(coins.list().length, 1_255);
  assert.equal(asked.length, new Set(asked).size);
  assert.equal(asked.length, 2_510);
});

test("spends nothing that the database or the node alone believes in", async () => {
  await db.execute(sql`delete from deposits`);
  await credit(1, 6);
  await db.execute(sql`update deposits set tx_hash = '0xnone' where tx_hash = ${txid(6)}`);
  const foreign = keys.child({ branch: 0, index: address.index + 1 }).script;
  const { sending } = fakeNode((number) => {
    if (number === 1) return { satoshis: 999n };
    if (number === 2) return { script: foreign };
    if (number === 3) return { isCoinbase: true, confirmations: 99 };
    return number === 4 ? null : {};
  });
  const coins = openDepositCoins({ db, adapter, sending, keys });
  await coins.look();
  assert.deepEqual(
    coins.list().map(({ outpoint }) => outpoint),
    [`${txid(5)}:0`],
  );
  assert.deepEqual(await coins.find([`${txid(1)}:0`, `${txid(5)}:0`, `${txid(5)}:1`]), coins.list());
});

test("asks again about what is young: another block may have it", async () => {
  await db.execute(sql`delete from deposits`);
  await credit(1, 1, 999);
  let isThere = false;
  const { sending } = fakeNode(() => (isThere ? {} : null));
  const coins = openDepositCoins({ db, adapter, sending, keys });
  await coins.look();
  isThere = true;
  await coins.look();
  assert.equal(coins.list().length, 1);
});

test("reads a page by its index", async () => {
  await db.execute(sql`delete from deposits`);
  await credit(1, 3_000);
  await db.execute(sql`analyze deposits, addresses`);
  const page = await listSpendable(db, QUEUE, { before: null, limit: 200 });
  const before = page.at(-1) ?? null;
  const plan = await planOf(database, (logged) => listSpendable(logged, QUEUE, { before, limit: 200 }));
  assert.match(plan, /Index Scan using deposits_spendable/);
  assert.doesNotMatch(plan, /Sort/);
  assert.match(plan, /deposits_spendable.*rows=200/);
});

test("on dogecoin, a coin of which the database and the node later say less is not spent by what replaces its transaction", async () => {
  await db.execute(sql`delete from deposits`);
  // One output of 100,000 to our key, whose transaction is its proof.
  const legacy = openOwnKeys(account, "p2pkh");
  const { script } = legacy.child({ branch: 0, index: address.index });
  const raw = RawTx.encode({
    ...{ version: 1, segwitFlag: false, witnesses: [], lockTime: 0 },
    inputs: [{ txid: new Uint8Array(32).fill(7), index: 0, finalScriptSig: new Uint8Array(1), sequence: 0 }],
    outputs: [{ script, amount: 100_000n }],
  });
  const hash = Buffer.from(sha256(sha256(raw)))
    .reverse()
    .toString("hex");
  await credit(1, 1);
  let says = 100_000n;
  await db.execute(sql`update deposits set tx_hash = ${hash}, amount = ${says}`);
  assert.ok(isUtxoSending(real.sending));
  const fetchUnspent: UtxoSending["fetchUnspent"] = async () =>
    new Map([[`${hash}:0`, { script, satoshis: says, confirmations: 6, isCoinbase: false }]]);
  const withRecord = Object.assign(Object.create(adapter), {
    transactions: {
      fetchRecord: async () => ({ json: JSON.stringify({ hex: Buffer.from(raw).toString("hex") }) }),
    },
  });
  const sending = { ...real.sending, fetchUnspent };
  const coins = openDepositCoins({ db, adapter: withRecord, sending, keys: legacy });
  assert.equal((await coins.find([`${hash}:0`]))[0]?.satoshis, 100_000n);
  says = 10_000n;
  await db.execute(sql`update deposits set amount = ${says}`);
  assert.deepEqual(await coins.find([`${hash}:0`]), []);
});
