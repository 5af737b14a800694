import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type EvmSendState, type EvmTransfer, NodeError } from "../network.ts";
import { parseFields } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { toLedgerUnits } from "../units.ts";
import { parseQuantity, parseUint256 } from "./codec.ts";
import type { EvmTokens } from "./listed-tokens.ts";

/** transfer(address,uint256) of ERC-20. */
const TRANSFER_SELECTOR = "0xa9059cbb";
const BALANCE_SELECTOR = "0x70a08231";
/** Some nodes estimate too little for contracts whose cost depends on the block. */
const GAS_MARGIN = 120n;

const word = (value: bigint) => value.toString(16).padStart(64, "0");
const hex = (value: bigint) => `0x${value.toString(16)}`;

/** What a transaction calls to make a transfer. */
export function encodeTransfer({ to, value, contract }: Omit<EvmTransfer, "from">): {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
} {
  if (contract === null) return { to, value, data: "0x" };
  return { to: contract, value: 0n, data: `${TRANSFER_SELECTOR}${word(BigInt(to))}${word(value)}` };
}

/** What an account holds of each listed token, in ledger units, in one request. */
export async function fetchBalances(
  client: RpcClient,
  account: string,
  { coin, contracts }: EvmTokens,
): Promise<ReadonlyMap<TokenCode, bigint>> {
  const data = `${BALANCE_SELECTOR}${word(BigInt(account))}`;
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
  const balanceOf = { to: contract ?? from, data: `${BALANCE_SELECTOR}${word(BigInt(from))}` };
  const [nonce, coin, block, tip, token] = await client.batch([
    { method: "eth_getTransactionCount", params: [from, "latest"] },
    { method: "eth_getBalance", params: [from, "latest"] },
    { method: "eth_getBlockByNumber", params: ["latest", false] },
    // Nodes without it (some of BNB Smart Chain) have a gas price alone.
    { method: "eth_gasPrice", params: [] },
    ...(contract === null ? [] : [{ method: "eth_call", params: [balanceOf, "latest"] }]),
  ]);
  const { baseFeePerGas, timestamp } = parseFields("its newest block", block);
  const base = baseFeePerGas === undefined ? 0n : parseUint256("its base fee", baseFeePerGas);
  const price = parseUint256("its gas price", tip);
  const coinBalance = parseUint256("a balance", coin);
  return {
    minedNonce: parseQuantity("a nonce", nonce),
    coinBalance,
    tokenBalance: contract === null ? coinBalance : parseUint256("a token's balance", token),
    baseFeePerGas: base,
    priorityFeePerGas: price > base ? price - base : 0n,
    headTime: new Date(parseQuantity("its time", timestamp) * 1_000),
    gas: await estimate(client, transfer),
  };
}

/** null: the node says that it would fail, or the token says that it moved nothing. Tokens that answer nothing are accepted. */
async function estimate(client: RpcClient, transfer: EvmTransfer): Promise<bigint | null> {
  const { to, value, data } = encodeTransfer(transfer);
  const call = { from: transfer.from, to, value: hex(value), data };
  try {
    const [gas, answer] = await client.batch([
      { method: "eth_estimateGas", params: [call] },
      { method: "eth_call", params: [call, "latest"] },
    ]);
    if (typeof answer === "string" && /^0x0{64}$/.test(answer)) return null;
    return (parseUint256("an estimate", gas) * GAS_MARGIN) / 100n;
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
