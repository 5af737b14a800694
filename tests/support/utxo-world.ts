import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { depositCause } from "#lib/domain/deposits/rules.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { type Journal, openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { openSigner, type SignerDeps, type SignerNetwork, stepNetwork } from "#lib/signer/run-signer.ts";
import { utxoNetwork } from "./bitcoin-adapter.ts";
import {
  addressOf,
  BITCOIN_REGTEST,
  LITECOIN_REGTEST,
  openBitcoin,
  type PrivateChain,
  type SharedNode,
  scriptOf,
  shareBitcoind,
  shareLitecoind,
  startBitcoind,
} from "./bitcoind.ts";
import { STAND_IN, STAND_IN_CHAIN, shareStandIn } from "./contract-drivers/dogecoin.ts";
import { testDatabase } from "./database.ts";
import type { SignerProcessWorld } from "./signer-process.ts";
import { aMerchant, anAddress } from "./unmatched.ts";
import { log } from "./watched-network.ts";
import { withdrawalSteps } from "./withdrawal-steps.ts";
import { aWithdrawal } from "./withdrawals.ts";

export const WORDS = `${"abandon ".repeat(23)}art`;
export const EMAIL = "shop@example.com";
export const COIN = 100_000_000n;
const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));

/** A chain of bitcoin's family. */
export interface UtxoSetup {
  readonly data: NetworkData;
  readonly open: () => Promise<SharedNode & { stop?(): Promise<void> }>;
  readonly chain: PrivateChain;
  /** Blocks until everything is final. */
  readonly finalAfter: number;
  /** An amount that may be withdrawn, and a hundred times of it, too. */
  readonly unit: bigint;
}
/** The rule about small outputs is on, as on the live chains. */
const RULES = { configuration: ["dustrelayfee=0.00003"] };
const BITCOIN: UtxoSetup = {
  data: NETWORKS.bitcoin,
  open: () => shareBitcoind(RULES),
  chain: BITCOIN_REGTEST,
  finalAfter: 6,
  unit: COIN / 1_000n,
};
const LITECOIN: UtxoSetup = {
  data: NETWORKS.litecoin,
  open: () => shareLitecoind({ configuration: ["dustrelayfee=0.0003"] }),
  chain: LITECOIN_REGTEST,
  finalAfter: 24,
  unit: COIN / 10n,
};
/** A bitcoind with dogecoin's parameters: no dogecoind is available. */
const DOGECOIN: UtxoSetup = {
  data: STAND_IN,
  open: () => shareStandIn(),
  chain: STAND_IN_CHAIN,
  finalAfter: 60,
  unit: 10n * COIN,
};
export const SETUPS = { bitcoin: BITCOIN, litecoin: LITECOIN, dogecoin: DOGECOIN };
/** Bitcoin on a chain on which no other test paid the addresses of the signer's words. */
export const NEW_BITCOIN: UtxoSetup = { ...BITCOIN, open: () => startBitcoind(RULES) };

let receivers = 0;
/** An address without payments. */
export function aReceiver(chain: PrivateChain): string {
  receivers += 1;
  const hash = new Uint8Array(20).fill(7);
  new DataView(hash.buffer).setUint32(16, receivers);
  return addressOf(chain, hash);
}

/** The text of a policy file for the network. */
export function policyText(
  { code, coin }: NetworkData,
  limits: Readonly<Record<string, unknown>> = {},
  network: Readonly<Record<string, string>> = {},
): string {
  const tokens = { [coin]: { per_transfer: "100000", per_day: "100000", auto_up_to: "100000", ...limits } };
  const networks = { [`test.${code}`]: { max_fee_per_vbyte: "5000", ...network, tokens } };
  return JSON.stringify({ version: 1, networks });
}

