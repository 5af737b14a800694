import { sql } from "drizzle-orm";
import { prepareDatabase } from "#lib/domain/settings/prepare-database.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { startEmbedded } from "#lib/platform/db/embedded.ts";
import { startApi, type TestApi } from "#tests/support/api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { fillLinks, fillPlaces } from "./console-data.ts";

interface Opened {
  readonly api: TestApi;
  close(): Promise<void>;
}

/** Opens a database that this run alone uses. */
export async function openNew(): Promise<Opened> {
  const api = await startApi();
  return { api, close: () => api.close() };
}

/** Opens the database in this folder. It stays there for the next run, which migrates it and fills nothing. */
export async function openKept(folder: string): Promise<Opened> {
  const server = await startEmbedded(folder, { durable: false });
  await prepareDatabase(server.url);
  const database = openDatabase(server.url);
  // As in other clusters of tests: plans depend on the statistics after the filling alone.
  await database.db.execute(sql`alter system set autovacuum = off`);
  await database.db.execute(sql`select pg_reload_conf()`);
  const api = await startApi({ database });
  const close = async () => {
    await api.close();
    await database.close();
    await server.stop();
  };
  return { api, close };
}

/** Measures a database with so many links of one merchant. An empty database gets them first. */
export async function withLinks<T>(
  links: number,
  open: () => Promise<Opened>,
  measure: (api: TestApi) => Promise<T>,
): Promise<T> {
  const { api, close } = await open();
  try {
    const { db } = api.database;
    const { rows } = await db.execute(sql`select from payment_links limit 1`);
    if (rows.length === 0) {
      const merchant = await api.merchant();
      await api.client(merchant.test).POST("/payment-links", { body: PAYMENT_LINK });
      await fillPlaces(db, merchant.id);
      await fillLinks(db, merchant.id, { from: 1, to: links });
    }
    return await measure(api);
  } finally {
    await close();
  }
}
