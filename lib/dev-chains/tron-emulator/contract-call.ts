import { createHash } from "node:crypto";
import { createBase58check } from "@scure/base";
import { toFunctionSelector } from "viem";
import type { TronChain } from "./chain.ts";
import type { Action } from "./contracts.ts";
import { EngineError } from "./engine.ts";
import { quantity } from "./evm-blocks.ts";
import { addressField, hex, hexField, integerField } from "./fields.ts";
import { encodeRaw, type RawTronTransaction, transactionJson } from "./transaction.ts";
import { writeMessage } from "./wallet-json.ts";

export type Request = Readonly<Record<string, unknown>>;

const EXPIRES_AFTER_MS = 60_000;
/** Builds an unsigned transaction on top of the newest block. */
export async function buildTransaction(chain: TronChain, request: Request, action: Action) {
  const head = await chain.head();
  const raw: RawTronTransaction = {
    action,
    permissionId: Number(integerField(request.Permission_id) ?? 0n),
    refBlockBytes: head.id.slice(12, 16),
    refBlockHash: head.id.slice(16, 32),
    expiration: head.timeMs + EXPIRES_AFTER_MS,
    timestamp: Date.now(),
    feeLimit: action.type === "TriggerSmartContract" ? (integerField(request.fee_limit) ?? 0n) : 0n,
    memo: hexField(request.extra_data) ?? "",
  };
  const visible = isVisible(request);
  return { visible, ...transactionJson(raw, hex(encodeRaw(raw)), visible) };
}

const base58check = createBase58check((data: Uint8Array) => createHash("sha256").update(data).digest());

/** The call in a request, or the reason why it is not a call. */
export async function readCall(
  chain: TronChain,
  request: Request,
): Promise<Extract<Action, { type: "TriggerSmartContract" }> | string> {
  const [owner, contract] = [addressField(request.owner_address), addressField(request.contract_address)];
  const [parameter, input] = [hexField(request.parameter), hexField(request.data)];
  const callValue = integerField(request.call_value);
  if (!owner || !contract) return "owner_address or contract_address isn't set.";
  if (parameter === null || input === null || callValue === null) return "the call is malformed";
  if ((await chain.engine.call("eth_getCode", [contract, "latest"])) === "0x") {
    return "No contract or not a valid smart contract";
  }
  const selector = request.function_selector;
  const data =
    typeof selector === "string" && selector !== ""
      ? toFunctionSelector(`function ${selector}`).slice(2) + parameter
      : input;
  return { type: "TriggerSmartContract", owner, contract, data, callValue };
}

/** The result of a call on the newest block, or on the solidified one, and its approximate energy. */
export async function callContract(request: Request, { chain, solid }: { chain: TronChain; solid: boolean }) {
  const action = await readCall(chain, request);
  if (typeof action === "string") {
    const message = writeMessage("Smart contract is not exist.", isVisible(request));
    return { result: { code: "CONTRACT_VALIDATE_ERROR", message } };
  }
  const { owner, contract, data, callValue } = action;
  const call = { from: owner, to: contract, data: `0x${data}`, value: quantity(callValue) };
  const tag = solid ? quantity(await chain.solidHeight()) : "latest";
  const built = await buildTransaction(chain, request, action);
  try {
    const output = solid ? String(await chain.engine.call("eth_call", [call, tag])) : await chain.call(call);
    const gas = Number(await chain.engine.call("eth_estimateGas", [{ ...call, gasPrice: "0x0" }, tag]));
    return {
      result: { result: true },
      energy_used: Math.max(0, gas - 21_000),
      constant_result: [output.slice(2)],
      ...(await simulatedLogs(chain, call, tag, isVisible(request))),
      transaction: { ret: [{}], ...built },
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const output = typeof error.data === "string" ? error.data : "0x";
    return {
      result: { result: true, message: writeMessage("REVERT opcode executed", isVisible(request)) },
      energy_used: 0,
      constant_result: [output.slice(2)],
      transaction: { ret: [{ ret: "FAILED" }], ...built },
    };
  }
}

interface TracedCall {
  readonly logs?: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
  readonly calls?: readonly TracedCall[];
}

/** The logs of a simulated call. java-tron's base58 of their addresses leaves out the first byte. */
async function simulatedLogs(chain: TronChain, call: object, tag: string, visible: boolean) {
  const tracer = { tracer: "callTracer", tracerConfig: { withLog: true } };
  const listLogs = ({ logs = [], calls = [] }: TracedCall): NonNullable<TracedCall["logs"]>[number][] => [
    ...logs,
    ...calls.flatMap(listLogs),
  ];
  const logs = listLogs((await chain.engine.call("debug_traceCall", [call, tag, tracer])) as TracedCall);
  if (logs.length === 0) return {};
  return {
    logs: logs.map(({ address, topics, data }) => ({
      address: visible ? base58check.encode(Buffer.from(address.slice(2), "hex")) : address.slice(2),
      data: data.slice(2),
      topics: topics.map((topic) => topic.slice(2)),
    })),
  };
}

export function isVisible(request: Request): boolean {
  return request.visible === true || request.visible === "true";
}
