import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { writeWhole } from "#lib/dev-chains/write-whole.ts";
import { deriveAccountKey } from "#lib/domain/wallets/create-wallet.ts";

/**
 * The state that the demo must restore at its next start. Development secrets, in a file that only its owner can read.
 */
export interface DemoState {
  readonly secretKey: string;
  readonly mnemonic: string;
  merchant: { email: string; live_key: string; test_key: string; webhook_secret: string } | null;
}

function statePath(dataDir: string): string {
  return join(dataDir, "demo-state.json");
}

/** Returns the state of the last start, or a new one. */
export function loadState(dataDir: string): DemoState {
  const path = statePath(dataDir);
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as DemoState;
  const state: DemoState = {
    secretKey: randomBytes(32).toString("base64url"),
    mnemonic: generateMnemonic(wordlist),
    merchant: null,
  };
  saveState(dataDir, state);
  return state;
}

export function saveState(dataDir: string, state: DemoState): void {
  writeWhole(statePath(dataDir), `${JSON.stringify(state, null, 2)}\n`);
}

/** Account public key, or account, of a network, derived from the demo's mnemonic. */
export function accountPublicKey(state: DemoState, network: keyof typeof NETWORKS): string {
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(state.mnemonic));
  const data: NetworkData = NETWORKS[network];
  const key = deriveAccountKey(root, network, `m/${getAccountPath(data, "test")}`);
  if (key === null) throw new Error(`${network} has no account key.`);
  return key.xpub;
}
