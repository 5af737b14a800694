import { NodeError, TRACE_POSITION } from "../network.ts";
import { parseFields } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { EvmBlockHeader, NativeTransaction } from "./codec.ts";
import { parseEvmAddress, parseEvmHash, parseUint256 } from "./codec.ts";
import type { NativeMovement } from "./native-reader.ts";

/**
 * Calls that move their value to `to`. DELEGATECALL and CALLCODE run code on the caller's own coins (geth's callTracer,
 * geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers).
 */
const MOVING = new Set(["CALL", "CREATE", "CREATE2", "SELFDESTRUCT"]);

interface Block {
  readonly header: EvmBlockHeader;
  readonly transactions: readonly NativeTransaction[];
}

/**
 * What contracts move of the coin in these blocks ("internal transfers"), in the order of execution. What a transaction
 * itself moves is not part of it. One call for each block with transactions. Throws NodeError where the node cannot trace.
 */
export async function readTracedMovements(
  client: RpcClient,
  blocks: readonly Block[],
): Promise<readonly NativeMovement[]> {
  const movements: NativeMovement[] = [];
  for (const block of blocks.filter(({ transactions }) => transactions.length > 0)) {
    const traces = await client.call("debug_traceBlockByHash", [block.header.hash, { tracer: "callTracer" }]);
    movements.push(...readBlockTraces(traces, block));
  }
  return movements;
}

function readBlockTraces(traces: unknown, { header, transactions }: Block): NativeMovement[] {
  if (!Array.isArray(traces)) throw new NodeError("malformed", "the node sent traces that are not a list");
  const traced = new Map(
    traces.map((entry) => {
      const { txHash, result } = parseFields("a trace", entry);
      return [parseEvmHash("a trace's transaction", txHash), result] as const;
    }),
  );
  return transactions.flatMap(({ hash: txHash }) => {
    const result = traced.get(txHash);
    if (result === undefined) throw new NodeError("inconsistent", `the node has no trace of ${txHash}`);
    return [...innerMoves(result)].map((move, i) => ({
      ...move,
      txHash,
      position: TRACE_POSITION + i,
      blockHeight: header.height,
      blockHash: header.hash,
    }));
  });
}

/** The moves inside a call, depth first. A call that failed moved nothing, and nothing inside it did. */
function* innerMoves(frame: unknown): Generator<Pick<NativeMovement, "sender" | "address" | "amount">> {
  const { error, calls = [] } = parseFields("a call", frame);
  if (error !== undefined) return;
  if (!Array.isArray(calls)) throw new NodeError("malformed", "the node sent calls that are not a list");
  for (const call of calls) {
    const { type, from, to, value, error: failure } = parseFields("a call", call);
    if (failure === undefined && MOVING.has(String(type)) && value !== undefined) {
      const amount = parseUint256("a call's value", value);
      const sender = parseEvmAddress("a call's sender", from);
      if (amount > 0n) yield { sender, address: parseEvmAddress("a call's receiver", to), amount };
    }
    yield* innerMoves(call);
  }
}
