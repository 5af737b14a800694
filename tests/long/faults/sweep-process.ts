/** Deposits that a signer in a process of its own sweeps, on each family that has sweeps. */
import type { TestContext } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import type { SignerDeps, SignerNetwork } from "#lib/signer/run-signer.ts";
import type { JournalEntry } from "#lib/signer/types.ts";
import { hereBy } from "#tests/support/acts.ts";
import { mine } from "#tests/support/anvil.ts";
import type { SignerHost } from "#tests/support/signer-process.ts";
import { poolText, SOLANA_HOT, solanaEnv } from "#tests/support/signer-solana.ts";
import { toProcessWorld, WORDS } from "#tests/support/signer-world.ts";
import { sweepWorld } from "#tests/support/solana-sweep-world.ts";
import { sweeperWorld, sweepPolicy } from "#tests/support/sweeper-world.ts";
import { MNEMONIC, payTrx } from "#tests/support/tron.ts";
import { TRX, tronEnv } from "#tests/support/tron-signer-world.ts";
import { sweepPolicy as tronSweepPolicy, tronSweepWorld } from "#tests/support/tron-sweep-world.ts";
import { USDT } from "#tests/support/withdrawals.ts";

export interface SweepProcess extends SignerHost {
  readonly db: SignerDeps["db"];
  readonly networks: NetworkRegistry;
  readonly hot: string;
  /** Pays new deposit addresses 100 USDT each. */
  pay(): Promise<readonly string[]>;
  /** USDT of an address on the chain. */
  tokens(address: string): Promise<bigint>;
  /** Whole USDT in `tokens`. */
  readonly unit: bigint;
  /** The network's coin of an address on the chain, in ledger units. */
  coins(address: string): Promise<bigint>;
  mine(blocks: number): Promise<unknown>;
  /** A signer in this process, with the journal that is on the disk. */
  open(now: () => Date): SignerNetwork;
  step(signer: SignerNetwork): Promise<unknown>;
  journal(): readonly JournalEntry[];
}

export const SWEEP_PROCESSES: Readonly<Record<string, (t: TestContext) => Promise<SweepProcess>>> = {
  async bep20(t) {
    const w = await sweeperWorld(t);
    const usdt = { per_transfer: "0", per_day: "0", auto_up_to: "0", sweep_above: "10" };
    const policy = sweepPolicy({ tokens: { usdt } });
    return {
      ...{ ...w, policy, words: WORDS, env: toProcessWorld(w).env, unit: USDT },
      async pay() {
        const paid = [await w.allocate(), await w.allocate("merchant")];
        await w.pay(paid, 100n * USDT);
        return paid.map(({ address }) => address);
      },
      tokens: w.balance,
      mine: (blocks) => mine(w.url, blocks),
      open: (now) => w.start(policy, { now }),
    };
  },
  async trc20(t) {
    const w = await tronSweepWorld(t);
    await payTrx(w.emulator, w.hot, Number(10_000n * TRX));
    await w.emulator.mine(4);
    const policy = tronSweepPolicy({ sweep_fee_per_day: "10000" });
    return {
      ...{ ...w, policy, words: MNEMONIC, env: tronEnv(w), unit: USDT },
      pay: async () => [await w.paid(100n * USDT)],
      tokens: w.balance,
      coins: w.trx,
      mine: (blocks) => w.emulator.mine(blocks),
      open: (now) => w.start(policy, { now }),
    };
  },
  async solana(t) {
    const w = await sweepWorld(t);
    const text = poolText(200, 100);
    await w.db.transaction((tx) => importAddresses(hereBy(tx), { env: "test", network: "solana", text }));
    const changes = { ...w.policy, sweep_fee_per_day: "1" };
    return {
      ...{ ...w, hot: SOLANA_HOT, policy: w.policyText(changes), env: solanaEnv(w.url), unit: 1_000_000n },
      words: WORDS,
      async pay() {
        const paid = [await w.allocate(), await w.allocate()];
        await w.payUsdt(paid, 100n);
        return paid.map(({ address }) => address);
      },
      tokens: w.balance,
      coins: async (address) => w.lamports(address),
      mine: async (blocks) => w.chain.mine(blocks),
      open: (now) => w.start(changes, { now }),
    };
  },
};
