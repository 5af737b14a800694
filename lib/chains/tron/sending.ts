import { createHash } from "node:crypto";
import { parseJsonWithSource } from "#lib/platform/exact-json.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { fetchEvmHead } from "../evm/chain-state.ts";
import { type EvmBlockHeader, parseEvmHash, parseQuantity, parseUint256 } from "../evm/codec.ts";
import { hasTransactionExpired } from "../evm/fetch-payments.ts";
import { fetchChainHeaders, fetchEvmHeaders } from "../evm/headers.ts";
import type { NodeClient } from "../node-client.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, throwMalformed } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { AccountSending, Check, Sending } from "../sending.ts";
import { tronAddressFromHex, tronAddressToHex } from "./address.ts";
import { callTronApi } from "./http-api.ts";
import type {
  TronAccount,
  TronFates,
  TronPrices,
  TronReference,
  TronSendState,
  TronTransfer,
} from "./types.ts";

/**
 * The main network never makes blocks faster than this. On a development chain with more blocks in a time, an older block than needed is
 * looked for.
 */
const BLOCK_SECONDS = 1;

/** The main network's increase, in hundredths of a percent, for nodes that do not report one. */
const USUAL_INCREASE = "2000";

/** From the time of the newest block until a transaction of the signer expires, in milliseconds. */
export const LIFETIME_MS = 600_000;

/** Sends transactions on TRON. Hashes and raw transactions are hex without 0x. */
export interface TronSending extends AccountSending {
  readonly kind: "tron";
  /** The contract of a listed token, canonical, with its decimals here. Null for the coin. */
  findToken(token: TokenCode): { readonly contract: string | null; readonly decimals: number } | null;
  /** Child 1/0 of the account key. Deposit addresses are 0/n. */
  hotAccount(): string;
  fetchState(transfer: TronTransfer, check?: Check<TronSendState>): Promise<TronSendState>;
  fetchAccount(address: string): Promise<TronAccount>;
  /** Sun of its stake whose energy `owner` could give away now. */
  fetchDelegable(owner: string): Promise<bigint>;
  /** Sun of staked TRX whose energy `owner` has given to `receiver`. */
  fetchDelegated(owner: string, receiver: string): Promise<bigint>;
  fetchFates(hashes: readonly string[], check?: Check<TronFates>): Promise<TronFates>;
  /** Whether every node says that no block has the transaction, and none can: a final block is later than `expires` (milliseconds). */
  isDead(hash: string, expires: number): Promise<boolean>;
}

/** Narrows the sending of a network to that of a TRON network. */
export const isTronSending = (sending: Sending | null): sending is TronSending => sending?.kind === "tron";

/** The two interfaces of a node. */
export interface TronNode {
  readonly line: NodeClient;
  readonly client: RpcClient;
}

/** The newest final block, so that no reorganization makes the transaction invalid. The newest one while none is final. */
async function fetchReference({ client }: TronNode): Promise<TronReference> {
  const { header, finalizedHeight } = await fetchEvmHead(client, true);
  const final = finalizedHeight === null ? header : await fetchHeader(client, finalizedHeight);
  return {
    refBlockBytes: (final.height & 0xffff).toString(16).padStart(4, "0"),
    refBlockHash: final.hash.slice(18, 34),
    headTime: header.time,
  };
}

async function fetchHeader(client: RpcClient, height: number): Promise<EvmBlockHeader> {
  const [header] = await fetchEvmHeaders(client, [height]);
  return header ?? throwMalformed("a final block", null);
}

/** Everything that a transfer depends on, from one node. */
export async function fetchSendState(
  node: TronNode,
  prices: TronPrices,
  transfer: TronTransfer,
): Promise<TronSendState> {
  const { from, to, contract } = transfer;
  const [reference, sender, receiver, energy, empty] = await Promise.all([
    fetchReference(node),
    fetchAccount(node, from),
    askApi(node.line, "getaccount", { address: to, visible: true }),
    contract === null ? 0n : fetchEnergy(node, transfer, contract),
    contract === null ? 0n : fetchEnergy(node, { ...transfer, to: emptyAddress(to) }, contract),
  ]);
  return {
    ...reference,
    prices,
    sender,
    tokenBalance: contract === null ? sender.balance : await fetchTokenBalance(node, from, contract),
    receiver: { exists: Object.keys(receiver).length > 0, isContract: receiver.type === "Contract" },
    energy,
    energyIfEmpty: empty ?? 0n,
  };
}

