import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { rpc } from "./rpc.ts";

export interface ChainKeeper {
  save(): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 200;

/**
 * Keeps an anvil chain in `statePath`, and the transactions that wait for a block beside it, so that neither a
 * killed node nor a killed parent loses a payment. A block that took waiting transactions is saved at once, others
 * as often as costs a twentieth of the time at most. `restorePool` broadcasts again what was waiting when the node died.
 */
export async function keepChain(
  url: string,
  statePath: string,
  options: { restorePool: boolean },
): Promise<ChainKeeper> {
  const poolPath = `${statePath}.pool`;
  if (options.restorePool) await restorePool(url, poolPath);
  let savedHead = "";
  let savedPool = "";
  let nextAt = 0;

  const save = async () => {
    const startedAt = Date.now();
    savedHead = String(await rpc(url, "eth_blockNumber"));
    const dump = String(await rpc(url, "anvil_dumpState"));
    writeWhole(statePath, gunzipSync(Buffer.from(dump.slice(2), "hex")));
    nextAt = Date.now() + 20 * (Date.now() - startedAt);
  };
  const look = async () => {
    const pool = await waitingTransactions(url);
    // A transaction leaves the pool's file only after the block that holds it is saved.
    const key = pool.hashes.join();
    const minedSome = savedPool.split(",").some((hash) => hash !== "" && !pool.hashes.includes(hash));
    const head = String(await rpc(url, "eth_blockNumber"));
    if (head !== savedHead && (minedSome || Date.now() >= nextAt)) await save();
    if (key !== savedPool) {
      writeWhole(poolPath, JSON.stringify(await pool.raw()));
      savedPool = key;
    }
  };

  let stopped = false;
  let wake = () => {};
  const loop = (async () => {
    while (!stopped) {
      // The node may be gone for a while (killed by a test): what is on disk stays as it is.
      await look().catch(() => {});
      // Told to stop meanwhile: nobody would wake it, and its timer alone keeps no process alive.
      if (stopped) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, POLL_MS).unref();
      });
    }
  })();
  return {
    save,
    stop: () => {
      stopped = true;
      wake();
      return loop;
    },
  };
}

async function waitingTransactions(url: string) {
  const { pending, queued } = (await rpc(url, "txpool_content")) as Record<
    "pending" | "queued",
    Record<string, Record<string, { hash: string }>>
  >;
  const hashes = [pending, queued].flatMap((part) =>
    Object.values(part).flatMap((byNonce) =>
      Object.entries(byNonce)
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([, { hash }]) => hash),
    ),
  );
  return {
    hashes,
    raw: () => Promise.all(hashes.map((hash) => rpc(url, "eth_getRawTransactionByHash", [hash]))),
  };
}

async function restorePool(url: string, poolPath: string): Promise<void> {
  if (!existsSync(poolPath)) return;
  for (const raw of JSON.parse(readFileSync(poolPath, "utf8")) as (string | null)[]) {
    // One that a saved block already holds is refused, rightly.
    if (raw !== null) await rpc(url, "eth_sendRawTransaction", [raw]).catch(() => {});
  }
}

/** Written beside and renamed over: a reader finds the old file or the new one, never half of one. */
function writeWhole(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
