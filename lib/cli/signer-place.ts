import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { OperatorError } from "#lib/platform/operator-error.ts";
import { readPrivateFile, signerFiles } from "#lib/signer/host-files.ts";
import { openMnemonic } from "#lib/signer/key-file.ts";
import { PolicyError, parsePolicy } from "#lib/signer/policy.ts";
import type { Policy } from "#lib/signer/types.ts";
import { askSecret } from "./ask-secret.ts";
import { type Cli, CommandRefusal } from "./cli.ts";

/** Where a signer's files are. */
export interface Place {
  readonly dir: string;
  readonly passphraseFile?: string;
}

export const PHRASE = "--passphrase-file <file>";
export const PHRASE_TEXT = "a file with the passphrase; without it a systemd credential, else the terminal";

/** Never from the environment, which other programs of the user can read. */
export async function readPassphrase(cli: Cli, file: string | undefined): Promise<string> {
  const { CREDENTIALS_DIRECTORY: credentials } = cli.env;
  let text: string;
  if (file !== undefined) text = readPrivateFile(file);
  // systemd keeps these from others by an access control list, which looks like rights of the group.
  else if (credentials !== undefined) text = readFileSync(join(credentials, "passphrase"), "utf8");
  else text = await askSecret(cli, "Passphrase: ");
  return text.replace(/\r?\n$/, "");
}

/** Throws a PolicyError, and a HostFileError if others may read the file. */
export function readPolicy(dir: string, networks: NetworkRegistry): Policy {
  const { policy } = signerFiles(dir);
  const text = readOwnFile(policy);
  try {
    return parsePolicy(
      text,
      (env, network, address) => networks.find(env, network)?.addresses.canonicalize(address) ?? null,
    );
  } catch (error) {
    if (error instanceof OperatorError) throw new PolicyError(`${policy}: ${error.message}`);
    throw error;
  }
}

function readOwnFile(path: string): string {
  if (existsSync(path)) return readPrivateFile(path);
  throw new CommandRefusal(`${path} is missing: "signer init" or "signer import" makes it`);
}

/** The words of the key file. */
export async function openWords(cli: Cli, { dir, passphraseFile }: Place): Promise<string> {
  const opened = openMnemonic(readOwnFile(signerFiles(dir).key), await readPassphrase(cli, passphraseFile));
  if (opened.ok) return opened.mnemonic;
  throw new CommandRefusal(
    opened.reason === "passphrase_wrong"
      ? "the passphrase is wrong: it must be the one that key.json was made with"
      : "key.json is no key file, or it is damaged: restore it, or move it away and import the words again",
  );
}

export function requireDatabaseUrl(url: string | null): string {
  if (url === null)
    throw new CommandRefusal("DATABASE_URL is not set: the signer works on the server's database");
  return url;
}
