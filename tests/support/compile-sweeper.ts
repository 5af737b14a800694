/** Compiles the sweeper. `node tests/support/compile-sweeper.ts` writes what the signer deploys. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../lib/signer/evm/sweeper");
export const COMPILED_FILE = join(FOLDER, "sweeper.json");

/** Without the hash of the metadata, which depends on more than the source. */
const SETTINGS = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
};

/** The contracts of Solidity sources, by file name and contract name. Throws on a warning. */
export function compileSolidity(sources: Readonly<Record<string, string>>): Record<string, Compiled> {
  // Half a second and 9 MB: only where it is needed.
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: { ...SETTINGS, outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
  };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors.length > 0)
    throw new Error(errors.map((one: { formattedMessage: string }) => one.formattedMessage).join("\n"));
  const listed = Object.values(contracts as Record<string, Record<string, RawContract>>).flatMap((one) =>
    Object.entries(one),
  );
  return Object.fromEntries(
    listed.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` as const }]),
  );
}

interface RawContract {
  readonly abi: unknown[];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

export interface Compiled {
  readonly abi: unknown[];
  readonly bytecode: `0x${string}`;
}

/** The text of sweeper.json, from the source. */
export function compileSweeper(): string {
  const source = readFileSync(join(FOLDER, "Sweeper.sol"), "utf8");
  const { Sweeper } = compileSolidity({ "Sweeper.sol": source });
  return `${JSON.stringify({ compiler: "solc 0.8.30", settings: SETTINGS, ...Sweeper }, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(COMPILED_FILE, compileSweeper());
