import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { NodeError } from "../node-error.ts";
import { parseFields } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { AccountSending, Sending } from "../sending.ts";
import { toLedgerUnits } from "../units.ts";
import { parseQuantity, parseUint256 } from "./codec.ts";
import type { EvmTokens } from "./listed-tokens.ts";
import type { EvmAccount, EvmCall, EvmCode } from "./sweeping.ts";

/** A transfer from an account, as a node is asked about it. Without a contract it moves the coin. */
export interface EvmTransfer {
  /** Canonical. */
  readonly from: string;
  /** The receiver, canonical. */
  readonly to: string;
  /** In the token's unit on this chain. */
  readonly value: bigint;
  /** Null for the network's own coin. */
  readonly contract: string | null;
}

/** The state that a node reports before a transfer is signed. Wei and units of the token on this chain. */
export interface EvmSendState {
  readonly coinBalance: bigint;
  /** The same as coinBalance for the coin. */
  readonly tokenBalance: bigint;
  readonly baseFeePerGas: bigint;
  readonly priorityFeePerGas: bigint;
  /** With a margin, and at least what its bytes cost. Null if the transfer would fail now, or would move nothing. */
  readonly gas: bigint | null;
}

/** Sends transactions on an EVM network. Hashes and raw transactions are hex with 0x. */
export interface EvmSending extends AccountSending {
  readonly kind: "evm";
  readonly chainId: number;
  /** The contract of a listed token with its decimals here. Null for the coin. */
  findToken(token: TokenCode): { readonly contract: string | null; readonly decimals: number } | null;
  /** Child 1/0 of the account key. Deposit addresses are 0/n. */
  hotAccount(): string;
  fetchState(transfer: EvmTransfer): Promise<EvmSendState>;
  /** Transactions of an account in all blocks, and in those up to a height. The lowest nonces that are not used there. */
  fetchNonces(account: string, height: number): Promise<{ readonly mined: number; readonly upTo: number }>;
  /** The same of blocks up to a height alone, from each node that has that block. */
  fetchFinalNonces(account: string, height: number): Promise<readonly number[]>;
  /**
   * The lowest nonce of an account that, by any node, no final block up to a height has used. A node that is behind counts with its own
   * final block.
   */
  fetchSettledNonce(account: string, height: number): Promise<number>;
  /** Code and nonce of accounts at the newest block, in their order. */
  fetchAccounts(addresses: readonly string[]): Promise<readonly EvmAccount[]>;
  /** Returns the answer of a call, as hex, as if these accounts had this code. */
  callWithCode(call: EvmCall, code: EvmCode): Promise<string>;
}

/** Narrows the sending of a network to that of an EVM network. */
export const isEvmSending = (sending: Sending | null): sending is EvmSending => sending?.kind === "evm";

/** transfer(address,uint256) of ERC-20. */
const TRANSFER_SELECTOR = "0xa9059cbb";
const BALANCE_SELECTOR = "0x70a08231";
/** Some nodes estimate too little for contracts whose cost depends on the block. */
const GAS_MARGIN = 120n;
/** The gas that a balance of 0 costs more than a larger one to write (EIP-2929): the receiver may empty it before the transaction's block. */
export const FIRST_BALANCE_GAS = 17_100n;
/** Gas of any transaction, and the most for a byte of its data (EIP-7623). A node that says less errs: no block would take it. */
const TRANSACTION_GAS = 21_000n;
const BYTE_GAS = 40n;

/** Writes a number as a word of a call. The call would read the excess of a larger number as the next word. */
function word(value: bigint, bits: 160 | 256): string {
  if (BigInt.asUintN(bits, value) !== value) throw new RangeError("a number does not fit into a call");
  return value.toString(16).padStart(64, "0");
}
const hex = (value: bigint) => `0x${value.toString(16)}`;

/** Returns the call with which a transaction makes a transfer. */
export function encodeTransfer({ to, value, contract }: Omit<EvmTransfer, "from">): {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
} {
  if (contract === null) return { to, value, data: "0x" };
  return { to: contract, value: 0n, data: `${TRANSFER_SELECTOR}${word(BigInt(to), 160)}${word(value, 256)}` };
}

