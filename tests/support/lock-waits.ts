import type pg from "pg";
import { WakeUps } from "./wake-ups.ts";

/** How long a session waits for a lock before PostgreSQL reports it. */
const REPORT_AFTER_MS = 5;

const SETTINGS = `set log_lock_waits = on; set client_min_messages = log; set deadlock_timeout = ${REPORT_AFTER_MS}`;

/**
 * Watches for sessions of this pool that wait for a lock of another session. Connections that are in use now are not
 * watched.
 */
export async function watchLockWaits(pool: pg.Pool): Promise<() => Promise<void>> {
  const waits = new WakeUps();
  let count = 0;
  const watch = async (client: pg.ClientBase) => {
    client.on("notice", ({ message }) => {
      if (!message?.includes("still waiting for")) return;
      count += 1;
      waits.wake();
    });
    await client.query(SETTINGS);
  };
  const verify = (client: pg.ClientBase, done: (error?: Error) => void) =>
    void watch(client).then(() => done(), done);
  Object.assign(pool.options, { verify });
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  await Promise.all(idle.map(watch));
  for (const client of idle) client.release();
  /** Resolves when a session waits that no call before has reported. */
  return async () => {
    await waits.until("a session waits for a lock", () => count > 0);
    count -= 1;
  };
}
