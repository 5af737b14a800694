import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { rpc } from "./rpc.ts";
import { writeWhole } from "./write-whole.ts";

export interface ChainKeeper {
  save(): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 200;

/**
 * Keeps an anvil chain in `statePath` and its waiting transactions next to it, so that a killed node or
 * parent loses no payment. A block with waiting transactions is saved at once. Other blocks are saved so
 * that saving takes at most a twentieth of the time. `restorePool` broadcasts the waiting transactions
 * again.
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
    // A transaction leaves the pool file only after its block is saved.
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
      // A test may have killed the node: leave the files as they are.
      await look().catch(() => {});
      // Stopped in the meantime: nothing would wake it, and its timer alone does not keep a process alive.
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
    // The node rightly refuses a transaction that a saved block already holds.
    if (raw !== null) await rpc(url, "eth_sendRawTransaction", [raw]).catch(() => {});
  }
}
