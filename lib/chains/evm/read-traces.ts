import { NodeError } from "../node-error.ts";
import { parseFields } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { TracesRefusedError } from "../traces-refused.ts";
import { TRACE_POSITION } from "../transfers.ts";
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

/** A node ends a trace after 5 s, unless it is asked for more (geth). */
export const TRACER = { tracer: "callTracer", timeout: "60s" };

/**
 * Reads what contracts move of the coin in these blocks ("internal transfers"), in the order of execution. The movement of a
 * transaction itself is not part of it. One call for each block with transactions. Heights of blocks that the node cannot trace are
 * added to `untraced`. Without that list it throws TracesRefusedError.
 */
export async function readTracedMovements(
  client: RpcClient,
  blocks: readonly Block[],
  untraced: number[] | null = null,
): Promise<readonly NativeMovement[]> {
  const movements: NativeMovement[] = [];
  for (const block of blocks.filter(({ transactions }) => transactions.length > 0)) {
    try {
      movements.push(...(await traceBlock(client, block)));
    } catch (error) {
      if (!(error instanceof TracesRefusedError) || untraced === null) throw error;
      untraced.push(block.header.height);
    }
  }
  return movements;
}

/** How long a node that left a trace unanswered is not asked for another. */
const SILENCE_MS = 300_000;
/**
 * The silence of nodes, in all scans: each further trace would take as long, and a network would fall behind. By the sizes of a
 * node, because each pass has clients of its own.
 */
const silences = new WeakMap<RpcClient["sizes"], { readonly error: NodeError; readonly since: number }>();

/** A block that is too much for one answer is traced by its transactions. */
async function traceBlock(client: RpcClient, block: Block): Promise<readonly NativeMovement[]> {
  const { header, transactions } = block;
  const refused = (error: NodeError) =>
    new TracesRefusedError(`the node does not trace block ${header.height}: ${error.message}`, error);
  const silence = silences.get(client.sizes);
  if (silence && performance.now() - silence.since < SILENCE_MS) throw refused(silence.error);
  try {
    const traces = await client.call("debug_traceBlockByHash", [header.hash, TRACER]);
    return listMoves(block, readBlockTraces(traces));
  } catch (error) {
    if (!isAboutTraces(error)) throw error;
  }
  const traced = new Map<string, unknown>();
  try {
    for (const { hash } of transactions)
      traced.set(hash, await client.call("debug_traceTransaction", [hash, TRACER]));
    return listMoves(block, traced);
  } catch (error) {
    if (!isAboutTraces(error)) throw error;
    // A proxy that gives up before the node has answered says 502.
    if (error.kind === "unreachable" || error.isPassing)
      silences.set(client.sizes, { error, since: performance.now() });
    throw refused(error);
  }
}

/** Returns false where the node asks for fewer requests, or is gone: its other answers show that. */
function isAboutTraces(error: unknown): error is NodeError {
  return error instanceof NodeError && error.kind !== "rate_limited" && error.kind !== "wrong_chain";
}

/** Results by transaction. The node names an error in place of the result of a transaction that took too long. */
function readBlockTraces(traces: unknown): ReadonlyMap<string, unknown> {
  if (!Array.isArray(traces)) throw new NodeError("malformed", "the node sent traces that are not a list");
  return new Map(
    traces.map((entry) => {
      const { txHash, result } = parseFields("a trace", entry);
      return [parseEvmHash("a trace's transaction", txHash), result] as const;
    }),
  );
}

function listMoves({ header, transactions }: Block, traced: ReadonlyMap<string, unknown>): NativeMovement[] {
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