/** An address that has never held anything: no one has its key. */
const emptyAddress = (to: string): string =>
  tronAddressFromHex(`0x${createHash("sha256").update(`no account ${to}`).digest("hex").slice(0, 40)}`);

export async function fetchPrices({ line }: TronNode): Promise<TronPrices> {
  const { chainParameter } = await askApi(line, "getchainparameters", {});
  if (!Array.isArray(chainParameter)) throwMalformed("its parameters", chainParameter);
  const values = new Map(
    chainParameter.map((one) => {
      const { key, value = "0" } = parseFields("a parameter", one);
      return [key, value];
    }),
  );
  const read = (name: string) => readInteger(name, values.get(name) ?? throwMalformed(name, undefined));
  const energy = read("getEnergyFee");
  // Amounts are divided by it.
  if (energy === 0n) throwMalformed("its price of energy", energy.toString());
  return {
    energy,
    bandwidth: read("getTransactionFee"),
    newAccount: read("getCreateNewAccountFeeInSystemContract"),
    newAccountBandwidth: read("getCreateAccountFee"),
    energyIncrease: readInteger(
      "its dynamic energy",
      values.get("getDynamicEnergyIncreaseFactor") ?? USUAL_INCREASE,
    ),
    maxFeeLimit: read("getMaxFeeLimit"),
  };
}

export async function fetchAccount({ line, client }: TronNode, address: string): Promise<TronAccount> {
  const [resource, balance] = await Promise.all([
    askApi(line, "getaccountresource", { address, visible: true }),
    client.call("eth_getBalance", [tronAddressToHex(address), "latest"]),
  ]);
  const read = (name: string) => readInteger(name, resource[name] ?? "0");
  const left = (limit: string, used: string) => {
    const rest = read(limit) - read(used);
    return rest > 0n ? rest : 0n;
  };
  return {
    exists: Object.keys(resource).length > 0,
    balance: parseUint256("a balance", balance),
    freeBandwidth: left("freeNetLimit", "freeNetUsed"),
    ownBandwidth: left("NetLimit", "NetUsed"),
    energy: left("EnergyLimit", "EnergyUsed"),
    energyPerTrx: { total: read("TotalEnergyLimit"), weight: read("TotalEnergyWeight") },
  };
}

async function fetchTokenBalance({ client }: TronNode, account: string, contract: string): Promise<bigint> {
  const call = { to: tronAddressToHex(contract), data: `0x70a08231${wordOf(account)}` };
  return parseUint256("a token's balance", await client.call("eth_call", [call, "latest"]));
}

const wordOf = (address: string): string => tronAddressToHex(address).slice(2).padStart(64, "0");

/** The data of a call of transfer(address,uint256), hex without 0x. */
export const transferData = ({ to, value }: Pick<TronTransfer, "to" | "value">): string =>
  `a9059cbb${wordOf(to)}${value.toString(16).padStart(64, "0")}`;

/**
 * The energy that a transfer of a token would use. Null if it would fail now. The token's return value says nothing: TRON's USDT returns
 * false also when it has moved the amount.
 */
async function fetchEnergy(
  { line }: TronNode,
  transfer: TronTransfer,
  contract: string,
): Promise<bigint | null> {
  const answer = await askApi(line, "triggerconstantcontract", {
    owner_address: transfer.from,
    contract_address: contract,
    data: transferData(transfer),
    visible: true,
  });
  const { code, message } = parseFields("the result of a call", answer.result);
  if (code === "CONTRACT_VALIDATE_ERROR") return null;
  if (code !== undefined && code !== "SUCCESS")
    throw new NodeError(
      "refused",
      `${line.name} could not simulate a transfer: ${line.hide(String(message))}`,
    );
  const { ret } = parseFields("a simulated transaction", answer.transaction);
  const [result] = Array.isArray(ret) ? ret : [];
  if (message !== undefined || parseFields("a result", result ?? {}).ret === "FAILED") return null;
  return readInteger("its energy", answer.energy_used ?? "0");
}

