export interface Block {
  readonly height: number;
  readonly hash: string;
}

/** The newest block that was read before. Null: none. A function returns it for each node: work that failed may have moved it. */
export type LastBlock = Block | null | (() => Promise<Block | null>);

export async function resolveLastBlock(given: LastBlock): Promise<Block | null> {
  return typeof given === "function" ? given() : given;
}
