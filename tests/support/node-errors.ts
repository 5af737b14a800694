import { NodeError, type NodeErrorKind } from "#lib/chains/node-error.ts";

/** For assert.rejects and assert.throws: a NodeError of one of these kinds, or of any. */
export const isNodeError =
  (...kinds: NodeErrorKind[]) =>
  (error: unknown): boolean =>
    error instanceof NodeError && (kinds.length === 0 || kinds.includes(error.kind));
