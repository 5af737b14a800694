import type { NodeClient } from "./node-client.ts";
import { NodeError } from "./node-error.ts";
import type { Provider } from "./providers/provider.ts";

/** One thing that this program asks of a node, to be tried out. */
export interface ProbeQuestion {
  /** In the node's words: "eth_getLogs by height". */
  readonly what: string;
  /** The function that does not work without it. */
  readonly neededFor: string;
  /** Without it the network cannot be watched. Only these are asked at each start. */
  readonly required: boolean;
  /** Returns what was found, in a few words. Throws NodeError when the node cannot answer. */
  ask(): Promise<string>;
}

/** The answer to one question. */
export interface ProbeCheck extends Pick<ProbeQuestion, "what" | "neededFor" | "required"> {
  readonly ok: boolean;
  /** The result in a few words, or the error. */
  readonly answer: string;
  readonly ms: number;
}

/** The abilities of one node. */
export interface NodeProbe {
  /** A name for people: never the URL, which may contain a key. */
  readonly node: string;
  readonly checks: readonly ProbeCheck[];
  /** The provider that runs it, if it is a known one. */
  readonly provider: Provider | null;
}

export interface ProbeOptions {
  /** Also the questions that are not required, and the measured limits. */
  readonly all: boolean;
  /** Aborts the requests. */
  readonly signal?: AbortSignal;
  /** Called after each answer. */
  readonly onCheck?: (node: string, check: ProbeCheck) => void;
}

/** Asks the questions one after the other, so that no answer is late because of another one. Never throws NodeError. */
export async function askQuestions(
  { name: node, provider }: Pick<NodeClient, "name" | "provider">,
  questions: readonly ProbeQuestion[],
  { all, onCheck }: ProbeOptions,
): Promise<NodeProbe> {
  const checks: ProbeCheck[] = [];
  for (const { what, neededFor, required, ask } of questions) {
    if (!required && !all) continue;
    const started = performance.now();
    const [ok, answer] = await ask().then(
      (found) => [true, found] as const,
      (error: unknown) => {
        if (error instanceof NodeError) return [false, error.message] as const;
        throw error;
      },
    );
    const check = { what, neededFor, required, ok, answer, ms: Math.round(performance.now() - started) };
    checks.push(check);
    onCheck?.(node, check);
  }
  return { node, checks, provider };
}

/** Reads a value at the first call and returns it at all others. A failure is not kept. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  return () => {
    value ??= read().catch((error: unknown) => {
      value = null;
      throw error;
    });
    return value;
  };
}

/** Returns the largest of these sizes, in ascending order, that works, and what the node said to the next one. */
export async function findLargest(
  sizes: readonly number[],
  tryOut: (size: number) => Promise<unknown>,
): Promise<string> {
  let largest = 0;
  for (const size of sizes) {
    try {
      await tryOut(size);
    } catch (error) {
      if (!(error instanceof NodeError) || largest === 0) throw error;
      return `${largest}; at ${size}: ${error.message}`;
    }
    largest = size;
  }
  return `${largest} or more`;
}

/** Batches to try. Larger ones bring nothing. */
const BATCHES = [1, 2, 5, 10, 20, 50, 100] as const;

/** The question how many calls one HTTP request may hold, asked with this cheap call. For nodes with JSON-RPC batches. */
export function askBatchSize(
  line: NodeClient,
  call: { method: string; params: readonly unknown[] },
): ProbeQuestion {
  return {
    what: "calls in one request",
    neededFor: "fewer requests",
    required: false,
    ask: () =>
      findLargest(BATCHES, async (size) => {
        const calls = Array.from({ length: size }, (_, id) => ({ jsonrpc: "2.0", id, ...call }));
        const { status, text } = await line.post(JSON.stringify(calls), size);
        if (countResults(text) === size) return;
        throw new NodeError("refused", `HTTP ${status}: ${text.slice(0, 100)}`);
      }),
  };
}

function countResults(text: string): number {
  try {
    const answer: unknown = JSON.parse(text);
    if (!Array.isArray(answer)) return 0;
    return answer.filter((entry) => Object(entry).result !== undefined && !Object(entry).error).length;
  } catch {
    return 0;
  }
}

/** The age of a block for people: "12 s old". */
export function describeAge(time: Date): string {
  const seconds = Math.max(0, Math.round((Date.now() - time.getTime()) / 1_000));
  return seconds < 7_200 ? `${seconds} s old` : `${Math.round(seconds / 3_600)} hours old`;
}

/** Lists the abilities that watching needs and the node lacks, each with the node's own words. Empty: it can be used. */
export function listMissing(checks: readonly ProbeCheck[]): readonly string[] {
  return checks.filter(({ ok, required }) => required && !ok).map(({ what, answer }) => `${what}: ${answer}`);
}
