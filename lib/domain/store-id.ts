import type { Env } from "#lib/chains/network-data.ts";

/**
 * The id of a merchant's store in the Greenfield protocol: the merchant's code without its dashes, with "test" after it in the test
 * environment. Plugins put it into addresses and into names, so that it has letters and digits alone.
 */
export function storeIdOf(code: string, env: Env): string {
  return code.replaceAll("-", "") + (env === "test" ? "test" : "");
}

/** The merchant's code and the environment of a store id. null: it is no store id. */
export function parseStoreId(text: string): { readonly code: string; readonly env: Env } | null {
  const [, a, b, c, d, e, test] =
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(test)?$/.exec(text) ?? [];
  return a === undefined
    ? null
    : { code: [a, b, c, d, e].join("-"), env: test === undefined ? "live" : "test" };
}
