import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { deriveChildKey, openAccountKey } from "#lib/signer/account-key.ts";
import { readSigned } from "#lib/signer/tron/transaction.ts";
import { aDeposit } from "./deposits.ts";
import { broadcast, MNEMONIC, payUsdt, wallet } from "./tron.ts";
import { tronPolicy, tronSignerWorld } from "./tron-signer-world.ts";

export const SWEEPS = { max_sweep_fee_percent: "20", sweep_fee_per_day: "100" };
export const sweepPolicy = (network: object = {}, token: object = {}) =>
  tronPolicy({ sweep_above: "10", ...token }, { network: { ...SWEEPS, ...network } });

/** A signer's world whose clock is moved by hand, with a price of TRX. Its deposit addresses have never existed on the chain. */
export async function tronSweepWorld(t: TestContext) {
  const w = await tronSignerWorld(t);
  const { db, emulator, adapter } = w;
  await db.execute(`insert into token_prices (token, price, source, at)
    values ('usdt', '1', 'test', now()), ('trx', '0.3', 'test', now())`);
  // The merchant's balance is only in the books.
  await db.execute("delete from unswept_amounts");
  let now = Date.now();
  const start = (text = sweepPolicy(), changes: Parameters<typeof w.start>[1] = {}) =>
    w.start(text, { now: () => new Date(now), ...changes });
  return {
    ...w,
    start,
    pass: (ms: number) => {
      now += ms;
    },
    /** A deposit address that has received USDT as a customer pays it. */
    async paid(amount: bigint) {
      const address = await db.transaction((tx) =>
        allocateAddress(tx, adapter, { merchantId: w.merchantId, purpose: "payment_link", customerId: null }),
      );
      const txHash = await payUsdt(emulator, address.address, Number(amount / 10n ** 12n));
      await emulator.mine();
      await aDeposit(db, address.id, { txHash, position: 0, amount, confirmedAt: new Date(now) });
      return address.address;
    },
    /** Steps with a new signer each time, until it signs nothing any more. Returns what it signed, by its type. */
    async run(text = sweepPolicy(), steps = 8, changes: () => Parameters<typeof w.start>[1] = () => ({})) {
      for (let step = 0; step < steps; step++) {
        await w.step(start(text, changes())).catch((error: Error) => assert.match(error.message, /killed/));
        await emulator.mine(4);
        now += 61_000;
      }
      return w.journal().map(({ raw }) => readSigned(raw).type);
    },
    /** Stakes TRX of the hot account for energy, as its operator does. */
    async stake(sun: number) {
      const key = Buffer.from(deriveChildKey(openAccountKey(MNEMONIC, adapter), 1, 0)).toString("hex");
      const own = wallet(emulator, key);
      const built = await own.transactionBuilder.freezeBalanceV2(sun, "ENERGY", w.hot);
      assert.equal((await broadcast(emulator, await own.trx.sign(built as never))).result, true);
      await emulator.mine(4);
    },
    costs: async () =>
      (
        await Promise.all(
          w.journal().map(({ hash }) => wallet(emulator).trx.getUnconfirmedTransactionInfo(hash)),
        )
      ).reduce((sum, { fee = 0 }) => sum + fee, 0),
  };
}
export type TronSweepWorld = Awaited<ReturnType<typeof tronSweepWorld>>;
