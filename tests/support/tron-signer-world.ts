import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { type Journal, openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { openSigner, type SignerDeps, type SignerNetwork, stepNetwork } from "#lib/signer/run-signer.ts";
import { testDatabase } from "./database.ts";
import type { SignerProcessWorld } from "./signer-process.ts";
import type { Limits } from "./signer-world.ts";
import {
  balanceOf,
  MNEMONIC,
  newAccount,
  payTrx,
  payUsdt,
  startTestTron,
  TRON_ACCOUNT_KEY,
  trc20,
  USDT,
  wallet,
} from "./tron.ts";
import { aMerchant } from "./unmatched.ts";
import { log } from "./watched-chain.ts";
import { withdrawalSteps } from "./withdrawal-steps.ts";
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
  const node = await startTestTron({ resources: true });
  let aheadMs = 0;
  const emulator = {
    ...node,
    /** Also the signer's clock: it believes no block that is far ahead of it. */
    advance(seconds: number) {
      aheadMs += seconds * 1_000;
      return node.advance(seconds);
    },
  };
  const database = await testDatabase();
  const { db } = database;
  const folder = mkdtempSync(join(tmpdir(), "paylink-signer-"));
  t.after(async () => {
    await emulator.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const networks = trc20(emulator, changes);
  const adapter = networks.find("test", "trc20");
  if (adapter === null) throw new Error("trc20 is off");
  const deps = { db, networks };
  const merchantId = await aMerchant(db, EMAIL);
  await fund(db, adapter, merchantId, 1_000n * USDT);
  await fund(db, adapter, merchantId, 2_000n * TRX, "trx");
  const journalPath = join(folder, "journal.jsonl");
  let journal: Journal | null = null;

  /** A signer as after its process began: with the journal that is on the disk. */
  const start = (policy = tronPolicy(), changes: Partial<SignerDeps> = {}): SignerNetwork => {
    journal?.close();
    journal = openJournal(journalPath);
    const parsed = parsePolicy(policy, (_env, _network, address) => adapter.canonicalizeAddress(address));
    const opened = openSigner({
      ...deps,
      mnemonic: MNEMONIC,
      journal,
      policy: () => parsed,
      log,
      now: () => new Date(Date.now() + aheadMs),
      ...changes,
    });
    const [network] = opened;
    if (network === undefined) throw new Error("the signer pays nowhere");
    return network;
  };
  const hot = start().account;
  await payTrx(emulator, hot, Number(1_000n * TRX));
  await payUsdt(emulator, hot, 500_000_000);
  const destination = newAccount().address;
  await payTrx(emulator, destination, 1);
  await emulator.mine(4);
  return {
    ...{ emulator, database, ...deps, adapter, merchantId, journalPath, folder, hot, start, destination },
    ...withdrawalSteps(deps, log),
    create: (amount = 10n * USDT, to = destination) =>
      aWithdrawal(deps, EMAIL, { network: "trc20", amount, to }),
    createTrx: (amount = 10n * TRX, to = destination) =>
      aWithdrawal(deps, EMAIL, { network: "trc20", token: "trx", amount, to }),
    journal: () => openJournal(journalPath).entries,
    step: (signer: SignerNetwork) => stepNetwork(signer, log),
    /** USDT of an address on the chain, in ledger units. */
    balance: async (address = destination) => (await balanceOf(emulator, address)) * 10n ** 12n,
    /** TRX of an address on the chain, in sun. */
    trx: async (address: string) => BigInt(await wallet(emulator).trx.getUnconfirmedBalance(address)),
    /** Mines until what is in a block is final, then lets the worker follow. */
    async settle() {
      await emulator.mine(4);
      await withdrawalSteps(deps, log).follow();
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
