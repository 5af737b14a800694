/** No node and no number of canceled payments makes the signer pay a higher fee on bitcoin than its policy says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hex } from "@scure/base";
import { RawTx } from "@scure/btc-signer";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { startFakeNode, type Twist } from "#tests/support/fake-node.ts";
import { SETUPS, type UtxoWorld, utxoWorld } from "#tests/support/utxo-world.ts";

/** Satoshis for a virtual byte. */
const CAP = 10n;
const POLICY = { max_fee_per_vbyte: String(CAP) };

/** Returns the outputs of a transaction that spends these outputs of the chain. */
async function feeOf(w: UtxoWorld, raw: string): Promise<bigint> {
  const { inputs, outputs } = RawTx.decode(hex.decode(raw));
  let fee = outputs.reduce((sum, { amount }) => sum - amount, 0n);
  for (const { txid, index } of inputs) {
    const own = w.journal().find(({ hash }) => hash === hex.encode(txid));
    fee += own === undefined ? await outputOf(w, hex.encode(txid), index) : amountAt(own.raw, index);
  }
  return fee;
}

const amountAt = (raw: string, index: number) => RawTx.decode(hex.decode(raw)).outputs[index]?.amount ?? 0n;

async function outputOf({ bitcoin }: UtxoWorld, txid: string, index: number): Promise<bigint> {
  const { hex: raw } = await bitcoin.call<{ hex: string }>("gettransaction", txid);
  return amountAt(raw, index);
}

/** A signer whose node changes answers. */
async function lyingTo(w: UtxoWorld, close: (front: { close(): Promise<void> }) => void, twist: Twist) {
  const front = await startFakeNode(w.node.url);
  close(front);
  front.twist = twist;
  const accountKey = w.account.publicExtendedKey;
  return { networks: utxoNetwork(w.setup.data, front.url, { accountKey }) };
}

test("a node that lies about what waits makes the next payment no dearer than the cap", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit([900]);
  await w.create(1);
  await w.step(w.start(POLICY));
  const { refid, id, toAddress } = await w.create(1);
  const lying = await lyingTo(
    w,
    (front) => t.after(() => front.close()),
    ({ method }) => (method === "getmempoolentry" ? { vsize: 4_000_000, fees: { base: 0 } } : undefined),
  );
  const signer = w.start(POLICY, lying);
  await w.step(signer);
  const [first, second] = w.journal();
  assert.ok(first && second, String(signer.held.get(refid)));
  const fee = await feeOf(w, second.raw);
  const bytes = BigInt(Math.ceil((first.raw.length + second.raw.length) / 2));
  assert.ok(fee <= CAP * bytes, `${fee} satoshis for ${bytes} bytes`);
  await w.settle();
  assert.deepEqual([(await w.row(id)).status, await w.balance(toAddress)], ["completed", w.setup.unit]);
});

test("a node that lies about what a replacement must pay makes a cancellation no dearer than the caps of both", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit([900]);
  const { refid } = await w.create(1);
  await w.step(w.start(POLICY));
  // The database is restored from before, and the withdrawal is ended too soon.
  await w.db
    .update(withdrawals)
    .set({ status: "pending", txHash: null, transactions: [], processedAt: null });
  assert.ok((await w.fail(refid)).ok);
  const lying = w.answering(({ fetchState }) => ({
    fetchState: async () => ({ ...(await fetchState()), replacementRate: 500_000_000n }),
  }));
  await w.step(w.start(POLICY, lying));
  const [payout, canceled] = w.journal();
  assert.equal(canceled?.kind, "cancel");
  const fee = await feeOf(w, canceled.raw);
  const bytes = BigInt(((payout?.raw.length ?? 0) + canceled.raw.length) / 2);
  assert.ok(fee <= CAP * bytes, `${fee} satoshis for ${bytes} bytes`);
  await w.step(w.start(POLICY));
  assert.deepEqual(await w.mempool(), [canceled.hash]);
});

test("payments that are ended after they were signed use up the limits of the day", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit([200]);
  const limits = { ...POLICY, ...w.limit({ per_day: "0.05" }) };
  let now = Date.now();
  const clock = { now: () => new Date(now) };
  const round = async () => {
    const { refid } = await w.create(25);
    const signer = w.start(limits, { ...clock, journal: w.dyingJournal() });
    const isSigned = await w.step(signer).then(
      () => false,
      () => true,
    );
    assert.ok((await w.fail(refid)).ok);
    const next = w.start(limits, clock);
    await w.step(next);
    await w.settle();
    now += 60_000;
    await w.step(next);
    return isSigned;
  };
  assert.deepEqual([await round(), await round(), await round()], [true, true, false]);
});

test("the fees of a day have a limit of their own, and a cancellation passes it", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit([200]);
  const { refid } = await w.create(1);
  const few = { ...POLICY, fee_per_day: "0.0000015" };
  await assert.rejects(w.step(w.start(few, { journal: w.dyingJournal() })), /killed/);
  assert.ok((await w.fail(refid)).ok);
  const next = await w.create(1);
  const signer = w.start(few);
  await w.step(signer);
  assert.deepEqual(
    w.journal().map(({ kind }) => kind),
    ["payout", "cancel"],
  );
  assert.equal(signer.held.get(next.refid), "above_fee_per_day");
  await w.step(w.start(POLICY));
  assert.equal(w.journal().length, 3);
});

test("on dogecoin, whose signatures commit to no amounts, a deposit that a node makes smaller is not spent", async (t) => {
  const w = await utxoWorld(t, SETUPS.dogecoin);
  const hash = await w.deposit([20]);
  const half = (w.setup.unit * 20n) / 2n;
  await w.db.update(deposits).set({ amount: half });
  const lying = await lyingTo(
    w,
    (front) => t.after(() => front.close()),
    async ({ method, params }, pass) => {
      if (method !== "gettxout" || params[0] !== hash) return undefined;
      const output = (await pass()) as { value: number } | null;
      return output === null ? undefined : { ...output, value: Number(half) / 1e8 };
    },
  );
  const { id } = await w.create(1);
  await w.step(w.start({}, lying));
  assert.deepEqual(w.journal(), [], "half of it would be fee");
  await w.db.update(deposits).set({ amount: 2n * half });
  await w.step(w.start());
  await w.settle();
  assert.equal((await w.row(id)).status, "completed");
});
