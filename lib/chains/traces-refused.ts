import { NodeError } from "./node-error.ts";

/** A node shows a block, and not what contracts moved in it: the block is too old for its traces, or takes too long. */
export class TracesRefusedError extends NodeError {
  constructor(message: string, cause: unknown) {
    super("refused", message, { cause });
  }
}

/** Returns whether the error is a TracesRefusedError, or the errors of several nodes with one as their cause. */
export function isTracesRefused(error: unknown): boolean {
  return [error, (error as Error).cause].some((one) => one instanceof TracesRefusedError);
}
