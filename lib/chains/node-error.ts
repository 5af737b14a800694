/**
 * refused: the node answered with an error of its own (for example, a range that is too large). behind: the
 * node is below a block that was already read. stale: its newest block is too old.
 */
export type NodeErrorKind =
  | "unreachable"
  | "rate_limited"
  | "refused"
  | "malformed"
  | "inconsistent"
  | "behind"
  | "stale"
  | "wrong_chain";

interface NodeErrorOptions extends ErrorOptions {
  /** rate_limited: how long the node asks us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** behind: the node's height. */
  readonly height?: number;
  /** malformed: it can end soon without a change, as the passing of `unreachable` does, but another question may be answered now. */
  readonly isPassing?: boolean;
}

/** A node did not answer, or its answer cannot be right. The watcher waits and guesses nothing. */
export class NodeError extends Error {
  readonly kind: NodeErrorKind;
  readonly retryAfterMs: number | null;
  readonly height: number | null;
  readonly isPassing: boolean;
  constructor(kind: NodeErrorKind, message: string, options?: NodeErrorOptions) {
    super(message, options);
    this.name = "NodeError";
    this.kind = kind;
    this.retryAfterMs = options?.retryAfterMs ?? null;
    this.height = options?.height ?? null;
    this.isPassing = options?.isPassing ?? false;
  }
}
