import type { TestContext } from "node:test";
import { mnemonicToSeedSync } from "@scure/bip39";
import { deriveSolanaAddress } from "#lib/chains/solana/address.ts";
import { isSolanaSending } from "#lib/chains/solana/sending.ts";
import { sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import { hereBy } from "./acts.ts";
import { payoutWorld } from "./payout-world.ts";
import type { SignerProcessWorld } from "./signer-process.ts";
import { WORDS } from "./signer-world.ts";
import { solana, solanaAddress, USDT_MINT } from "./solana.ts";
import { USDT } from "./withdrawals.ts";

const SEED = mnemonicToSeedSync(WORDS);
/** The hot account of the signer's words. */
export const SOLANA_HOT = deriveSolanaAddress(SEED, "m/44'/501'/0'/3'");
/** A pool of addresses of the signer's words, with their paths. */
export const poolText = (count = 30, first = 0) =>
  Array.from({ length: count }, (_, n) => `m/44'/501'/${first + n}'/1'`)
    .map((path) => `${deriveSolanaAddress(SEED, path)} ${path}`)
    .join("\n");
export const LAMPORTS = 1_000_000_000n;

/** LiteSVM behind our front, a hot account with 500 USDT and 5 SOL, and a merchant who may withdraw 1,000 USDT and 10 SOL. */
export async function solanaSignerWorld(t: TestContext) {
  const node = await startSolanaNode({ finalizedLag: 2 });
  t.after(() => node.stop());
  const { url, chain } = node;
  chain.mine(3);
  await sendSol(url, [[SOLANA_HOT, 5n * LAMPORTS]]);
  await sendSolanaUsdt(url, [[SOLANA_HOT, 500_000_000n]]);
  chain.mine(3);
  const usdt = { per_transfer: "1000", per_day: "1000", auto_up_to: "1000" };
  const sol = { per_transfer: "5", per_day: "10", auto_up_to: "5" };
  const world = await payoutWorld(t, {
    network: "solana",
    networks: solana(url),
    policy: { max_fee: "0.003", tokens: { usdt, sol } },
    balances: { usdt: 1_000n * USDT, sol: 10n * LAMPORTS },
    async prepare(db) {
      await db.transaction((tx) =>
        importAddresses(hereBy(tx), { env: "test", network: "solana", text: poolText() }),
      );
      await db.execute(
        "insert into token_prices (token, price, source, at) values ('usdt', '1', 'test', now()), ('sol', '150', 'test', now())",
      );
    },
    finalize: () => chain.mine(4),
  });
  const lamports = (address: string) => chain.svm.getBalance(address as never) ?? 0n;
  const { sending } = world.adapter;
  if (!isSolanaSending(sending)) throw new Error("solana does not send");
  return {
    ...world,
    ...{ node, url, chain, usdt, sol, lamports },
    pay: (to: string, amount = 10n) => world.create("usdt", amount * USDT, to),
    /** USDT of an owner, in units of the chain. */
    balance: async (owner: string) => ((await sending.fetchBalances(owner)).get("usdt") ?? 0n) / 10n ** 12n,
  };
}
export type SolanaSignerWorld = Awaited<ReturnType<typeof solanaSignerWorld>>;

/** The variables of a signer's process. */
export const solanaEnv = (url: string) => ({
  TEST_SOLANA_RPC_URL: url,
  TEST_SOLANA_CHAIN: "development",
  TEST_SOLANA_USDT_CONTRACT: USDT_MINT,
});

/** The same for a signer in a process of its own: USDT, 1 USDT at once. */
export async function solanaProcessWorld(t: TestContext): Promise<SignerProcessWorld> {
  const w = await solanaSignerWorld(t);
  const to = solanaAddress(900);
  return {
    ...w,
    words: WORDS,
    policy: w.policyText(),
    env: solanaEnv(w.url),
    isBatched: false,
    unit: USDT,
    ask: () => w.pay(to, 1n),
    received: async () => (await w.balance(to)) * 10n ** 12n,
    mine: async (blocks) => w.chain.mine(blocks),
  };
}
