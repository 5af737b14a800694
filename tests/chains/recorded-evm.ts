import { readFileSync } from "node:fs";
import { type ReplayNode, startReplayNode } from "./replay-node.ts";

/** The recorded answers of geth, BNB Smart Chain's node and op-geth. */
interface RecordedEvm {
  readonly answers: readonly {
    readonly node: string;
    readonly case: string;
    readonly request: { readonly method: string; readonly params: readonly unknown[] };
    readonly answer: { readonly result?: unknown; readonly error?: unknown };
  }[];
  readonly errors: readonly {
    readonly node: string;
    readonly case: string;
    readonly method: string;
    readonly error: { readonly code: number; readonly message: string };
  }[];
  readonly refusals: readonly {
    readonly node: string;
    readonly case: string;
    readonly status: number;
    readonly body: string;
  }[];
}

export const RECORDED_EVM = JSON.parse(
  readFileSync(new URL("recorded/evm-own-nodes.json", import.meta.url), "utf8"),
) as RecordedEvm;

/**
 * One of the recorded nodes, with its valid answers. `at`: its newest block is this one, which was recorded at another time
 * than the head.
 */
export function startRecordedNode(
  node: "geth" | "bsc" | "op-geth",
  at: number | null = null,
): Promise<ReplayNode> {
  const own = RECORDED_EVM.answers.filter((one) => one.node === node);
  const records = own.map(({ request, answer }) => ({ body: request, answer }));
  const isAt = ({ body }: (typeof records)[number]) =>
    at !== null && body.params[0] === `0x${at.toString(16)}` && body.params[1] === false;
  const newest = records.find(isAt);
  const latest = { method: "eth_getBlockByNumber", params: ["latest", false] };
  return startReplayNode([...records, ...(newest ? [{ ...newest, body: latest }] : [])]);
}

/** The error of a recorded case, as a fake node throws it. */
export function recordedError(node: string, name: string): Error & { code: number } {
  const found = RECORDED_EVM.errors.find((one) => one.node === node && one.case === name);
  if (!found) throw new Error(`${node}: ${name} is not recorded`);
  return Object.assign(new Error(found.error.message), { code: found.error.code });
}
