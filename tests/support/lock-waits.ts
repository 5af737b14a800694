import type pg from "pg";
import { WakeUps } from "./wake-ups.ts";

/** How long a session waits for a lock before PostgreSQL reports it. */
const REPORT_AFTER_MS = 5;

/** Watches for sessions of this pool that wait for a lock of another session. Only queries that begin later count. */
export function watchLockWaits(pool: pg.Pool) {
  const waits = new WakeUps();
  let count = 0;
  pool.on("acquire", (client) => {
    void client.query(
      `set log_lock_waits = on; set client_min_messages = log; set deadlock_timeout = ${REPORT_AFTER_MS}`,
    );
    if (client.listenerCount("notice") > 0) return;
    client.on("notice", ({ message }) => {
      if (!message?.includes("still waiting for")) return;
      count += 1;
      waits.wake();
    });
  });
  /** Resolves when a session waits that no call before has reported. */
  return async (): Promise<void> => {
    await waits.until("a session waits for a lock", () => count > 0);
    count -= 1;
  };
}
