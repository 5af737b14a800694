import { type Abi, parseAbi } from "viem";
import { TEST_USDT_ABI, TEST_USDT_BYTECODE } from "../payers/test-usdt.ts";
import { USDT_ADDRESS } from "../usdt.ts";
import { transactionRoot } from "./block-id.ts";
import type { EvmReceipt, TronBlock, TronChain } from "./chain.ts";
import { executionResult, fetchReturnData } from "./execution-result.ts";
import { writeAddress } from "./fields.ts";
import { bandwidthOf } from "./resources.ts";
import { type SignedTronTransaction, transactionJson } from "./transaction.ts";

const WITNESS = "0xb2f713d57dbcec679d93a8849fa0cd0e4db594ba";
const GENESIS_WITNESS =
  "A new system must allow existing systems to be linked together without requiring any central control or coordination";
const MORE_OF_USDT = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function totalSupply() view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
]);

export async function blockJson(
  chain: TronChain,
  block: TronBlock | null,
  visible: boolean,
): Promise<Record<string, unknown>> {
  if (block === null) return {};
  const transactions: unknown[] = [];
  for (const { txId } of block.transactions) {
    const found = await chain.find(txId);
    if (!found) continue;
    const { result } = executionResult(found.signed, found.receipt);
    transactions.push({ ret: [{ contractRet: result }], ...signedJson(found.signed, visible) });
  }
  const ids = { txTrieRoot: transactionRoot(block), parentHash: block.parentId };
  // java-tron's first block was made by a text.
  if (block.height === 0) {
    const raw_data = { ...ids, witness_address: writeMessage(GENESIS_WITNESS, false) };
    return { blockID: block.id, block_header: { raw_data } };
  }
  return {
    blockID: block.id,
    block_header: {
      raw_data: {
        ...ids,
        number: block.height,
        witness_address: writeAddress(WITNESS, visible),
        version: 34,
        timestamp: block.timeMs,
      },
      witness_signature: "00".repeat(65),
    },
    ...(transactions.length > 0 && { transactions }),
  };
}

export async function infoJson(
  chain: TronChain,
  signed: SignedTronTransaction,
  receipt: EvmReceipt,
  visible: boolean,
) {
  const { result, energy } = executionResult(signed, receipt);
  const block = await chain.block(Number(receipt.blockNumber));
  const { action } = signed.raw;
  const isCall = action.type === "TriggerSmartContract";
  const reason = result === "REVERT" ? "REVERT opcode executed" : "Not enough energy for the call";
  const charge = chain.chargeOf(signed.txId);
  return {
    id: signed.txId,
    ...(charge !== null && charge.fee > 0n && { fee: Number(charge.fee) }),
    blockNumber: Number(receipt.blockNumber),
    blockTimeStamp: block?.timeMs,
    contractResult: [isCall ? await fetchReturnData(chain.engine, receipt.transactionHash) : ""],
    ...(isCall && { contract_address: writeAddress(action.contract, visible) }),
    receipt: {
      ...(charge !== null && charge.energyUsage > 0 && { energy_usage: charge.energyUsage }),
      ...(charge !== null && charge.energyFee > 0n && { energy_fee: Number(charge.energyFee) }),
      ...(energy > 0 && { energy_usage_total: energy }),
      ...(charge?.netFee
        ? { net_fee: Number(charge.netFee) }
        : { net_usage: charge?.netUsage ?? bandwidthOf(signed) }),
      ...(isCall && { result }),
    },
    ...(result !== "SUCCESS" && { result: "FAILED", resMessage: writeMessage(reason, false) }),
    ...(receipt.logs.length > 0 && {
      log: receipt.logs.map(({ address, topics, data }) => ({
        address: visible ? writeAddress(address, true) : address.slice(2),
        topics: topics.map((topic) => topic.slice(2)),
        ...(data !== "0x" && { data: data.slice(2) }),
      })),
    }),
  };
}

export function signedJson(signed: SignedTronTransaction, visible: boolean): Record<string, unknown> {
  return { signature: signed.signatures, ...transactionJson(signed.raw, signed.rawHex, visible) };
}

/** The contract at an address. {} when there is none. */
export async function contractJson(chain: TronChain, address: string, visible: boolean) {
  const [code, usdtCode] = (await chain.engine.batch([
    ["eth_getCode", [address, "latest"]],
    ["eth_getCode", [USDT_ADDRESS, "latest"]],
  ])) as string[];
  if (code === undefined || code === "0x") return {};
  // Test tokens differ only by their decimals.
  const isUsdt = code.length === usdtCode?.length;
  return {
    origin_address: writeAddress(WITNESS, visible),
    contract_address: writeAddress(address, visible),
    abi: isUsdt ? { entrys: USDT_ENTRIES } : {},
    bytecode: isUsdt ? TEST_USDT_BYTECODE.slice(2) : code.slice(2),
    name: isUsdt ? "TestUsdt" : "",
    consume_user_resource_percent: 100,
    origin_energy_limit: 10_000_000,
  };
}

const CAPITALIZED: Readonly<Record<string, string>> = {
  view: "View",
  pure: "Pure",
  nonpayable: "Nonpayable",
};

/** The ABI as java-tron writes it. */
const USDT_ENTRIES = ([...TEST_USDT_ABI, ...MORE_OF_USDT] as Abi).flatMap((item) => {
  if (item.type === "event") {
    return { type: "Event", name: item.name, inputs: item.inputs };
  }
  if (item.type !== "function") return [];
  const { name, inputs, outputs, stateMutability } = item;
  const isConstant = stateMutability === "view" || stateMutability === "pure";
  return {
    ...(isConstant && { constant: true }),
    name,
    inputs,
    outputs,
    type: "Function",
    stateMutability: CAPITALIZED[stateMutability] ?? "Payable",
  };
});

/** A text of java-tron: as it is when the caller asked for `visible`, else the hex of its bytes. */
export function writeMessage(text: string, visible: boolean): string {
  return visible ? text : Buffer.from(text).toString("hex");
}
