import type { TestContext } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { Hex } from "viem";
import type { NetworkConfig } from "#lib/chains/network.ts";
import type { SignerDeps } from "#lib/signer/run-signer.ts";
import { FAUCET, mine, openTestChain, rpc, sendEvmUsdt, USDT_ADDRESS } from "./anvil.ts";
import { signerHost } from "./signer-host.ts";
import type { SignerProcessWorld } from "./signer-process.ts";
import { aMerchant } from "./unmatched.ts";
import { evmNetwork } from "./watched-chain.ts";
import { aWithdrawal, DESTINATION, fund, USDT } from "./withdrawals.ts";

export const WORDS = `${"abandon ".repeat(23)}art`;
export const EMAIL = "shop@example.com";
export const ACCOUNT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS)).derive("m/44'/60'/0'");
export const ACCOUNT_KEY = ACCOUNT.publicExtendedKey;

/** Limits of USDT on bep20. */
export interface Limits {
  readonly per_transfer?: string;
  readonly per_day?: string;
  readonly per_merchant_per_day?: string;
  readonly auto_up_to?: string;
  readonly allow_only?: readonly string[];
}

/** The text of a policy file for bep20. */
export function policyText(
  limits: Limits = {},
  { approvals, gwei = "50" }: { readonly approvals?: object; readonly gwei?: string } = {},
): string {
  const usdt = { per_transfer: "1000", per_day: "1000", auto_up_to: "1000", ...limits };
  const bnb = { per_transfer: "1", per_day: "1", auto_up_to: "1" };
  const networks = { "test.bep20": { max_fee_per_gas_gwei: gwei, tokens: { usdt, bnb } } };
  return JSON.stringify({ version: 1, networks, ...(approvals !== undefined && { approvals }) });
}

/** A node that is mined by hand, a merchant with 1,000 USDT, and a hot account with 500 USDT and 10 coins. */
export async function signerWorld(t: TestContext, changes: Partial<NetworkConfig> = {}) {
  const node = await openTestChain(t);
  const { url } = node;
  const networks = evmNetwork(
    "bep20",
    [url],
    { usdt: USDT_ADDRESS },
    { accountKey: ACCOUNT_KEY, ...changes },
  );
  const host = await signerHost(t, networks, "bep20", { mnemonic: WORDS });
  const { db, adapter } = host;
  const merchantId = await aMerchant(db, EMAIL);
  await fund(db, adapter, merchantId, 1_000n * USDT);
  const start = (policy = policyText(), changes: Partial<SignerDeps> = {}) => host.start(policy, changes);
  const hot = start().account;
  await rpc(url, "anvil_setBalance", [hot, "0x8ac7230489e80000"]);
  await sendEvmUsdt(url, hot, 500n * USDT);
  await mine(url);
  return {
    ...{ ...host, url, node, merchantId, hot, start },
    create: (amount = 10n * USDT, to = DESTINATION) => aWithdrawal({ db, networks }, EMAIL, { amount, to }),
    /** The withdrawals that were signed for, in order. */
    refids: () => host.journal().flatMap(({ payouts }) => payouts.map(({ refid }) => refid)),
    /** USDT of an address, on the chain. */
    async balance(address: string): Promise<bigint> {
      const data = `0x70a08231${address.slice(2).padStart(64, "0")}`;
      return BigInt((await rpc(url, "eth_call", [{ to: USDT_ADDRESS, data }, "latest"])) as Hex);
    },
    /** Mines until what is in a block is final, then lets the worker follow. */
    async settle() {
      await mine(url, 4);
      await host.follow();
    },
    faucet: FAUCET.address,
  };
}
export type SignerWorld = Awaited<ReturnType<typeof signerWorld>>;

/** The same for a signer in a process of its own: USDT on bep20, 1 USDT at once. */
export const evmProcessWorld = async (t: TestContext): Promise<SignerProcessWorld> =>
  toProcessWorld(await signerWorld(t));

export function toProcessWorld(w: SignerWorld): SignerProcessWorld {
  return {
    ...w,
    words: WORDS,
    policy: policyText(),
    env: {
      TEST_BEP20_RPC_URL: w.url,
      TEST_BEP20_XPUB: ACCOUNT_KEY,
      TEST_BEP20_USDT_CONTRACT: USDT_ADDRESS,
      TEST_BEP20_CHAIN_ID: "97",
    },
    isBatched: false,
    unit: USDT,
    ask: () => w.create(USDT),
    received: () => w.balance(DESTINATION),
    mine: (blocks) => mine(w.url, blocks),
  };
}
