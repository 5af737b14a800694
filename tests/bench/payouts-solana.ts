import type { TestContext } from "node:test";
import { mnemonicToSeedSync } from "@scure/bip39";
import { rpc } from "#lib/dev-chains/rpc.ts";
import {
  signPlan,
  tokenAccountOf,
  transferSol,
  transferTokens,
} from "#lib/signer/solana/build-transaction.ts";
import { deriveKey } from "#lib/signer/solana/hot-key.ts";
import { SOLANA_HOT } from "../support/signer-solana.ts";
import { WORDS } from "../support/signer-world.ts";
import { solanaAddress, USDT_MINT } from "../support/solana.ts";
import { sweepWorld } from "../support/solana-sweep-world.ts";
import { report } from "./report.ts";
import { sized } from "./sized.ts";

const PAYOUTS = sized(100, 3);
const ADDRESSES = sized(25, 5);
type World = Awaited<ReturnType<typeof sweepWorld>>;

export async function payoutsSolana(t: TestContext): Promise<void> {
  const w = await sweepWorld(t);
  await reportPayouts(w);
  await reportSweeps(w);
}

/** With blocks on demand: what the signer and its database need, not the chain. */
async function reportPayouts(w: World): Promise<void> {
  const to = solanaAddress(900);
  await w.pay(to, 1n);
  await w.step(w.start());
  await w.settle();
  for (let made = 0; made < PAYOUTS; made++) await w.pay(to, 1n);
  const before = w.lamports(SOLANA_HOT);
  const began = performance.now();
  const signer = w.start();
  while (w.journal().length < PAYOUTS + 1) {
    await w.step(signer);
    w.chain.mine(1);
  }
  const minutes = (performance.now() - began) / 60_000;
  await w.settle();
  report("solana: payouts a minute", (PAYOUTS / minutes).toFixed(0));
  const each = Number(before - w.lamports(SOLANA_HOT)) / PAYOUTS;
  report("solana: lamports of a payout to an existing token account", each.toFixed(0));
}

async function reportSweeps(w: World): Promise<void> {
  const usual = await usualSweep(w);
  const addresses = await Promise.all(Array.from({ length: ADDRESSES }, () => w.allocate()));
  await w.payUsdt(addresses);
  const rent = await Promise.all(
    addresses.map(async (one) => w.lamports(await tokenAccountOf(one.address, USDT_MINT))),
  );
  const before = w.lamports(SOLANA_HOT);
  await w.sweep();
  const back = rent.reduce<bigint>((sum, one) => sum + one, 0n);
  const each = Number(before + back - w.lamports(SOLANA_HOT)) / ADDRESSES;
  const most = 0.8;
  report("solana: lamports of the usual sweep of an address", usual.fees.toFixed(0));
  report("solana: the same, with what it leaves on the address", usual.all.toFixed(0));
  report("solana: lamports of an address, five at once", each.toFixed(0), {
    text: `${most} of the usual fees`,
    met: each / usual.fees < most,
  });
  report("solana: lamports that come back from each address", (back / BigInt(ADDRESSES)).toString());
}

/** SOL to the address first, then a transaction from it that leaves the token account and the least that an account must hold. */
async function usualSweep(w: World): Promise<{ readonly fees: number; readonly all: number }> {
  const paid = await w.allocate();
  await w.payUsdt([paid]);
  await w.db.execute("delete from unswept_amounts");
  const seed = mnemonicToSeedSync(WORDS);
  const [hot, deposit] = [deriveKey(seed, "m/44'/501'/0'/3'"), deriveKey(seed, paid.path)];
  const send = async (key: typeof hot, instructions: Parameters<typeof signPlan>[0]["instructions"]) => {
    const { value } = (await rpc(w.url, "getLatestBlockhash", [{ commitment: "confirmed" }])) as {
      value: { blockhash: string };
    };
    const plan = {
      feePayer: key.address,
      instructions,
      blockhash: value.blockhash,
      units: 50_000,
      unitPrice: 0n,
    };
    const { raw, hash } = signPlan(plan, [key]);
    await rpc(w.url, "sendTransaction", [raw, { encoding: "base64" }]);
    w.chain.mine(1);
    return w.chain.find(hash)?.executed.fee ?? 0;
  };
  const before = w.lamports(hot.address);
  const least = w.chain.svm.minimumBalanceForRentExemption(0n);
  const funding = await send(hot, [transferSol(hot.address, paid.address, least + 5_000n)]);
  const [from, to] = await Promise.all(
    [paid.address, hot.address].map((owner) => tokenAccountOf(owner, USDT_MINT)),
  );
  const source = { owner: paid.address, account: from ?? "" };
  const moving = await send(deposit, [
    transferTokens({ mint: USDT_MINT, decimals: 6 }, source, to ?? "", 10_000_000n),
  ]);
  return { fees: funding + moving, all: Number(before - w.lamports(hot.address)) };
}
