import { isLimitError } from "./http-answer.ts";
import type { NodeClient } from "./node-client.ts";
import { NodeError } from "./node-error.ts";

export interface JsonRpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The node's answer to one call. `error` is unchecked. */
export type JsonRpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: Readonly<Record<string, unknown>> };

/** A batch that was refused as a whole. A smaller batch may work. `size`: what to try next. */
class BatchRefused extends NodeError {
  readonly size: number;
  /** The node names the batch itself. Otherwise one of its calls may be at fault. */
  readonly namesBatch: boolean;
  constructor(message: string, size: number, namesBatch: boolean) {
    super("refused", message);
    this.size = size;
    this.namesBatch = namesBatch;
  }
}

/** The error text of a node that takes single requests only. */
const NO_BATCH = /batch\w*\b.*\b(not|un|dis)\w*|\bno batch/i;
/** The entries of a batch past the node's limit of bytes (geth: --rpc.batch-response-max-size). */
const TOO_LARGE = -32_003;
/** The number of calls that a refusal allows (dRPC: "Batch of more than 3 requests are not allowed"). */
const NAMED_SIZE = /batch of more than ([0-9]{1,4})/i;

/**
 * Posts the calls with as few requests as the node's limits allow. Answers are in the order of the calls. A
 * batch that is refused for its size is asked again in smaller parts, and the size is remembered for its
 * methods: a batch is as small as the smallest of its methods. Throws NodeError when a request fails.
 */
export async function postCalls<C extends JsonRpcCall>(
  line: NodeClient,
  calls: readonly C[],
  parse: (text: string, calls: readonly C[]) => unknown,
): Promise<readonly JsonRpcAnswer[]> {
  const answers: (JsonRpcAnswer | undefined)[] = calls.map(() => undefined);
  let open = calls.map((_, place) => place);
  let mixed: { readonly asked: readonly C[]; readonly size: number } | null = null;
  while (open.length > 0) {
    const part = takePart(line, calls, open, mixed !== null);
    const asked = part.flatMap((place) => calls[place] ?? []);
    let answered = 0;
    try {
      for (const [i, answer] of (await send(line, asked, parse)).entries()) {
        if (part.length > 1 && isTooLarge(answer)) continue;
        answers[part[i] ?? -1] = answer;
        answered += 1;
      }
      if (answered < part.length) shrink(line, asked, answered > 0 ? answered : part.length / 2);
    } catch (error) {
      if (!(error instanceof BatchRefused) || part.length === 1) throw error;
      const isMixed = new Set(asked.map(({ method }) => method)).size > 1;
      // Asked by method, the call that is at fault gets its own refusal.
      if (isMixed && !error.namesBatch) mixed = { asked, size: error.size };
      else shrink(line, asked, error.size);
    }
    open = [...part.filter((place) => answers[place] === undefined), ...open.slice(part.length)];
  }
  // No call was at fault, so the batch was too large.
  if (mixed !== null && answers.every((answer) => answer?.ok)) shrink(line, mixed.asked, mixed.size);
  return answers as JsonRpcAnswer[];
}

/** The first open calls that fit into one request. `byMethod`: of one method. */
function takePart(
  line: NodeClient,
  calls: readonly JsonRpcCall[],
  open: readonly number[],
  byMethod: boolean,
): number[] {
  const part: number[] = [];
  let largest = line.batchSize();
  for (const place of open) {
    if (byMethod && calls[place]?.method !== calls[open[0] ?? 0]?.method) break;
    largest = line.sizes.get(calls[place]?.method ?? "", largest);
    if (part.length > 0 && part.length >= largest) break;
    part.push(place);
  }
  return part;
}

/** Which method was too much is unknown, so it counts for each of the batch. */
function shrink(line: NodeClient, calls: readonly JsonRpcCall[], size: number): void {
  for (const method of new Set(calls.map((call) => call.method))) line.sizes.shrink(method, size);
}

function isTooLarge(answer: JsonRpcAnswer): boolean {
  return !answer.ok && answer.error.code === TOO_LARGE && /too large/i.test(String(answer.error.message));
}

/** Each call has a number of its own, so that the answer to an earlier one is never read as its answer. */
let nextId = 0;

async function send<C extends JsonRpcCall>(
  line: NodeClient,
  calls: readonly C[],
  parse: (text: string, calls: readonly C[]) => unknown,
): Promise<readonly JsonRpcAnswer[]> {
  const requests = calls.map(({ method, params }) => ({ jsonrpc: "2.0", id: nextId++, method, params }));
  const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
  const received = await line.post(body, calls.length);
  let answer: unknown;
  try {
    answer = parse(received.text, calls);
  } catch (cause) {
    // Some servers refuse a request for its size with a status and a text.
    if (calls.length > 1 && received.status >= 400) throw refuseBatch(line, received.text, calls.length);
    throw line.refusal(received, cause);
  }
  return readAnswers(line, answer, { calls, firstId: requests[0]?.id ?? 0 });
}

function readAnswers(
  line: NodeClient,
  answer: unknown,
  { calls, firstId }: { readonly calls: readonly JsonRpcCall[]; readonly firstId: number },
): readonly JsonRpcAnswer[] {
  const entries: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const answers = new Map<unknown, JsonRpcAnswer>();
  for (const entry of entries) {
    if (typeof entry !== "object" || entry === null) {
      throw new NodeError("malformed", `${line.name} answered no JSON-RPC`);
    }
    const { id, result, error } = entry as { id?: unknown; result?: unknown; error?: unknown };
    if (error === undefined || error === null) {
      answers.set(id, { ok: true, result });
      continue;
    }
    const fields = typeof error === "object" ? (error as Record<string, unknown>) : { message: error };
    const asked = calls[calls.length === 1 ? 0 : Number(id) - firstId]?.method ?? "";
    // Some providers answer a method that they do not have as if it were called too often.
    if (!line.provider?.missing.includes(asked) && isLimitError(fields)) {
      throw line.rateLimitError(`${line.name} limits our requests: ${quote(line, fields)}`);
    }
    if (entries.length === 1 && calls.length > 1) throw refuseBatch(line, quote(line, fields), calls.length);
    answers.set(calls.length === 1 ? firstId : id, { ok: false, error: fields });
  }
  if (calls.length > 1 && isBatchRefusedEach([...answers.values()]))
    throw refuseBatch(line, JSON.stringify(entries[0]), calls.length);
  return calls.map(({ method }, place) => {
    const found = answers.get(firstId + place);
    if (!found) throw new NodeError("malformed", `${line.name} left ${method} unanswered`);
    return found;
  });
}

/** Some providers refuse a batch with an error for each call (dRPC: code 31). */
function isBatchRefusedEach(answers: readonly JsonRpcAnswer[]): boolean {
  return answers.every((answer) => !answer.ok && /\bbatch/i.test(String(answer.error.message)));
}

function refuseBatch(line: NodeClient, said: string, size: number): BatchRefused {
  const named = Number(NAMED_SIZE.exec(said)?.[1] ?? size);
  const next = named < size ? named : NO_BATCH.test(said) ? 1 : size / 2;
  const message = `${line.name} refused a batch of ${size}: ${line.hide(said).slice(0, 200)}`;
  return new BatchRefused(message, next, /batch/i.test(said));
}

/** The error's text and code, for logs. */
export function quote(line: NodeClient, { code, message }: Readonly<Record<string, unknown>>): string {
  return `${line.hide(String(message ?? "no reason given")).slice(0, 200)} (${String(code)})`;
}
