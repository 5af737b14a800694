import type { TestContext } from "node:test";
import type { NetworkConfig } from "#lib/chains/network.ts";
import type { SignerDeps } from "#lib/signer/run-signer.ts";
import { signerHost } from "./signer-host.ts";
import type { SignerProcessWorld } from "./signer-process.ts";
import type { Limits } from "./signer-world.ts";
import {
  balanceOf,
  MNEMONIC,
  newAccount,
  openTestTron,
  payTrx,
  payUsdt,
  TRON_ACCOUNT_KEY,
  trc20,
  USDT,
  wallet,
} from "./tron.ts";
import { aMerchant } from "./unmatched.ts";
import { aWithdrawal, fund } from "./withdrawals.ts";

export const TRX = 1_000_000n;
const EMAIL = "shop@example.com";

/** The text of a policy file for trc20. `network`: more fields of the network. */
export function tronPolicy(
  limits: Limits & Readonly<Record<string, unknown>> = {},
  { maxFee = "50", network = {} }: { readonly maxFee?: string; readonly network?: object } = {},
): string {
  const usdt = { per_transfer: "1000", per_day: "1000", auto_up_to: "1000", ...limits };
  const trx = { per_transfer: "1000", per_day: "1000", auto_up_to: "1000" };
  const networks = { "test.trc20": { max_fee: maxFee, ...network, tokens: { usdt, trx } } };
  return JSON.stringify({ version: 1, networks });
}

/** An emulator that is mined by hand, a merchant with USDT and TRX, and a hot account with 500 USDT and 1,000 TRX. */
export async function tronSignerWorld(t: TestContext, changes: Partial<NetworkConfig> = {}) {
  const node = await openTestTron(t, { resources: true });
  let aheadMs = 0;
  const emulator = {
    ...node,
    /** Also the signer's clock: it believes no block that is far ahead of it. */
    advance(seconds: number) {
      aheadMs += seconds * 1_000;
      return node.advance(seconds);
    },
  };
  const networks = trc20(emulator, changes);
  const now = () => new Date(Date.now() + aheadMs);
  const host = await signerHost(t, networks, "trc20", { mnemonic: MNEMONIC, now });
  const { db, adapter } = host;
  const merchantId = await aMerchant(db, EMAIL);
  await fund(db, adapter, merchantId, 1_000n * USDT);
  await fund(db, adapter, merchantId, 2_000n * TRX, "trx");
  const start = (policy = tronPolicy(), changes: Partial<SignerDeps> = {}) => host.start(policy, changes);
  const ask = (token: "usdt" | "trx", amount: bigint, to: string) =>
    aWithdrawal({ db, networks }, EMAIL, { network: "trc20", token, amount, to });
  const hot = start().account;
  await payTrx(emulator, hot, Number(1_000n * TRX));
  await payUsdt(emulator, hot, 500_000_000);
  const destination = newAccount().address;
  await payTrx(emulator, destination, 1);
  await emulator.mine(4);
  return {
    ...{ ...host, emulator, merchantId, hot, start, destination },
    create: (amount = 10n * USDT, to = destination) => ask("usdt", amount, to),
    createTrx: (amount = 10n * TRX, to = destination) => ask("trx", amount, to),
    /** USDT of an address on the chain, in ledger units. */
    balance: async (address = destination) => (await balanceOf(emulator, address)) * 10n ** 12n,
    /** TRX of an address on the chain, in sun. */
    trx: async (address: string) => BigInt(await wallet(emulator).trx.getUnconfirmedBalance(address)),
    /** Mines until what is in a block is final, then lets the worker follow. */
    async settle() {
      await emulator.mine(4);
      await host.follow();
    },
  };
}
export type TronSignerWorld = Awaited<ReturnType<typeof tronSignerWorld>>;

/** The variables of a signer's process. */
export const tronEnv = ({ emulator }: Pick<TronSignerWorld, "emulator">) => ({
  TEST_TRC20_RPC_URL: emulator.url,
  TEST_TRC20_XPUB: TRON_ACCOUNT_KEY,
  TEST_TRC20_USDT_CONTRACT: emulator.usdt,
});

/** The same for a signer in a process of its own: 1 USDT at once. */
export async function tronProcessWorld(t: TestContext): Promise<SignerProcessWorld> {
  const w = await tronSignerWorld(t);
  return {
    ...w,
    words: MNEMONIC,
    policy: tronPolicy(),
    env: tronEnv(w),
    isBatched: false,
    unit: USDT,
    ask: () => w.create(USDT),
    received: () => w.balance(),
    mine: (blocks) => (blocks > 0 ? w.emulator.mine(blocks) : Promise.resolve()),
  };
}
