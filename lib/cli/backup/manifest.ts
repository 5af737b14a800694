/** The file of a backup that says what is in it. `restore` compares the files and the restored database with it. */
import { createHash } from "node:crypto";
import { createReadStream, promises as files } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { ENVS } from "#lib/chains/network-data.ts";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import type { Content } from "#lib/domain/database/describe-content.ts";
import type { LedgerCheckResult } from "#lib/domain/ledger/check-ledger.ts";
import { CommandRefusal } from "../cli.ts";

/** The files of a backup's folder. */
export const FILES = {
  manifest: "manifest.json",
  database: "database.dump",
  journal: "journal.jsonl",
} as const;
const FORMAT = 1;

const count = z.int().nonnegative();
const fileSchema = z.object({ bytes: count, sha256: z.hex().length(64) });
const contentSchema = z.object({
  migrations: z.array(count),
  tables: z.record(z.string(), count),
  accounts: z.array(
    z.object({
      env: z.enum(ENVS),
      key: z.string(),
      networks: z.array(z.enum(NETWORK_CODES)),
      next_index: count,
    }),
  ),
});
const ledgerSchema = z.object({
  ok: z.boolean(),
  accounts: count,
  transfers: count,
  credited_deposits: count,
  held_deposits: count,
  /** Amounts in ledger units. */
  custody: z.array(z.object({ env: z.enum(ENVS), network: z.string(), token: z.string(), held: z.string() })),
});
const manifestSchema = z.object({
  format: z.literal(FORMAT),
  made_at: z.iso.datetime(),
  version: z.string(),
  postgres: count,
  content: contentSchema,
  ledger: ledgerSchema,
  database: fileSchema,
  journal: fileSchema.extend({ transactions: count }).nullable(),
});

export type Manifest = z.infer<typeof manifestSchema>;
type FileFacts = z.infer<typeof fileSchema>;
type ManifestContent = Manifest["content"];

/** A database's content as the manifest has it. */
export function toManifestContent({ migrations, tables, accounts }: Content): ManifestContent {
  return {
    migrations: [...migrations],
    tables: { ...tables },
    accounts: accounts.map(({ env, key, networks, nextIndex }) => ({
      env,
      key,
      networks: [...networks],
      next_index: nextIndex,
    })),
  };
}

/** The result of a check of the ledger as the manifest has it. */
export function toManifestLedger({ ok, figures }: LedgerCheckResult): Manifest["ledger"] {
  return {
    ok,
    accounts: figures.accounts,
    transfers: figures.transfers,
    credited_deposits: figures.creditedDeposits,
    held_deposits: figures.heldDeposits,
    custody: figures.custody.map(({ env, network, token, held }) => ({
      env,
      network,
      token,
      held: String(held),
    })),
  };
}

/** Reads the manifest of a backup's folder. Throws a CommandRefusal. */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await files.readFile(join(folder, FILES.manifest), "utf8");
  } catch {
    throw new CommandRefusal(
      `${folder} has no ${FILES.manifest}: it is not a backup of \`paylink backup\`, or one that was interrupted`,
    );
  }
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    throw new CommandRefusal(
      `${FILES.manifest} of ${folder} is damaged, or a newer version of Paylink wrote it: use another backup, or that version`,
    );
  }
}

export async function writeManifest(folder: string, given: Omit<Manifest, "format">): Promise<void> {
  const manifest: Manifest = { format: FORMAT, ...given };
  const path = join(folder, FILES.manifest);
  await files.writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: "wx" });
}

/** Refuses a file that is not the one that was backed up. */
export async function checkFile(folder: string, name: string, { bytes, sha256 }: FileFacts): Promise<void> {
  const found = await describeFile(join(folder, name)).catch(() => null);
  if (found?.bytes !== bytes || found.sha256 !== sha256)
    throw new CommandRefusal(`${join(folder, name)} is missing or damaged: use another backup`);
}

/** The size and checksum of a file. It is read in parts. */
export async function describeFile(path: string): Promise<FileFacts> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  const { size } = await files.stat(path);
  return { bytes: size, sha256: hash.digest("hex") };
}

/** Writes what the system still holds of a file or folder to the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await files.open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Each difference between a backup's content and a database's, as a sentence. */
export function findDifferences(backup: ManifestContent, found: ManifestContent): string[] {
  const names = [...new Set([...Object.keys(backup.tables), ...Object.keys(found.tables)])].toSorted();
  const rows = names
    .filter((name) => backup.tables[name] !== found.tables[name])
    .map(
      (name) => `${name} has ${found.tables[name] ?? "no"} rows, the backup ${backup.tables[name] ?? "none"}`,
    );
  const parts = (["migrations", "accounts"] as const)
    .filter((part) => JSON.stringify(backup[part]) !== JSON.stringify(found[part]))
    .map((part) => `${part} of the database are not those of the backup`);
  return [...rows, ...parts];
}
