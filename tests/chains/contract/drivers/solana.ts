import { address } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
} from "@solana-program/token";
import { rpc } from "#lib/dev-chains/rpc.ts";
import { FAUCET_USDT, faucet, USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendInstructions, sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import type { FakeCall, Twist } from "#tests/support/fake-node.ts";
import {
  fillPool,
  sendOtherToken,
  solanaAddress,
  solanaWith,
  tokenAccountOf,
} from "#tests/support/solana.ts";
import { ADDRESSES, type ContractDriver, type NodeBlock, type Payment } from "./driver.ts";

const MICRO = 10n ** 12n;
const NATIVE_MINT = address("So11111111111111111111111111111111111111112");
/** More than the minimum that an account must hold (rent). */
const LEAST_SOL = 1_000_000n;
const POOL = 200;

/** USDT and SOL with LiteSVM behind our own front: no validator is available for the tests. */
export const openSolanaUsdtDriver = () => openSolanaDriver("usdt");
/** USDC with the mint of the tests' USDT. */
export const openSolanaUsdcDriver = () => openSolanaDriver("usdc");
export const openSolanaSolDriver = () => openSolanaDriver("sol");

async function openSolanaDriver(token: "usdt" | "usdc" | "sol"): Promise<ContractDriver> {
  const native = token === "sol";
  const node = await startSolanaNode({ finalizedLag: 0 });
  const { url, chain } = node;
  const unit = native ? 1n : MICRO;
  const pay = (payments: readonly Payment[], skipPreflight = false) => {
    const units = payments.map(([to, amount]) => {
      if (amount % unit !== 0n) throw new Error(`${amount} is less than the token can count`);
      return [to, amount / unit] as const;
    });
    return (native ? sendSol : sendSolanaUsdt)(url, units, { skipPreflight });
  };
  return {
    network: "solana",
    token,
    node: "LiteSVM 1.5 behind our front",
    rpcUrl: url,
    contract: native ? null : USDT_MINT,
    chainId: null,
    smallest: native ? LEAST_SOL : MICRO,
    positioned: true,
    rates: native ? "sol/usd=150" : `${token}/usd=1`,
    addresses: {
      vectors: [],
      walletAddress: () => "",
      spellings: (shown) => [shown],
      others: [
        ADDRESSES.bitcoin,
        ADDRESSES.bep20,
        ADDRESSES.trc20,
        ...ADDRESSES.none,
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3",
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk1",
      ],
    },
    newAddress: (index) => solanaAddress(index),
    prepare: (db) => fillPool(db, POOL),
    unknownHash: "5".repeat(87),
    statusKinds: { waiting: "unknown", failed: "failed", reverted: "unknown" },
    showsMempool: false,
    blocksToCredit: 1,
    open: (...urls) => solanaWith(native ? { usdt: USDT_MINT } : { [token]: USDT_MINT }, urls),
    readUri: (uri) => readUri(uri, unit, native ? 9 : 6),
    tip: () => readBlock(url),
    block: (height) => readBlock(url, height),
    mine: async (blocks = 1) => chain.mine(blocks),
    send: (to, amount) => pay([[to, amount]]),
    sendMany: (payments) => pay(payments),
    async replace(hash, to, amount) {
      // A transaction cannot be replaced. Its payer lets it expire and sends another one.
      chain.forget(hash);
      return pay([[to, amount]]);
    },
    reorg: async () => {
      throw new Error("what is final stays");
    },
    resend: async () => {},
    sendFailing: (to) => pay([[to, 10n ** 17n * unit]], true),
    sendOthers: async (to) => void (await sendOtherToken(url, to)),
    sendLookAlikes: (to) => sendLookAlikes(url, to),
    sendNothing: async (to) => void (await pay([[to, 0n]])),
    lies: native ? LIES : { ...LIES, ...TOKEN_LIES },
    cut: { twist: cutSlots, outcome: "refused" },
    stale: async (height) => staleNode(height),
    close: () => node.stop(),
  };
}

/** Parses Solana Pay with the platform's URL. */
function readUri(uri: string, unit: bigint, decimals: number) {
  const { protocol, pathname, searchParams } = new URL(uri);
  if (protocol !== "solana:") throw new Error(`${uri} is not solana's`);
  const amount = parseAmount(searchParams.get("amount") ?? "", decimals);
  if (!amount.ok) throw new Error(`${uri} has no amount`);
  return {
    address: pathname,
    amount: amount.units * unit,
    contract: searchParams.get("spl-token"),
    chainId: null,
  };
}

async function readBlock(url: string, height?: number): Promise<NodeBlock> {
  const slot = height ?? Number(await rpc(url, "getSlot"));
  const block = (await rpc(url, "getBlock", [slot, { transactionDetails: "none" }])) as Record<
    string,
    unknown
  >;
  const time = new Date(Number(block.blockTime) * 1_000);
  return { height: slot, hash: String(block.blockhash), parentHash: String(block.previousBlockhash), time };
}

/** Wrapped SOL, which is a token and not SOL, and an allowance to spend another account's USDT. */
async function sendLookAlikes(url: string, to: string): Promise<void> {
  const payer = await faucet();
  const owner = address(to);
  const ata = await tokenAccountOf(to, NATIVE_MINT);
  await sendInstructions(url, payer, [
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint: NATIVE_MINT }),
    getTransferSolInstruction({ source: payer, destination: ata, amount: 2_000_000_000n }),
    getSyncNativeInstruction({ account: ata }),
    getApproveInstruction({ source: FAUCET_USDT, delegate: owner, owner: payer, amount: 9_000_000n }),
  ]);
}

