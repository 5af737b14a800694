import type { TestContext } from "node:test";
import { sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { aDeposit } from "./deposits.ts";
import { solanaSignerWorld } from "./signer-solana.ts";
import { USDT } from "./withdrawals.ts";

/** A signer's world on Solana with a policy that sweeps. Its clock moves with each step. */
export async function sweepWorld(t: TestContext) {
  const w = await solanaSignerWorld(t);
  await w.db.execute("delete from unswept_amounts");
  let now = Date.now();
  let made = 0;
  const credit = async (id: number, token: TokenCode, amount: bigint) => {
    made += 1;
    await aDeposit(w.db, id, {
      txHash: `${"5".repeat(80)}${made + 1000}`,
      amount,
      token,
      confirmedAt: new Date(now),
    });
  };
  const policy = {
    max_sweep_fee_percent: "5",
    sweep_fee_per_day: "0.01",
    tokens: { usdt: { ...w.usdt, sweep_above: "5" }, sol: { ...w.sol, sweep_above: "0.01" } },
  };
  return {
    ...w,
    policy,
    credit,
    pass: (ms: number) => {
      now += ms;
    },
    allocate: () =>
      w.db.transaction((tx) =>
        allocateAddress(tx, w.adapter, {
          merchantId: w.merchantId,
          purpose: "payment_link",
          customerId: null,
        }),
      ),
    async payUsdt(to: readonly { readonly id: number; readonly address: string }[], amount = 10n) {
      for (const { id, address } of to) {
        await sendSolanaUsdt(w.url, [[address, amount * 1_000_000n]]);
        await credit(id, "usdt", amount * USDT);
      }
      w.chain.mine(3);
    },
    async paySol({ id, address }: { readonly id: number; readonly address: string }, amount: bigint) {
      await sendSol(w.url, [[address, amount]]);
      w.chain.mine(3);
      await credit(id, "sol", amount);
    },
    /** Lets a signer sweep until it has nothing to do, and returns what it signed. */
    async sweep(changes: object = {}, steps = 3) {
      const before = w.journal().length;
      const signer = w.start({ ...policy, ...changes }, { now: () => new Date(now) });
      for (let step = 0; step < steps; step++) {
        await w.step(signer);
        w.chain.mine(4);
        now += 200_000;
      }
      return w.journal().slice(before);
    },
    left: async () => {
      const { rows } = await w.database.database.pool.query("select token from unswept_amounts");
      return rows.length;
    },
  };
}
