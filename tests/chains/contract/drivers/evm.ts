import { randomInt } from "node:crypto";
import { getAddress, type Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import type { EvmNetwork } from "#lib/chains/evm/family.ts";
import type { NetworkData, NetworkToken } from "#lib/chains/network-data.ts";
import { LINK_PAIRS, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type EvmNode, startAnvilNode } from "#tests/nodes/evm-nodes/evm-node.ts";
import { mine, payUsdt, rawTransaction, reorg, rpc, transferData } from "#tests/support/anvil.ts";
import { forwardCoin, refusingCoin, sendToken } from "#tests/support/evm-payments.ts";
import { evmNetwork, keyOf } from "#tests/support/watched-chain.ts";
import { COIN_CUT, COIN_LIES } from "./coin-answers.ts";
import { ADDRESSES, type ContractDriver, WORDS } from "./driver.ts";
import { LOG_CUT, LOG_LIES, logBlock, staleLogNode } from "./log-answers.ts";

/** A development account with coins for fees. */
const OTHER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const MORE_THAN_ALL = 2n ** 200n;
/** More than the node itself offers for a payment. */
const HIGH_FEE = { maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x174876e800" };

export interface EvmRow {
  readonly network: EvmNetwork;
  /** A token (the contract of the tests' USDT), or the network's own coin. With the coin, no token is received. */
  readonly token: TokenCode;
  /** Default: anvil. */
  readonly start?: (network: EvmNetwork) => Promise<EvmNode>;
}

type Sending = Readonly<Record<string, string>>;

/** A node of one EVM network, and a payer with its own coin or a token. */
export async function openEvmDriver(row: EvmRow): Promise<ContractDriver> {
  const { network, token, start = startAnvilNode } = row;
  const node = await start(network);
  const { url, rpcUrl, chainId, returnsDropped, payer, kill } = node;
  const from = payer.address;
  const native = token === NETWORKS[network].coin;
  const listed: NetworkToken | undefined = (NETWORKS[network] as NetworkData).tokens[token];
  const decimals = listed?.decimals ?? 18;
  const smallest = 10n ** BigInt(TOKENS[token].ledgerDecimals - decimals);
  const contract = await node.deployUsdt(native ? NETWORKS[network].tokens.usdt.decimals : decimals);
  // One contract of our own replaces all that the test chain has.
  const contracts = { [native ? "usdt" : token]: contract };
  const units = (amount: bigint): bigint => {
    if (amount % smallest !== 0n) throw new Error(`${amount} is less than the token can count`);
    return amount / smallest;
  };
  const sent = new Map<string, { raw: Hex; nonce: string }>();
  const remember = async (hash: Hex): Promise<string> => {
    const { nonce } = (await rpc(url, "eth_getTransactionByHash", [hash])) as { nonce: string };
    sent.set(hash, { raw: await rawTransaction(url, hash), nonce });
    return hash;
  };
  const transfer = (to: string, amount: bigint, changes: Sending = {}) =>
    rpc(url, "eth_sendTransaction", [
      native
        ? { from, to, value: `0x${amount.toString(16)}`, ...changes }
        : { from, to: contract, data: transferData(to, amount), ...changes },
    ]) as Promise<Hex>;

  return {
    network,
    token,
    node: `${await nameOf(url)}, chain ${chainId}`,
    rpcUrl,
    contract: native ? null : getAddress(contract),
    chainId,
    smallest,
    positioned: !native,
    rates: `${token}/usd=${native ? 2000 : 1}`,
    addresses: {
      vectors: [ADDRESSES.bep20, "0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0"],
      walletAddress: (path) => mnemonicToAccount(WORDS, { path: path as `m/44'/60'/${string}` }).address,
      spellings: (shown) => [shown, shown.toLowerCase(), `0x${shown.slice(2).toUpperCase()}`],
      others: [ADDRESSES.bitcoin, ADDRESSES.trc20, ...ADDRESSES.none],
    },
    statusKinds: { waiting: "pending", failed: "failed", reverted: returnsDropped ? "pending" : "unknown" },
    showsMempool: false,
    blocksToCredit: blocksToCredit(NETWORKS[network]),
    open: (...urls) => evmNetwork(network, urls, contracts),
    openWith: (changes, url) => evmNetwork(network, [url], contracts, changes),
    readUri(uri) {
      const read = readUri(uri);
      return { ...read, amount: read.amount * smallest };
    },
    tip: () => logBlock(url),
    block: (height) => logBlock(url, height),
    mine: (blocks) => mine(url, blocks),
    send: async (to, amount) => remember(await transfer(to, units(amount))),
    sendMany: async (payments) =>
      remember(
        await payUsdt(
          url,
          payments.map(([to, amount]) => ({ to, amount: units(amount) })),
          { from, token: contract },
        ),
      ),
    async replace(hash, to, amount) {
      const { nonce = "" } = sent.get(hash) ?? {};
      return remember(await transfer(to, units(amount), { nonce, ...HIGH_FEE }));
    },
    reorg: (depth, { keep }) => reorganize(url, depth, keep),
    async resend(hash) {
      if (returnsDropped) return;
      await rpc(url, "eth_sendRawTransaction", [sent.get(hash)?.raw]);
    },
    sendFailing: (to) =>
      native
        ? refusingCoin(url, keyOf(to), () => transfer(to, 1n, { gas: "0x186a0" }), payer)
        : transfer(to, MORE_THAN_ALL, { gas: "0x186a0" }),
    async sendOthers(to) {
      await forwardCoin(url, to, 10n ** 12n, from);
      await sendToken(url, to, "TEST", from);
    },
    sendLookAlikes: (to) => sendToken(url, to, native ? "WETH" : "USDT", from),
    async sendNothing(to) {
      await transfer(to, 0n);
    },
    lies: native ? COIN_LIES : LOG_LIES,
    cut: native ? COIN_CUT : LOG_CUT,
    stale: (height) => staleLogNode(url, height),
    close: kill,
  };
}

/** Blocks, including its own, until a small payment is credited. */
function blocksToCredit({ finality, finalBlocks }: NetworkData): number {
  return finality.kind === "confirmations" ? (finality.tiers[0]?.blocks ?? 1) : (finalBlocks ?? 0) + 1;
}

const isEvm = (network: NetworkCode): network is EvmNetwork => NETWORKS[network].family === "evm";

/** The rows of every EVM network: its USDT, its coin, and the other tokens that links can be paid with. */
export const EVM_ROWS: readonly { readonly name: string; readonly row: EvmRow }[] = LINK_PAIRS.flatMap(
  ({ network, token }) => {
    if (!isEvm(network)) return [];
    return [{ name: token === "usdt" ? network : `${network} (${token})`, row: { network, token } }];
  },
);

/** Whether a row pays with the network's own coin. */
export const isCoin = ({ network, token }: EvmRow): boolean => NETWORKS[network].coin === token;

/** The rows that run the contract suite: other tokens are read as the USDT is. */
export const EVM_CONTRACT_ROWS = EVM_ROWS.filter(({ row }) => row.token === "usdt" || isCoin(row));

/** Program and version: "anvil 1.7.1", "Geth 1.17.8-stable". */
async function nameOf(url: string): Promise<string> {
  const [program, version = ""] = String(await rpc(url, "web3_clientVersion")).split("/");
  return `${program} ${version.replace("v", "")}`;
}

async function reorganize(url: string, depth: number, keep: boolean): Promise<void> {
  const { height } = await logBlock(url);
  // Makes the branch different whatever the clock says: a block with the same contents has the same hash.
  const ahead = { from: OTHER, to: OTHER, value: `0x${randomInt(2 ** 40).toString(16)}` };
  const kept: (readonly [Hex | Record<string, unknown>, number])[] = [[ahead, 0]];
  for (let offset = 0; keep && offset < depth; offset++) {
    const tag = `0x${(height - depth + 1 + offset).toString(16)}`;
    const { transactions } = (await rpc(url, "eth_getBlockByNumber", [tag, false])) as {
      transactions: Hex[];
    };
    for (const hash of transactions) kept.push([await rawTransaction(url, hash), offset]);
  }
  await reorg(url, depth, kept);
}

/** Parses EIP-681 with the platform's URL and viem's checksums. */
function readUri(uri: string) {
  const { protocol, pathname, searchParams } = new URL(uri);
  const [target = "", chainId, call] = pathname.split(/[@/]/);
  if (protocol !== "ethereum:" || (call !== undefined && call !== "transfer")) {
    throw new Error(`${uri} asks for no payment`);
  }
  const contract = call === undefined ? null : target;
  const address = contract === null ? target : (searchParams.get("address") ?? "");
  const amount = searchParams.get(contract === null ? "value" : "uint256") ?? "";
  for (const shown of [contract ?? address, address]) {
    if (getAddress(shown) !== shown) throw new Error("a wrong checksum");
  }
  return { address, amount: BigInt(amount), contract, chainId: Number(chainId) };
}
