/** A capability of a node: members that each ask it something. */
export type Questions<C> = { readonly [Member in keyof C]: (...given: never[]) => Promise<unknown> };

/** Runs work on the node of a pool that can do it, and on the next one when that fails. */
export type UseNode<Node> = <T>(work: (node: Node) => Promise<T>) => Promise<T>;

/**
 * The same capability of a pool. Each member asks the node that `use` chooses, and the next one when that fails. Null where the nodes do
 * not have it. `shape`: a node that is asked nothing. It shows which capabilities the nodes have, and their members.
 */
export function poolCapability<Node, C extends Questions<C> | null>(
  use: UseNode<Node>,
  pick: (node: Node) => C,
  shape: Node,
): C {
  const members = pick(shape);
  if (members === null) return members;
  const names = Object.keys(members) as (keyof C)[];
  const ask =
    (name: keyof C) =>
    (...given: never[]) =>
      use((node) => (pick(node) as Record<keyof C, (...given: never[]) => Promise<unknown>>)[name](...given));
  return Object.fromEntries(names.map((name) => [name, ask(name)])) as unknown as C;
}
