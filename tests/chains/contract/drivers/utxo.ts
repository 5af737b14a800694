import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { Address, p2pkh, p2wpkh } from "@scure/btc-signer";
import type { NetworkData } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { getUtxoData } from "#lib/chains/utxo/chains.ts";
import type { StartedCoreNode } from "#lib/dev-chains/core-node.ts";
import { formatAmount, parseAmount } from "#lib/platform/money/amount.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { type Bitcoin, nobodyOf, openBitcoin, type PrivateChain } from "#tests/support/bitcoind.ts";
import type { Twist } from "#tests/support/fake-node.ts";
import { ADDRESSES, type ContractDriver, type NodeBlock, WORDS } from "./driver.ts";

const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
const btc = (amount: bigint) => formatAmount(amount, 8);

/** The differences between networks of the family. */
export interface UtxoSetup {
  /** With the node's chain as the test environment's regtest. */
  readonly data: NetworkData;
  readonly start: () => Promise<StartedCoreNode>;
  readonly chain: PrivateChain;
  /** The live chain as @scure/btc-signer expects it. */
  readonly live: PrivateChain["network"];
  readonly rates: string;
  readonly vectors: readonly string[];
  /** The node's name in the table, from its own version text. */
  readonly nodeName: (subversion: string) => string;
  readonly blocksToCredit: number;
}

/** A network of Core's family with a real node. */
export async function openUtxoDriver(setup: UtxoSetup): Promise<ContractDriver> {
  const { data, chain, live, vectors } = setup;
  const { uriScheme } = getUtxoData(data);
  const node = await setup.start();
  const bitcoin = openBitcoin(node.url, chain);
  // More of the payer's coins mature, so that several payments can wait at once.
  await bitcoin.mine(20, await bitcoin.call("getnewaddress"));
  await bitcoin.mine(101);
  const { subversion } = await bitcoin.call<{ subversion: string }>("getnetworkinfo");

  return {
    network: data.code as NetworkCode,
    token: data.coin,
    node: setup.nodeName(subversion),
    rpcUrl: node.url,
    contract: null,
    chainId: null,
    smallest: 1n,
    positioned: true,
    rates: setup.rates,
    addresses: {
      vectors,
      walletAddress: (path) => walletAddress(chain.form, path, live),
      spellings: (shown) => (chain.form === "wpkh" ? [shown, shown.toUpperCase()] : [shown]),
      // An address of the main chain is not one of this chain.
      others: [...vectors, ADDRESSES.bitcoin, ADDRESSES.bep20, ADDRESSES.trc20, ...ADDRESSES.none],
    },
    statusKinds: { waiting: "pending", failed: "unknown", reverted: "pending" },
    showsMempool: true,
    blocksToCredit: setup.blocksToCredit,
    open: (...urls) => utxoNetwork(data, urls),
    openWith: (changes, url) => utxoNetwork(data, [url], changes),
    readUri: (uri) => readUri(uri, uriScheme),
    tip: async () => readBlock(bitcoin, await bitcoin.tip()),
    block: async (height) => readBlock(bitcoin, await bitcoin.call("getblockhash", height)),
    mine: async (blocks) => void (await bitcoin.mine(blocks)),
    send: (to, amount) => bitcoin.sendTo(to, btc(amount)),
    sendMany: (payments) => bitcoin.payMany(payments.map(([to, amount]) => [to, btc(amount)])),
    replace: (hash, to, amount) => bitcoin.replace(hash, [[to, btc(amount)]]),
    reorg: (depth, { keep }) => bitcoin.reorg(depth, keep ? "with" : "without"),
    // The node itself puts it back into its mempool.
    resend: async () => {},
    sendFailing: (to) => sendDoubleSpend(bitcoin, to),
    async sendOthers(to) {
      // One dollar of Tether on Omni: a message, and dust for its receiver's key in another script form.
      const message = `6f6d6e69${"0".repeat(8)}0000001f${(100_000_000).toString(16).padStart(16, "0")}`;
      await payOutputs(bitcoin, [{ data: message }, { [lookAlikes(to, chain)[0] ?? ""]: "0.00000546" }]);
    },
    async sendLookAlikes(to) {
      const named = { data: Buffer.from(to).toString("hex") };
      const paid = lookAlikes(to, chain).map((address) => ({ [address]: "0.1" }));
      await payOutputs(bitcoin, [...paid, named]);
    },
    sendNothing: async (to) => void (await bitcoin.payMany([[to, "0"]])),
    lies: LIES,
    cut: {
      twist: changeBlock((block) => block.slice(0, Math.floor(block.length / 4) * 2)),
      outcome: "refused",
    },
    stale: (height) => staleNode(bitcoin, height),
    close: () => node.stop(),
  };
}

