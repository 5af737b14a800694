import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { Hex } from "viem";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { type Journal, openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { openSigner, type SignerDeps, type SignerNetwork, stepNetwork } from "#lib/signer/run-signer.ts";
import { FAUCET, mine, rpc, sendEvmUsdt, startTestChain, USDT_ADDRESS } from "./anvil.ts";
import { testDatabase } from "./database.ts";
import type { SignerProcessWorld } from "./signer-process.ts";
import { aMerchant } from "./unmatched.ts";
import { evmNetwork, log } from "./watched-chain.ts";
import { withdrawalSteps } from "./withdrawal-steps.ts";
import { aWithdrawal, DESTINATION, fund, USDT } from "./withdrawals.ts";

export const WORDS = `${"abandon ".repeat(23)}art`;
export const EMAIL = "shop@example.com";
export const ACCOUNT_KEY = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS)).derive(
  "m/44'/60'/0'",
).publicExtendedKey;

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
  const node = await startTestChain();
  const { url } = node;
  const database = await testDatabase();
  const { db } = database;
  const folder = mkdtempSync(join(tmpdir(), "paylink-signer-"));
  t.after(async () => {
    await node.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const networks = evmNetwork(
    "bep20",
    [url],
    { usdt: USDT_ADDRESS },
    { accountKey: ACCOUNT_KEY, ...changes },
  );
  const adapter = networks.find("test", "bep20");
  if (adapter === null) throw new Error("bep20 is off");
  const deps = { db, networks };
  const merchantId = await aMerchant(db, EMAIL);
  await fund(db, adapter, merchantId, 1_000n * USDT);
  const journalPath = join(folder, "journal.jsonl");
  let journal: Journal | null = null;

  /** A signer as after its process began: with the journal that is on the disk. */
  const start = (policy = policyText(), changes: Partial<SignerDeps> = {}): SignerNetwork => {
    journal?.close();
    journal = openJournal(journalPath);
    const parsed = parsePolicy(policy, (_env, _network, address) => adapter.canonicalizeAddress(address));
    const [opened] = openSigner({ ...deps, mnemonic: WORDS, journal, policy: () => parsed, log, ...changes });
    if (opened === undefined) throw new Error("the signer pays nowhere");
    return opened;
  };
  const hot = start().account;
  await rpc(url, "anvil_setBalance", [hot, "0x8ac7230489e80000"]);
  await sendEvmUsdt(url, hot, 500n * USDT);
  await mine(url);
  return {
    ...{ url, node, database, ...deps, adapter, merchantId, journalPath, folder, hot, start },
    ...withdrawalSteps(deps, log),
    create: (amount = 10n * USDT, to = DESTINATION) => aWithdrawal(deps, EMAIL, { amount, to }),
    journal: () => openJournal(journalPath).entries,
    /** The withdrawals that were signed for, in order. */
    refids: () =>
      openJournal(journalPath).entries.flatMap(({ payouts }) => payouts.map(({ refid }) => refid)),
    step: (signer: SignerNetwork) => stepNetwork(signer, log),
    /** USDT of an address, on the chain. */
    async balance(address: string): Promise<bigint> {
      const data = `0x70a08231${address.slice(2).padStart(64, "0")}`;
      return BigInt((await rpc(url, "eth_call", [{ to: USDT_ADDRESS, data }, "latest"])) as Hex);
    },
    /** Mines until what is in a block is final, then lets the worker follow. */
    async settle() {
      await mine(url, 4);
      await withdrawalSteps(deps, log).follow();
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
