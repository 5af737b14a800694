import { type AnvilNode, startAnvil } from "../anvil.ts";

/** The EVM refuses a call. */
export class EngineError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(error: { code?: number; message?: string; data?: unknown }) {
    super(error.message ?? "refused");
    this.name = "EngineRefusal";
    this.code = error.code ?? -32000;
    this.data = error.data;
  }
}

/** The anvil that executes contract calls. */
export interface Engine {
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Returns the answers in the order of the calls. Throws if one was refused. */
  batch(
    calls: readonly (readonly [method: string, params: readonly unknown[]])[],
  ): Promise<readonly unknown[]>;
  /** Writes the chain to disk now, if it is kept. */
  save(): Promise<void>;
  pid(): Promise<number>;
  stop(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { code?: number; message?: string; data?: unknown };
}

export interface EngineOptions {
  readonly chainId: number;
  readonly statePath?: string;
  /** Default: startAnvil. */
  readonly start?: typeof startAnvil;
}

/**
 * Starts anvil, and starts it again after a kill (with `statePath`; otherwise the chain ends with it).
 * `prepare` runs on every new node before other calls.
 */
export async function startEngine(
  { start: startNode = startAnvil, ...options }: EngineOptions,
  prepare: (url: string, batch: Engine["batch"]) => Promise<void>,
): Promise<Engine> {
  const start = async (): Promise<AnvilNode> => {
    const node = await startNode({ ...options, automine: false, poolWithoutBalances: true });
    await prepare(node.url, async (calls) => (await post(node.url, calls)).map(result));
    return node;
  };
  let stopped = false;
  let node = start();
  const send: Engine["batch"] = async (calls) => {
    const current = node;
    let answers: readonly Answer[];
    try {
      answers = await post((await current).url, calls);
    } catch (error) {
      if (stopped || options.statePath === undefined) throw error;
      // The first caller that notices starts it again. The others wait for the same node.
      if (node === current)
        node = current
          .then(
            (gone) => gone.kill(),
            () => {},
          )
          .then(start);
      answers = await post((await node).url, calls);
    }
    return answers.map(result);
  };
  await node;
  return {
    batch: send,
    call: async (method, params = []) => (await send([[method, params]]))[0],
    save: async () => (await node).save(),
    pid: async () => (await node).pid,
    async stop() {
      stopped = true;
      await (await node).stop();
    },
  };
}

async function post(
  url: string,
  calls: readonly (readonly [method: string, params: readonly unknown[]])[],
): Promise<readonly Answer[]> {
  if (calls.length === 0) return [];
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }))),
    signal: AbortSignal.timeout(60_000),
  });
  return ((await response.json()) as Answer[]).toSorted((a, b) => a.id - b.id);
}

function result(answer: Answer | undefined): unknown {
  if (answer?.error) throw new EngineError(answer.error);
  return answer?.result;
}