function walletAddress(form: PrivateChain["form"], path: string, network: PrivateChain["network"]): string {
  const { publicKey } = ROOT.derive(path);
  if (!publicKey) throw new Error(`${path} has no public key`);
  return (form === "wpkh" ? p2wpkh(publicKey, network) : p2pkh(publicKey, network)).address ?? "";
}

/** Parses BIP21 with the platform's URL. */
function readUri(uri: string, scheme: string) {
  const { protocol, pathname, searchParams } = new URL(uri);
  if (protocol !== `${scheme}:`) throw new Error(`${uri} is not of ${scheme}`);
  const amount = parseAmount(searchParams.get("amount") ?? "", 8);
  if (!amount.ok) throw new Error(`${uri} has no amount`);
  return { address: pathname, amount: amount.units, contract: null, chainId: null };
}

async function readBlock(bitcoin: Bitcoin, hash: string): Promise<NodeBlock> {
  const header = await bitcoin.call<{ height: number; time: number; previousblockhash: string }>(
    "getblockheader",
    hash,
  );
  const { height, time, previousblockhash } = header;
  return { height, hash, parentHash: previousblockhash, time: new Date(time * 1_000) };
}

async function payOutputs(bitcoin: Bitcoin, outputs: readonly Record<string, string>[]): Promise<void> {
  const raw = await bitcoin.call("createrawtransaction", [], outputs);
  const funded = await bitcoin.call<{ hex: string }>("fundrawtransaction", raw, { fee_rate: 2 });
  const { hex } = await bitcoin.call<{ hex: string }>("signrawtransactionwithwallet", funded.hex);
  await bitcoin.call("sendrawtransaction", hex, 0);
}

/** Spends a spent coin. Blocks hold no failures, so the node refuses it. */
async function sendDoubleSpend(bitcoin: Bitcoin, to: string): Promise<string> {
  const [coin] = await bitcoin.call<{ txid: string; vout: number; amount: number }[]>("listunspent");
  if (!coin) throw new Error("the payer has no coin");
  const spend = async (address: string) => {
    const amount = (coin.amount - 0.0001).toFixed(8);
    const raw = await bitcoin.call("createrawtransaction", [coin], [{ [address]: amount }]);
    return (await bitcoin.call<{ hex: string }>("signrawtransactionwithwallet", raw)).hex;
  };
  const [first, second] = [await spend(nobodyOf(bitcoin.chain)), await spend(to)];
  await bitcoin.call("sendrawtransaction", first);
  await bitcoin.mine();
  const refused = await bitcoin.call("sendrawtransaction", second).then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error("the node took a double spend");
  return (await bitcoin.call<{ txid: string }>("decoderawtransaction", second)).txid;
}

/** Addresses whose scripts hold the same key's hash in other forms. */
function lookAlikes(address: string, { network, form }: PrivateChain): readonly string[] {
  const { decode, encode } = Address(network);
  const hash = Uint8Array.from((decode(address) as { hash: Uint8Array }).hash);
  const long = Uint8Array.from([...hash, ...hash.subarray(0, 12)]);
  return [
    form === "wpkh" ? encode({ type: "pkh", hash }) : encode({ type: "wpkh", hash }),
    encode({ type: "sh", hash }),
    encode({ type: "wsh", hash: long }),
  ];
}

function changeBlock(change: (block: string) => unknown): Twist {
  return async ({ method }, pass) => (method === "getblock" ? change(String(await pass())) : undefined);
}

const LIES: ContractDriver["lies"] = {
  "no block": changeBlock(() => null),
  "a block that is no text": changeBlock((block) => ({ hex: block })),
  "half a digit too few": changeBlock((block) => block.slice(0, -1)),
  "a block that is no hexadecimal": changeBlock((block) => `${block.slice(0, -2)}zz`),
  "a block and more": changeBlock((block) => `${block}00`),
  "a block's header alone": changeBlock((block) => block.slice(0, 160)),
  "a transaction that was changed": changeBlock((block) => `${block.slice(0, -8)}01000000`),
  "a block of another header": changeBlock(
    (block) => `${block.slice(0, 8)}${"00".repeat(32)}${block.slice(72)}`,
  ),
};

async function staleNode(bitcoin: Bitcoin, height: number): Promise<Twist> {
  const old = await bitcoin.call("getblockhash", height);
  return async ({ method, params }, pass) => {
    if (method === "getblockchaininfo") {
      return { ...((await pass()) as object), blocks: height, bestblockhash: old };
    }
    if (method === "getblockhash" && Number(params[0]) > height) {
      throw Object.assign(new Error("Block height out of range"), { code: -8 });
    }
    return undefined;
  };
}
