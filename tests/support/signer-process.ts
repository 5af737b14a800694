/** `paylink signer run` as a process of its own, with the files of its host and a database role of its own. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { signerFiles } from "#lib/signer/host-files.ts";
import { sealMnemonic } from "#lib/signer/key-file.ts";
import type { testDatabase } from "./database.ts";
import { restrict } from "./restricted-role.ts";

const PASSPHRASE = "correct horse battery";
const ROOT = join(import.meta.dirname, "../..");

/** A network with a merchant who withdraws, and a hot account that can pay. */
export interface SignerProcessWorld {
  readonly database: Awaited<ReturnType<typeof testDatabase>>;
  /** The folder of the signer's host. */
  readonly folder: string;
  readonly words: string;
  /** The text of the policy file. It allows everything that `ask` asks for. */
  readonly policy: string;
  /** The network's variables. */
  readonly env: Readonly<Record<string, string>>;
  /** A transaction pays several withdrawals. */
  readonly isBatched: boolean;
  /** Creates a withdrawal of `unit` ledger units. Where a transaction pays several, each has another destination. */
  ask(): Promise<unknown>;
  readonly unit: bigint;
  /** Returns the amount that all destinations have received on the chain, in ledger units. */
  received(): Promise<bigint>;
  /** Makes blocks with what waits. */
  mine(blocks: number): Promise<unknown>;
  /** Makes final what is in a block, then lets the worker follow. */
  settle(): Promise<void>;
  booksAgree(): Promise<void>;
}

/** The variables and files of a signer's process. */
export interface SignerHost extends Pick<SignerProcessWorld, "folder" | "words" | "policy" | "env"> {
  readonly database: { readonly url: string; readonly database: { readonly pool: pg.Pool } };
}

/** Writes the files of the signer's host. Returns its environment. */
export async function prepareHost(w: SignerHost): Promise<Record<string, string>> {
  const files = signerFiles(w.folder);
  writeFileSync(files.key, sealMnemonic(w.words, PASSPHRASE), { mode: 0o600 });
  writeFileSync(files.policy, w.policy, { mode: 0o600 });
  writePassphrase(w, PASSPHRASE);
  const role = `signer_${randomUUID().slice(0, 8)}`;
  const { database, url } = w.database;
  return { DATABASE_URL: await restrict(database.pool, url, role, "signer"), ...w.env };
}

export function writePassphrase({ folder }: Pick<SignerHost, "folder">, passphrase = PASSPHRASE): void {
  writeFileSync(join(folder, "passphrase"), `${passphrase}\n`, { mode: 0o600 });
}

/** Starts `paylink signer run`. */
export function startSigner({ folder }: Pick<SignerHost, "folder">, env: Readonly<Record<string, string>>) {
  const words = ["signer", "run", "--dir", folder, "--passphrase-file", join(folder, "passphrase")];
  const child = fork(join(ROOT, "lib/cli/main.ts"), words, {
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...env },
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (said += part));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal })),
  );
  const ready = new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    void ended.then(({ code }) => reject(new Error(`the signer ended with ${code}: ${said}`)));
  });
  return { child, ended, ready, said: () => said };
}
