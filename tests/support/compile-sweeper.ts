/** Compiles the sweeper. `node tests/support/compile-sweeper.ts` writes what the signer deploys. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Abi, Hex } from "viem";

const FOLDER = join(import.meta.dirname, "../../lib/signer/evm/sweeper");
export const COMPILED_FILE = join(FOLDER, "sweeper.json");

/** Without the hash of the metadata, which depends on more than the source. */
const SETTINGS = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
};

export interface Compiled {
  readonly abi: Abi;
  /** The bytes that create the contract. */
  readonly bytecode: Hex;
  /** The code at its address afterwards, without a value for what the constructor sets. */
  readonly runtime: Hex;
}

const compiled = new Map<string, Compiled>();

/** The first contract of a Solidity source. Throws on a warning. A process compiles each source once. */
export function compileSolidity(source: string): Compiled {
  const known = compiled.get(source) ?? compile(source);
  compiled.set(source, known);
  return known;
}

function compile(source: string): Compiled {
  // Half a second and 9 MB: only where it is needed.
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const outputSelection = { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } };
  const input = {
    language: "Solidity",
    sources: { "a.sol": { content: source } },
    settings: { ...SETTINGS, outputSelection },
  };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  const said = errors.map((one: { formattedMessage: string }) => one.formattedMessage);
  if (said.length > 0) throw new Error(said.join("\n"));
  const found = Object.values(contracts["a.sol"] as Record<string, RawContract>).find(
    ({ evm }) => evm.bytecode.object !== "",
  );
  if (found === undefined) throw new Error("the source has no contract");
  const { abi, evm } = found;
  return { abi, bytecode: `0x${evm.bytecode.object}`, runtime: `0x${evm.deployedBytecode.object}` };
}

interface RawContract {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

/** The text of sweeper.json, from the source. */
export function compileSweeper(): string {
  const { abi, bytecode } = compileSolidity(readFileSync(join(FOLDER, "Sweeper.sol"), "utf8"));
  return `${JSON.stringify({ compiler: "solc 0.8.30", settings: SETTINGS, abi, bytecode }, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(COMPILED_FILE, compileSweeper());
