import { formatAmount } from "#lib/platform/money/amount.ts";
import { BITCOIN_ACCOUNT_KEY } from "#tests/support/bitcoin-adapter.ts";
import { type Bitcoin, NOBODY, openBitcoin, scriptOf, startBitcoind } from "#tests/support/bitcoind.ts";
import type { FaultChain, Received } from "#tests/support/fault-chain.ts";

/** Payments per transaction when many are made. */
const OUTPUTS = 100;

/** Bitcoin on a regtest node, with enough coins for many payments at once. */
export async function openBitcoinChain(): Promise<FaultChain> {
  const node = await startBitcoind();
  const bitcoin = openBitcoin(node.url);
  await bitcoin.mine(100);
  // Not with sendTo: its lock time is the current height, and a reorg below that height would drop it for
  // good.
  const pay: FaultChain["pay"] = (address, amount) => bitcoin.payMany([[address, formatAmount(amount, 8)]]);
  return {
    network: "bitcoin",
    token: "btc",
    nodeUrl: node.url,
    config: {
      env: "test",
      network: "bitcoin",
      rpcUrls: [node.url],
      accountKey: BITCOIN_ACCOUNT_KEY,
      zmqUrl: null,
      chain: "regtest",
      chainId: null,
      contracts: {},
    },
    settleBlocks: 6,
    env: (rpcUrl) => ({
      TEST_BITCOIN_RPC_URL: rpcUrl,
      TEST_BITCOIN_XPUB: BITCOIN_ACCOUNT_KEY,
      TEST_BITCOIN_CHAIN: "regtest",
    }),
    pay,
    async payMany(payments) {
      for (let i = 0; i < payments.length; i += OUTPUTS) {
        const part = payments.slice(i, i + OUTPUTS);
        await bitcoin.payMany(part.map(({ address, amount }) => [address, formatAmount(amount, 8)]));
      }
    },
    mine: async (blocks = 1) => {
      await bitcoin.mine(blocks);
    },
    height: () => bitcoin.height(),
    tip: () => bitcoin.tip(),
    async reorg(depth, { gone = [], later = false } = {}) {
      const without = later || gone.length > 0;
      await bitcoin.reorg(depth, without ? "without" : "with");
      for (const txid of gone) await bitcoin.replace(txid, [[NOBODY, "0.0001"]]);
      if (without && !later) await bitcoin.mine();
    },
    async again() {
      throw new Error("what was double spent does not come again");
    },
    received: (addresses) => received(bitcoin, addresses),
    async stranger() {
      const other = await startBitcoind();
      await openBitcoin(other.url).mine(300);
      return { url: other.url, stop: () => other.kill() };
    },
    close: () => node.kill(),
  };
}

/** The node's set of unspent outputs: these tests never spend our coins. */
async function received(bitcoin: Bitcoin, addresses: readonly string[]): Promise<Received[]> {
  const byScript = new Map(addresses.map((a) => [Buffer.from(scriptOf(a)).toString("hex"), a]));
  const { unspents } = await bitcoin.call<{
    unspents: { txid: string; vout: number; scriptPubKey: string; amount: number }[];
  }>(
    "scantxoutset",
    "start",
    addresses.map((address) => `addr(${address})`),
  );
  return unspents.map(({ txid, vout, scriptPubKey, amount }) => ({
    txHash: txid,
    position: vout,
    address: byScript.get(scriptPubKey)!,
    amount: BigInt(Math.round(amount * 1e8)),
  }));
}
