import type { TestContext } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { UtxoSending } from "#lib/chains/utxo/sending.ts";
import { isUtxoSending } from "#lib/chains/utxo/sending.ts";
import { depositCause } from "#lib/domain/deposits/rules.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import type { SignerDeps } from "#lib/signer/run-signer.ts";
import { STAND_IN, STAND_IN_CHAIN, shareStandIn } from "#tests/chains/contract/drivers/dogecoin.ts";
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
import { aDeposit } from "./deposits.ts";
import { payoutWorld } from "./payout-world.ts";
import type { SignerProcessWorld } from "./signer-process.ts";
import { WORDS } from "./signer-world.ts";
import { anAddress } from "./unmatched.ts";

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

/** A chain that is mined by hand, and a merchant whose deposits are outputs on it. */
export async function utxoWorld(t: TestContext, setup: UtxoSetup = BITCOIN) {
  const { data, chain, finalAfter, unit } = setup;
  const node = await setup.open();
  t.after(() => node.stop?.());
  const bitcoin = openBitcoin(node.url, chain);
  const account = ROOT.derive(`m/${getAccountPath(data, "test")}`);
  const token = data.coin;
  const limits = { per_transfer: "100000", per_day: "100000", auto_up_to: "100000" };
  const world = await payoutWorld(t, {
    network: data.code as NetworkCode,
    networks: utxoNetwork(data, node.url, { accountKey: account.publicExtendedKey }),
    policy: { max_fee_per_vbyte: "5000", tokens: { [token]: limits } },
    balances: {},
    finalize: async () => void (await bitcoin.mine(finalAfter)),
  });
  const { db, adapter, merchantId } = world;
  const { sending } = adapter;
  if (!isUtxoSending(sending)) throw new Error(`${adapter.network} is not paid from outputs`);

  /** Pays outputs of so many units to new addresses of the merchant, final and credited as the watcher does it. */
  async function deposit(units: readonly number[]): Promise<string> {
    const amounts = units.map((one) => BigInt(Math.round(one * 1_000)) * (unit / 1_000n));
    const owned = [];
    for (const _ of amounts) owned.push(await anAddress(db, adapter, merchantId));
    const hash = await bitcoin.payMany(
      owned.map(({ address }, at) => [address, formatAmount(amounts[at]!, 8)]),
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
    for (const [place, { id, address }] of owned.entries()) {
      const script = Buffer.from(scriptOf(address, chain)).toString("hex");
      const { n: position } = vout.find(({ scriptPubKey }) => scriptPubKey.hex === script)!;
      const amount = amounts[place]!;
      const deposit = await aDeposit(db, id, {
        ...{ token, txHash: hash, position, amount, sender: null, blockHeight, blockHash },
        ...{ confirmations: finalAfter, creditRound: 1, confirmedAt: at },
      });
      const cause = depositCause({ id: deposit.id, creditRound: 1 });
      const credit = { env: "test", network: adapter.network, token, amount, merchantId, cause } as const;
      await db.transaction((tx) => creditMerchants(tx, [credit], at));
    }
    return hash;
  }

  function answering(change: (own: UtxoSending) => Partial<UtxoSending>): Partial<SignerDeps> {
    const answers = { ...sending, ...change(sending as UtxoSending) };
    const answered = Object.assign(Object.create(adapter), { sending: answers });
    return { networks: { ...world.networks, all: () => [answered] } };
  }

  return {
    ...world,
    ...{ node, bitcoin, setup, account, deposit },
    /** A policy with other limits. */
    limit: (changes: object) => ({ tokens: { [token]: { ...limits, ...changes } } }),
    /** Changes of a signer whose node gives other answers. */
    answering,
    /** The same: it asks for a rate of so many satoshis for a virtual byte. */
    asking: (perByte: number) =>
      answering(({ fetchState }) => ({
        fetchState: async () => ({ ...(await fetchState()), rate: BigInt(perByte * 1_000) }),
      })),
    /** As many units to a new address. */
    create: (units: number, to = aReceiver(chain)) => world.create(token, BigInt(units) * unit, to),
    mempool: () => bitcoin.call<string[]>("getrawmempool"),
    /** Returns the amount that an address received in blocks. */
    async balance(address: string): Promise<bigint> {
      const found = await bitcoin.call<{ total_amount: number }>("scantxoutset", "start", [
        `addr(${address})`,
      ]);
      return BigInt(Math.round(found.total_amount * 1e8));
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
    policy: w.policyText(),
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
