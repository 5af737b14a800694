import pg from "pg";
import { WakeUps } from "./wake-ups.ts";

/** Wakes those who wait for what others write into these tables, after each commit. */
export async function followTables(url: string, tables: readonly string[]) {
  const changes = new WakeUps();
  const client = new pg.Client({ connectionString: url });
  client.on("notification", changes.wake);
  client.on("error", () => {});
  await client.connect();
  await client.query(`
    create function report_change() returns trigger language plpgsql as
      $$ begin perform pg_notify('test_changes', ''); return null; end $$;
    ${tables.map((table) => `create trigger report_change after insert or update or delete on ${table} execute function report_change();`).join("\n")}
    listen test_changes`);
  return {
    wake: changes.wake,
    until: changes.until.bind(changes),
    async close() {
      await client.query("drop function report_change cascade");
      await client.end();
    },
  };
}