type Json = Record<string, unknown>;

const changeBlock =
  (change: (block: Json) => unknown): Twist =>
  async ({ method }, pass) =>
    method === "getBlock" ? change((await pass()) as Json) : undefined;

/** Changes the result of every transaction. */
const changeMeta = (change: (meta: Json) => unknown): Twist =>
  changeBlock((block) => ({
    ...block,
    transactions: (block.transactions as Json[] | undefined)?.map((one) => ({
      ...one,
      meta: change(one.meta as Json),
    })),
  }));

const LIES: ContractDriver["lies"] = {
  "no block": changeBlock(() => null),
  "a block without a hash": changeBlock((block) => ({ ...block, blockhash: null })),
  "a block that follows itself": ({ method, params }, pass) =>
    method === "getBlock"
      ? pass().then((block) => ({ ...(block as Json), parentSlot: params[0] }))
      : undefined,
  "a block without transactions": changeBlock(({ transactions: _, ...block }) => block),
  "a transaction without an outcome": changeMeta(() => null),
  "an outcome that does not tell whether it failed": changeMeta(({ err: _, ...meta }) => meta),
  "balances of fewer accounts": changeMeta((meta) => ({
    ...meta,
    postBalances: (meta.postBalances as number[]).slice(1),
  })),
  "a balance that is no number": changeMeta((meta) => ({
    ...meta,
    preBalances: (meta.preBalances as number[]).map(() => "12"),
  })),
  "slots that are no list": ({ method }) => (method === "getBlocks" ? {} : undefined),
  "slots that were not asked for": ({ method, params }) =>
    method === "getBlocks" ? [Number(params[0]) - 1] : undefined,
};

const changeTokens = (change: (balance: Json) => unknown): Twist =>
  changeMeta((meta) => ({ ...meta, postTokenBalances: (meta.postTokenBalances as Json[]).map(change) }));

const TOKEN_LIES: ContractDriver["lies"] = {
  "a token amount that is no number": changeTokens((balance) => ({
    ...balance,
    uiTokenAmount: { ...(balance.uiTokenAmount as Json), amount: "1.5" },
  })),
  "a token account that the transaction has not": changeTokens((balance) => ({
    ...balance,
    accountIndex: 200,
  })),
  "tokens without an owner": changeTokens(({ owner: _, ...balance }) => balance),
};

/** Half of the slots, as if the others had been skipped. */
const cutSlots: Twist = async ({ method }, pass) => {
  if (method !== "getBlocks") return undefined;
  const slots = (await pass()) as number[];
  return slots.slice(0, Math.floor(slots.length / 2));
};

/** The node as it was at a slot. */
function staleNode(height: number): Twist {
  return async ({ method, params }: FakeCall, pass) => {
    if (method === "getSlot") return height;
    if (method === "getBlock" && Number(params[0]) > height) {
      throw Object.assign(new Error(`Block not available for slot ${params[0]}`), { code: -32_004 });
    }
    if (!method.startsWith("getBlocks")) return undefined;
    return ((await pass()) as number[]).filter((slot) => slot <= height);
  };
}
