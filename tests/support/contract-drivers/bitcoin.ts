import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { Address, NETWORK, p2wpkh } from "@scure/btc-signer";
import { formatAmount, parseAmount } from "#lib/money/amount.ts";
import { bitcoinNetwork } from "../bitcoin-adapter.ts";
import { type Bitcoin, NOBODY, openBitcoin, REGTEST, startBitcoind } from "../bitcoind.ts";
import type { Twist } from "../fake-node.ts";
import { ADDRESSES, type ContractDriver, type NodeBlock, WORDS } from "./driver.ts";

const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
const btc = (amount: bigint) => formatAmount(amount, 8);

export async function openBitcoinDriver(): Promise<ContractDriver> {
  const node = await startBitcoind();
  const bitcoin = openBitcoin(node.url);
  // More of the payer's coins ripen: payments stand beside each other.
  await bitcoin.mine(20, await bitcoin.call("getnewaddress"));
  await bitcoin.mine(101);
  const { subversion } = await bitcoin.call<{ subversion: string }>("getnetworkinfo");
  const [, core = "", knots] = /Satoshi:([0-9.]+)\/(?:Knots:([0-9]+))?/.exec(subversion) ?? [];

  return {
    network: "bitcoin",
    token: "btc",
    node: `bitcoind ${core}${knots === undefined ? "" : ` Knots ${knots}`}`,
    rpcUrl: node.url,
    contract: null,
    chainId: null,
    smallest: 1n,
    positioned: true,
    rates: "btc/usd=50000",
    addresses: {
      vectors: [ADDRESSES.bitcoin, "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"],
      walletAddress: (path) => p2wpkh(ROOT.derive(path).publicKey ?? new Uint8Array(), NETWORK).address ?? "",
      spellings: (shown) => [shown, shown.toUpperCase()],
      // One of the main chain's is none here.
      others: [ADDRESSES.bitcoin, ADDRESSES.bep20, ADDRESSES.trc20, ...ADDRESSES.none],
    },
    verdicts: { waiting: "pending", failed: "unknown", takenBack: "pending" },
    showsMempool: true,
    blocksToCredit: 1,
    open: bitcoinNetwork,
    readUri,
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
      // A dollar of Tether as Omni has it: a message, and dust for its receiver's key in the form that Omni knows.
      const message = `6f6d6e69${"0".repeat(8)}0000001f${(100_000_000).toString(16).padStart(16, "0")}`;
      await payOutputs(bitcoin, [{ data: message }, { [lookAlikes(to).pkh]: "0.00000546" }]);
    },
    async sendLookAlikes(to) {
      const { pkh, sh, wsh } = lookAlikes(to);
      const named = { data: Buffer.from(to).toString("hex") };
      await payOutputs(bitcoin, [{ [pkh]: "0.1" }, { [sh]: "0.1" }, { [wsh]: "0.1" }, named]);
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

/** BIP21, by the platform's URL. */
function readUri(uri: string) {
  const { protocol, pathname, searchParams } = new URL(uri);
  if (protocol !== "bitcoin:") throw new Error(`${uri} is not bitcoin's`);
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

/** Spends a coin that is spent: blocks hold no failures, so the node refuses it. */
async function sendDoubleSpend(bitcoin: Bitcoin, to: string): Promise<string> {
  const [coin] = await bitcoin.call<{ txid: string; vout: number; amount: number }[]>("listunspent");
  if (!coin) throw new Error("the payer has no coin");
  const spend = async (address: string) => {
    const amount = (coin.amount - 0.0001).toFixed(8);
    const raw = await bitcoin.call("createrawtransaction", [coin], [{ [address]: amount }]);
    return (await bitcoin.call<{ hex: string }>("signrawtransactionwithwallet", raw)).hex;
  };
  const [first, second] = [await spend(NOBODY), await spend(to)];
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
function lookAlikes(address: string) {
  const hash = Uint8Array.from((Address(REGTEST).decode(address) as { hash: Uint8Array }).hash);
  const long = Uint8Array.from([...hash, ...hash.subarray(0, 12)]);
  const { encode } = Address(REGTEST);
  return {
    pkh: encode({ type: "pkh", hash }),
    sh: encode({ type: "sh", hash }),
    wsh: encode({ type: "wsh", hash: long }),
  };
}

function changeBlock(change: (block: string) => unknown): Twist {
  return async ({ method }, pass) => (method === "getblock" ? change(String(await pass())) : undefined);
}

const LIES: ContractDriver["lies"] = {
  "no block": changeBlock(() => null),
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
