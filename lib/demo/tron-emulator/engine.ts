import { type AnvilNode, startAnvil } from "../anvil.ts";

/** The EVM's own refusal of a call. */
export class EngineRefusal extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(error: { code?: number; message?: string; data?: unknown }) {
    super(error.message ?? "refused");
    this.name = "EngineRefusal";
    this.code = error.code ?? -32000;
    this.data = error.data;
  }
}

/** The anvil that executes the contract calls. */
export interface Engine {
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** The answers in the order of the calls; throws when one was refused. */
  batch(
    calls: readonly (readonly [method: string, params: readonly unknown[]])[],
  ): Promise<readonly unknown[]>;
  /** Writes the chain to disk now, where it is kept at all. */
  save(): Promise<void>;
  pid(): Promise<number>;
  stop(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { code?: number; message?: string; data?: unknown };
}

/**
 * Starts anvil, and starts it again when it was killed (with `statePath`; without one the chain is gone with it).
 * `prepare` runs on every node before anybody else's calls do.
 */
export async function startEngine(
  options: { readonly chainId: number; readonly statePath?: string },
  prepare: (url: string, batch: Engine["batch"]) => Promise<void>,
): Promise<Engine> {
  const start = async (): Promise<AnvilNode> => {
    const node = await startAnvil({ ...options, automine: false });
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
      // Whoever notices first starts it again; the others wait for the same node.
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
  if (answer?.error) throw new EngineRefusal(answer.error);
  return answer?.result;
}
