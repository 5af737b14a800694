import assert from "node:assert/strict";
import { HDKey } from "@scure/bip32";
import { ConfigError, readConfig } from "#lib/server/config.ts";

/** Keys of EVM networks for both environments, and what else a configuration needs. */
export const master = HDKey.fromMasterSeed(new Uint8Array(64).fill(7));
export const LIVE_KEY = master.derive("m/44'/60'/0'");
export const TEST_KEY = master.derive("m/44'/60'/1'");
export const SECRET_KEY = "0123456789abcdef0123456789abcdef";

/** Returns the problems of these variables, one sentence each. */
export function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}
