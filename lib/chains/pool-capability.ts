/** A capability of a node: members that each ask it something. */
type Questions<C> = { readonly [Member in keyof C]: (...given: never[]) => Promise<unknown> };

/**
 * The same capability of a pool. Each member asks the node that `use` chooses, and the next one when that fails. `shape`: the capability
 * of any node of the pool, for the names of its members.
 */
export function poolCapability<Node, C extends Questions<C>>(
  use: <T>(work: (node: Node) => Promise<T>) => Promise<T>,
  pick: (node: Node) => C,
  shape: C,
): C {
  const names = Object.keys(shape) as (keyof C)[];
  const ask =
    (name: keyof C) =>
    (...given: never[]) =>
      use((node) => pick(node)[name](...given));
  return Object.fromEntries(names.map((name) => [name, ask(name)])) as unknown as C;
}

/** As poolCapability. Null where the nodes do not have it. */
export function poolOptional<Node, C extends Questions<C>>(
  use: <T>(work: (node: Node) => Promise<T>) => Promise<T>,
  pick: (node: Node) => C | null,
  shape: C | null,
): C | null {
  if (shape === null) return null;
  const pickOwn = (node: Node): C => {
    const own = pick(node);
    if (own === null) throw new Error("a node lacks what the other nodes of its pool have");
    return own;
  };
  return poolCapability(use, pickOwn, shape);
}
