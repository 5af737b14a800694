import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPage } from "#lib/demo/build-page.ts";
import { type Stack, startStack } from "../support/stack.ts";

const TYPES = join(import.meta.dirname, "../../next-env.d.ts");

export interface PageBench {
  readonly stack: Stack;
  /** Links that await a payment on bep20. */
  readonly awaiting: readonly string[];
  /** The bare page of the same build and the same server. */
  readonly bare: string;
}

/** A stack with the bench build, which has a bare page in addition to the payment page. */
export async function startPageBench(links: number, env: Record<string, string> = {}): Promise<PageBench> {
  const say = (line: string) => console.log(`  ${line}`);
  // The server requests this page first. The other must not stay in the editor's types.
  await buildPage(say);
  const types = existsSync(TYPES) ? readFileSync(TYPES) : null;
  await buildPage(say, { bench: true });
  if (types === null) rmSync(TYPES, { force: true });
  else writeFileSync(TYPES, types);

  const stack = await startStack({ LOG_LEVEL: "warn", BENCH_BUILD: "1", ...env });
  const made = await Promise.all(
    Array.from({ length: links }, () =>
      stack.createLink({ wallets: '[{"network":"bep20","token":"USDT"}]' }),
    ),
  );
  return {
    stack,
    awaiting: made.map(({ url }) => url),
    bare: new URL("/bare", stack.pageUrl).href,
  };
}