/** Sun that an account could delegate for energy. */
export async function fetchDelegable({ line }: TronNode, owner: string): Promise<bigint> {
  const answer = await askApi(line, "getcandelegatedmaxsize", {
    owner_address: owner,
    type: 1,
    visible: true,
  });
  return readInteger("what can be delegated", answer.max_size ?? "0");
}

export async function fetchDelegated({ line }: TronNode, owner: string, receiver: string): Promise<bigint> {
  const request = { fromAddress: owner, toAddress: receiver, visible: true };
  const { delegatedResource = [] } = await askApi(line, "getdelegatedresourcev2", request);
  if (!Array.isArray(delegatedResource)) throwMalformed("delegations", delegatedResource);
  return delegatedResource.reduce((sum: bigint, one) => {
    const { frozen_balance_for_energy: amount = "0" } = parseFields("a delegation", one);
    return sum + readInteger("a delegation", amount);
  }, 0n);
}

/** Where transactions are, by a node's own blocks. A receipt counts if the node still has its block. */
export async function fetchFates({ client }: TronNode, hashes: readonly string[]): Promise<TronFates> {
  const { header, finalizedHeight } = await fetchEvmHead(client, true);
  const receipts = await client.batch(
    hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [`0x${hash}`] })),
  );
  const found = receipts.flatMap((receipt, at) => {
    if (receipt === null) return [];
    const { blockNumber, blockHash } = parseFields("a receipt", receipt);
    const height = parseQuantity("a receipt's block", blockNumber);
    return { hash: hashes[at] ?? "", height, blockHash: parseEvmHash("a receipt's block hash", blockHash) };
  });
  const headers = await fetchChainHeaders(
    client,
    found.map(({ height }) => height),
  );
  const held = found.filter(({ blockHash }, at) => headers[at]?.hash === blockHash);
  const isFinal = (height: number) => finalizedHeight !== null && height <= finalizedHeight;
  return {
    headTime: header.time,
    final:
      finalizedHeight === null
        ? null
        : { height: finalizedHeight, time: (await fetchHeader(client, finalizedHeight)).time },
    blocks: new Map(held.map(({ hash, height }) => [hash, { isFinal: isFinal(height) }])),
  };
}

/**
 * Whether this node proves that a transaction of the signer is in no block and never will be. The node must have a block from before it was
 * made, so that it would know its block.
 */
export async function provesDead(node: TronNode, hash: string, expires: number): Promise<boolean> {
  const { final, blocks } = await fetchFates(node, [hash]);
  if (final === null || blocks.size > 0) return false;
  return hasTransactionExpired(node.client, {
    expiryMs: LIFETIME_MS,
    blockSeconds: BLOCK_SECONDS,
    since: new Date(expires - LIFETIME_MS),
    height: final.height,
  });
}

/** Sends a signed transaction to one node. A node that has it already took it, too. */
export async function broadcastRaw({ line }: TronNode, raw: string): Promise<void> {
  const { code = "SUCCESS", message = "" } = await askApi(line, "broadcasthex", { transaction: raw });
  if (code === "SUCCESS" || code === "DUP_TRANSACTION_ERROR") return;
  const text = /^(?:[0-9a-f]{2})+$/i.test(String(message))
    ? Buffer.from(String(message), "hex").toString()
    : String(message);
  throw new NodeError(
    "refused",
    `${line.name} refused a transaction: ${String(code)} ${line.hide(text).slice(0, 200)}`,
  );
}

/** An answer in which every number is the text of its digits: sums of sun do not fit a float. */
async function askApi(
  line: NodeClient,
  call: string,
  request: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { text } = await callTronApi(line, call, request);
  const exact = parseJsonWithSource(text, (_, value, { source }) =>
    typeof value === "number" ? source : value,
  );
  return parseFields(`its answer to ${call}`, exact);
}

function readInteger(what: string, value: unknown): bigint {
  if (typeof value !== "string" || !/^[0-9]{1,19}$/.test(value)) throwMalformed(what, value);
  return BigInt(value);
}
