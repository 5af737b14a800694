import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

type Environment = Readonly<Record<string, string | undefined>>;

export type FoundBitcoind =
  | { readonly ok: true; readonly path: string }
  /** One line: why there is none, and how to add it. */
  | { readonly ok: false; readonly problem: string };

const HOW_TO_ADD =
  "to add it, install Bitcoin Core and put bitcoind on the PATH, or set BITCOIND to where it is";

/**
 * The bitcoind to run: BITCOIND, else the PATH's, else one in the cache folder (PAYLINK_CACHE_DIR, ~/.cache/paylink),
 * which is unpacked there from Debian's packages at first where apt can do that. `say` hears of it.
 */
export async function findBitcoind(
  env: Environment = process.env,
  say: (line: string) => void = () => {},
): Promise<FoundBitcoind> {
  if (env.BITCOIND) {
    if (isExecutable(env.BITCOIND)) return { ok: true, path: env.BITCOIND };
    return { ok: false, problem: `BITCOIND is ${env.BITCOIND}, which is no program` };
  }
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = folders.map((folder) => join(folder, "bitcoind")).find(isExecutable);
  if (onPath !== undefined) return { ok: true, path: onPath };
  const cache = env.PAYLINK_CACHE_DIR || join(env.HOME ?? homedir(), ".cache", "paylink");
  const cached = join(cache, "bitcoind", "bitcoind");
  if (isExecutable(cached)) return { ok: true, path: cached };
  if (!folders.some((folder) => isExecutable(join(folder, "apt-get")))) {
    return { ok: false, problem: `there is no bitcoind on this machine; ${HOW_TO_ADD}` };
  }
  say(`unpacking bitcoind into ${join(cache, "bitcoind")} …`);
  try {
    await unpack(join(cache, "bitcoind"));
    return { ok: true, path: cached };
  } catch (error) {
    const reason = lastLine((error as { stderr?: string }).stderr) ?? String(error);
    return { ok: false, problem: `bitcoind could not be unpacked (${reason}); ${HOW_TO_ADD}` };
  }
}

async function unpack(target: string): Promise<void> {
  const script = join(import.meta.dirname, "unpack-bitcoind.sh");
  await promisify(execFile)("sh", [script, target], { timeout: 300_000 });
}

function lastLine(text: string | undefined): string | undefined {
  return text
    ?.split("\n")
    .findLast((line) => line.trim() !== "")
    ?.trim();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