/** Fetches the balance of an account in each listed token, in ledger units, in one request. */
export async function fetchBalances(
  client: RpcClient,
  account: string,
  { coin, contracts }: EvmTokens,
): Promise<ReadonlyMap<TokenCode, bigint>> {
  const data = `${BALANCE_SELECTOR}${word(BigInt(account), 160)}`;
  const answers = await client.batch([
    { method: "eth_getBalance", params: [account, "latest"] },
    ...contracts.map(({ contract }) => ({ method: "eth_call", params: [{ to: contract, data }, "latest"] })),
  ]);
  const [own, ...others] = answers.map((answer) => parseUint256("a balance", answer));
  const listed = contracts.map((one, at) => [one.token, toLedgerUnits(others[at] ?? 0n, one)] as const);
  return new Map([
    ...listed,
    ...(coin === null ? [] : [[coin.token, toLedgerUnits(own ?? 0n, coin)] as const]),
  ]);
}

/** Asks a node for everything that a transfer depends on, in two requests. */
export async function fetchSendState(client: RpcClient, transfer: EvmTransfer): Promise<EvmSendState> {
  const { from, contract } = transfer;
  const balanceOf = { to: contract ?? from, data: `${BALANCE_SELECTOR}${word(BigInt(from), 160)}` };
  const [coin, block, tip, token] = await client.batch([
    { method: "eth_getBalance", params: [from, "latest"] },
    { method: "eth_getBlockByNumber", params: ["latest", false] },
    // Nodes without it (some of BNB Smart Chain) have a gas price alone.
    { method: "eth_gasPrice", params: [] },
    ...(contract === null ? [] : [{ method: "eth_call", params: [balanceOf, "latest"] }]),
  ]);
  const { baseFeePerGas } = parseFields("its newest block", block);
  const base = baseFeePerGas === undefined ? 0n : parseUint256("its base fee", baseFeePerGas);
  const price = parseUint256("its gas price", tip);
  const coinBalance = parseUint256("a balance", coin);
  const priorityFeePerGas = price > base ? price - base : 0n;
  return {
    coinBalance,
    tokenBalance: contract === null ? coinBalance : parseUint256("a token's balance", token),
    baseFeePerGas: base,
    priorityFeePerGas,
    gas: await estimate(client, transfer, { base, tip: priorityFeePerGas }),
  };
}

/** See EvmSending. Throws NodeError("behind") where the block at `height` is above the node's head (fetchChainHeaders). */
export async function fetchNonces(client: RpcClient, account: string, height: number) {
  const method = "eth_getTransactionCount";
  const [mined, upTo, newest] = await client.batch([
    { method, params: [account, "latest"] },
    { method, params: [account, hex(BigInt(Math.max(height, 0)))] },
    { method: "eth_getBlockByNumber", params: ["latest", false] },
  ]);
  const head = parseQuantity("its newest block", parseFields("its newest block", newest).number);
  if (head < height)
    throw new NodeError("behind", `the node is at block ${head}, below ${height}`, { height: head });
  return { mined: parseQuantity("a nonce", mined), upTo: parseQuantity("a nonce", upTo) };
}

/**
 * Returns null if the node says that it would fail, or the token says that it moved nothing. Tokens that answer nothing are accepted. A
 * receiver of coins may be a contract that sees the price of gas, so its call has the price of a block.
 */
async function estimate(
  client: RpcClient,
  transfer: EvmTransfer,
  { base, tip }: { readonly base: bigint; readonly tip: bigint },
): Promise<bigint | null> {
  const { to, value, data } = encodeTransfer(transfer);
  const call = { from: transfer.from, to, value: hex(value), data };
  const price = { maxFeePerGas: hex(base * 2n + tip), maxPriorityFeePerGas: hex(tip) };
  try {
    const [gas, answer] = await client.batch(
      transfer.contract === null
        ? [{ method: "eth_estimateGas", params: [{ ...call, ...price }] }]
        : [
            { method: "eth_estimateGas", params: [call] },
            { method: "eth_call", params: [call, "latest"] },
          ],
    );
    if (typeof answer === "string" && /^0x0{64}$/.test(answer)) return null;
    const least = TRANSACTION_GAS + BYTE_GAS * BigInt((data.length - 2) / 2);
    const most = parseUint256("an estimate", gas) + (transfer.contract === null ? 0n : FIRST_BALANCE_GAS);
    const wanted = (most * GAS_MARGIN) / 100n;
    return wanted > least ? wanted : least;
  } catch (error) {
    if (error instanceof NodeError && error.kind === "refused") return null;
    throw error;
  }
}

const KNOWN = /already known|already imported|known transaction|already exists/i;

/** Sends a signed transaction to one node. A node that has it already took it, too. */
export async function broadcastRaw(client: RpcClient, raw: string): Promise<void> {
  try {
    await client.call("eth_sendRawTransaction", [raw]);
  } catch (error) {
    if (error instanceof NodeError && error.kind === "refused" && KNOWN.test(error.message)) return;
    throw error;
  }
}