/** A chain that is mined by hand, and a merchant whose deposits are outputs on its chain. */
export async function utxoWorld(t: TestContext, setup: UtxoSetup = BITCOIN) {
  const { data, chain, finalAfter } = setup;
  const node = await setup.open();
  const bitcoin = openBitcoin(node.url, chain);
  const database = await testDatabase();
  const { db } = database;
  const folder = mkdtempSync(join(tmpdir(), "paylink-signer-"));
  t.after(async () => {
    await node.stop?.();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const account = ROOT.derive(`m/${getAccountPath(data, "test")}`);
  const networks = utxoNetwork(data, node.url, { accountKey: account.publicExtendedKey });
  const [adapter] = networks.all();
  if (adapter === undefined) throw new Error("the network is off");
  const deps = { db, networks };
  const merchantId = await aMerchant(db, EMAIL);
  const journalPath = join(folder, "journal.jsonl");
  let journal: Journal | null = null;
  const { network } = adapter;
  const token = data.coin;

  /** Pays outputs of so many units to new addresses of the merchant, final and credited as the watcher does it. */
  async function deposit(units: readonly number[]): Promise<string> {
    const amounts = units.map((one) => BigInt(Math.round(one * 1_000)) * (setup.unit / 1_000n));
    const owned = [];
    for (const _ of amounts) owned.push(await anAddress(db, adapter!, merchantId));
    const hash = await bitcoin.payMany(
      owned.map(({ address }, at) => [address, formatAmount(amounts[at] ?? 0n, 8)]),
    );
    const blockHash = (await bitcoin.mine(finalAfter))[0]!;
    const { vout } = await bitcoin.call<{ vout: { n: number; scriptPubKey: { hex: string } }[] }>(
      "getrawtransaction",
      hash,
      true,
      blockHash,
    );
    const at = new Date();
    const blockHeight = (await bitcoin.height()) - finalAfter + 1;
    for (const [place, { id: addressId, address }] of owned.entries()) {
      const script = Buffer.from(scriptOf(address, chain)).toString("hex");
      const { n: position } = vout.find(({ scriptPubKey }) => scriptPubKey.hex === script)!;
      const amount = amounts[place]!;
      const [row] = await db
        .insert(deposits)
        .values({
          ...{ env: "test", network, token, merchantId, addressId, txHash: hash, position, amount },
          ...{ blockHeight, blockHash, blockTime: at, confirmations: finalAfter, requiredConfirmations: 1 },
          ...{ status: 1, creditRound: 1, firstSeenAt: at, confirmedAt: at },
        })
        .returning({ id: deposits.id });
      const cause = depositCause({ id: row!.id, creditRound: 1 });
      const credit = { env: "test", network, token, amount, merchantId, cause } as const;
      await db.transaction((tx) => creditMerchants(tx, [credit], at));
    }
    return hash;
  }

  return {
    ...{ node, bitcoin, database, db, networks, adapter, merchantId, journalPath, folder, setup, deposit },
    account,
    ...withdrawalSteps(deps, log),
    /** A signer as after its process began: with the journal that is on the disk. */
    start(policy = policyText(data), changes: Partial<SignerDeps> = {}): SignerNetwork {
      journal?.close();
      journal = openJournal(journalPath);
      const parsed = parsePolicy(policy, (_env, _network, address) => adapter.canonicalizeAddress(address));
      const [opened] = openSigner({
        ...deps,
        mnemonic: WORDS,
        journal,
        policy: () => parsed,
        log,
        ...changes,
      });
      if (opened === undefined) throw new Error("the signer pays nowhere");
      return opened;
    },
    /** As many units to a new address. */
    create: (units: number, to = aReceiver(chain)) =>
      aWithdrawal(deps, EMAIL, { network, token, amount: BigInt(units) * setup.unit, to }),
    journal: () => openJournal(journalPath).entries,
    step: (signer: SignerNetwork) => stepNetwork(signer, log),
    /** What an address received, in blocks. */
    async balance(address: string): Promise<bigint> {
      const found = await bitcoin.call<{ total_amount: number }>("scantxoutset", "start", [
        `addr(${address})`,
      ]);
      return BigInt(Math.round(found.total_amount * 1e8));
    },
    /** Mines until everything is final, then lets the worker follow. */
    async settle() {
      await bitcoin.mine(finalAfter);
      await withdrawalSteps(deps, log).follow();
    },
  };
}
export type UtxoWorld = Awaited<ReturnType<typeof utxoWorld>>;

/** The same for a signer in a process of its own: one unit at once, to an address of its own each. */
export async function utxoProcessWorld(t: TestContext, setup: UtxoSetup): Promise<SignerProcessWorld> {
  const w = await utxoWorld(t, setup);
  await w.deposit([100, 100, 50, 20, 10, 10, 10]);
  const receivers: string[] = [];
  const prefix = `TEST_${setup.data.code.toUpperCase()}`;
  return {
    ...w,
    words: WORDS,
    policy: policyText(w.setup.data),
    env: {
      [`${prefix}_RPC_URL`]: w.node.url,
      [`${prefix}_XPUB`]: w.account.publicExtendedKey,
      [`${prefix}_CHAIN`]: "regtest",
    },
    isBatched: true,
    unit: w.setup.unit,
    async ask() {
      const { toAddress } = await w.create(1);
      receivers.push(toAddress);
    },
    async received() {
      const amounts = [];
      for (const receiver of receivers) amounts.push(await w.balance(receiver));
      return amounts.reduce((sum, one) => sum + one, 0n);
    },
    mine: (blocks) => (blocks > 0 ? w.bitcoin.mine(blocks) : Promise.resolve()),
  };
}
