import type { TestContext } from "node:test";
import { deriveChildKey, openAccountKey } from "#lib/signer/account-key.ts";
import { MNEMONIC, payTrx, payUsdt, USDT, wallet } from "../support/tron.ts";
import { TRX, tronPolicy } from "../support/tron-signer-world.ts";
import { type TronSweepWorld, tronSweepWorld } from "../support/tron-sweep-world.ts";
import { report } from "./report.ts";
import { sized } from "./sized.ts";

const PAYOUTS = sized(100, 3);
/** Energy that a transfer of USDT needs on the main network, and its price there. */
const USDT_ENERGY = 65_000;
const ENERGY_SUN = 100;

/** On the emulator, whose token needs less energy than USDT: the ratios count, not the sums. */
export async function payoutsTron(t: TestContext): Promise<void> {
  const w = await tronSweepWorld(t);
  await payTrx(w.emulator, w.hot, Number(60_000n * TRX));
  await w.emulator.mine();
  await reportPayouts(w);
  await reportSweeps(w);
}

async function reportPayouts(w: TronSweepWorld): Promise<void> {
  for (let made = 0; made < PAYOUTS; made++) await w.create(USDT);
  const began = performance.now();
  const signer = w.start(tronPolicy());
  while (w.journal().length < PAYOUTS) {
    await w.step(signer);
    await w.emulator.mine();
  }
  const minutes = (performance.now() - began) / 60_000;
  report("tron: payouts a minute", (PAYOUTS / minutes).toFixed(0));
  const { receipt } = await infoOf(w, w.journal().at(-1)?.hash);
  report("tron: energy of a payout of USDT", String(receipt.energy_usage_total ?? 0));
  report("tron: bandwidth of a payout of USDT", String((receipt.net_fee ?? 0) / 1_000 || receipt.net_usage));
  w.pass(120_000);
}

async function reportSweeps(w: TronSweepWorld): Promise<void> {
  const usual = await usualSweep(w);
  const measure = async () => {
    const before = w.journal().length;
    await w.paid(100n * USDT);
    await w.run(undefined, 8);
    return costOf(w, before);
  };
  const burning = await measure();
  await w.stake(Number(40_000n * TRX));
  const staked = await measure();
  const ratio = (sun: number, most: number) => ({
    text: `${most} of the usual sweep`,
    met: sun / usual <= most,
  });
  report("tron: sun of the usual sweep of a new address", String(usual));
  report("tron: sun with exactly the TRX to burn", String(burning), ratio(burning, 1));
  report("tron: sun with energy of a stake", String(staked), ratio(staked, 0.9));
  const main = usual - (await energyOf(w)) * ENERGY_SUN + USDT_ENERGY * ENERGY_SUN;
  report("tron: the last with USDT's energy on the main network, as computed", (staked / main).toFixed(2));
}

/** A wallet's way: more TRX than needed to the address, then its transfer. The rest at the address is not counted. */
async function usualSweep(w: TronSweepWorld): Promise<number> {
  const { emulator, adapter, db } = w;
  const address = await w.paid(100n * USDT);
  const key = (branch: 0 | 1, index: number) =>
    Buffer.from(deriveChildKey(openAccountKey(MNEMONIC, adapter), branch, index)).toString("hex");
  const { rows } = await db.execute<{ index: number }>(
    "select index from addresses order by id desc limit 1",
  );
  const sent = await payTrx(emulator, address, Number(15n * TRX), wallet(emulator, key(1, 0)));
  await emulator.mine();
  const swept = await payUsdt(emulator, w.hot, 100_000_000, wallet(emulator, key(0, Number(rows[0]?.index))));
  await emulator.mine(4);
  await db.execute("delete from unswept_amounts");
  return ((await infoOf(w, sent)).fee ?? 0) + ((await infoOf(w, swept)).fee ?? 0);
}

/** The energy of the last sweep. */
async function energyOf(w: TronSweepWorld): Promise<number> {
  const swept = w.journal().findLast(({ moves }) => moves.some(({ from }) => from !== w.hot));
  return (await infoOf(w, swept?.hash)).receipt.energy_usage_total ?? 0;
}

const infoOf = (w: TronSweepWorld, hash = "") => wallet(w.emulator).trx.getUnconfirmedTransactionInfo(hash);

async function costOf(w: TronSweepWorld, from: number): Promise<number> {
  const infos = await Promise.all(
    w
      .journal()
      .slice(from)
      .map(({ hash }) => infoOf(w, hash)),
  );
  return infos.reduce((sum, { fee = 0 }) => sum + fee, 0);
}
