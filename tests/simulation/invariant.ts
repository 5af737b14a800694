import type { World } from "./world.ts";

/** A rule that holds at the end of every history. Returns one sentence for each violation. */
export type Invariant = (world: World) => Promise<readonly string[]>;

/** Runs a query that stays prepared. */
export async function query<Row>(
  { lane }: World,
  name: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await lane.admin.query({ name, text, values })).rows as Row[];
}
